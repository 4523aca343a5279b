/** The computing of the page's «Schemes». */

import { Schemes, type Bliss, type BlissOptions, type Lp11Options, type RegevOptions } from "../../dist/schemes/index.js";
import type { SchemeAnswer, SchemeQuestion } from "./schemes-protocol.js";
import { measureSchemes } from "./tables45.js";

const post = (answer: SchemeAnswer): void => self.postMessage(answer);

const loading = Schemes.create();
/** What signs, the last signature, and the attempts and signatures so far. */
let signer: { bliss: Bliss; keys: ReturnType<Bliss["keygen"]>; signature?: Uint8Array; attempts: number; count: number } | undefined;

/** [DDLL13] and [Duc14]: M of BLISS-B, the attempts that a signature takes. */
const ATTEMPTS: Readonly<Record<string, number>> = { I: 1.211, II: 2.178, III: 1.4, IV: 1.602 };

async function key(set: string, noise: string): Promise<void> {
  const schemes = await loading;
  const bliss = schemes.bliss({ set: set as BlissOptions["set"], ...(noise === "" ? {} : { noise, signer: "plain" }) });
  signer?.keys.secretKey.dispose();
  signer?.keys.publicKey.dispose();
  signer?.bliss.dispose();
  const start = performance.now();
  const keys = bliss.keygen();
  const milliseconds = performance.now() - start;
  signer = { bliss, keys, attempts: 0, count: 0 };
  const publicBytes = keys.publicKey.toBytes().length;
  const secret = keys.secretKey.toBytes();
  const secretBytes = secret.length;
  secret.fill(0);
  post({ type: "key", set, noise: bliss.noise.recipe, timing: bliss.noise.timing, publicBytes, secretBytes, milliseconds });
}

function made(): NonNullable<typeof signer> {
  if (signer === undefined) throw new Error("make a key first");
  return signer;
}

function sign(text: string, count: number): void {
  const now = made();
  const start = performance.now();
  let last = { signature: new Uint8Array(), attempts: 0 };
  for (let i = 0; i < count; i++) {
    last = now.keys.secretKey.sign(text) as typeof last;
    now.attempts += last.attempts;
    now.count++;
  }
  const milliseconds = (performance.now() - start) / count;
  now.signature = last.signature;
  const expected = ATTEMPTS[now.bliss.set] ?? NaN;
  const { attempts: total, count: all } = now;
  post({ type: "signed", bytes: last.signature.length, attempts: last.attempts, count: all, total, expected, milliseconds });
}

function verify(text: string): void {
  const { keys, signature } = made();
  if (signature === undefined) throw new Error("sign a text first");
  post({ type: "verified", valid: keys.publicKey.verify(text, signature) });
}

async function encrypt(scheme: string, set: string, text: string): Promise<void> {
  const schemes = await loading;
  const noise = "method=cdt-guided";
  const cipher =
    scheme === "regev" ? schemes.regev({ set: set as RegevOptions["set"], noise }) : schemes.lp11({ set: set as Lp11Options["set"], noise });
  const { publicKey, secretKey } = cipher.keygen();
  const message = new TextEncoder().encode(text);
  const ciphertext = publicKey.encrypt(message);
  const back = secretKey.decrypt(ciphertext);
  const wrongBits = message.reduce((sum, byte, i) => sum + ones(byte ^ back[i]!), 0);
  const keyBytes = publicKey.toBytes().length;
  for (const thing of [publicKey, secretKey, cipher]) thing.dispose();
  post({ type: "decrypted", parts: compared(message, back), bytes: ciphertext.length, keyBytes, wrongBits, bits: 8 * message.length });
}

/** The runs of right and of wrong bytes of what came back, as text. */
function compared(message: Uint8Array, back: Uint8Array): { text: string; wrong: boolean }[] {
  const parts = [];
  for (let start = 0, end = 0; start < back.length; start = end) {
    const wrong = back[start] !== message[start];
    while (end < back.length && (back[end] !== message[end]) === wrong) end++;
    parts.push({ text: new TextDecoder().decode(back.subarray(start, end)), wrong });
  }
  return parts;
}

function ones(byte: number): number {
  let count = 0;
  for (; byte !== 0; byte &= byte - 1) count++;
  return count;
}

async function answer(question: SchemeQuestion): Promise<void> {
  switch (question.type) {
    case "key":
      return key(question.set, question.noise);
    case "sign":
      return sign(question.text, question.count);
    case "verify":
      return verify(question.text);
    case "encrypt":
      return encrypt(question.scheme, question.set, question.text);
    case "measure":
      for await (const row of measureSchemes(question.milliseconds)) post({ type: "time", row });
  }
}

self.onmessage = async ({ data }: MessageEvent<SchemeQuestion>) => {
  try {
    await answer(data);
  } catch (error) {
    post({ type: "error", message: error instanceof Error ? error.message : String(error) });
  }
  post({ type: "done" });
};
