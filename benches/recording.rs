//! The time of recording an operation for gradients: the same operation on constants and on tracked
//! tensors, in turns, with the drop of the result and its node.
//!
//! `cargo bench -p tensor-benchmarks --bench recording`; `-- PART` takes the rows with it in their name.

mod measure;

use std::hint::black_box;
use std::time::Duration;

use measure::{Turns, Way, is_wanted, median, way};
use tensor_core::{Tensor, select, shape};

type Matrix = Tensor<shape![16, 16]>;

/// Nanoseconds that a recorded operation may take longer.
const LIMIT: f64 = 150.0;

/// An operation on constants and on tracked tensors.
fn row(name: &str, turns: Turns, mut ways: [Way<'_>; 2]) {
    if !is_wanted(name) {
        return;
    }
    turns.take(&mut ways);
    let [plain, recorded] = &ways;
    let more = median(plain.times.iter().zip(&recorded.times).map(|(plain, more)| more - plain));
    let (plain, recorded) =
        (median(plain.times.iter().copied()), median(recorded.times.iter().copied()));
    let reached = if more <= LIMIT { "yes" } else { "NO" };
    println!("{name:<34}{plain:>10.0}{recorded:>12.0}{more:>8.0}{LIMIT:>8.0}  {reached}");
}

fn main() {
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let rounds = if is_bench { 101 } else { 1 };
    let turns = Turns {
        rounds,
        fewest: rounds,
        time: Duration::from_secs(3),
        turn: Duration::from_micros(if is_bench { 500 } else { 1 }),
    };
    println!(
        "{:<34}{:>10}{:>12}{:>8}{:>8}  reached",
        "16 by 16, f32, ns", "constant", "recorded", "more", "limit"
    );
    let (a, b) = (Matrix::from_fn(|[i, j]| (i + j) as f32), Matrix::full(0.5));
    let row_of = Tensor::<shape![16]>::ones();
    let (x, y, z) =
        (a.clone().requires_grad(), b.clone().requires_grad(), row_of.clone().requires_grad());
    let mask = a.greater(7.0);
    macro_rules! rows {
        ($($name:literal: |$a:ident, $b:ident, $row:ident| $work:expr;)+) => {$(
            row($name, turns, [
                way("constant", || {
                    let ($a, $b, $row) = (black_box(&a), black_box(&b), black_box(&row_of));
                    let _ = ($b, $row);
                    $work
                }),
                way("recorded", || {
                    let ($a, $b, $row) = (black_box(&x), black_box(&y), black_box(&z));
                    let _ = ($b, $row);
                    $work
                }),
            ]);
        )+};
    }
    rows! {
        "a + b": |a, b, row| a + b;
        "a + row": |a, b, row| a + row;
        "a * b": |a, b, row| a * b;
        "a + 1.0": |a, b, row| a + 1.0;
        "a.exp()": |a, b, row| a.exp();
        "a.sum_axis::<0>()": |a, b, row| a.sum_axis::<0>();
        "a.softmax::<-1>()": |a, b, row| a.softmax::<-1>();
        "a.transpose()": |a, b, row| a.transpose();
        "a.matmul(b)": |a, b, row| a.matmul(b);
        "select(mask, a, b)": |a, b, row| select(&mask, a, b);
    }
    // The view is created before the measurement: it is a separate operation.
    let (of_constant, of_recorded) = (b.transpose(), y.transpose());
    row(
        "a.matmul(b), b transposed",
        turns,
        [
            way("constant", || black_box(&a).matmul(black_box(&of_constant))),
            way("recorded", || black_box(&x).matmul(black_box(&of_recorded))),
        ],
    );
}
