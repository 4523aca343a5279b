//! Speeds between the points at which they were measured: million samples a second, from benches/RESULTS.md, `samplez
//! methods --measure` and `samplez-lab bench papers` on the machine that it names, over ChaCha20 on one thread.
//!
//! The planner goes by their order, which is the same on every machine; what it says is [`measured`](crate::measured).

/// (size, million/s), ascending in size.
pub(crate) type Points = &'static [(f64, f64)];

/// The speed at this size: linear in the size's logarithm between two points, constant outside.
pub(crate) fn at(points: Points, size: f64) -> f64 {
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
