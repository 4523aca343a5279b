/** What is shown, as code: the same recipe, source, seed and count in each language. */

import type { DiscreteGaussian } from "../../dist/index.js";

/** All that determines the samples. */
export interface Shown {
  /** Law, method and options in force, exactly: `DiscreteGaussian.recipe`. */
  readonly recipe: string;
  readonly source: string;
  /** Undefined where the source takes none. */
  readonly seed: string | undefined;
  readonly count: number;
  /** The narrowest type that takes them. */
  readonly bits: 8 | 16 | 32 | 64;
}

export function shownBy(d: DiscreteGaussian, seed: string, count: number): Shown {
  const [low, high] = d.typical;
  const bits = ([8, 16, 32] as const).find((bits) => BigInt.asIntN(bits, low) === low && BigInt.asIntN(bits, high) === high) ?? 64;
  return { recipe: d.recipe, source: d.source, seed: d.source === "os" ? undefined : seed, count, bits };
}

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, "_");
/** A text, or nothing where there is no seed. */
const given = (seed: string | undefined, text: (seed: string) => string, none = ""): string => (seed === undefined ? none : text(seed));
/** A short seed is a number in Python, 64 digits are a text. */
const literal = (seed: string): string => (seed.length === 64 ? `"${seed}"` : seed);

export const LANGUAGES = ["JavaScript", "Python", "Rust", "C", "Command"] as const;
export type Language = (typeof LANGUAGES)[number];

const SNIPPETS: Readonly<Record<Language, (shown: Shown) => string>> = {
  JavaScript: ({ recipe, source, seed, count, bits }) => `import { DiscreteGaussian } from "samplez";

const d = await DiscreteGaussian.create({
  recipe: "${recipe}",
  source: "${source}",${given(seed, (seed) => `\n  seed: "${seed}",`)}
});
const samples = d.fill(new ${bits === 64 ? "BigInt64Array" : `Int${bits}Array`}(${grouped(count)}));
`,
  Python: ({ recipe, source, seed, count, bits }) => `import samplez

g = samplez.DiscreteGaussian.from_recipe("${recipe}")
samples = g.sample(
    ${grouped(count)},
    ${given(seed, (seed) => `rng=${literal(seed)},\n    source="${source}"`, 'rng=samplez.Source("os")')},
    dtype="int${bits}",
)
`,
  Rust: ({ recipe, source, seed, count, bits }) => `use samplez::{Bulk, Recipe, Seed, Source};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built = "${recipe}".parse::<Recipe>()?.build()?;
    let seed = ${given(seed, (seed) => `"${seed}".parse::<Seed>()?`, "Seed::from_os()?")};
    let source: Source = "${source}".parse()?;
    let mut samples = vec![0_i${bits}; ${grouped(count)}];
    Bulk::new(built.sampler(), source, seed).fill(0, &mut samples)?;
    Ok(())
}
`,
  C: ({ recipe, source, seed, count, bits }) => `#include <samplez.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    size_t count = ${count};
    int${bits}_t *samples = malloc(count * sizeof *samples);
${given(seed, () => "    uint8_t seed[32];", "    struct samplez_stream *stream = NULL;")}
    struct samplez_sampler *sampler = NULL;
    if (samples == NULL
        || samplez_sampler_new("${recipe}", &sampler)
        ${given(
          seed,
          (seed) => `|| samplez_seed_from_text("${seed}", seed)
        || samplez_bulk_i${bits}(sampler, "${source}", seed, 0, samples, count, 1)`,
          `|| samplez_stream_new("${source}", NULL, &stream)
        || samplez_fill_i${bits}(sampler, stream, samples, count)`,
        )}) {
        fprintf(stderr, "%s\\n", samplez_last_error());
        return 1;
    }
${given(seed, () => "", "    samplez_stream_free(stream);\n")}    samplez_sampler_free(sampler);
    free(samples);
    return 0;
}
`,
  Command: ({ recipe, source, seed, count }) =>
    `samplez sample --recipe ${recipe} \\
  --source ${source}${given(seed, (seed) => ` --seed ${seed}`)} \\
  --count ${count} --out samples.npy
`,
};

/** The program that draws what is shown. */
export const snippet = (language: Language, shown: Shown): string => SNIPPETS[language](shown);
