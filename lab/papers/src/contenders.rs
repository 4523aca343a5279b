//! The methods as the papers' comparisons have them.

use samplez::{Built, DiscreteGaussian, Method, Noise, Options, ParamError, Rational, Recipe, Width};

/// The rectangles of 6656 bytes: 20 each at 106 bits, and 36 beside them.
pub(crate) const RECTANGLES_32: u32 = (6656 - 36) / 20;

/// A method, perhaps with as many rectangles as a paper has.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// What it is called.
    pub name: &'static str,
    /// The method.
    pub method: Method,
    /// The Ziggurat's rectangles, if not those that it has by itself.
    pub rectangles: Option<u32>,
}

impl Contender {
    /// Every method, and the Ziggurat with \[JSDGS17\]'s 63 rectangles and in 6656 bytes, the memory at which \[BCGHW13\] has it at
    /// σ = 32.
    ///
    /// ```
    /// let all = samplez_lab::Contender::all();
    /// assert!(all.iter().any(|contender| contender.name == "ziggurat, 6656 bytes"));
    /// ```
    pub fn all() -> Vec<Contender> {
        let mut all: Vec<Contender> =
            Method::ALL.into_iter().map(|method| Contender { name: method.name(), method, rectangles: None }).collect();
        let with = |name, rectangles| Contender { name, method: Method::Ziggurat, rectangles: Some(rectangles) };
        let after = all.iter().position(|contender| contender.method == Method::Ziggurat).map_or(all.len(), |i| i + 1);
        all.insert(after, with("ziggurat, 63 rectangles", 63));
        all.insert(after + 1, with("ziggurat, 6656 bytes", RECTANGLES_32));
        all
    }

    /// The sampler at this σ, centred, with tables of so many bits, up to 13σ where it has a tail; or
    /// why there is none.
    ///
    /// # Errors
    ///
    /// What the method does not take.
    ///
    /// ```
    /// let cdt = samplez_lab::Contender { name: "cdt", method: samplez::Method::Cdt, rectangles: None };
    /// assert_eq!(cdt.build(32.into(), 106)?.profile().table_bytes, 6048);
    /// # Ok::<(), String>(())
    /// ```
    pub fn build(self, sigma: Rational, precision: u32) -> Result<Box<dyn Noise>, String> {
        let tail = Some(Rational::from(13));
        let options = Options { precision: Some(precision), rectangles: self.rectangles, tail, ..Options::default() };
        let law = self.law(sigma).map_err(|e| e.to_string())?;
        let recipe = Recipe { law: law.into(), method: Some(self.method), options: self.method.part_of(&options) };
        recipe.build().map(Built::into_sampler).map_err(|e| e.to_string())
    }

    /// Methods that take σ = k·sqrt(1/(2 ln 2)) only get the nearest integer k.
    fn law(self, sigma: Rational) -> Result<DiscreteGaussian, ParamError> {
        let width = match self.method {
            Method::Bernoulli | Method::DuWei5 | Method::DuWei5Ky => {
                let k = (sigma.num() as f64 / sigma.den() as f64 * (2.0 * std::f64::consts::LN_2).sqrt()).round();
                Width::KSigma2(Rational::from(k as i64))
            }
            _ => Width::Sigma(sigma),
        };
        DiscreteGaussian::new(Rational::from(0), width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        let law = |method: Method, sigma: &str| {
            let contender = Contender { name: "", method, rectangles: None };
            contender.law(sigma.parse().unwrap()).unwrap().to_string()
        };
        assert_eq!(law(Method::Cdt, "3.3311"), "D_Z(sigma = 33311/10000, center = 0)");
        for (sigma, k) in [("3.3311", 4), ("10", 12), ("32", 38), ("107", 126), ("215", 253), ("160000", 188_386)] {
            assert!(
                law(Method::DuWei5, sigma).contains(&format!("{k} sqrt")),
                "{sigma}: {}",
                law(Method::DuWei5, sigma)
            );
        }
    }
}
