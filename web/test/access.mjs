// What a page offers to those who use it without a mouse, without sight or with few colours: functions that run in it.
// @ts-check

/** The controls that Tab is to reach, in the order of the page, each by its id or name. */
export function controls() {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("a[href], input, select, button, summary, [tabindex]"));
  const reachable = Array.from(all).filter((e) => !e.hasAttribute("disabled") && e.checkVisibility());
  return reachable.map((e) => e.id || e.getAttribute("aria-label") || e.textContent);
}

/** Where the focus is, whether one sees it, and the reason if not. */
export function focus() {
  const e = /** @type {HTMLElement} */ (document.activeElement);
  const { outlineStyle, outlineWidth } = getComputedStyle(e);
  const { top, bottom } = e.getBoundingClientRect();
  const name = e.id || e.getAttribute("aria-label") || e.textContent;
  const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const why = `outline ${outlineWidth} ${outlineStyle}, from ${top} to ${bottom} of ${innerHeight}, the window ${document.hasFocus() ? "active" : "inactive"}`;
  return { name, seen: outlined && bottom > 0 && top < innerHeight, why };
}

/** What a checker of accessibility would complain about: names that are missing or said twice, headings that skip a level, live
 * regions within live regions, references to nothing, pictures without words, text that is no text. */
export function faults() {
  /** @type {string[]} */
  const found = [];
  const all = (/** @type {string} */ selector) => /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll(selector)));
  const what = (/** @type {Element} */ e) => `${e.tagName.toLowerCase()}#${e.id}`;
  const words = (/** @type {Element | null | undefined} */ e) => e?.textContent?.trim() ?? "";
  const name = (/** @type {HTMLElement} */ e) => {
    const by = e.getAttribute("aria-labelledby");
    const labels = "labels" in e ? Array.from(/** @type {NodeListOf<HTMLElement>} */ (e.labels ?? []), words) : [];
    return e.getAttribute("aria-label") ?? (by ? words(document.getElementById(by)) : (labels.join(" ") || (/^(INPUT|SELECT)$/.test(e.tagName) ? "" : words(e))));
  };
  for (const e of all("input, select, button, summary, a[href], [tabindex], section, form, [role=group], [role=region]")) {
    if (!name(e)) found.push(`${what(e)} has no name`);
  }
  /** @type {Map<string, Element>} */
  const named = new Map();
  for (const e of all("input, select, button")) {
    const same = named.get(name(e));
    if (same) found.push(`${what(e)} and ${what(same)} are both «${name(e)}»`);
    named.set(name(e), e);
  }
  for (const e of all("[tabindex]")) if (e.tabIndex > 0) found.push(`${what(e)} leaves the order of the page`);
  const ids = all("[id]").map((e) => e.id);
  for (const id of ids.filter((id, i) => ids.indexOf(id) !== i)) found.push(`two elements #${id}`);
  for (const e of all("[aria-labelledby], label[for]")) {
    const to = e.getAttribute("aria-labelledby") ?? e.getAttribute("for") ?? "";
    if (!document.getElementById(to)) found.push(`${what(e)} refers to #${to}, which is not there`);
  }
  for (const e of all("svg")) if (e.getAttribute("role") !== "img" || !e.getAttribute("aria-label")) found.push(`${what(e)} has no words`);
  for (const e of all("math")) if (!e.getAttribute("alttext")) found.push(`${what(e)} has no words`);
  const live = "[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]";
  for (const e of all(live)) if (e.parentElement?.closest(live)) found.push(`${what(e)} is live in what is live`);
  if (all("[aria-live=assertive]").length > 0) found.push("something interrupts");
  let level = 0;
  for (const e of all("h1, h2, h3, h4")) {
    const next = Number(e.tagName[1]);
    if (next > level + 1) found.push(`${words(e)} skips a level`);
    level = next;
  }
  if (all("h1").length !== 1 || all("main").length !== 1) found.push("there is not one h1 and one main");
  if (!document.documentElement.lang || !document.title) found.push("no language, or no title");
  for (const e of all("th")) if (!e.getAttribute("scope")) found.push(`th ${words(e)} has no scope`);
  return found;
}

/** The ratio of luminances (WCAG 2) of each pair of colours that meet on the page: text and what it stands on, and
 * what is drawn and the paper. */
export function contrasts() {
  const canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d", { willReadFrequently: true }));
  const rgba = (/** @type {string} */ color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data);
  };
  const luminance = (/** @type {string} */ color) => {
    const [r = 0, g = 0, b = 0] = rgba(color).map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (/** @type {string} */ a, /** @type {string} */ b) => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const below = (/** @type {Element | null} */ e) => {
    for (; e !== null; e = e.parentElement) {
      const { backgroundColor } = getComputedStyle(e);
      if ((rgba(backgroundColor)[3] ?? 0) === 255) return backgroundColor;
    }
    return "white";
  };
  /** @type {{ what: string, ratio: number, least: number }[]} */
  const found = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = Array.from(e.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (!own || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const drawn = e instanceof SVGElement;
    const leaves = e.classList.contains("leaf") ? document.querySelector(".leaves") : null;
    const ground = leaves ? getComputedStyle(leaves).fill : below(e);
    found.push({ what: `${e.tagName}.${e.getAttribute("class") ?? ""} ${e.textContent?.trim().slice(0, 20)}`, ratio: ratio(drawn ? style.fill : style.color, ground), least: 4.5 });
  }
  for (const kind of [".bar", ".residual", ".exact-dot", ".sure", ".leaves", ".step"]) {
    const e = document.querySelector(kind);
    if (e) found.push({ what: kind, ratio: ratio(getComputedStyle(e).fill, below(document.body)), least: 3 });
  }
  return { dark: luminance(below(document.body)) < 0.5, found };
}
