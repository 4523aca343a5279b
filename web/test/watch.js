// Loaded first on the page under test: keeps what goes wrong, and what is handed over as a file.
// @ts-check

/** @type {{ problems: string[], files: Promise<string>[], shifts: string[] }} */
const watch = { problems: [], files: [], shifts: [] };
Object.assign(window, { watch });
addEventListener("error", (event) => watch.problems.push(`error: ${event.message}`));
addEventListener("unhandledrejection", (event) => watch.problems.push(`rejection: ${event.reason}`));
document.addEventListener("securitypolicyviolation", (event) => {
  watch.problems.push(`policy: ${event.violatedDirective} ${event.blockedURI}`);
});
for (const level of /** @type {const} */ (["error", "warn"])) {
  const said = console[level].bind(console);
  console[level] = (...words) => {
    watch.problems.push(`console.${level}: ${words.join(" ")}`);
    said(...words);
  };
}
// What moves without a user's doing, where the browser tells.
new PerformanceObserver((list) => {
  for (const entry of /** @type {any[]} */ (list.getEntries())) {
    const moved = entry.sources.map((/** @type {any} */ { node }) => node?.id || node?.className || node?.nodeName);
    if (!entry.hadRecentInput) watch.shifts.push(`${entry.value.toFixed(4)} at ${entry.startTime.toFixed(0)} ms: ${moved.join()}`);
  }
}).observe({ type: "layout-shift", buffered: true });
const createObjectURL = URL.createObjectURL.bind(URL);
URL.createObjectURL = (blob) => {
  if (blob instanceof Blob) watch.files.push(blob.text());
  return createObjectURL(blob);
};
