use samplez::{BitReader, Seed, sources::ChaCha20};
use samplez_lattice::{Form, Matrix};
use std::time::Instant;
fn main() {
    for n in [64_usize, 128] {
        // Lower triangular, diagonal near 100, small below.
        let mut state = 12345_u64;
        let mut next = |m: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % m
        };
        let rows: Vec<Vec<i64>> = (0..n)
            .map(|i| (0..n).map(|j| if i == j { 20 + next(5) as i64 } else { next(7) as i64 - 3 }).collect())
            .collect();
        let t = Instant::now();
        let form = Form::basis(&Matrix::new(&rows).unwrap(), "60".parse().unwrap()).unwrap();
        println!("n {n} setup {:?} acceptance {}", t.elapsed(), form.acceptance());
        let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
        let mut v = vec![0; n];
        for _ in 0..12 {
            let t = Instant::now();
            for _ in 0..1000 {
                form.sample(&mut bits, &mut v).unwrap();
            }
            println!("  {} ns an integer", t.elapsed().as_nanos() as f64 / 1000.0 / n as f64);
        }
    }
}
