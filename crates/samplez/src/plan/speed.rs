//! How fast the methods are: million samples a second, from benches/RESULTS.md, `samplez methods
//! --measure` and `samplez bench papers` on the machine that it names, over ChaCha20 on one thread.
//!
//! Only their order decides, and it is the same on machines that differ by a factor.

/// (size, million/s), ascending in size.
pub(super) type Points = &'static [(f64, f64)];

/// By σ.
pub(super) const KARNEY: Points = &[(1.0, 51.0), (10.0, 39.0), (1e3, 37.0), (1.6e4, 33.0)];
pub(super) const DU_WEI_4: Points = &[(1.0, 26.0), (10.0, 38.0), (100.0, 40.0)];
pub(super) const DU_WEI_5: Points = &[(1.0, 38.0), (100.0, 45.0)];
pub(super) const DU_WEI_5_KY: Points = &[(1.0, 48.0), (100.0, 57.0)];
pub(super) const CKS: Points = &[(1.0, 10.0), (10.0, 16.5)];
pub(super) const REJECTION: Points = &[(1.0, 1.6)];
pub(super) const REJECTION_TABLE: Points = &[(1.0, 19.0), (10.0, 22.0), (4e3, 21.0), (1.6e4, 19.0)];
pub(super) const CONVOLUTION: Points =
    &[(1e2, 453.0), (1e3, 412.0), (1.6e4, 341.0), (1.6e5, 232.0), (1e9, 148.0), (1e15, 91.0)];
/// At 128 bits.
pub(super) const CONVOLUTION_CT: Points = &[(215.0, 23.9), (1e3, 24.8), (1.6e5, 11.7), (1e9, 4.5), (1e15, 2.1)];
/// By k.
pub(super) const BERNOULLI: Points = &[(4.0, 108.0), (38.0, 94.0), (253.0, 91.0), (1177.0, 76.0), (1.9e5, 67.0)];

/// By the number of thresholds.
pub(super) const CDT: Points =
    &[(44.0, 98.0), (131.0, 85.0), (1.39e3, 56.0), (1.28e4, 43.0), (5.1e4, 33.0), (2e5, 25.0), (2e6, 11.0)];
pub(super) const CDT_GUIDED: Points = &[
    (44.0, 2900.0),
    (79.0, 2450.0),
    (92.0, 1400.0),
    (131.0, 1050.0),
    (1.39e3, 780.0),
    (1.28e4, 366.0),
    (5.1e4, 123.0),
    (2e5, 50.0),
    (2e6, 38.0),
];
pub(super) const CDT_CT: Points = &[(44.0, 150.0), (131.0, 112.0), (417.0, 62.0), (1.39e3, 24.8), (1.28e4, 3.1)];
/// Trials, whatever σ is.
pub(super) const ISOCHRONOUS: f64 = 86.0;
pub(super) const KNUTH_YAO: Points = &[(43.0, 48.0), (422.0, 46.0), (1.39e3, 34.0), (2.78e3, 31.0), (1.28e4, 21.0)];
pub(super) const KNUTH_YAO_COMPACT: Points =
    &[(13.0, 174.0), (131.0, 174.0), (1.3e3, 135.0), (1.28e4, 70.0), (5.1e4, 14.0), (2e5, 1.4), (2e6, 0.1)];

/// By the number of rectangles.
pub(super) const ZIGGURAT: Points = &[
    (2.0, 13.0),
    (4.0, 26.0),
    (8.0, 46.0),
    (16.0, 78.0),
    (32.0, 115.0),
    (64.0, 150.0),
    (128.0, 180.0),
    (256.0, 208.0),
    (1024.0, 233.0),
    (4096.0, 240.0),
    (16384.0, 230.0),
];

/// The speed at this size: linear in the size's logarithm between two points, constant outside.
pub(super) fn at(points: Points, size: f64) -> f64 {
    let after = points.partition_point(|(at, _)| *at <= size);
    match (after.checked_sub(1).map(|i| points[i]), points.get(after)) {
        (Some((low, slow)), Some((high, fast))) => slow + (fast - slow) * (size / low).ln() / (high / low).ln(),
        (Some((_, speed)), None) => speed,
        (None, first) => first.map_or(0.0, |(_, speed)| *speed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_between_points() {
        let points: Points = &[(1.0, 10.0), (100.0, 30.0), (1000.0, 0.0)];
        for (size, speed) in [(0.1, 10.0), (1.0, 10.0), (10.0, 20.0), (100.0, 30.0), (1000.0, 0.0), (1e9, 0.0)] {
            assert!((at(points, size) - speed).abs() < 1e-9, "{size}: {}", at(points, size));
        }
    }
}
