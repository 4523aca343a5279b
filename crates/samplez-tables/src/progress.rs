//! How far the building of a table has come.
//!
//! Rows of probabilities take nearly all of the time. A builder announces how many rows it is going to compute, in all of its passes. Then
//! each block of rows counts.

#[cfg(feature = "progress")]
mod watched {
    use core::cell::Cell;

    #[derive(Clone, Copy)]
    struct Watch {
        report: fn(u64, u64),
        done: u64,
        of: u64,
        /// The greatest share that was reported.
        last: (u64, u64),
    }

    std::thread_local! {
        static WATCH: Cell<Option<Watch>> = const { Cell::new(None) };
    }

    /// Builds something, and calls `report(done, of)` with the rows that are computed and the rows in all: after every few hundred rows, on
    /// this thread. The share `done/of` rises from call to call, and ends at 1 if a table was built.
    ///
    /// If something needs several tables, only the first one that takes the longest way is reported in full. Small tables have no rows to
    /// report.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::{CdtOptions, build_cdt, watch};
    /// let law = DiscreteGaussian::with_sigma("1000".parse()?)?;
    /// let table = watch(|done, of| assert!(done <= of), || build_cdt(&law, &CdtOptions::default()))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch<T>(report: fn(done: u64, of: u64), build: impl FnOnce() -> T) -> T {
        /// Ends the watch, by a panic too.
        struct End(Option<Watch>);
        impl Drop for End {
            fn drop(&mut self) {
                WATCH.set(self.0);
            }
        }
        let _end = End(WATCH.replace(Some(Watch { report, done: 0, of: 0, last: (0, 1) })));
        build()
    }

    /// From now on so many rows are to be computed.
    pub(crate) fn announce(rows: u64) {
        if let Some(watch) = WATCH.get() {
            WATCH.set(Some(Watch { of: watch.done.saturating_add(rows), ..watch }));
        }
    }

    /// Reports that `rows` more rows are computed.
    pub(crate) fn add(rows: u64) {
        let Some(mut watch) = WATCH.get() else { return };
        watch.done = watch.done.saturating_add(rows);
        let (done, of) = (watch.done, watch.of);
        let rises = u128::from(done) * u128::from(watch.last.1) > u128::from(watch.last.0) * u128::from(of);
        let tells = done <= of && rises;
        if tells {
            watch.last = (done, of);
        }
        WATCH.set(Some(watch));
        if tells {
            (watch.report)(done, of);
        }
    }
}

#[cfg(feature = "progress")]
pub use watched::watch;
#[cfg(feature = "progress")]
pub(crate) use watched::{add, announce};

#[cfg(not(feature = "progress"))]
pub(crate) const fn announce(_: u64) {}

#[cfg(not(feature = "progress"))]
pub(crate) const fn add(_: u64) {}

#[cfg(all(test, feature = "progress"))]
mod tests {
    use super::watch;
    use crate::{CdtGuidedOptions, CdtOptions, KnuthYaoOptions, RejectionOptions, Rounding, ZigguratOptions};
    use crate::{build_cdt, build_guided, build_knuth_yao, build_rejection, build_ziggurat};
    use alloc::vec::Vec;
    use core::cell::RefCell;
    use samplez_core::{DiscreteGaussian, Width};

    std::thread_local! {
        static SEEN: RefCell<Vec<(u64, u64)>> = const { RefCell::new(Vec::new()) };
    }

    fn seen<T>(build: impl FnOnce() -> T) -> Vec<(u64, u64)> {
        SEEN.take();
        watch(|done, of| SEEN.with_borrow_mut(|seen| seen.push((done, of))), build);
        SEEN.take()
    }

    /// Every builder ends at its last row, and no share of it is reported twice or left out.
    #[test]
    fn the_rows_that_are_announced_are_computed() {
        let law = |sigma: &str, center: &str| {
            DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap()
        };
        let (whole, third) = (law("700", "0"), law("700", "1/3"));
        let floor = CdtOptions { rounding: Rounding::Floor, ..CdtOptions::default() };
        let all: [(&str, Vec<(u64, u64)>); 8] = [
            ("cdt", seen(|| build_cdt(&whole, &CdtOptions::default()).unwrap())),
            ("cdt, third", seen(|| build_cdt(&third, &CdtOptions::default()).unwrap())),
            ("floor", seen(|| build_cdt(&whole, &floor).unwrap())),
            ("guided", seen(|| build_guided(&whole, &CdtGuidedOptions::default()).unwrap())),
            ("knuth-yao", seen(|| build_knuth_yao(&third, &KnuthYaoOptions::default()).unwrap())),
            ("rejection", seen(|| build_rejection(&whole, &RejectionOptions::default()).unwrap())),
            ("ziggurat", seen(|| build_ziggurat(&whole, &ZigguratOptions::default()).unwrap())),
            (
                "stored",
                seen(|| build_ziggurat(&whole, &ZigguratOptions { stored: true, ..Default::default() }).unwrap()),
            ),
        ];
        for (name, reports) in &all {
            let (done, of) = *reports.last().unwrap();
            assert!(done == of && of > 10_000, "{name}: {done} of {of}");
            assert!(reports.len() as u64 >= of / 260, "{name}: {} reports of {of}", reports.len());
            for pair in reports.windows(2) {
                let [(a, m), (b, n)] = [pair[0], pair[1]];
                assert!(a * n < b * m && b - a <= 512, "{name}: {a} of {m}, {b} of {n}");
            }
        }
        // Nobody watches any more, and what is refused computes nothing.
        build_cdt(&whole, &CdtOptions::default()).unwrap();
        assert_eq!(SEEN.take(), []);
        assert_eq!(seen(|| build_cdt(&whole, &CdtOptions { max_bytes: 0, ..CdtOptions::default() }).unwrap_err()), []);
    }
}
