//! Programs on XLA: a function that compiles itself, loops as one step beside the same loops unrolled, attention with a cache,
//! recomputation, 16 bits, a large constant, and a step over 8 devices. The time to trace and to compile, of the first call, and
//! of a call. `benches/programs.py` prints the times of JAX.
//!
//! `TENSOR_XLA_PLUGIN=… cargo bench -p tensor-benchmarks --bench programs`
//!
//! `JAX_PROGRAMS=FOLDER`, a folder that `python3 benches/programs.py FOLDER` has written, adds JAX's programs on the same plugin,
//! compiled and called in turn with these, with inputs on the device: how many times of JAX's this crate takes to compile, for a
//! call, and of the memory that the compiler plans for a device, the first column of the three in MiB. The name of a row after
//! `--` selects it.

use std::path::Path;
use std::time::{Duration, Instant};

use tensor_core::autograd::{checkpoint, value_and_grad};
use tensor_core::precision::{autocast, bf16};
use tensor_core::random::Generator;
use tensor_core::trace::{Attributes, Program, element_bytes, scan, trace, while_loop};
use tensor_core::{Module, Tensor, axis, dim, shape};
use tensor_nn::layers::{CausalLowerRight, GroupedQueryAttention, KvCache};
use tensor_xla::{
    Buffer, Compiled, Engine, Error, Executable, Input, Options, Signature, jit, mesh, shard,
    sharding,
};

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

type Up = Tensor<shape![64, 512]>;
type Down = Tensor<shape![512, 64]>;
type Rows = Tensor<shape![1024, 64]>;
type Blocks = Vec<(Up, Down)>;
type Block = (Rows, Up, Down);

fn block((x, up, down): &Block) -> Rows {
    x + x.dot(up).tanh().dot(down) * 0.1
}

axis!(Position);

type Attention = GroupedQueryAttention<dim!(64), dim!(4), dim!(4), dim!(16)>;
type Cache = KvCache<shape![], dim!(4), Position, dim!(16)>;
type Token = Tensor<shape![1, 64]>;

/// Positions that follow each other, each of which attends to those before.
fn positions((layer, first): &(Attention, Token)) -> Token {
    let state = (first.clone(), Cache::fixed(shape![], 200));
    let goes_on = |(_, cache): &(Token, Cache)| cache.position().less(200);
    while_loop(&state, goes_on, |(x, cache)| {
        let mut cache = cache.clone();
        ((x + layer.forward_cached(x, &mut cache, CausalLowerRight)).tanh(), cache)
    })
    .0
}

axis!(Batch = 1024, Pixel = 256, Hidden = 1024, Digit = 16);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => Data, Hidden => Model);

type TwoLayers = (Tensor<shape![Pixel, Hidden]>, Tensor<shape![Hidden, Digit]>);
type Images = Tensor<shape![Batch, Pixel]>;
/// The loss and its gradient.
type Loss = (Tensor<shape![]>, TwoLayers);

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

/// The text of a program, and the elements of those of its inputs that are constants.
type Text = (String, Vec<Vec<u8>>);

/// How many times of those of JAX's program a program takes to compile, to run, and of memory; the times as medians of turns.
fn beside_jax(engine: &Engine, ours: &Text, of_jax: &Text, inputs: &dyn Module) -> [f64; 3] {
    let texts = [ours, of_jax];
    let compile = |(text, _): &Text| {
        let signature = Signature::of_text(text).expect("a program");
        time(|| engine.compile(text, &signature).expect("a program that the plugin compiles"))
    };
    let mut compile_times = [const { Vec::new() }; 2];
    for turn in 0..4 {
        compile_times[turn % 2].push(compile(texts[turn % 2]).0);
    }
    let (last, programs): (Vec<Duration>, Vec<Executable>) = texts.map(compile).into_iter().unzip();
    compile_times.iter_mut().zip(last).for_each(|(times, last)| times.push(last));
    let buffers = |(program, (_, constants)): (&Executable, &Text)| -> Vec<Buffer> {
        let bytes = element_bytes(inputs).into_iter().chain(constants.iter().cloned());
        let buffer = |(bytes, input): (Vec<u8>, &Input)| {
            Buffer::from_bytes(engine, input.tensor_type(), &bytes).expect("a buffer")
        };
        bytes.zip(program.signature().inputs()).map(buffer).collect()
    };
    let buffers: Vec<Vec<Buffer>> = programs.iter().zip(texts).map(buffers).collect();
    let mut times = [const { Vec::new() }; 2];
    let mut results = [const { Vec::new() }; 2];
    for turn in 0..62 {
        let of = turn % 2;
        let (duration, outputs) = time(|| programs[of].call(&buffers[of]).expect("a call"));
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
    let [ours, of_jax] = [&programs[0], &programs[1]].map(peak);
    [ratio(compile_times), ratio(times), ours / of_jax]
}

/// The bytes that a run takes on each device.
fn peak(program: &Executable) -> f64 {
    program.memory().expect("a plugin that knows the memory").peak() as f64
}

/// Whether a row is selected.
fn is_selected(name: &str) -> bool {
    let mut names = std::env::args().skip(1).filter(|argument| argument != "--bench").peekable();
    names.peek().is_none() || names.any(|selected| selected == name)
}

fn row<I: Module + Clone, O: Module + Clone>(
    engine: &Engine,
    name: &str,
    inputs: &I,
    function: impl Fn(&I) -> O,
) {
    if !is_selected(name) {
        return;
    }
    let (traced, program) = time(|| trace(inputs, function));
    let text = program.to_stablehlo_and_constants(&Attributes::default());
    print_row(engine, name, inputs, (traced, program.num_steps()), &text, || {
        engine.compile_program(program)
    });
}

/// The row of a program over 8 devices.
fn row_of_devices(inputs: &(TwoLayers, Images), function: impl Fn(&(TwoLayers, Images)) -> Loss) {
    let name = "a step over 8 devices";
    if !is_selected(name) {
        return;
    }
    let engine = Engine::find_with(&Options::new().cpu_devices(8)).expect("a plugin");
    if engine.devices().len() < 8 {
        return println!("{name}: there are fewer devices");
    }
    let (traced, program) = time(|| {
        let traced: Program<(TwoLayers, Images), Loss> = trace(inputs, function);
        shard(traced, Rules).expect("sizes that the devices share evenly")
    });
    let (steps, text) = (program.program().num_steps(), (program.to_stablehlo(), Vec::new()));
    print_row(&engine, name, inputs, (traced, steps), &text, || engine.compile_sharded(program));
}

/// The row of a function that compiles itself at its first call.
fn row_of_jit(engine: &Engine) {
    let name = "jit of a small function";
    if !is_selected(name) {
        return;
    }
    let function = jit(engine, |x: &Tensor<shape![256]>| (x * 2.0 + 1.0).tanh());
    let x = Tensor::ones();
    let call = || time(|| function.call(&x).expect("a call").to_vec()).0;
    let (first, each) = (call(), median((0..1001).map(|_| call()).collect()));
    println!("{name:<34}{first:>43.1?}{each:>12.1?}");
}

fn print_row<I: Module + Clone, O: Module + Clone>(
    engine: &Engine,
    name: &str,
    inputs: &I,
    (traced, steps): (Duration, usize),
    text: &Text,
    compile: impl FnOnce() -> Result<Compiled<I, O>, Error>,
) {
    let (compile, compiled) = time(compile);
    let compiled = compiled.expect("a program that the plugin compiles");
    let call = || time(|| drop(compiled.call(inputs).expect("a call"))).0;
    let (first, each) = (call(), median((0..15).map(|_| call()).collect()));
    let memory = peak(compiled.executable()) / f64::from(1 << 20);
    print!("{name:<34}{steps:>7}{traced:>12.1?}{compile:>12.1?}{first:>12.1?}{each:>12.1?}");
    print!("{memory:>12.2}");
    if let Some(folder) = std::env::var_os("JAX_PROGRAMS") {
        let of_jax = std::fs::read_to_string(Path::new(&folder).join(format!("{name}.mlir")));
        let of_jax = (of_jax.expect("a file of `benches/programs.py`"), Vec::new());
        let ratios = beside_jax(engine, text, &of_jax, inputs);
        print!("{}", ratios.map(|ratio| format!("{ratio:>12.2}")).concat());
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
    print!("{:<34}{:>7}", "", "steps");
    let times = ["trace", "compile", "first call", "a call", "MiB"];
    let ratios = ["compile/JAX", "call/JAX", "MiB/JAX"];
    println!(
        "{}",
        [&times[..], &ratios].concat().iter().map(|name| format!("{name:>12}")).collect::<String>()
    );
    row_of_jit(&engine);
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

    let inputs = (Attention::new(rng), rng.uniform(-1.0, 1.0));
    row(&engine, "200 positions, one step", &inputs, positions);
    let inputs: (Blocks, Rows) = (
        (0..12).map(|_| (rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1))).collect(),
        rng.uniform(-1.0, 1.0),
    );
    let blocks = |each: fn(&Block) -> Rows| {
        move |(weights, x): &(Blocks, Rows)| {
            value_and_grad(weights, |weights| {
                let through =
                    |x: Rows, (up, down): &(Up, Down)| each(&(x, up.clone(), down.clone()));
                weights.iter().fold(x.clone(), through).square().mean()
            })
        }
    };
    row(&engine, "12 blocks", &inputs, blocks(block));
    row(
        &engine,
        "12 blocks, checkpoints",
        &inputs,
        blocks(|(x, up, down)| checkpoint((x, up, down), block)),
    );
    row(&engine, "12 blocks, bf16", &inputs, |inputs| {
        autocast::<bf16, _>(|| blocks(block)(inputs))
    });
    let table = Tensor::<shape![2048, 2048]>::from_fn(|[row, column]| {
        (2048 * row + column) as f32 / (2048.0 * 2048.0)
    });
    row(&engine, "a constant of 16 MiB", &rng.uniform(0.0, 1.0), |x: &Tensor<shape![2048]>| {
        x.dot(&table).tanh()
    });
    let inputs = ((rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1)), rng.uniform(-1.0, 1.0));
    row_of_devices(&inputs, |(weights, images)| {
        value_and_grad(weights, |(hidden, scores)| {
            images.dot(hidden).relu().dot(scores).square().mean()
        })
    });
}
