// What Python's package gives around centres of their own, judged by any copy of this one, in Node and in browsers.
// @ts-check

const length = 20_000;
const widths = Float64Array.from({ length }, (_, i) => 1 + ((i * 7919) % 10_007) / 16);
const centers = Float64Array.from({ length }, (_, i) => ((i * 31) % 1009) / 16 - 20);
const shifted = centers.map((x) => x + 0.125);
const narrow = Array.from({ length }, (_, i) => (i % 2 === 0 ? "1/3" : "0.5"));

/** @typedef {import("../dist/index.js").Stream} Stream */

/** Calls with the seed 5, and the SHA-256 of their int64s. In Python, with `i = numpy.arange(20000)`, these arrays, and rng=5:
 * `samplez.sample(widths, centers)`, `samplez.sample("3.2", centers)`, `samplez.sample(narrow, "1/7", exact=True)`,
 * `samplez.round(centers, widths, method)`, `samplez.round(shifted, 3.2, method)`.
 * @type {[call: (stream: Stream) => BigInt64Array<ArrayBuffer>, sha256: string][]} */
export const CASES = [
  [(s) => s.sample(widths, centers), "d11ddea2c835beb37205d7217f127514117b214249f96114250cb5af94d568d8"],
  [(s) => s.sample("3.2", centers), "6800247588ea7dd2c883d8706eb9afaae9c27c0e1c74f5b8c9e74af050b7b452"],
  [(s) => s.sample(narrow, "1/7", { exact: true }), "2695881334927829dff104e71c21558cf078b843894d65198e94eeb9fb7e0d20"],
  [(s) => s.round(centers, widths, { method: "karney" }), "84b43f7cc53128f26415d406d98e885b4599fbef050f93cdffe2353ab5a3b879"],
  [(s) => s.round(centers, widths), "76b741c0b9c885ff9cc0b953697bdf217e34b54e2acf1b18113621fb9f867b59"],
  [(s) => s.round(centers, widths, { method: "strips" }), "76b741c0b9c885ff9cc0b953697bdf217e34b54e2acf1b18113621fb9f867b59"],
  [(s) => s.round(shifted, 3.2, { method: "karney" }), "65bf3f3e3e033097e0b21c06bc62f2e041fde75ba14bee6c6f76224eaf7b0bc3"],
  [(s) => s.round([...shifted], "16/5"), "b9886c69d36eaeb422eb8872b8e71393435cfb3c6081d8c98680f97423d87e56"],
  [(s) => s.round(shifted, 3.2, { method: "strips" }), "b9886c69d36eaeb422eb8872b8e71393435cfb3c6081d8c98680f97423d87e56"],
];

/** The number of calls, and those that give other integers.
 * @param {Pick<typeof import("../dist/index.js"), "Stream">} samplez @param {boolean} simd */
export async function checkRounding({ Stream }, simd) {
  const wrong = [];
  for (const [call, want] of CASES) {
    const stream = await Stream.create({ seed: 5, simd });
    const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", call(stream).buffer));
    if ([...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== want) wrong.push(String(call));
    stream.dispose();
  }
  return { count: CASES.length, wrong };
}
