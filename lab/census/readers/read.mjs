// JavaScript's readers and writers: READER IN OUT.
import { readFileSync, writeFileSync } from "node:fs";

const [reader, source, target] = process.argv.slice(2);
const wide = source.startsWith("wide");
const bytes = readFileSync(source);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const lines = (values) => Array.from(values, (x) => `${x}\n`).join("");
const csv = (rows) => lines(["x", ...rows.map((row) => row.x)]);
const readers = {
  npyjs: async () => lines((await new (await import("npyjs")).default().load(buffer)).data),
  "numpy-parser": async () => lines((await import("numpy-parser")).fromArrayBuffer(buffer).data),
  papaparse: async () => (await import("papaparse")).default.unparse((await import("papaparse")).default.parse(`${bytes}`, { header: true, dynamicTyping: true, skipEmptyLines: true }).data),
  "csv-parse": async () => csv((await import("csv-parse/sync")).parse(bytes, { columns: true, cast: (x, { header }) => (header ? x : BigInt(x)) })),
  "d3-dsv": async () => (await import("d3-dsv")).csvFormat((await import("d3-dsv")).csvParse(`${bytes}`, (await import("d3-dsv")).autoType)),
  "typed array": async () => new Uint8Array((wide ? BigInt64Array : Int8Array).from(new (wide ? BigInt64Array : Int8Array)(buffer)).buffer),
};
writeFileSync(target, await readers[reader]());
