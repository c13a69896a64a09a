//! Loops as one step of a program, beside the same loops unrolled: the time to trace and to compile, of the first call, and
//! of a step. `benches/loops.py` prints the times of JAX, with its `scan`.
//!
//! `TENSOR_XLA_PLUGIN=… cargo bench -p tensor-benchmarks --bench loops`
//!
//! `JAX_LOOPS=FOLDER`, a folder that `python3 benches/loops.py FOLDER` has written, adds the times of JAX's programs on the same
//! plugin, compiled and called in turn with these, with inputs on the device: how many times of JAX's this crate takes to
//! compile, and for a call. The name of a row after `--` selects it.

use std::path::Path;
use std::time::{Duration, Instant};

use tensor_core::autograd::value_and_grad;
use tensor_core::random::Generator;
use tensor_core::trace::{element_bytes, scan, trace};
use tensor_core::{Module, Tensor, axis, shape};
use tensor_xla::{Buffer, Engine, Executable, Input, Signature};

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

/// The time of a call.
fn time<R>(call: impl FnOnce() -> R) -> (Duration, R) {
    let start = Instant::now();
    let result = call();
    (start.elapsed(), result)
}

/// The median time of some calls.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// How many times of those of JAX's program a program takes to compile and to run, as medians of turns.
fn beside_jax(engine: &Engine, text: &str, of_jax: &str, inputs: &dyn Module) -> (f64, f64) {
    let texts = [text, of_jax];
    let compile = |text: &str| {
        let signature = Signature::of_text(text).expect("a program");
        time(|| engine.compile(text, &signature).expect("a program that the plugin compiles"))
    };
    let mut compile_times = [const { Vec::new() }; 2];
    for turn in 0..4 {
        compile_times[turn % 2].push(compile(texts[turn % 2]).0);
    }
    let (last, programs): (Vec<Duration>, Vec<Executable>) = texts.map(compile).into_iter().unzip();
    compile_times.iter_mut().zip(last).for_each(|(times, last)| times.push(last));
    let of_inputs = element_bytes(inputs).into_iter().zip(programs[0].signature().inputs());
    let buffer = |(bytes, input): (Vec<u8>, &Input)| {
        Buffer::from_bytes(engine, input.tensor_type(), &bytes).expect("a buffer")
    };
    let buffers: Vec<Buffer> = of_inputs.map(buffer).collect();
    let mut times = [const { Vec::new() }; 2];
    let mut results = [const { Vec::new() }; 2];
    for turn in 0..62 {
        let of = turn % 2;
        let (duration, outputs) = time(|| programs[of].call(&buffers).expect("a call"));
        times[of].push(duration);
        results[of] = outputs[0].to_vec::<f32>().expect("floats");
    }
    for (one, other) in results[0].iter().zip(&results[1]) {
        assert!((one - other).abs() <= 1e-3 * one.abs().max(1e-3), "{one}, and {other} with JAX");
    }
    let ratio = |times: [Vec<Duration>; 2]| {
        let [ours, of_jax] = times.map(|times| median(times).as_secs_f64());
        ours / of_jax
    };
    (ratio(compile_times), ratio(times))
}

fn row<I: Module + Clone, O: Module + Clone>(
    engine: &Engine,
    name: &str,
    inputs: &I,
    function: impl Fn(&I) -> O,
) {
    let mut names = std::env::args().skip(1).filter(|argument| argument != "--bench").peekable();
    if names.peek().is_some() && !names.any(|selected| selected == name) {
        return;
    }
    let (traced, program) = time(|| trace(inputs, function));
    let (steps, text) = (program.num_steps(), program.to_stablehlo());
    let (compile, compiled) = time(|| engine.compile_program(program));
    let compiled = compiled.expect("a program that the plugin compiles");
    let call = || time(|| drop(compiled.call(inputs).expect("a call"))).0;
    let (first, each) = (call(), median((0..15).map(|_| call()).collect()));
    print!("{name:<34}{steps:>7}{traced:>12.1?}{compile:>12.1?}{first:>12.1?}{each:>12.1?}");
    if let Some(folder) = std::env::var_os("JAX_LOOPS") {
        let of_jax = std::fs::read_to_string(Path::new(&folder).join(format!("{name}.mlir")));
        let of_jax = of_jax.expect("a file of `benches/loops.py`");
        let (compile, call) = beside_jax(engine, &text, &of_jax, inputs);
        print!("{compile:>12.2}{call:>12.2}");
    }
    println!();
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
        "{:<34}{:>7}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}",
        "", "steps", "trace", "compile", "first call", "a call", "compile/JAX", "call/JAX"
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
