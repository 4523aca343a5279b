//! The samplers, each behind a function that fills a slice.

use crate::failure::Failure;
use dashu::rational::RBig;
use rand::SeedableRng;
use rand_distr::{Distribution, Normal};
use samplez::{BitReader, DiscreteGaussian, Int, Method, Options, Recipe, Seed};
use samplez_sources::ChaCha20;

/// Fills the slice with samples.
type Fill = Box<dyn FnMut(&mut [i32]) -> Result<(), Failure>>;

pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    pub(crate) law: &'static str,
    pub(crate) fill: Fill,
}

/// Ours, over ChaCha20.
pub(crate) fn ours(sigma: &str) -> Result<Vec<Contestant>, Failure> {
    let law = DiscreteGaussian::with_sigma(sigma.parse()?)?;
    [
        (Method::CdtGuided, 128, "samplez `cdt-guided`", "D_Z within a bound, 128 bits"),
        (Method::CdtCt, 72, "samplez `cdt-ct`", "D_Z within a bound, 72 bits; constant time"),
        (Method::Karney, 128, "samplez `karney`", "D_Z, exact"),
        (Method::Cks, 128, "samplez `cks`", "D_Z, exact"),
    ]
    .into_iter()
    .map(|(method, precision, name, law_text)| {
        let options = method.part_of(&Options { precision: Some(precision), ..Options::default() });
        let sampler = Recipe { law: law.into(), method: Some(method), options }.build()?.into_sampler();
        let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
        let fill = move |out: &mut [i32]| Ok(sampler.fill(&mut bits, out)?);
        Ok(Contestant { name, law: law_text, fill: Box::new(fill) })
    })
    .collect()
}

/// Those of other libraries: OpenDP over the generator it has without OpenSSL, ChaCha12 reseeded by the system; the
/// others over ChaCha20.
pub(crate) fn others(sigma: f64) -> Result<Vec<Contestant>, Failure> {
    let scale = RBig::try_from(sigma).map_err(|e| format!("sigma = {sigma}: {e:?}"))?;
    let opendp = move |out: &mut [i32]| {
        for slot in out {
            let sample =
                opendp::traits::samplers::sample_discrete_gaussian(scale.clone()).map_err(|e| e.to_string())?;
            *slot = i32::try_from(sample)?;
        }
        Ok(())
    };
    // Its width is sqrt(2π)·σ, its values are residues.
    const MODULUS: u64 = 1 << 40;
    let spiral = spiral_rs::discrete_gaussian::DiscreteGaussian::init(sigma * std::f64::consts::TAU.sqrt());
    let mut rng = <rand_of_spiral::ChaCha20Rng as rand_of_spiral::rand_core::SeedableRng>::from_seed([1; 32]);
    let spiral = move |out: &mut [i32]| {
        for slot in out {
            let residue = spiral.sample(MODULUS, &mut rng);
            *slot = if residue > MODULUS / 2 { -((MODULUS - residue) as i32) } else { residue as i32 };
        }
        Ok(())
    };
    let (normal, mut rng) = (Normal::new(0.0, sigma)?, rand_chacha::ChaCha20Rng::from_seed([1; 32]));
    let rounded = move |out: &mut [i32]| {
        out.fill_with(|| normal.sample(&mut rng).round() as i32);
        Ok(())
    };
    Ok(vec![
        Contestant {
            name: "OpenDP 0.16.0, `sample_discrete_gaussian` (ChaCha12)",
            law: "D_Z, exact",
            fill: Box::new(opendp),
        },
        Contestant {
            name: "spiral-rs 0.2.1-alpha.2, `DiscreteGaussian`",
            law: "D_Z by a table of 64 bits from doubles; written for constant time",
            fill: Box::new(spiral),
        },
        Contestant {
            name: "rand_distr 0.6.0, `Normal`, rounded",
            law: "a normal variable, rounded: not D_Z",
            fill: Box::new(rounded),
        },
    ])
}
