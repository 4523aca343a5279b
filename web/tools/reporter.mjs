// What fails in full, its names once more at the end, and a last line such as cargo prints.
// @ts-check

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* report(events) {
  let passed = 0;
  /** @type {string[]} */
  const failures = [];
  for await (const { type, data } of events) {
    if (type === "test:pass" && data.details.type !== "suite") {
      passed++;
      yield `test ${data.name} ... ok (${(data.details.duration_ms / 1000).toFixed(1)} s)\n`;
    } else if (type === "test:fail" && data.details.type !== "suite") {
      const { error } = data.details;
      const reason = String(error?.cause?.stack ?? error?.stack ?? error);
      failures.push(`    ${data.name}: ${shortened(reason)}`);
      yield `test ${data.name} ... FAILED\n${reason}\n`;
    } else if (type === "test:diagnostic" && (data.level === "error" || data.nesting > 0)) {
      yield `${data.message}\n`;
    }
  }
  if (failures.length > 0) yield `\nfailures:\n${failures.join("\n")}\n\n`;
  const verdict = failures.length > 0 || passed === 0 ? "FAILED" : "ok";
  yield `test result: ${verdict}. ${passed} passed; ${failures.length} failed; 0 ignored; 0 measured; 0 filtered out\n`;
}

/** The first words of a reason, on one line. @param {string} reason */
function shortened(reason) {
  const line = reason.replace(/\s+/g, " ");
  return line.length > 300 ? `${line.slice(0, 300)} …` : line;
}
