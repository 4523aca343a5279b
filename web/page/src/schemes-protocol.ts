/** What the page's «Schemes» and its worker say to each other. */

import type { SchemeTime } from "./protocol.js";

export type SchemeQuestion =
  | { type: "key"; set: string; noise: string }
  | { type: "sign"; text: string; count: number }
  | { type: "verify"; text: string }
  | { type: "encrypt"; scheme: string; set: string; text: string }
  | { type: "measure"; milliseconds: number };

export type SchemeAnswer =
  | { type: "key"; set: string; noise: string; timing: string; publicBytes: number; secretBytes: number; milliseconds: number }
  | { type: "signed"; bytes: number; attempts: number; count: number; total: number; expected: number; milliseconds: number }
  | { type: "verified"; valid: boolean }
  | { type: "decrypted"; parts: { text: string; wrong: boolean }[]; bytes: number; keyBytes: number; wrongBits: number; bits: number }
  | { type: "time"; row: SchemeTime }
  | { type: "done" }
  | { type: "error"; message: string };
