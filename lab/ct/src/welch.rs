//! Welch's t over two classes of times, whole and cropped.

/// Mean and variance, one value after another.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn push(&mut self, x: f64) {
        self.count += 1.0;
        let delta = x - self.mean;
        self.mean += delta / self.count;
        self.squares += delta * (x - self.mean);
    }

    /// The variance of the mean.
    fn error(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

/// Two classes, judged with all their times and with those below each of some limits: a leak may
/// show in the bulk while interrupts make the rest noise.
pub struct Welch {
    limits: Vec<f64>,
    classes: Vec<[Moments; 2]>,
}

impl Welch {
    /// Limits at these quantiles of a pilot's times.
    pub fn new(mut pilot: Vec<f64>) -> Self {
        pilot.sort_by(f64::total_cmp);
        let at = |q: f64| pilot[(q * (pilot.len() - 1) as f64) as usize];
        let mut limits: Vec<f64> = [0.3, 0.5, 0.75, 0.9, 0.99].map(at).to_vec();
        limits.push(f64::INFINITY);
        Welch { classes: vec![Default::default(); limits.len()], limits }
    }

    /// Takes a time of a class, 0 or 1.
    pub fn push(&mut self, class: usize, time: f64) {
        for (limit, classes) in self.limits.iter().zip(&mut self.classes) {
            if time <= *limit {
                classes[class].push(time);
            }
        }
    }

    /// The largest |t|, over limits that keep at least 1000 times of each class.
    pub fn t(&self) -> f64 {
        let enough = self.classes.iter().filter(|[a, b]| a.count.min(b.count) >= 1000.0);
        enough
            .map(|[a, b]| (a.mean - b.mean).abs() / (a.error() + b.error()).sqrt().max(f64::MIN_POSITIVE))
            .fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times that vary by a fixed pattern, and by `shift` between the classes.
    fn t(shift: f64) -> f64 {
        let noise = |i: usize| (i * 7919 % 1000) as f64;
        let mut welch = Welch::new((0..1000).map(noise).collect());
        for i in 0..200_000 {
            welch.push(i / 1000 % 2, 500.0 + noise(i) + shift * (i / 1000 % 2) as f64);
        }
        welch.t()
    }

    #[test]
    fn a_shift_shows_and_none_does_not() {
        assert!(t(0.0) < 1e-6, "{}", t(0.0));
        // The noise is uniform with deviation 288.7: 10/(288.7·sqrt(2/10^5)) = 7.75, uncropped.
        assert!((t(10.0) - 7.75).abs() < 1.5, "{}", t(10.0));
    }

    #[test]
    fn moments_are_the_definitions() {
        let mut moments = Moments::default();
        [3.0, 5.0, 10.0].into_iter().for_each(|x| moments.push(x));
        assert!((moments.mean - 6.0).abs() < 1e-12 && (moments.error() - 13.0 / 3.0).abs() < 1e-12);
    }
}
