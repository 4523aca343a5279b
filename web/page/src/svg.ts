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

export const path = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");

/** An element of the page that must be there. */
export function element<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
}
