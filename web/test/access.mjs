// What a page offers to those who use it without a mouse, without sight or with few colours: functions that run in it.
// @ts-check

/** The controls that Tab is to reach, in the order of the page, each by its id or name. */
export function controls() {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("input, select, button, summary, [tabindex]"));
  const reachable = Array.from(all).filter((e) => !e.hasAttribute("disabled") && e.checkVisibility());
  return reachable.map((e) => e.id || e.getAttribute("aria-label") || e.textContent);
}

/** Where the focus is, and whether one sees it. */
export function focus() {
  const e = /** @type {HTMLElement} */ (document.activeElement);
  const { outlineStyle, outlineWidth } = getComputedStyle(e);
  const { top, bottom } = e.getBoundingClientRect();
  const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && bottom > 0 && top < innerHeight;
  return { name: e.id || e.getAttribute("aria-label") || e.textContent, seen };
}

/** The ratio of luminances (WCAG 2) of each pair of colours that meet on the page: text and what it stands on, and
 * what is drawn and the paper. */
export function contrasts() {
  const canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d", { willReadFrequently: true }));
  const rgba = (/** @type {string} */ color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data);
  };
  const luminance = (/** @type {string} */ color) => {
    const [r = 0, g = 0, b = 0] = rgba(color).map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (/** @type {string} */ a, /** @type {string} */ b) => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const below = (/** @type {Element | null} */ e) => {
    for (; e !== null; e = e.parentElement) {
      const { backgroundColor } = getComputedStyle(e);
      if ((rgba(backgroundColor)[3] ?? 0) === 255) return backgroundColor;
    }
    return "white";
  };
  /** @type {{ what: string, ratio: number, least: number }[]} */
  const found = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = Array.from(e.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (!own || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const drawn = e instanceof SVGElement;
    const leaves = e.classList.contains("leaf") ? document.querySelector(".leaves") : null;
    const ground = leaves ? getComputedStyle(leaves).fill : below(e);
    found.push({ what: `${e.tagName}.${e.getAttribute("class") ?? ""} ${e.textContent?.trim().slice(0, 20)}`, ratio: ratio(drawn ? style.fill : style.color, ground), least: 4.5 });
  }
  for (const kind of [".bar", ".residual", ".exact-dot", ".sure", ".leaves", ".step"]) {
    const e = document.querySelector(kind);
    if (e) found.push({ what: kind, ratio: ratio(getComputedStyle(e).fill, below(document.body)), least: 3 });
  }
  return { dark: luminance(below(document.body)) < 0.5, found };
}
