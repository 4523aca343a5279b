// By webpack, or by Rspack, which takes the same settings.
const [name, mode] = process.argv.slice(2);
const tool = await import(name);
const bundle = tool.rspack ?? tool.default;
const config = { mode, entry: "./browser.js", context: process.cwd(), output: { path: `${process.cwd()}/out`, filename: "browser.js" }, performance: false };
bundle(config, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString({ all: false, errors: true }));
});
