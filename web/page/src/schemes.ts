/** The page's «Schemes»: keys, signatures and ciphertexts, made in a worker of their own, which the first button starts. */

import { describe } from "./certificate.js";
import { schemesCsv } from "./paper.js";
import type { SchemeTime } from "./protocol.js";
import { save } from "./save.js";
import type { SchemeAnswer, SchemeQuestion } from "./schemes-protocol.js";
import { element } from "./svg.js";

const input = (id: string) => element(id, HTMLInputElement);
const list = (id: string) => element(id, HTMLSelectElement);
const button = (id: string) => element(id, HTMLButtonElement);
const status = element("scheme-status", HTMLElement);
const say = (text: string): void => void (status.textContent = text);

let worker: Worker | undefined;
let asked = 0;
let signed = false;
let rows: SchemeTime[] = [];
let key: [string, string][] = [];

function ask(question: SchemeQuestion): void {
  if (worker === undefined) {
    worker = new Worker(new URL("./schemes-worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<SchemeAnswer>) => receive(data);
    worker.onerror = (event) => say(`The worker stopped: ${event.message}`);
  }
  asked++;
  document.body.dataset["schemes"] = "busy";
  worker.postMessage(question);
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
const time = (milliseconds: number): string => `${milliseconds.toPrecision(3)} ms`;

function receive(answer: SchemeAnswer): void {
  switch (answer.type) {
    case "key":
      signed = false;
      key = [
        ["set", `BLISS-${answer.set}, variant B`],
        ["noise", `${answer.noise}; timing: ${answer.timing}`],
        ["public key", `${answer.publicBytes} bytes`],
        ["secret key", `${answer.secretBytes} bytes`],
        ["time of the key", time(answer.milliseconds)],
      ];
      describe(element("signature", HTMLDListElement), key);
      button("sign").disabled = button("sign-many").disabled = false;
      button("alter").disabled = true;
      return say("A key is made.");
    case "signed":
      signed = true;
      button("alter").disabled = false;
      describe(element("signature", HTMLDListElement), [
        ...key,
        ["signature", `${answer.bytes} bytes`],
        ["attempts of the last", String(answer.attempts)],
        ["signatures", String(answer.count)],
        ["rejected", `${percent(1 - answer.count / answer.total)} of ${answer.total} attempts (exact ${percent(1 - 1 / answer.expected)})`],
        ["time of a signature", time(answer.milliseconds)],
      ]);
      return check();
    case "verified":
      return say(answer.valid ? "The signature is valid: it is one of this text." : "The signature is not valid: it is none of this text.");
    case "decrypted":
      element("decrypted", HTMLOutputElement).replaceChildren(...answer.parts.map(({ text, wrong }) => Object.assign(document.createElement(wrong ? "mark" : "span"), { textContent: text })));
      return say(`A ciphertext of ${answer.bytes} bytes under a public key of ${answer.keyBytes}; ${answer.wrongBits} of ${answer.bits} bits came back wrong.`);
    case "time":
      rows.push(answer.row);
      show();
      return say(`Measured: ${answer.row.what}.`);
    case "error":
      return say(answer.message);
    case "done":
      if (--asked > 0) return;
      document.body.dataset["schemes"] = "idle";
      button("scheme-measure").disabled = false;
      button("scheme-download").disabled = rows.length === 0;
  }
}

/** Whether the signature is one of the text as it stands. */
function check(): void {
  if (signed) ask({ type: "verify", text: input("sign-text").value });
}

/** Another letter in the middle of the text. */
function alter(): void {
  const field = input("sign-text");
  const at = field.value.length >> 1;
  const letter = field.value[at] === "x" ? "y" : "x";
  field.value = field.value.slice(0, at) + letter + field.value.slice(at + 1);
  check();
}

function show(): void {
  element("scheme-times", HTMLTableSectionElement).replaceChildren(
    ...rows.map(({ table, what, set, noise, paper, milliseconds }) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = what;
      const times = `${(paper / milliseconds).toPrecision(3)} ×`;
      const cells = [String(table), set, noise, String(paper), milliseconds.toPrecision(3), times].map((text) => {
        const cell = document.createElement("td");
        cell.textContent = text;
        return cell;
      });
      row.append(head, ...cells);
      return row;
    }),
  );
}

/** Makes the section work. */
export function startSchemes(): void {
  button("make-key").addEventListener("click", () => ask({ type: "key", set: list("sign-set").value, noise: list("sign-noise").value }));
  for (const [id, count] of [["sign", 1], ["sign-many", 500]] as const) {
    button(id).addEventListener("click", () => ask({ type: "sign", text: input("sign-text").value, count }));
  }
  input("sign-text").addEventListener("input", check);
  button("alter").addEventListener("click", alter);
  button("encrypt").addEventListener("click", () => {
    const [scheme = "", set = ""] = list("encrypt-set").value.split(" ");
    ask({ type: "encrypt", scheme, set, text: input("encrypt-text").value });
  });
  button("scheme-measure").addEventListener("click", () => {
    rows = [];
    button("scheme-measure").disabled = button("scheme-download").disabled = true;
    ask({ type: "measure", milliseconds: Number(list("effort").value) });
  });
  button("scheme-download").addEventListener("click", () => save("samplez-schemes.csv", schemesCsv(rows, navigator.userAgent)));
}
