//! Draws the vectors of a file such as kat/recipes.csv from the packaged crates.

use samplez::{Bulk, Recipe, Seed, Source};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: smoke FILE")?;
    let text = std::fs::read_to_string(path)?;
    for line in text.lines().skip(1) {
        let [recipe, source, seed, samples] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(format!("four columns: {line}").into());
        };
        let built = recipe.parse::<Recipe>()?.build()?;
        let mut drawn = [0_i64; 16];
        Bulk::new(built.sampler(), source.parse::<Source>()?, seed.parse::<Seed>()?).fill(0, &mut drawn)?;
        let drawn = drawn.map(|x| x.to_string()).join(" ");
        if drawn != samples {
            return Err(format!("{recipe}, {source}, {seed}: {drawn}, not {samples}").into());
        }
    }
    println!("{} rows", text.lines().count() - 1);
    Ok(())
}
