// Loaded first on the page under test: keeps what goes wrong, and what is handed over as a file.
// @ts-check

/** @type {{ problems: string[], files: Promise<string>[] }} */
const watch = { problems: [], files: [] };
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
const createObjectURL = URL.createObjectURL.bind(URL);
URL.createObjectURL = (blob) => {
  if (blob instanceof Blob) watch.files.push(blob.text());
  return createObjectURL(blob);
};
