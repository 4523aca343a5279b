// What every Rust driver shares: see census.py. `make` takes the call and the seed, or None, and returns a function that draws one integer.
use std::io::Write;

pub type Draw = Box<dyn FnMut() -> i64>;

/// The seconds of processor time that the calling thread took so far, by Linux.
fn clock() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    told.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

pub fn main(kind: &str, make: fn(&str, Option<u64>) -> Draw) {
    let arguments: Vec<String> = std::env::args().collect();
    let (call, count): (&'static str, usize) = (arguments[1].clone().leak(), arguments[2].parse().unwrap());
    let mut draw = make(call, arguments[4].parse().ok());
    let begin = clock();
    let integers: Vec<i64> = (0..count).map(|_| draw()).collect();
    println!("seconds {}\ntype {kind}", clock() - begin);
    let mut out = std::io::BufWriter::new(std::fs::File::create(&arguments[3]).unwrap());
    integers.iter().for_each(|x| writeln!(out, "{x}").unwrap());
    if arguments[4].is_empty() {
        let [a, b] = [0, 1].map(|_| std::thread::spawn(move || { let mut draw = make(call, None); (0..16).map(|_| draw()).collect::<Vec<_>>() }).join().unwrap());
        println!("thread {}", if a == b { "repeat" } else { "differ" });
    }
}
