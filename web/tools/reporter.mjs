// What fails in full, and a last line such as cargo prints.
// @ts-check

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* report(events) {
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of events) {
    if (type === "test:pass" && data.details.type !== "suite") {
      passed++;
      yield `test ${data.name} ... ok (${(data.details.duration_ms / 1000).toFixed(1)} s)\n`;
    } else if (type === "test:fail" && data.details.type !== "suite") {
      failed++;
      const { error } = data.details;
      yield `test ${data.name} ... FAILED\n${error?.cause?.stack ?? error?.stack ?? error}\n`;
    } else if (type === "test:diagnostic" && data.level === "error") {
      yield `${data.message}\n`;
    }
  }
  const verdict = failed > 0 || passed === 0 ? "FAILED" : "ok";
  yield `test result: ${verdict}. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out\n`;
}
