//! Loops as one step of a program, beside the same loops unrolled: the time to trace and to compile, of the first call, and
//! of a step. `benches/loops.py` prints the times of JAX, with its `scan`.
//!
//! `TENSOR_XLA_PLUGIN=… cargo bench -p tensor-benchmarks --bench loops`

use std::time::{Duration, Instant};

use tensor_core::autograd::value_and_grad;
use tensor_core::random::Generator;
use tensor_core::trace::{scan, trace};
use tensor_core::{Module, Tensor, axis, shape};
use tensor_xla::Engine;

axis!(Time = 100);

type Weights = Tensor<shape![256, 256]>;
type State = Tensor<shape![32, 256]>;
type Words = Tensor<shape![Time, 32, 256]>;

fn step(weights: &Weights, state: &State, word: &State) -> State {
    (state.dot(weights) + word).tanh()
}

fn in_one_step(weights: &Weights, words: &Words) -> Tensor<shape![]> {
    scan(&State::zeros(), words, |state, word| (step(weights, state, word), ())).0.square().mean()
}

fn unrolled(weights: &Weights, words: &Words) -> Tensor<shape![]> {
    let last =
        words.iter_axis::<0>().fold(State::zeros(), |state, word| step(weights, &state, &word));
    last.square().mean()
}

fn sines(x: &Tensor<shape![1024]>) -> Tensor<shape![]> {
    let turns = Tensor::<shape![1000]>::ones();
    scan(x, &(turns * &x.sum()), |x, turn| ((x * turn.cos()).sin(), ())).0.sum()
}

fn operations(x: &Tensor<shape![1024]>) -> Tensor<shape![1024]> {
    let turns = Tensor::<shape![5000]>::arange() * x.mean();
    scan(x, &turns, |x, turn| ((x + turn).sin(), ())).0
}

/// The median time of some calls.
fn median(mut call: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..15)
        .map(|_| {
            let start = Instant::now();
            call();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

fn row<I: Module + Clone, O: Module + Clone>(
    engine: &Engine,
    name: &str,
    inputs: &I,
    function: impl Fn(&I) -> O,
) {
    let start = Instant::now();
    let program = trace(inputs, function);
    let (traced, steps) = (start.elapsed(), program.num_steps());
    let start = Instant::now();
    let compiled = engine.compile_program(program).expect("a program that the plugin compiles");
    let compile = start.elapsed();
    let call = || drop(compiled.call(inputs).expect("a call"));
    let start = Instant::now();
    call();
    let first = start.elapsed();
    let each = median(call);
    println!("{name:<34}{steps:>7}{traced:>12.1?}{compile:>12.1?}{first:>12.1?}{each:>12.1?}");
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let engine = match Engine::find() {
        Ok(engine) => engine,
        Err(error) => return println!("{error}"),
    };
    let rng = &mut Generator::seed(1);
    let inputs: (Weights, Words) = (rng.uniform(-0.05, 0.05), rng.uniform(-1.0, 1.0));
    println!(
        "{:<34}{:>7}{:>12}{:>12}{:>12}{:>12}",
        "", "steps", "trace", "compile", "first call", "a call"
    );
    row(&engine, "100 steps, one step", &inputs, |(weights, words)| in_one_step(weights, words));
    row(&engine, "100 steps, unrolled", &inputs, |(weights, words)| unrolled(weights, words));
    row(&engine, "its gradient, one step", &inputs, |(weights, words)| {
        value_and_grad(weights, |weights| in_one_step(weights, words))
    });
    row(&engine, "its gradient, unrolled", &inputs, |(weights, words)| {
        value_and_grad(weights, |weights| unrolled(weights, words))
    });
    row(&engine, "gradient of 1,000 sines, one step", &rng.uniform(0.0, 1.0), |x| {
        value_and_grad(x, sines)
    });
    row(&engine, "10,000 operations, one step", &rng.uniform(0.0, 1.0), operations);
}
