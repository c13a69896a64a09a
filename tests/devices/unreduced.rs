//! Sums that are not reduced: gradients of several batches that each device adds up, and products over a split axis.

use tensor_core::autograd::value_and_grad;
use tensor_core::trace::{Program, scan, trace};
use tensor_core::{Module, Tensor, axes, axis, shape};
use tensor_xla::{
    Collective, Options, ShardedProgram, Unreduced, constrain, shard, sharding, unreduced,
};

use super::{Data, Grid, Model, found, python};

axis!(Micro = 4, Rows = 32, Line = 128, Pixel = 8, Hidden = 32, Part);
sharding!(Rules on Grid: Data => Data, Hidden => Model);
sharding!(OfLines on Grid: Line => Data, Hidden => Model);

type Weights = (Tensor<shape![Pixel, Hidden]>, Tensor<shape![Hidden]>);
type Batch = Tensor<shape![Data, Rows, Pixel]>;
type Batches = Tensor<shape![Micro, Data, Rows, Pixel]>;
type Lines = Tensor<shape![Micro, Line, Pixel]>;
type Loss = Tensor<shape![]>;
type Inputs = (Weights, Batches);
type Outputs = (Weights, (Loss, Weights));

fn inputs() -> Inputs {
    let hidden = Tensor::from_fn(|[row, column]| ((row * 32 + column) % 7) as f32 / 7.0 - 0.4);
    let score = Tensor::from_fn(|[row]| (row % 5) as f32 / 5.0 - 0.3);
    let batches = Tensor::from_fn(|[micro, part, row, column]| {
        ((31 * micro + 17 * part + 5 * row + column) % 11) as f32 / 11.0
    });
    ((hidden, score), batches)
}

fn loss((hidden, score): &Weights, rows: &Tensor<shape![Rows, Pixel]>) -> Loss {
    (rows.dot(hidden).relu().dot(score) - 1.0).square().mean()
}

fn slope(weights: &Weights) -> impl Fn(&Tensor<shape![Rows, Pixel]>) -> (Loss, Weights) {
    |rows| value_and_grad(weights, |weights| loss(weights, rows))
}

/// The sum of the losses and gradients of all batches, whose rows the rules split.
fn by_rules((weights, batches): &(Weights, Lines)) -> (Loss, Weights) {
    let of_batch = |number| {
        value_and_grad(weights, |(hidden, score)| {
            let lines = batches.index::<0>(number);
            (lines.dot(hidden).relu().dot(score) - 1.0).square().mean() * 4.0
        })
    };
    (1..4).map(of_batch).fold(of_batch(0), add)
}

fn add(a: (Loss, Weights), b: (Loss, Weights)) -> (Loss, Weights) {
    (a.0 + b.0, (a.1.0 + b.1.0, a.1.1 + b.1.1))
}

fn reduced_each((weights, batches): &Inputs) -> (Loss, Weights) {
    let of_batch = |number| unreduced(&batches.index::<0>(number), slope(weights)).reduce();
    (1..4).map(of_batch).fold(of_batch(0), add)
}

fn reduced_once((weights, batches): &Inputs) -> (Loss, Weights) {
    let of_batch = |number| unreduced(&batches.index::<0>(number), slope(weights));
    let mut sum = of_batch(0);
    for number in 1..4 {
        sum += of_batch(number);
    }
    sum.reduce()
}

/// The sum is the state of a loop over the batches.
fn in_a_loop((weights, batches): &Inputs) -> (Loss, Weights) {
    let start = Unreduced::zeros_like(&(Tensor::zeros(), weights.clone()));
    let (sum, ()) =
        scan(&start, batches, |sum, batch| (sum + unreduced(batch, slope(weights)), ()));
    sum.reduce()
}

/// Each device has a loop over its parts of the batches.
fn with_a_loop_on_each_device((weights, batches): &Inputs) -> (Loss, Weights) {
    let of_devices = batches.permute::<axes![1, 0, 2, 3]>();
    let of_device = |batches: &Tensor<shape![Micro, Rows, Pixel]>| {
        let start = (Tensor::zeros(), (Tensor::zeros(), Tensor::zeros()));
        scan(&start, batches, |sum, rows| (add(sum.clone(), slope(weights)(rows)), ())).0
    };
    unreduced(&of_devices, of_device).reduce()
}

/// The gradient of a sum that is reduced.
fn gradient_of_a_sum((weights, batches): &Inputs) -> (Loss, Weights) {
    value_and_grad(weights, |weights| {
        let of_batch = |number| unreduced(&batches.index::<0>(number), |rows| loss(weights, rows));
        (of_batch(0) + of_batch(1) + of_batch(2) - of_batch(3) * -1.0).reduce()
    })
}

fn is_close(found: &(Loss, Weights), expected: &(Loss, Weights)) -> bool {
    found.0.all_close(&expected.0, 1e-5, 1e-5)
        && found.1.0.all_close(&expected.1.0, 1e-5, 1e-5)
        && found.1.1.all_close(&expected.1.1, 1e-5, 1e-5)
}

/// How often the gradient of `hidden` is added over the devices in a step of gradient descent by a function, whose results are
/// those of the kernels.
fn reductions<B: Module + Clone>(
    name: &str,
    inputs: &(Weights, B),
    function: fn(&(Weights, B)) -> (Loss, Weights),
    shard: impl FnOnce(Program<(Weights, B), Outputs>) -> ShardedProgram<(Weights, B), Outputs>,
    expected: &(Loss, Weights),
) -> Option<usize> {
    assert!(is_close(&function(inputs), expected), "{name}, by the kernels");
    let program = trace(inputs, function);
    assert!(is_close(&program.run(inputs).unwrap(), expected), "{name}, as a program");
    assert!(!program.to_stablehlo().contains("sdy."), "{name}: a program that is not split");
    let engine = found::engine(&Options::new().cpu_devices(8))?;
    let step = trace(inputs, |inputs| {
        let (loss, gradient) = function(inputs);
        let weights = &inputs.0;
        ((&weights.0 - &gradient.0 * 0.5, &weights.1 - &gradient.1 * 0.5), (loss, gradient))
    });
    let mut step = engine.compile_sharded_step(shard(step), &inputs.0).unwrap();
    let found = step.call(&inputs.1).unwrap();
    assert!(is_close(&found, expected), "{name}, on devices: {found:?}, {expected:?}");
    let collectives = step.executable().collectives().unwrap();
    let is_sum = |collective: &Collective| collective.operation() == "all-reduce";
    assert!(collectives.iter().all(is_sum), "{name}: {collectives:?}");
    // A device has half of the 32 columns.
    let results = collectives.iter().flat_map(Collective::results);
    Some(results.filter(|of| of.sizes().iter().product::<usize>() == 8 * 16).count())
}

/// All of these are one function: of the kernels, as a program, and on eight devices.
#[test]
fn gradients_of_several_batches_are_reduced_once() {
    let inputs = inputs();
    let lines = (inputs.0.clone(), inputs.1.reshape::<shape![Micro, Line, Pixel]>());
    let expected = by_rules(&lines);
    let of_lines = |step| shard(step, OfLines).unwrap();
    let found = reductions("by rules", &lines, by_rules, of_lines, &expected);
    assert!(found.is_none_or(|found| found == 4), "{found:?}");
    let functions: [(&str, fn(&Inputs) -> (Loss, Weights), usize); 5] = [
        ("each", reduced_each, 4),
        ("once", reduced_once, 1),
        ("in a loop", in_a_loop, 1),
        ("a loop on each device", with_a_loop_on_each_device, 1),
        ("the gradient of a sum", gradient_of_a_sum, 4),
    ];
    for (name, function, expected_reductions) in functions {
        let by_rules = |step| shard(step, Rules).unwrap();
        let found = reductions(name, &inputs, function, by_rules, &expected);
        assert!(found.is_none_or(|found| found == expected_reductions), "{name}: {found:?}");
    }
}

/// What the guide states about JAX: the gradients of several batches are added on each device and reduced once, with these
/// numbers, and what needs the sum is refused while tracing, but for a result.
#[test]
fn sums_that_are_not_reduced_here_and_by_jax() {
    let Some(mut python) = python() else { return };
    let script = r#"
import re, jax, jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P
jax.config.update("jax_num_cpu_devices", 8)
jax.set_mesh(jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Explicit,) * 2))
row, column = jnp.arange(8)[:, None], jnp.arange(32)
weights = (row * 32 + column) % 7 / 7 - 0.4, column % 5 / 5 - 0.3
micro, line = jnp.arange(4)[:, None, None], jnp.arange(128)[:, None]
batches = (31 * micro + 17 * (line // 32) + 5 * (line % 32) + jnp.arange(8)) % 11 / 11
batches = jax.device_put(batches, P(None, "data"))

def loss(weights, rows):
    return jnp.mean((jax.nn.relu(rows @ weights[0]) @ weights[1] - 1) ** 2) * 4

def gradient(weights, batches):
    weights = jax.reshard(weights, P(reduced={"data"}))
    gradients = [jax.grad(loss)(weights, batches[number]) for number in range(4)]
    return jax.tree.map(lambda *parts: sum(parts[1:], parts[0]), *gradients)

def once(weights, batches):
    return jax.reshard(gradient(weights, batches), P())

compiled = jax.jit(once).lower(weights, batches).compile()
reduced = re.findall(r"= (.*) all-reduce\(", compiled.as_text())
print(sum(len(re.findall(r"f32\[8,32\]|f32\[32,8\]", result)) for result in reduced))
for attempt in [
    lambda: jax.jit(lambda *inputs: jnp.exp(gradient(*inputs)[1]))(weights, batches),
    lambda: jax.jit(lambda *inputs: weights[1] - gradient(*inputs)[1])(weights, batches),
    lambda: jax.jit(gradient)(weights, batches)[1].sharding.spec,
    lambda: jax.jit(gradient)(weights, batches)[1].tolist(),
]:
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__)
print(*compiled(weights, batches)[1].tolist())
"#;
    let output = python.args(["-c", script]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    let of_score = lines.pop().expect(&errors).split(' ').map(|number| number.parse().unwrap());
    let of_score: Vec<f32> = of_score.collect();
    let refused = "NotImplementedError";
    let spec = "P(None, unreduced={'data'})";
    assert_eq!(lines, ["1", refused, refused, spec, refused], "{errors}");
    let of_score = Tensor::<shape![Hidden]>::from_vec(of_score).unwrap();
    assert!(of_score.all_close(&reduced_once(&inputs()).1.1, 1e-5, 1e-5));
}

/// Integers are added as well; what has no sum of parts is a panic at the line of the program.
#[test]
fn parts_are_numbers() {
    let batch = inputs().1.index::<0>(0);
    let counts = unreduced(&batch, |rows| rows.greater(0.5).cast::<i64>().sum());
    let expected = batch.greater(0.5).cast::<i64>().sum();
    assert_eq!((&counts + &counts - &counts).reduce(), expected);
    assert_eq!(format!("{counts:?}"), "a sum over Data that is not reduced: [i64 [4]]");
    fn ones(batch: &Batch, size: usize) -> Unreduced<Tensor<shape![Part]>, Data> {
        unreduced(batch, |_| Tensor::ones_shaped(shape![Part(size)]))
    }
    let mistakes: [(fn(&Batch), &str); 4] = [
        (
            |batch| {
                let _ = unreduced(batch, |rows| rows.greater(0.5).cast::<i64>().sum()) * 0.5;
            },
            "a sum of `i64`s is not multiplied by a float: `cast` it to floats before",
        ),
        (
            |batch| {
                unreduced(batch, |rows| rows.greater(0.5).any()).reduce();
            },
            "a `bool` is not added: `cast` it in the function of the parts",
        ),
        (
            |batch| {
                let _ = ones(batch, 3) + ones(batch, 1);
            },
            "the parts of two sums differ: [f32 [4, 3]] and [f32 [4, 1]]",
        ),
        (
            |batch| {
                let lists = [1, 2].map(|count| unreduced(batch, |rows| vec![rows.sum(); count]));
                let _ = &lists[0] - &lists[1];
            },
            "the parts of two sums differ: [f32 [4]] and [f32 [4], f32 [4]]",
        ),
    ];
    for (mistake, expected) in mistakes {
        let panic = std::panic::catch_unwind(|| mistake(&inputs().1.index::<0>(0)));
        let panic = panic.expect_err("a panic");
        let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
        assert_eq!(text.or_else(|| panic.downcast_ref().cloned()), Some(expected.to_owned()));
    }
}

/// Within the function of the parts, other axes of the mesh split tensors and sums; along its own axis a device has one part.
#[test]
fn functions_of_parts_have_constraints_and_sums() {
    axis!(Columns = 6);
    type Items = Tensor<shape![Data, Model, Rows, Columns]>;
    sharding!(ByItems on Grid: Data => Data, Model => Model);
    sharding!(ByColumns on Grid: Rows => Data, Columns => Model);
    let items = Items::from_fn(|[data, model, row, column]| {
        ((7 * data + 5 * model + 3 * row + column) % 13) as f32
    });
    let sums = |items: &Items| {
        let of_device = |rows: &Tensor<shape![Model, Rows, Columns]>| {
            let sum = unreduced(rows, |rows| rows.square()).reduce();
            constrain(&sum.sqrt(), ByColumns).sum_axis::<0>()
        };
        // A device computes all items of a sum over the axis that it is at: one after the other.
        let of_all = |rows: &Tensor<shape![Model, Rows, Columns]>| {
            let scaled = items * rows.mean();
            unreduced(&scaled, |all| all.sum_axis::<0>().sum_axis::<0>()).reduce()
        };
        (unreduced(items, of_device).reduce(), unreduced(items, of_all).reduce())
    };
    let expected = sums(&items);
    let program = trace(&items, sums);
    let sharded = shard(program, ByItems).unwrap();
    let text = sharded.to_stablehlo();
    assert!(text.contains(r#"<@mesh, [{}, {"Model"}]> : tensor<32x6xf32>"#), "{text}");
    assert_eq!(
        ["manual_axes = ", "stablehlo.while"].map(|name| text.matches(name).count()),
        [3, 1]
    );
    let Some(engine) = found::engine(&Options::new().cpu_devices(8)) else { return };
    let found = engine.compile_sharded(sharded).unwrap().call(&items).unwrap();
    assert!(found.0.all_close(&expected.0, 1e-4, 1e-4), "{found:?}, {expected:?}");
    assert!(found.1.all_close(&expected.1, 1e-4, 1e-4), "{found:?}, {expected:?}");
}
