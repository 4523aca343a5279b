//! Arrays of widths and centres: one sample for each, isochronous, in batches.

use crate::kept::Kept;
use crate::octaves::{OCTAVES, octave, octave_of, octaves_of};
use crate::refused::{Refused, RefusedKind};
use crate::rounding::{Comparison, Real, RoundError, RoundMethod, Sigmas};
use crate::stream::Stream;
use rand_core::TryRng;
use samplez_core::bits::BitSource;
use samplez_core::samplers::{StripRounder, StripWidth};
use samplez_core::{FixedPoint, Rational};
use zeroize::{Zeroize, optimization_barrier};

/// Samples whose σ are sorted by their octaves at a time. Part of the stream's definition.
const PIECE: usize = 1 << 13;
/// Widths that are made at a time.
const TOGETHER: usize = 4;

/// What a width has to be.
const SIGMA: &str = "expected a number from 1 to 2^26";

const ORIGIN: FixedPoint = FixedPoint::from_parts(0, 0).expect("0 is within every limit");

/// The arguments of a sample in a batch.
type Call = (FixedPoint, StripWidth);

/// The centre of the element with this number; `first` is that of the first here.
fn fixed(first: usize, i: usize, center: f64) -> Result<FixedPoint, Refused> {
    let fixed = FixedPoint::from_f64(center);
    fixed.ok_or_else(|| {
        Refused::new("centers", center, "expected a number between -2^62 and 2^62")
            .with_kind(RefusedKind::of_double(center))
            .at(first + i)
    })
}

/// Whether strips draw this element for sure: they take every double of these ranges.
pub(crate) fn is_taken(method: RoundMethod, sigmas: Sigmas<'_>, centers: &[f64], i: usize) -> bool {
    let is_strips = match sigmas {
        Sigmas::One(sigma) => method.at(sigma) == RoundMethod::Strips,
        Sigmas::Each(each) => method != RoundMethod::Karney && octave_of(each[i]).is_some(),
    };
    is_strips && FixedPoint::from_f64(centers[i]).is_some()
}

fn bad_sigma(first: usize, i: usize, sigma: f64) -> Refused {
    Refused::new("sigmas", sigma, SIGMA).with_kind(RefusedKind::of_double(sigma)).at(first + i)
}

/// The scratch buffers of a piece, about 430 KB, which a stream keeps for its next array. Each is erased after its use.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The elements of the piece, by octave.
    places: Vec<u32>,
    /// Where each octave's end.
    ends: [usize; OCTAVES],
    calls: Calls,
    drawn: Vec<i64>,
}

impl Drop for Scratch {
    /// Erases what a panic left.
    fn drop(&mut self) {
        self.erase();
    }
}

impl Scratch {
    /// Erases the samples, and which octaves the elements are of.
    fn erase(&mut self) {
        self.drawn.as_mut_slice().zeroize();
        self.places.as_mut_slice().zeroize();
        self.ends.zeroize();
    }
}

/// The calls of a batch.
#[derive(Default)]
struct Calls(Vec<Call>);

impl Drop for Calls {
    fn drop(&mut self) {
        self.erase();
    }
}

impl Calls {
    /// Erases the calls, and allocates memory for so many, to which none is copied.
    fn renew(&mut self, count: usize) {
        self.erase();
        self.0.reserve_exact(count);
    }

    fn erase(&mut self) {
        if let Some((_, width)) = self.0.first() {
            let mut none = *width;
            none.zeroize();
            self.0.fill((ORIGIN, none));
            optimization_barrier(&self.0[..]);
        }
        self.0.clear();
    }

    /// Draws the samples of one octave. `out[i]` gets that of the element `place(i)`.
    fn of_octave<B: BitSource + ?Sized>(
        &mut self,
        (first, n): (usize, usize),
        place: impl Fn(usize) -> usize,
        (sigmas, centers): (&[f64], &[f64]),
        bits: &mut B,
        out: &mut [i64],
    ) -> Result<(), Refused> {
        let rounder = octave(n)?;
        self.renew(out.len());
        let exact = |i: usize| Rational::try_from(sigmas[i]).map_err(|_| bad_sigma(first, i, sigmas[i]));
        let whole = out.len() - out.len() % TOGETHER;
        for four in (0..whole).step_by(TOGETHER) {
            let four: [usize; TOGETHER] = std::array::from_fn(|i| place(four + i));
            let mut exactly = [Rational::ZERO; TOGETHER];
            for (slot, i) in exactly.iter_mut().zip(four) {
                *slot = exact(i)?;
            }
            for (i, width) in four.into_iter().zip(rounder.widths(exactly)?) {
                self.0.push((fixed(first, i, centers[i])?, width));
            }
        }
        for i in (whole..out.len()).map(&place) {
            self.0.push((fixed(first, i, centers[i])?, rounder.width(exact(i)?)?));
        }
        let comparison = |i: usize| {
            // It is taken above.
            let sigma = exact(place(i)).unwrap_or(Rational::ZERO);
            Comparison { sigma, center: Real::Double(centers[place(i)]) }
        };
        rounder.round_batch_refined(&self.0, comparison, bits, out);
        self.erase();
        Ok(())
    }

    /// Draws the samples of one σ.
    fn of_one<B: BitSource + ?Sized>(
        &mut self,
        first: usize,
        (rounder, width, sigma): &(StripRounder, StripWidth, Rational),
        centers: &[f64],
        bits: &mut B,
        out: &mut [i64],
    ) -> Result<(), Refused> {
        self.renew(out.len());
        for (i, center) in centers.iter().enumerate() {
            self.0.push((fixed(first, i, *center)?, *width));
        }
        let comparison = |i: usize| Comparison { sigma: *sigma, center: Real::Double(centers[i]) };
        rounder.round_batch_refined(&self.0, comparison, bits, out);
        self.erase();
        Ok(())
    }
}

impl Scratch {
    /// Sorts the elements by octave, in each in their order.
    fn sort(&mut self, first: usize, sigmas: &[f64]) -> Result<(), Refused> {
        let octave_of = |i: usize| octave_of(sigmas[i]).ok_or_else(|| bad_sigma(first, i, sigmas[i]));
        let mut next = [0; OCTAVES];
        for i in 0..sigmas.len() {
            next[octave_of(i)?] += 1;
        }
        let mut before = 0;
        for (next, end) in next.iter_mut().zip(&mut self.ends) {
            *end = before + *next;
            (*next, before) = (before, *end);
        }
        self.places.clear();
        self.places.reserve_exact(sigmas.len());
        self.places.resize(sigmas.len(), 0);
        for i in 0..sigmas.len() {
            let next = &mut next[octave_of(i)?];
            self.places[*next] = i as u32;
            *next += 1;
        }
        Ok(())
    }

    /// Draws the samples of a σ each.
    fn by_octaves<B: BitSource + ?Sized>(
        &mut self,
        first: usize,
        (sigmas, centers): (&[f64], &[f64]),
        bits: &mut B,
        out: &mut [i64],
    ) -> Result<(), Refused> {
        if let [Some(n), most] = octaves_of(sigmas)
            && most == Some(n)
        {
            return self.calls.of_octave((first, n), |i| i, (sigmas, centers), bits, out);
        }
        self.sort(first, sigmas)?;
        let mut begin = 0;
        for (n, end) in self.ends.into_iter().enumerate() {
            if end > begin {
                let places = &self.places[begin..end];
                self.drawn.reserve_exact(end - begin);
                self.drawn.resize(end - begin, 0);
                let place = |i: usize| places[i] as usize;
                self.calls.of_octave((first, n), place, (sigmas, centers), bits, &mut self.drawn)?;
                for (place, sample) in places.iter().zip(&self.drawn) {
                    out[*place as usize] = *sample;
                }
                self.drawn.as_mut_slice().zeroize();
                self.drawn.clear();
            }
            begin = end;
        }
        self.erase();
        Ok(())
    }
}

impl<R: TryRng> Stream<R> {
    /// Draws one sample for each centre, of D_{Z,σ,c} exactly, in batches of [`StripRounder`].
    ///
    /// A shared σ has one rounder, which the stream keeps for the next array. Otherwise each octave of σ from [1, 2] to
    /// [2^25, 2^26] has its own. The σ of [`Sigmas::Each`] and the centres are the doubles themselves.
    ///
    /// The time may reveal σ, a shared one or each, at least its octave, and whether a shared σ equals the one before; it
    /// is independent of the samples. They are
    /// other integers than those of [`round_all`](Self::round_all). Among each 8192 elements those of the lowest octave
    /// are drawn first.
    ///
    /// # Errors
    ///
    /// [`RoundError`] unless 1 <= σ <= 2^26 and |c| < 2^62 and the lengths of σ, centres and `out` agree, before any bit is
    /// drawn, and unless the generator gives random bits. On error `out` is all zeros.
    ///
    /// ```
    /// use samplez::{Seed, Sigmas, Source, Stream};
    /// let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?);
    /// let mut out = [0; 3];
    /// stream.sample_each(Sigmas::Each(&[1.5, 1e6, 3.2]), &[0.25, 0.0, -1e9], &mut out)?;
    /// assert!(out[0].abs() < 30 && out[2].abs_diff(-1_000_000_000) < 60);
    /// let e = stream.sample_each(Sigmas::Each(&[1.5, 0.5]), &[0.0; 2], &mut out[..2]).unwrap_err();
    /// assert_eq!(e.to_string(), "sigmas[1] = 0.5: expected a number from 1 to 2^26");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample_each(
        &mut self,
        sigmas: Sigmas<'_>,
        centers: &[f64],
        out: &mut [i64],
    ) -> Result<(), RoundError<R::Error>> {
        let sampled = self.each(sigmas, centers, out).map_err(RoundError::Refused);
        let failed = self.verdict().map_err(RoundError::Source);
        failed.and(sampled).inspect_err(|_| out.fill(0))
    }

    fn each(&mut self, sigmas: Sigmas<'_>, centers: &[f64], out: &mut [i64]) -> Result<(), Refused> {
        let (bits, Kept { strips: last_strips, scratch, .. }) = self.parts();
        let refused = |sigma| Refused::new("sigma", sigma, SIGMA).with_kind(RefusedKind::OutOfRange);
        let (each, shared) = match sigmas {
            Sigmas::Each(each) => (each, None),
            Sigmas::One(sigma) => (&[][..], Some(last_strips.at(sigma).map_err(|_| refused(sigma))?)),
        };
        let lengths = [("sigmas", if shared.is_some() { out.len() } else { each.len() }), ("centers", centers.len())];
        if let Some((argument, length)) = lengths.into_iter().find(|(_, length)| *length != out.len()) {
            let allowed = format!("expected the length of out, {}", out.len());
            return Err(Refused::new(format!("length of {argument}"), length, allowed));
        }
        // All are checked before the first is drawn.
        let bad =
            if octaves_of(each).contains(&None) { each.iter().position(|s| octave_of(*s).is_none()) } else { None };
        let far = centers.iter().position(|center| FixedPoint::from_f64(*center).is_none());
        match (bad, far) {
            (Some(i), far) if far.is_none_or(|far| i <= far) => return Err(bad_sigma(0, i, each[i])),
            (_, Some(i)) => drop(fixed(0, i, centers[i])?),
            _ => {}
        }
        for (piece, out) in out.chunks_mut(PIECE).enumerate() {
            let first = piece * PIECE;
            let now = first..first + out.len();
            match shared {
                Some(shared) => scratch.calls.of_one(first, shared, &centers[now], bits, out)?,
                None => scratch.by_octaves(first, (&each[now.clone()], &centers[now]), bits, out)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::Rounder;
    use samplez_core::bits::BitReader;
    use samplez_sources::{ChaCha20, Seed, Source};

    fn stream() -> Stream<samplez_sources::Generator> {
        Stream::new(Source::ChaCha20.open(&Seed::from_bytes([3; 32])).unwrap())
    }

    /// The stream is defined by batches of the public rounders, lowest octave first, piece by piece.
    #[test]
    fn they_are_batches() {
        let count = PIECE + 1000;
        let all: Vec<f64> = (0..count).map(|i| 1.0 + (i * 7919 % 10_007) as f64 / 1000.0).collect();
        let narrow: Vec<f64> = all.iter().map(|sigma| 2.0 + sigma / 8.0).collect();
        let centers: Vec<f64> = (0..count).map(|i| (i * 31 % 1009) as f64 / 17.0 - 20.0).collect();
        let mut out = vec![0; count];
        // One stream, whose scratch buffers the arrays share: of all octaves, of one, and shorter ones.
        let (mut stream, mut bits) = (stream(), BitReader::new(ChaCha20::new(&Seed::from_bytes([3; 32]))));
        for (sigmas, count) in [(&all, count), (&narrow, count), (&all, 600), (&narrow, 21), (&all, 1), (&narrow, 0)] {
            let (sigmas, centers, out) = (&sigmas[..count], &centers[..count], &mut out[..count]);
            stream.sample_each(Sigmas::Each(sigmas), centers, out).unwrap();
            assert_eq!(out, in_batches(sigmas, centers, &mut bits), "{count} samples");
        }

        let shared = "3.2".parse().unwrap();
        let rounder = StripRounder::of_sigma(shared).unwrap();
        let width = rounder.width(shared).unwrap();
        assert!(matches!(rounder.exactness(), samplez_core::Exactness::Within(_)));
        let calls: Vec<Call> = centers[..1000].iter().map(|c| (FixedPoint::from_f64(*c).unwrap(), width)).collect();
        let mut expected = vec![0; 1000];
        rounder.round_batch(&calls, &mut bits, &mut expected);
        stream.sample_each(Sigmas::One(shared), &centers[..1000], &mut out[..1000]).unwrap();
        assert_eq!(out[..1000], expected);
    }

    /// What [`Stream::sample_each`] is documented to draw.
    fn in_batches(sigmas: &[f64], centers: &[f64], bits: &mut BitReader<ChaCha20>) -> Vec<i64> {
        let count = sigmas.len();
        let mut expected = vec![0; count];
        for piece in [0..PIECE.min(count), PIECE.min(count)..count] {
            for n in 0..4 {
                let places: Vec<usize> = piece.clone().filter(|i| octave_of(sigmas[*i]) == Some(n)).collect();
                let rounder = StripRounder::new(Rational::from(1 << n), Rational::from(2 << n)).unwrap();
                let call = |i: &usize| {
                    let width = rounder.width(Rational::try_from(sigmas[*i]).unwrap()).unwrap();
                    (FixedPoint::from_f64(centers[*i]).unwrap(), width)
                };
                let calls: Vec<Call> = places.iter().map(call).collect();
                let mut drawn = vec![0; calls.len()];
                rounder.round_batch(&calls, bits, &mut drawn);
                places.iter().zip(drawn).for_each(|(place, x)| expected[*place] = x);
            }
        }
        expected
    }

    #[test]
    fn what_is_refused_is_wiped() {
        let refused = |sigmas: &[f64], centers: &[f64]| {
            let mut out = [7; 3];
            let error = stream().sample_each(Sigmas::Each(sigmas), centers, &mut out).unwrap_err();
            assert_eq!(out, [0; 3]);
            error.to_string()
        };
        assert_eq!(refused(&[2.0, f64::NAN, 2.0], &[0.0; 3]), "sigmas[1] = NaN: expected a number from 1 to 2^26");
        for center in [f64::NAN, f64::INFINITY, 4.7e18] {
            let text = refused(&[2.0; 3], &[0.0, 0.0, center]);
            assert_eq!(text, format!("centers[2] = {center}: expected a number between -2^62 and 2^62"));
        }
        assert_eq!(refused(&[2.0; 2], &[0.0; 3]), "length of sigmas = 2: expected the length of out, 3");
        assert_eq!(refused(&[2.0; 3], &[0.0; 2]), "length of centers = 2: expected the length of out, 3");
        let one = stream().sample_each(Sigmas::One(Rational::ZERO), &[], &mut []).unwrap_err();
        assert_eq!(one.to_string(), "sigma = 0: expected a number from 1 to 2^26");
    }
}
