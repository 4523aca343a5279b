//! Every method at a width and a precision.

use crate::contenders::Contender;
use crate::error::LabError;
use crate::race::Race;
use samplez::{Noise, Rational};

/// A sampler's place in the tables.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The width asked for.
    pub sigma: String,
    /// The precision, in bits.
    pub precision: u32,
    /// The contender.
    pub name: &'static str,
    /// What came out, or why there is nothing.
    pub outcome: Result<Measured, String>,
}

/// What was measured of a sampler.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its law.
    pub law: String,
    /// Bytes of its tables.
    pub bytes: u64,
    /// Million samples a second.
    pub speed: f64,
}

impl Entry {
    /// All contenders at one width and precision, in one race.
    ///
    /// # Errors
    ///
    /// If the width is no number, or a source fails.
    ///
    /// ```
    /// use samplez_lab::{Entry, Race};
    /// let race = Race { source: samplez::Source::ChaCha20, rounds: 1, turn: 0.0001 };
    /// let entries = Entry::measure(race, "3.3311", 128)?;
    /// assert!(entries.iter().any(|entry| entry.name == "cdt" && entry.outcome.as_ref().is_ok_and(|m| m.bytes == 704)));
    /// # Ok::<(), samplez_lab::LabError>(())
    /// ```
    pub fn measure(race: Race, sigma: &str, precision: u32) -> Result<Vec<Entry>, LabError> {
        let width: Rational = sigma.parse().map_err(|_| LabError::Input(format!("sigma = {sigma}: not a number")))?;
        let built: Vec<_> =
            Contender::all().into_iter().map(|contender| (contender.name, contender.build(width, precision))).collect();
        let samplers: Vec<&dyn Noise> = built.iter().filter_map(|(_, built)| built.as_deref().ok()).collect();
        let mut speeds = race.run(&samplers)?.into_iter();
        let entries = built.into_iter().map(|(name, built)| {
            let outcome = built.map(|sampler| {
                let profile = sampler.profile();
                let speed = speeds.next().unwrap_or(f64::NAN);
                Measured { law: profile.target.to_string(), bytes: profile.table_bytes as u64, speed }
            });
            Entry { sigma: sigma.to_string(), precision, name, outcome }
        });
        Ok(entries.collect())
    }
}
