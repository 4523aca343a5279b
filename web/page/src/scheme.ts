/** The colours that the reader has chosen in the documents beside the playground: mkdocs-material keeps them by the site's folder. */

try {
  const kept: unknown = JSON.parse(localStorage.getItem(`${new URL("../", location.href).pathname}.__palette`) ?? "null");
  const { scheme, media } = (kept as { color?: { scheme?: unknown; media?: unknown } } | null)?.color ?? {};
  if (media !== "(prefers-color-scheme)" && (scheme === "slate" || scheme === "default")) document.documentElement.dataset["scheme"] = scheme === "slate" ? "dark" : "light";
} catch {
  // no storage, or not that of these documents: the system's colours
}
