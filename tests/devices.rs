//! The step of `examples/names` on several devices, as its shapes and rules decide: of one process, by a plugin of
//! XLA, and of two processes, by Python.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use safetensors::SafeTensors;
use safetensors::tensor::TensorView;
use tensor_core::autograd::value_and_grad;
use tensor_core::io::Checkpoint;
use tensor_core::trace::{Program, cond, scan, trace, try_trace};
use tensor_core::{Axis, Tensor, axes, axis, shape};
use tensor_nn::Module;
use tensor_nn::optim::Schedule;
use tensor_xla::{
    Buffer, ElementType, Engine, Options, ShardedProgram, Signature, Step, TensorType, constrain,
    mesh, shard, shard_with_state, sharding,
};

#[path = "../tensor-xla/tests/plugin/found.rs"]
mod found;
#[path = "../examples/names/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod names;
#[path = "devices/unreduced.rs"]
mod unreduced;

use names::training::Loss;
use names::{Batch, Examples, Head, Inner, Names, RATE, Training, Width};

mesh!(Grid: Data = 4, Model = 2);
mesh!(Row: Along = 8);
sharding!(ByData on Row: Batch => Along);
sharding!(ByModel on Grid: Head => Model, Inner => Model);
sharding!(ByBoth on Grid: Batch => Data, Head => Model, Inner => Model);
sharding!(OverAll on Grid: Batch => (Data, Model));
sharding!(OfState on Grid: Width => Data, Head => Model, Inner => Model);

const STEPS: usize = 50;
const BATCH: usize = 64;

/// The batch of each step, and of one more.
fn batches() -> Vec<Examples> {
    let names = names::read(&names::bundled_file()).unwrap();
    // The file is sorted: neighbours are far from each other here.
    let chosen = |step: usize| (0..BATCH).map(move |row| (step * BATCH + row) * 101);
    let batch = |step| {
        let Names { inputs, targets } =
            Names::of(chosen(step).map(|index| &names[index % names.len()])).unwrap();
        (inputs, targets, Tensor::scalar(RATE.rate(step)))
    };
    (0..=STEPS).map(batch).collect()
}

type Inputs = (Training, Examples);
type TracedStep = Program<Inputs, (Training, Loss)>;

fn step() -> TracedStep {
    let step = |(training, batch): &Inputs| -> Result<_, Box<dyn Error>> {
        let mut next = training.clone();
        let loss = next.step(batch)?;
        Ok((next, loss))
    };
    try_trace(&(Training::new(), batches().remove(0)), step).unwrap()
}

/// The number of elements of each parameter that a device has.
fn parameters(step: &Step<Training, Examples, Loss>) -> Vec<usize> {
    let inputs = step.executable().signature().inputs().iter();
    let parameters = inputs.filter(|input| input.name().starts_with("0.model"));
    parameters.map(|input| input.tensor_type().local_sizes().iter().product()).collect()
}

/// Trains on several devices, and compares with the losses of one.
///
/// Gradients are summed over the devices if these have parts of a batch, and no weight is put together from its parts:
/// what a program gathers are indices, and what devices pass on is of the batch.
fn agrees(
    engine: &Engine,
    way: &str,
    program: ShardedProgram<Inputs, (Training, Loss)>,
    sums_gradients: bool,
    expected: &[f32],
) {
    let mut step = engine.compile_sharded_step(program, &Training::new()).unwrap();
    let collectives = step.executable().collectives().unwrap();
    let results = |operation: &str| -> Vec<TensorType> {
        let of_name = collectives.iter().filter(|collective| collective.operation() == operation);
        of_name.flat_map(|collective| collective.results().to_vec()).collect()
    };
    let reduced: Vec<usize> =
        results("all-reduce").iter().map(|tensor| tensor.sizes().iter().product()).collect();
    assert!(!reduced.is_empty(), "{way}");
    let count = |counts: &[usize], count| counts.iter().filter(|&&other| other == count).count();
    let parameters = parameters(&step);
    for &elements in &parameters {
        let (gradients, sums) = (count(&parameters, elements), count(&reduced, elements));
        let fits = if sums_gradients { sums >= gradients } else { sums == 0 };
        assert!(fits, "{way}: {sums} sums of {elements} elements, {gradients} gradients");
    }
    let gathered = results("all-gather");
    let is_index = |tensor: &TensorType| tensor.element_type() == ElementType::I64;
    assert!(gathered.iter().all(is_index), "{way}: {gathered:?}");
    for other in ["all-to-all", "reduce-scatter"] {
        assert!(results(other).is_empty(), "{way}: {collectives:?}");
    }
    let permuted = results("collective-permute");
    let is_weight = |tensor: &TensorType| parameters.contains(&tensor.sizes().iter().product());
    assert!(!permuted.iter().any(is_weight), "{way}: {permuted:?}");

    let batches = batches();
    for (number, (batch, expected)) in batches[..STEPS].iter().zip(expected).enumerate() {
        let found = step.call(batch).unwrap().item();
        assert!((found - expected).abs() <= 1e-5, "{way}: step {number}: {found}, {expected}");
    }
    let next = step.state().unwrap().step(&batches[STEPS]).unwrap().item();
    let expected = expected[STEPS];
    assert!((next - expected).abs() <= 1e-5, "{way}: the trained model: {next}, {expected}");
}

#[test]
fn training_on_eight_devices_is_that_on_one() {
    let Some(engine) = found::engine(&Options::new().cpu_devices(8)) else { return };
    let mut alone = engine.compile_step(step(), &Training::new()).unwrap();
    let expected: Vec<f32> =
        batches().iter().map(|batch| alone.call(batch).unwrap().item()).collect();
    assert!(expected[STEPS] < 0.8 * expected[0], "it learns: {expected:?}");
    agrees(&engine, "by data", shard(step(), ByData).unwrap(), true, &expected);
    agrees(&engine, "by model", shard(step(), ByModel).unwrap(), false, &expected);
    agrees(&engine, "by both", shard(step(), ByBoth).unwrap(), true, &expected);
    agrees(&engine, "over all", shard(step(), OverAll).unwrap(), true, &expected);
}

/// Parameters, optimiser states and batches are on the devices that their shape types determine.
#[test]
fn shapes_decide_where_tensors_are() {
    let signature = shard(step(), ByBoth).unwrap().signature();
    let of = |name: &str| {
        let inputs = signature.inputs().iter();
        let input = inputs.clone().find(|input| input.name() == name).unwrap();
        input.tensor_type().to_string()
    };
    for (name, tensor_type) in [
        ("0.model.letters.weight", "f32 [27, 64]"),
        ("0.model.blocks.0.attention.mix", "f32 [4 over Model = 2, 16, 64]"),
        ("0.model.blocks.0.first.weight", "f32 [256 over Model = 2, 64]"),
        ("0.model.blocks.0.first.bias", "f32 [256 over Model = 2]"),
        ("0.model.blocks.0.second.weight", "f32 [64, 256 over Model = 2]"),
        ("0.optimizer.blocks.0.second.weight.exp_avg_sq", "f32 [64, 256 over Model = 2]"),
        ("0.optimizer.blocks.0.second.weight.step", "i64 []"),
        ("1.0", "i64 [64 over Data = 4, 14]"),
    ] {
        assert_eq!(of(name), tensor_type, "{name}");
    }
    let text = shard(step(), ByBoth).unwrap().to_stablehlo();
    assert_eq!(Signature::of_text(&text).unwrap().mesh(), signature.mesh());
}

#[test]
fn what_types_cannot_know_is_refused_before_it_is_compiled() {
    let error = |count| {
        let rows = Tensor::<shape![Batch, 3]>::zeros_shaped(shape![Batch(count), 3]);
        let program = trace(&vec![rows], |rows| rows[0].sum());
        shard(program, ByData).expect_err("a size that is not shared").to_string()
    };
    let shared = "which the 8 devices of `Along` do not share evenly";
    assert_eq!(error(30), format!("input `0`: `Batch` has size 30, {shared}; 24 or 32 would fit"));
    assert_eq!(error(7), format!("input `0`: `Batch` has size 7, {shared}; 8 would fit"));

    let none: Vec<Tensor<shape![Head, Inner]>> = Vec::new();
    sharding!(Heads on Grid: Head => Model);
    let program = trace(&(none, Tensor::<shape![Width]>::zeros()), |(_, x)| x.sum());
    assert_eq!(
        shard(program, Heads).expect_err("a rule without an axis").to_string(),
        "the rule `Head => Model` is for an axis that no input or output of the program has; they have Width"
    );
}

/// `python3` with the packages that `.ci/run hosts` fetches; `None`, and one line, where they are missing.
fn python() -> Option<Command> {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/jax");
    let python = || {
        let mut python = Command::new("python3");
        if packages.exists() {
            python.env("PYTHONPATH", &packages);
        }
        python.env("JAX_PLATFORMS", "cpu");
        python
    };
    let found = python().args(["-c", "import jax, safetensors"]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(python());
    }
    let missing = "python3 has no jax and safetensors; `.ci/run hosts` fetches them";
    assert!(std::env::var_os("HOSTS_REQUIRED").is_none(), "{missing}");
    found::skipped(&missing);
    None
}

/// The tensors of a `.safetensors` file: element type, sizes and bytes by name.
fn tensors(file: &[u8]) -> BTreeMap<String, TensorView<'_>> {
    SafeTensors::deserialize(file).unwrap().tensors().into_iter().collect()
}

#[test]
fn functions_of_jax_run_here() {
    let (Some(mut python), Some(engine)) = (python(), found::engine(&Options::new())) else {
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("jax");
    fs::create_dir_all(&folder).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/export_jax.py");
    assert!(python.args([&script, &folder]).status().unwrap().success());
    for name in ["training_step", "scan", "top_k", "random"] {
        let text = fs::read_to_string(folder.join(name).with_extension("mlir")).unwrap();
        let signature = Signature::of_text(&text).unwrap();
        let program = engine.compile(&text, &signature).unwrap();
        let file = fs::read(folder.join(name).with_extension("safetensors")).unwrap();
        let arrays = tensors(&file);
        let inputs = signature.inputs().iter().enumerate().map(|(number, input)| {
            let elements = arrays[&format!("in.{number}")].data();
            Buffer::from_bytes(&engine, input.tensor_type(), elements).unwrap()
        });
        let outputs = program.call(inputs).unwrap();
        for (number, output) in outputs.iter().enumerate() {
            let (expected, found) = (&arrays[&format!("out.{number}")], output.to_bytes().unwrap());
            if output.tensor_type().element_type() != ElementType::F32 {
                assert_eq!(found, expected.data(), "{name}");
                continue;
            }
            let numbers = |bytes: &[u8]| -> Vec<f32> {
                let numbers = bytes.chunks(4).map(|bytes| bytes.try_into().unwrap());
                numbers.map(f32::from_le_bytes).collect()
            };
            let (found, expected) = (numbers(&found), numbers(expected.data()));
            let close = found.iter().zip(&expected).all(|(x, y)| (x - y).abs() <= 1e-6);
            assert!(close && found.len() == expected.len(), "{name}: {found:?}, {expected:?}");
        }
    }
}

/// Runs a bundle on eight devices of one process by JAX, which splits its inputs itself; gives the results by name.
fn run_by_jax(folder: &Path, options: &[&str]) -> Checkpoint {
    let [bundle, out] = ["bundle", "out"].map(|name| folder.join(name));
    let mut python = python().expect("found before");
    python.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/run_bundle.py"));
    python.args([&bundle, &folder.join("batches.safetensors"), &out]);
    assert!(python.args(["--cpu-devices", "8"]).args(options).status().unwrap().success());
    Checkpoint::open(out.join("results.safetensors")).unwrap()
}

/// Runs a bundle over two processes with four devices each.
fn run_in_two_processes(bundle: &Path, batches: &Path, out: &Path) {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let start = |process: usize| -> Child {
        let mut python = python().expect("found before");
        python.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/run_bundle.py"));
        python.args([bundle, batches, out]).args(["--cpu-devices", "4", "--processes", "2"]);
        python.args(["--coordinator", &format!("127.0.0.1:{port}")]);
        python.args(["--process", &process.to_string()]).spawn().unwrap()
    };
    for mut process in [0, 1].map(start) {
        assert!(process.wait().unwrap().success());
    }
}

/// JAX splits the batch by `PartitionSpec(("Data", "Model"))`. A batch whose parts were in another order would give other
/// sums for each row of the result.
#[test]
fn an_axis_over_two_axes_of_the_mesh_is_split_as_by_jax() {
    axis!(Steps = 2, Row = 16);
    sharding!(Rows on Grid: Row => (Data, Model));
    if python().is_none() {
        return;
    }
    let state = Tensor::<shape![3]>::from([1.0_f32, 2.0, 4.0]);
    let batches = Tensor::<shape![Steps, Row, 3]>::from_fn(|[step, row, column]| {
        (100 * step + 3 * row + column) as f32
    });
    let first = batches.index::<0>(0);
    let program = || {
        let step = trace(&(state.clone(), first.clone()), |(state, rows)| {
            let sums = rows.dot(state);
            (state + 1.0, (sums.clone(), sums.cumsum::<0>(), rows.clone()))
        });
        shard(step, Rows).unwrap()
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("two_axes");
    program().export(folder.join("bundle"), &state).unwrap();
    Checkpoint::save(folder.join("batches.safetensors"), &[("1", &batches)]).unwrap();
    let results = run_by_jax(&folder, &[]);
    let sums = results.tensor::<shape![Steps, Row], f32>("1.0").unwrap();
    let cumulative = results.tensor::<shape![Steps, Row], f32>("1.1").unwrap();
    let rows = results.tensor::<shape![Steps, Row, 3], f32>("1.2").unwrap();
    assert_eq!(rows, batches);

    let mut engine = found::engine(&Options::new().cpu_devices(8))
        .map(|engine| engine.compile_sharded_step(program(), &state).unwrap());
    let mut state = state.clone();
    for number in 0..Steps::SIZE.unwrap() {
        let batch = batches.index::<0>(number);
        let expected = (batch.dot(&state), batch.dot(&state).cumsum::<0>(), batch);
        let of_jax = [&sums, &cumulative].map(|results| results.index::<0>(number));
        assert_eq!(of_jax, [expected.0.clone(), expected.1.clone()]);
        if let Some(step) = &mut engine {
            assert_eq!(step.call(&expected.2).unwrap(), expected);
        }
        state = &state + 1.0;
    }
}

/// The layer of a model whose activations the rules leave whole along `Hidden`, and a constraint does not.
mod layer {
    use super::*;

    axis!(pub Rows = 16, pub Pixel = 8, pub Hidden = 32);
    sharding!(pub(super) ByRows on Grid: Rows => Data);
    sharding!(Activations on Grid: Rows => Data, Hidden => Model);

    pub type Weight = Tensor<shape![Pixel, Hidden]>;
    pub type Images = Tensor<shape![Rows, Pixel]>;
    pub type Sums = Tensor<shape![Rows]>;

    /// Gradient descent on the weight, and sums of the activations.
    pub fn step(weight: &Weight, images: &Images, constrained: bool) -> (Weight, Sums) {
        let activations = |weight: &Weight| {
            let activations = images.dot(weight).tanh();
            if constrained { constrain(&activations, Activations) } else { activations }
        };
        let (_, gradient) = value_and_grad(weight, |weight| activations(weight).square().mean());
        (weight - gradient * 0.5, activations(weight).sum_axis::<-1>())
    }

    pub fn weight() -> Weight {
        Tensor::from_fn(|[row, column]| ((row * 32 + column) % 7) as f32 / 7.0 - 0.5)
    }

    pub fn images() -> Images {
        Tensor::from_fn(|[row, column]| ((row * 8 + column) % 5) as f32 / 5.0 - 0.3)
    }
}

/// What a constraint splits is computed in parts, here and by JAX, with the results of the kernels.
#[test]
fn tensors_within_a_program_are_split_by_their_types_here_and_by_jax() {
    use layer::{ByRows, Sums, Weight};

    let (weight, images) = (layer::weight(), layer::images());
    let program = |constrained| {
        let step = trace(&(weight.clone(), images.clone()), |(weight, images)| {
            layer::step(weight, images, constrained)
        });
        assert!(!step.to_stablehlo().contains("sdy."), "a program that is not split");
        shard(step, ByRows).unwrap()
    };
    // The activations, those of the loss, and their gradient.
    let of_activations = r#"<@mesh, [{"Data"}, {"Model"}]> : tensor<16x32xf32>"#;
    let constraints =
        |constrained| program(constrained).to_stablehlo().matches(of_activations).count();
    assert_eq!([false, true].map(constraints), [0, 2]);

    let mut expected = (weight.clone(), Vec::new());
    for _ in 0..3 {
        let (next, sums) = layer::step(&expected.0, &images, true);
        expected.0 = next;
        expected.1.push(sums);
    }
    let agree = |sums: &Sums, number: usize| sums.all_close(&expected.1[number], 1e-5, 1e-5);
    if let Some(engine) = found::engine(&Options::new().cpu_devices(8)) {
        // The sums over `Hidden` of parts are added along `Model`.
        let reduced = |constrained| {
            let mut step = engine.compile_sharded_step(program(constrained), &weight).unwrap();
            for number in 0..3 {
                assert!(agree(&step.call(&images).unwrap(), number));
            }
            assert!(step.state().unwrap().all_close(&expected.0, 1e-5, 1e-5));
            let collectives = step.executable().collectives().unwrap();
            let results = collectives.iter().flat_map(|collective| collective.results().to_vec());
            results.filter(|result| result.sizes() == [4]).count()
        };
        assert_eq!([false, true].map(reduced), [0, 1]);
    }
    if python().is_some() {
        axis!(Steps = 3);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("constraint");
        program(true).export(folder.join("bundle"), &weight).unwrap();
        let batches = Tensor::stack_all::<0, Steps>([&images; 3]);
        Checkpoint::save(folder.join("batches.safetensors"), &[("1", &batches)]).unwrap();
        let sums = run_by_jax(&folder, &[]).tensor::<shape![Steps, layer::Rows], f32>("1").unwrap();
        assert!((0..3).all(|number| agree(&sums.index::<0>(number), number)));
        let mut trained: Weight = weight.clone();
        trained.load(folder.join("out/state.safetensors")).unwrap();
        assert!(trained.all_close(&expected.0, 1e-5, 1e-5));
    }
}

/// A view along the axes of a tensor leaves the others split: nothing crosses devices.
#[test]
fn views_of_tensors_in_parts_are_in_parts() {
    axis!(Steps = 3, Rows = 16, Pixel = 8);
    sharding!(ByRows on Grid: Rows => Data, Pixel => Model);
    type Batches = Tensor<shape![Steps, Rows, Pixel]>;
    let batches = Batches::from_fn(|[step, row, column]| (100 * step + 8 * row + column) as f32);
    let views = |batches: &Batches| {
        let batch = batches.index::<0>(1);
        let stretched = batch.expand::<shape![2, Rows, Pixel]>();
        (
            (batch.transpose(), batches.permute::<axes![2, 0, 1]>(), stretched),
            (batches.flip::<axes![0]>(), batch + batches.index::<0>(2)),
        )
    };
    let program = || {
        trace(&(Tensor::<shape![]>::zeros(), batches.clone()), |(state, batches)| {
            (state.clone(), views(batches))
        })
    };
    assert_eq!(program().run(&(Tensor::zeros(), batches.clone())).unwrap().1, views(&batches));
    let Some(engine) = found::engine(&Options::new().cpu_devices(8)) else { return };
    let mut step =
        engine.compile_sharded_step(shard(program(), ByRows).unwrap(), &Tensor::zeros()).unwrap();
    assert_eq!(step.call(&batches).unwrap(), views(&batches));
    let collectives = step.executable().collectives().unwrap();
    assert!(collectives.is_empty(), "{collectives:?}");
}

/// Constraints hold in the bodies of loops and branches as well.
#[test]
fn tensors_within_loops_are_split_by_their_types() {
    use layer::{Hidden, Pixel, Rows};

    axis!(Steps = 3);
    sharding!(Activations on Grid: Rows => Data, Hidden => Model);
    let weight = layer::weight();
    let batches = Tensor::stack_all::<0, Steps>([&layer::images(); 3]);
    let program = trace(&(weight, batches.clone()), |(weight, batches)| {
        let sum = |sum: &Tensor<shape![]>, images: &Tensor<shape![Rows, Pixel]>| {
            let half = |images: &Tensor<shape![Rows, Pixel]>| {
                constrain(&images.dot(weight).tanh(), Activations).sum()
            };
            (sum + cond(&sum.greater(1.0), images, half, |images| half(&(images * 0.5))), ())
        };
        (weight.clone(), scan(&Tensor::zeros(), batches, sum).0)
    });
    let inputs = (layer::weight(), batches);
    let expected = program.run(&inputs).unwrap().1.item();
    let program = shard(program, layer::ByRows).unwrap();
    let constraint = r#"<@mesh, [{"Data"}, {"Model"}]> : tensor<16x32xf32>"#;
    assert_eq!(program.to_stablehlo().matches(constraint).count(), 2);
    let Some(engine) = found::engine(&Options::new().cpu_devices(8)) else { return };
    let mut step = engine.compile_sharded_step(program, &inputs.0).unwrap();
    let found = step.call(&inputs.1).unwrap().item();
    assert!((found - expected).abs() <= 1e-4 * expected.abs(), "{found}, {expected}");
}

/// A constraint on another mesh is a mistake that no type shows.
#[test]
#[should_panic(expected = "a tensor is split over a mesh that is not that of the program")]
fn a_constraint_on_another_mesh_is_refused() {
    axis!(Wide = 16);
    sharding!(OnRow on Row: Wide => Along);
    sharding!(OnGrid on Grid: Wide => Data);
    let program = trace(&Tensor::<shape![Wide]>::zeros(), |x| constrain(x, OnRow).exp());
    let _ = shard(program, OnGrid).unwrap().to_stablehlo();
}

#[test]
#[should_panic(
    expected = "`Batch` has size 7, which the 8 devices of `(Data, Model)` do not share evenly; 8 would fit"
)]
fn a_constraint_of_a_size_that_is_not_shared_is_refused() {
    let rows = Tensor::<shape![Batch]>::zeros_shaped(shape![Batch(7)]);
    let _ = trace(&rows, |rows| constrain(rows, OverAll).exp());
}

/// What the guide states about JAX: where it finds a mistake, and which device has what.
#[test]
fn jax_finds_mistakes_when_it_runs() {
    let Some(mut python) = python() else { return };
    let script = r#"
import jax, jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
jax.config.update("jax_num_cpu_devices", 8)
mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
split = lambda *spec: NamedSharding(mesh, P(*spec))
rows = jnp.zeros((7, 16))
for attempt in [
    lambda: split("data", "data"),
    lambda: split(("data", "data")),
    lambda: split("batch"),
    lambda: jax.device_put(rows, split("data")),
    lambda: jax.device_put(jnp.zeros(8), split("data", None)),
    lambda: jax.jit(lambda x: jax.lax.with_sharding_constraint(x, split("data")))(rows).sharding.is_fully_replicated,
    lambda: [first.start for first, in split(("data", "model")).devices_indices_map((16,)).values()],
]:
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__)
"#;
    let output = python.args(["-c", script]).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        lines.lines().collect::<Vec<_>>(),
        [
            "DuplicateSpecError",
            "DuplicateSpecError",
            "ValueError",
            "IndivisibleError",
            "ValueError",
            "True",
            "[0, 2, 4, 6, 8, 10, 12, 14]"
        ],
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The batches of some steps, as `run_bundle.py` reads them.
fn save_batches(file: &Path, batches: &[Examples]) {
    axis!(Steps);
    let inputs = Tensor::stack_all::<0, Steps>(batches.iter().map(|batch| &batch.0));
    let targets = Tensor::stack_all::<0, Steps>(batches.iter().map(|batch| &batch.1));
    let rates = Tensor::stack_all::<0, Steps>(batches.iter().map(|batch| &batch.2));
    Checkpoint::save(file, &[("1.0", &inputs), ("1.1", &targets), ("1.2", &rates)]).unwrap();
}

/// The bytes of the optimiser's state that a device has.
fn state_bytes(signature: &Signature) -> u64 {
    let of_state =
        signature.inputs().iter().filter(|input| input.name().starts_with("0.optimizer"));
    let bytes = of_state.map(|input| {
        let tensor_type = input.tensor_type();
        tensor_type.local_sizes().iter().product::<usize>() * tensor_type.element_type().size()
    });
    bytes.sum::<usize>() as u64
}

/// Each device has a part of the optimiser's state of weights that it has whole; the losses stay the same, here and by JAX.
#[test]
fn the_state_of_an_optimiser_is_split_apart_here_and_by_jax() {
    let apart = || shard_with_state(step(), ByBoth, OfState).unwrap();
    let together = || shard(step(), ByBoth).unwrap();
    let signature = apart().signature();
    for (name, tensor_type) in [
        ("0.model.letters.weight", "f32 [27, 64]"),
        ("0.optimizer.letters.weight.exp_avg", "f32 [27, 64 over Data = 4]"),
        (
            "0.optimizer.blocks.0.second.weight.exp_avg_sq",
            "f32 [64 over Data = 4, 256 over Model = 2]",
        ),
        ("0.optimizer.letters.weight.step", "i64 []"),
    ] {
        let input = signature.inputs().iter().find(|input| input.name() == name).unwrap();
        assert_eq!(input.tensor_type().to_string(), tensor_type, "{name}");
    }
    let [with, without] = [&signature, &together().signature()].map(state_bytes);
    assert_eq!((with, without), (161_968, 636_976));

    const FEW: usize = 10;
    let batches = &batches()[..FEW];
    let mut training = Training::new();
    let expected: Vec<f32> =
        batches.iter().map(|batch| training.step(batch).unwrap().item()).collect();
    if let Some(engine) = found::engine(&Options::new().cpu_devices(8)) {
        let mut memory = Vec::new();
        for program in [apart(), together()] {
            let mut step = engine.compile_sharded_step(program, &Training::new()).unwrap();
            memory.push(step.executable().memory().unwrap().inputs);
            for (batch, expected) in batches.iter().zip(&expected) {
                let found = step.call(batch).unwrap().item();
                assert!((found - expected).abs() <= 1e-5, "{found}, {expected}");
            }
            let next = step.state().unwrap().step(&batches[0]).unwrap().item();
            let expected = training.clone().step(&batches[0]).unwrap().item();
            assert!((next - expected).abs() <= 1e-4, "the trained model: {next}, {expected}");
        }
        // The compiler's own count of the inputs of a device.
        assert_eq!(memory[1] - memory[0], without - with);
    }
    if python().is_some() {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("state");
        apart().export(folder.join("bundle"), &Training::new()).unwrap();
        save_batches(&folder.join("batches.safetensors"), batches);
        axis!(Steps);
        let losses = run_by_jax(&folder, &["--parts"]).tensor::<shape![Steps], f32>("1").unwrap();
        let close = |(found, expected): (&f32, &f32)| (found - expected).abs() <= 1e-4 * expected;
        assert!(losses.iter().zip(&expected).all(close), "{losses}, {expected:?}");
        // JAX has written a file for each of its devices, and one device reads them.
        if let Some(engine) = found::engine(&Options::new()) {
            let mut alone = engine.compile_step(step(), &Training::new()).unwrap();
            alone.load_parts(folder.join("out")).unwrap();
            let found = alone.call(&batches[0]).unwrap().item();
            let expected = training.step(&batches[0]).unwrap().item();
            assert!((found - expected).abs() <= 1e-4 * expected, "{found}, {expected}");
        }
    }
}

/// A state is written in parts by some devices, and read in parts by others, with the same bits.
#[test]
fn devices_write_and_read_their_parts_of_a_state() {
    let Some(engine) = found::engine(&Options::new().cpu_devices(8)) else { return };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("parts");
    let _ = fs::remove_dir_all(&folder);
    let batches = batches();
    let mut apart = engine
        .compile_sharded_step(shard_with_state(step(), ByBoth, OfState).unwrap(), &Training::new())
        .unwrap();
    apart.call(&batches[0]).unwrap();
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("part-1-of-2.safetensors"), "of an earlier checkpoint").unwrap();
    let others = ["part-of-speech.safetensors", "part-1-of-the-data.safetensors"];
    for other in others {
        fs::write(folder.join(other), "no checkpoint").unwrap();
    }
    apart.save_parts(&folder).unwrap();
    assert!(others.iter().all(|other| folder.join(other).exists()), "files of others are kept");

    // No file has all of a weight that is split, and what all devices have is in one of them.
    let files: Vec<Checkpoint> = (0..8)
        .map(|device| {
            Checkpoint::open(folder.join(format!("part-{device}-of-8.safetensors"))).unwrap()
        })
        .collect();
    let holders =
        |name: &str| files.iter().filter(|file| file.names().contains(&name.to_owned())).count();
    assert_eq!(holders("model.letters.weight"), 1);
    assert_eq!(holders("model.blocks.0.second.weight"), 2);
    assert_eq!(holders("optimizer.blocks.0.second.weight.exp_avg"), 8);
    let elements = |state: &Training| tensor_core::trace::element_bytes(state);
    let expected = elements(&apart.state().unwrap());

    let mut others = [
        engine.compile_step(step(), &Training::new()).unwrap(),
        engine.compile_sharded_step(shard(step(), ByBoth).unwrap(), &Training::new()).unwrap(),
        engine.compile_sharded_step(shard(step(), ByData).unwrap(), &Training::new()).unwrap(),
    ];
    for other in &mut others {
        other.load_parts(&folder).unwrap();
        assert!(elements(&other.state().unwrap()) == expected, "the bits of the state");
    }
    let found = others[0].call(&batches[1]).unwrap().item();
    let expected = apart.call(&batches[1]).unwrap().item();
    assert!((found - expected).abs() <= 1e-5, "{found}, {expected}");

    let before = elements(&apart.state().unwrap());
    let error = |step: &mut Step<Training, Examples, Loss>| {
        step.load_parts(&folder).unwrap_err().to_string()
    };
    fs::remove_file(folder.join("part-3-of-8.safetensors")).unwrap();
    let message = error(&mut apart);
    let expected = "the folder has 7 part files, and this one is of another number";
    assert!(message.contains(expected), "{message}");
    fs::copy(folder.join("part-2-of-8.safetensors"), folder.join("part-3-of-8.safetensors"))
        .unwrap();
    let message = error(&mut apart);
    assert!(message.contains("another file has the same elements"), "{message}");
    assert!(elements(&apart.state().unwrap()) == before, "the state is unchanged");
}

/// Two processes take the steps that the kernels of the crate take, and what they write has the same bits here.
#[test]
fn two_hosts_train_what_is_exported() {
    const FEW: usize = 10;
    if python().is_none() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hosts");
    let [bundle, file, out] =
        ["bundle", "batches.safetensors", "out"].map(|name| folder.join(name));
    let mut training = Training::new();
    shard(step(), ByBoth).unwrap().export(&bundle, &training).unwrap();

    let batches = &batches()[..FEW];
    save_batches(&file, batches);
    run_in_two_processes(&bundle, &file, &out);

    let results = Checkpoint::open(out.join("results.safetensors")).unwrap();
    axis!(Steps);
    let losses = results.tensor::<shape![Steps], f32>("1").unwrap();
    for (number, (batch, found)) in batches.iter().zip(losses.iter()).enumerate() {
        let expected = training.step(batch).unwrap().item();
        let close = (found - expected).abs() <= 1e-4 * expected;
        assert!(close, "step {number}: {found}, {expected}");
    }
    let written = out.join("state.safetensors");
    let mut trained = Training::new();
    trained.load(&written).unwrap();
    let again = folder.join("again.safetensors");
    trained.save(&again).unwrap();
    let [found, expected] = [written, again].map(|file| fs::read(file).unwrap());
    assert!(tensors(&found) == tensors(&expected), "the bits of the state");
    let [found, expected] =
        [&mut trained, &mut training].map(|training| training.step(&batches[0]).unwrap().item());
    assert!((found - expected).abs() <= 1e-4 * expected, "{found}, {expected}");
}
