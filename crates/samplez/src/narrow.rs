//! Output types that are too narrow for a distribution, refused before anything is drawn.
//!
//! The rule: a type is wide enough if it holds the sampler's whole support, or if D_{Z,σ,c} has a mass below 2^-128 outside of it. The
//! support of an exact sampler is all integers, also that of one with a table. There the mass decides.

use crate::timing::promised;
use rand_core::Rng;
use samplez_core::bits::BitReader;
use samplez_core::{Exactness, Int, Noise, NoiseLaw, Profile, RangeError, Slots, Timing};
use samplez_tables::Law;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// 2^-128: the mass that an output type may leave out.
const MASS: f64 = 1.0 / (1_u128 << 127) as f64 / 2.0;
/// The types that can be too narrow.
const NARROW: [RangeInclusive<i64>; 3] =
    [i8::MIN as i64..=i8::MAX as i64, i16::MIN as i64..=i16::MAX as i64, i32::MIN as i64..=i32::MAX as i64];

/// The error if an output type is too narrow for a distribution. Nothing was drawn.
///
/// A type is wide enough if it holds the sampler's whole support, or if the distribution has a mass below 2^-128 outside of it. A sampler
/// that a [`Recipe`](crate::Recipe) built is checked by [`Bulk`](crate::Bulk) and [`Stream`](crate::Stream), and so is a law of
/// `samplez_core::finite`. A Gaussian sampler that you built yourself is not. A type that passes can still be too narrow for a sample, with probability below 2^-128. The fill then
/// returns [`RangeError`].
///
/// ```
/// use samplez::{Bulk, FillError, Recipe, Seed, Source};
/// let sampler = "sigma=30,method=karney".parse::<Recipe>()?.build()?.into_sampler();
/// let bulk = Bulk::new(&*sampler, Source::ChaCha20, Seed::from_number(1));
/// let Err(FillError::Narrow(e)) = bulk.fill(0, &mut [0_i8; 10]) else { panic!("accepted") };
/// assert_eq!((e.dtype, e.range.clone(), e.wider), ("i8", -393..=393, "i16"));
/// assert_eq!(e.to_string(), "output type = i8: the samples range from -393 to 393; use i16");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NarrowType {
    /// The type's name, such as `i8`.
    pub dtype: &'static str,
    /// The distribution.
    pub law: NoiseLaw,
    /// The values that a type must hold.
    pub range: RangeInclusive<i64>,
    /// The name of the narrowest type that is wide enough.
    pub wider: &'static str,
}

impl NarrowType {
    /// Checks whether `T` is wide enough for this sampler. After the first call for a type it takes nanoseconds.
    ///
    /// # Errors
    ///
    /// [`NarrowType`] if `T` is too narrow.
    ///
    /// ```
    /// use samplez::{NarrowType, Recipe};
    /// let sampler = "sigma=3.2,method=karney".parse::<Recipe>()?.build()?.into_sampler();
    /// NarrowType::check::<i8>(&*sampler)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check<T: Int>(noise: &dyn Noise) -> Result<(), Box<NarrowType>> {
        match noise.noise_beyond(T::MIN, T::MAX) {
            None => Ok(()),
            Some(range) => Err(Self::new::<T>(noise, range)),
        }
    }

    #[cold]
    fn new<T: Int>(noise: &dyn Noise, range: RangeInclusive<i64>) -> Box<NarrowType> {
        let mut wider = NARROW.into_iter().zip([i8::NAME, i16::NAME, i32::NAME]);
        let wider = wider.find(|(types, _)| noise.noise_beyond(*types.start(), *types.end()).is_none());
        let wider = wider.map_or(i64::NAME, |(_, name)| name);
        Box::new(NarrowType { dtype: T::NAME, law: noise.profile().target, range, wider })
    }

    /// Returns the message with the caller's own word for the argument, and with the types' names as `spell` has them.
    ///
    /// ```
    /// use samplez::{NarrowType, Recipe};
    /// let sampler = "sigma=30".parse::<Recipe>()?.build()?.into_sampler();
    /// let e = NarrowType::check::<i8>(&*sampler).unwrap_err();
    /// let message = e.respelled("dtype", |name| name.replace('i', "int"));
    /// assert!(message.starts_with("dtype = int8: ") && message.ends_with("; use int16"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn respelled(&self, argument: &str, spell: impl Fn(&str) -> String) -> String {
        let NarrowType { dtype, range, wider, .. } = self;
        let (low, high) = (range.start(), range.end());
        let [dtype, wider] = [dtype, wider].map(|name| spell(name));
        format!("{argument} = {dtype}: the samples range from {low} to {high}; use {wider}")
    }
}

impl fmt::Display for NarrowType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.respelled("output type", str::to_owned))
    }
}

impl std::error::Error for NarrowType {}

/// A sampler with the output types that are wide enough for it. Its declaration is computed once.
pub(crate) struct Ranged {
    sampler: Box<dyn Noise>,
    profile: Profile,
    /// Whether a type must hold the whole support: outside of it a table of the caller's may have any mass.
    whole: bool,
    /// Whether each type of [`NARROW`] is wide enough, as far as somebody has asked.
    wide: [OnceLock<bool>; NARROW.len()],
}

impl Ranged {
    pub(crate) fn new(sampler: Box<dyn Noise>, profile: Profile) -> Self {
        let profile = Profile { timing: promised(profile.timing), ..profile };
        Ranged { sampler, profile, whole: false, wide: [const { OnceLock::new() }; NARROW.len()] }
    }

    /// A sampler whose types must hold its whole support.
    pub(crate) fn whole(sampler: Box<dyn Noise>, profile: Profile) -> Self {
        Ranged { whole: true, ..Ranged::new(sampler, profile) }
    }

    /// Whether a type with these ends is wide enough.
    fn is_wide(&self, min: i64, max: i64) -> bool {
        let support = &self.profile.support;
        let holds = min <= *support.start() && *support.end() <= max;
        if self.whole || holds && !self.profile.exactness.is_exact() {
            return holds;
        }
        let Some(law) = self.profile.target.gaussian().map(Law::new) else { return holds };
        min.checked_sub(1).map_or(0.0, |below| law.cdf(below)) + law.sf(max) < MASS
    }

    /// The values that a type must hold: the support, or the least range outside of which each side has a mass below 2^-129. The
    /// latter where it is the smaller, and for an exact sampler.
    fn range(&self) -> RangeInclusive<i64> {
        let support = &self.profile.support;
        if self.whole {
            return support.clone();
        }
        let tail = self.profile.target.gaussian().and_then(|law| Law::new(law).tail_range(-129.0));
        let Some(tail) = tail else { return support.clone() };
        let within = tail.contains(support.start()) && tail.contains(support.end());
        if within && matches!(self.profile.exactness, Exactness::Within(_)) { support.clone() } else { tail }
    }
}

impl Noise for Ranged {
    fn noise_profile(&self) -> Profile {
        self.profile.clone()
    }
    fn noise_timing(&self) -> Timing {
        self.profile.timing
    }
    fn noise_batch(&self) -> usize {
        self.sampler.noise_batch()
    }
    fn noise_skip(&self, bits: &mut BitReader<dyn Rng + '_>, batches: u64) -> bool {
        self.sampler.noise_skip(bits, batches)
    }
    fn noise_inside(
        &self,
        bits: &mut BitReader<dyn Rng + '_>,
        skip: usize,
        out: Slots<'_>,
    ) -> Option<Result<(), RangeError>> {
        self.sampler.noise_inside(bits, skip, out)
    }
    fn noise_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64 {
        self.sampler.noise_sample(bits)
    }
    fn noise_fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
        self.sampler.noise_fill(bits, out)
    }
    #[cfg(feature = "rand")]
    fn noise_draw(&self, rng: &mut dyn Rng) -> i64 {
        self.sampler.noise_draw(rng)
    }
    fn noise_beyond(&self, min: i64, max: i64) -> Option<RangeInclusive<i64>> {
        if (min, max) == (i64::MIN, i64::MAX) {
            return None;
        }
        let known = NARROW.iter().position(|types| *types == (min..=max));
        let wide = match known {
            Some(i) => *self.wide[i].get_or_init(|| self.is_wide(min, max)),
            None => self.is_wide(min, max),
        };
        (!wide).then(|| self.range())
    }
}
