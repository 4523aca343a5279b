// Chromium and Firefox through puppeteer-core, WebKit through W3C WebDriver: one small set of gestures for all.
// @ts-check

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

/**
 * @typedef {object} Driver
 * @property {string} name
 * @property {(url: string) => Promise<void>} open
 * @property {(expression: string) => Promise<any>} evaluate  its value, awaited
 * @property {(selector: string) => Promise<void>} click
 * @property {(selector: string, text: string) => Promise<void>} type  in place of what a field holds; \n is Enter
 * @property {(key: "Tab" | "Enter" | "Space" | "Left" | "Right") => Promise<void>} press
 * @property {(width: number, height: number) => Promise<void>} resize
 * @property {(() => Promise<string[]>) | undefined} told  role and name of what a screen reader hears of, if the browser says
 * @property {() => string[]} problems  what the browser itself has complained about
 * @property {string | undefined} downloads  where it puts files, if it can be told
 * @property {() => Promise<void>} close
 */

/** @param {import("puppeteer-core").SerializedAXNode | null} node @returns {string[]} */
const flat = (node) => (node === null ? [] : [`${node.role} ${node.name ?? ""}`, ...(node.children ?? []).flatMap(flat)]);

/** @typedef {{ dark?: boolean, calm?: boolean }} Wishes  what a user prefers: dark colours, reduced motion */

/** Selects what the focused field holds. */
const SELECT = "document.activeElement.select()";

/** Milliseconds. */
const FOREVER = 600_000;

const PACKAGES = "apt-get install -y chromium firefox-esr webkit2gtk-driver libwebkit2gtk-4.1-0 xvfb xauth";

/** The first of these that is there; or an error that says what to install.
 * @param {string} name @param {(string | undefined)[]} places @returns {string} */
function find(name, places) {
  const found = places.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error(`${name} is missing; on Debian and Ubuntu: ${PACKAGES}`);
  return found;
}

/** @param {"chrome" | "firefox"} browser @param {Wishes} wishes @returns {Promise<Driver>} */
async function puppet(browser, { dark = false, calm = false }) {
  const folder = mkdtempSync(join(tmpdir(), "samplez-browser-"));
  const chrome = browser === "chrome";
  const executablePath = chrome
    ? find("Chromium", [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser"])
    : find("Firefox", [process.env["FIREFOX"], "/usr/bin/firefox-esr", "/usr/bin/firefox"]);
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const instance = await puppeteer.launch({
    browser,
    executablePath,
    headless: true,
    args: chrome ? [...quiet, ...root] : [],
    downloadBehavior: { policy: "allow", downloadPath: folder },
    extraPrefsFirefox: {
      "browser.download.dir": folder,
      "browser.download.folderList": 2,
      "browser.download.alwaysOpenPanel": false,
      "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
      "ui.prefersReducedMotion": calm ? 1 : 0,
    },
    // Bounds that no load reaches: they only end what would never come.
    timeout: FOREVER,
    protocolTimeout: FOREVER,
  });
  const page = await instance.newPage();
  page.setDefaultTimeout(FOREVER);
  await page.setViewport({ width: 1000, height: 900 });
  if (chrome) {
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: calm ? "reduce" : "no-preference" },
    ]);
  }
  /** @type {string[]} */
  const problems = [];
  page.on("console", (line) => {
    if (line.type() === "error" || line.type() === "warn") problems.push(`console: ${line.text()}`);
  });
  page.on("pageerror", (error) => void problems.push(`page: ${error}`));
  page.on("requestfailed", (request) => {
    // A worker that is stopped while it loads is none.
    const why = request.failure()?.errorText ?? "";
    if (!/abort/i.test(why)) problems.push(`request: ${request.url()}: ${why}`);
  });
  return {
    name: chrome ? "chromium" : "firefox",
    open: async (url) => {
      problems.length = 0;
      await page.goto(url, { waitUntil: "load" });
    },
    evaluate: (expression) => page.evaluate(expression),
    click: (selector) => page.click(selector),
    type: async (selector, text) => {
      await page.focus(selector);
      await page.evaluate(SELECT);
      await page.keyboard.press("Backspace");
      for (const key of text) await page.keyboard.press(/** @type {any} */ (key === "\n" ? "Enter" : key));
    },
    press: (key) => page.keyboard.press(/** @type {any} */ ({ Space: " ", Left: "ArrowLeft", Right: "ArrowRight" }[/** @type {"Space"} */ (key)] ?? key)),
    told: chrome ? async () => flat(await page.accessibility.snapshot()) : undefined,
    resize: (width, height) => page.setViewport({ width, height }),
    problems: () => problems,
    downloads: folder,
    close: async () => {
      await instance.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))));
    });
  });

/** The keys of WebDriver. */
const KEYS = { Tab: "\uE004", Enter: "\uE007", Space: " ", Left: "\uE012", Right: "\uE014" };

/** @param {Wishes} wishes @returns {Promise<Driver>} */
async function webkit({ dark = false }) {
  const driver = find("WebKitWebDriver", [process.env["WEBKIT_DRIVER"], "/usr/bin/WebKitWebDriver"]);
  const browser = find("WebKit's MiniBrowser", [
    process.env["WEBKIT"],
    ...readdirSync("/usr/lib").map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`),
  ]);
  const xvfb = find("xvfb-run", ["/usr/bin/xvfb-run"]);
  // A group of its own, so that the server, the driver and the browser end together.
  const begun = (/** @type {number} */ port) =>
    spawn(xvfb, ["-a", "-n", String(100 + (port % 30_000)), driver, `--port=${port}`], {
      detached: true,
      stdio: "ignore",
      env: { ...process.env, GTK_THEME: dark ? "Adwaita:dark" : "Adwaita" },
    });
  let port = await freePort();
  let child = begun(port);
  const stop = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
  };
  process.once("exit", stop);
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const { value } = /** @type {any} */ (await response.json());
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  const options = { "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] } };
  let session;
  for (let tries = 0; ; tries++) {
    try {
      session = await call("POST", "/session", { capabilities: { alwaysMatch: options } });
      break;
    } catch (error) {
      // Far longer than any machine takes, however busy.
      if (tries === 600) {
        stop();
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      // It ends at once where somebody else has taken the port meanwhile.
      if (child.exitCode !== null) {
        port = await freePort();
        child = begun(port);
      }
    }
  }
  const at = `/session/${session.sessionId}`;
  await call("POST", `${at}/timeouts`, { script: FOREVER, pageLoad: FOREVER });
  const element = async (/** @type {string} */ selector) =>
    Object.values(await call("POST", `${at}/element`, { using: "css selector", value: selector }))[0];
  return {
    name: "webkit",
    open: (url) => call("POST", `${at}/url`, { url }),
    evaluate: async (expression) => {
      const script =
        `const done = arguments[arguments.length - 1];` +
        `Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const { value, error } = await call("POST", `${at}/execute/async`, { script, args: [] });
      if (error !== undefined) throw new Error(error);
      return value;
    },
    click: async (selector) => void (await call("POST", `${at}/element/${await element(selector)}/click`, {})),
    type: async (selector, text) => {
      const field = await element(selector);
      await call("POST", `${at}/element/${field}/clear`, {});
      await call("POST", `${at}/element/${field}/value`, { text: text.replace("\n", "\uE007") });
    },
    press: async (key) => {
      const value = KEYS[key];
      const actions = [{ type: "keyDown", value }, { type: "keyUp", value }];
      await call("POST", `${at}/actions`, { actions: [{ type: "key", id: "keyboard", actions }] });
    },
    resize: (width, height) => call("POST", `${at}/window/rect`, { width, height }),
    told: undefined,
    problems: () => [],
    downloads: undefined,
    close: async () => {
      await call("DELETE", at).catch(() => {});
      stop();
    },
  };
}

/** The browsers by name. @type {Record<string, (wishes?: Wishes) => Promise<Driver>>} */
export const BROWSERS = {
  chromium: (wishes = {}) => puppet("chrome", wishes),
  firefox: (wishes = {}) => puppet("firefox", wishes),
  webkit: (wishes = {}) => webkit(wishes),
};

/** Those of the tests: ENGINES="chromium", or several; without it all. */
export const ENGINES = Object.keys(BROWSERS).filter((name) => (process.env["ENGINES"] ?? name).split(" ").includes(name));
