//! The times of the operations of `bench.mjs` on the host: a line for each, nanoseconds and the name.

use std::time::{Duration, Instant};

use wasm_tests::bench::{LOOPS, Operands};

fn main() {
    let operands = Operands::new();
    for (name, call) in LOOPS {
        let mut times = 1_u32;
        let mut best = Duration::MAX;
        for _ in 0..30 {
            let start = Instant::now();
            (0..times).for_each(|_| call(&operands));
            let spent = start.elapsed();
            if spent < Duration::from_millis(10) {
                times *= 2;
            } else {
                best = best.min(spent / times);
            }
        }
        println!("{}\t{name}", best.as_nanos());
    }
}
