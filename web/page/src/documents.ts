/** What documents.json says: of each method its paper, proof and source; what was measured natively. tools/documents.mjs makes it. */

import { element } from "./svg.js";

interface Row {
  readonly papers: readonly { readonly key: string; readonly title: string; readonly url: string }[];
  readonly source: string;
  readonly proof: string;
}

export interface Documents {
  readonly methods: Readonly<Record<string, Row>>;
  readonly native: { readonly machine: string; readonly date: string; readonly rates: Readonly<Record<string, Readonly<Record<string, number>>>> };
  readonly errata: string;
}

export const documents: Promise<Documents> = fetch(new URL("../../documents.json", import.meta.url)).then((response) => response.json());

const link = (href: string, text: string): HTMLAnchorElement => Object.assign(document.createElement("a"), { href, textContent: text });

/** Shows where a method comes from. */
export async function showOrigin(method: string): Promise<void> {
  const { methods, errata } = await documents;
  const row = methods[method];
  if (row === undefined) return;
  const papers = row.papers.flatMap(({ key, title, url }) => [link(url, `${title} [${key}]`), ", "]);
  element("origin", HTMLElement).replaceChildren(
    `The method ${method}: `, ...papers, link(row.proof, "proof of its law"), ", ", link(row.source, "source"), ", ", link(errata, "errata of the papers"), ".",
  );
}
