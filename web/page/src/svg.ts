/** Drawing. */

type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element; colours come from the style sheet by its class. */
export function shape(name: string, attributes: Attributes, text?: string): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
  }
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Replaces a picture, and says in words what it shows. */
export function draw(svg: SVGElement, label: string, shapes: readonly SVGElement[]): void {
  svg.setAttribute("aria-label", label);
  svg.replaceChildren(...shapes);
}

/** The width of a picture as it stands on the page, which becomes its own: a text of 13 pixels is that large on every screen. */
export function widthOf(svg: SVGSVGElement, height: number): number {
  const width = Math.max(280, Math.round(svg.clientWidth || 720));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return width;
}

export const path = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");

/** A text whose powers, written e^{−½}, stand above the line, and whose indices, R_{2}, below. */
export function rich(text: string): (string | HTMLElement)[] {
  return text.split(/([\^_]\{[^}]*\})/).map((part, i) => {
    if (i % 2 === 0) return part;
    const moved = document.createElement(part.startsWith("^") ? "sup" : "sub");
    moved.textContent = part.slice(2, -1);
    return moved;
  });
}

/** An element of the page that must be there. */
export function element<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
}
