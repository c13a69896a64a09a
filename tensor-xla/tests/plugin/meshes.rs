//! A transformer over letters, trained on several devices as its shapes and rules decide.

use tensor_core::autograd::try_value_and_grad;
use tensor_core::random::Generator;
use tensor_core::trace::{Program, trace, try_trace};
use tensor_core::{Axis, IndexError, Module, Tensor, axis, einsum, shape};
use tensor_nn::layers::{Causal, Embedding, LayerNorm, Linear, Mask};
use tensor_nn::losses::CrossEntropy;
use tensor_nn::optim::{AdamW, Optimizer};
use tensor_xla::{
    ElementType, Engine, ShardedProgram, Signature, Step, TensorType, mesh, shard, sharding,
};

use crate::{engine, message};

axis!(Batch, Time = 12, Letter = 27, Width = 16, Head = 4, Channel = 8, Inner = 32);

mesh!(Grid: Data = 4, Model = 2);
mesh!(Row: Along = 8);
sharding!(ByData on Row: Batch => Along);
sharding!(ByModel on Grid: Head => Model, Inner => Model);
sharding!(ByBoth on Grid: Batch => Data, Head => Model, Inner => Model);

type Letters = Tensor<shape![Batch, Time], i64>;
type States = Tensor<shape![Batch, Time, Width]>;
type Loss = Tensor<shape![]>;

#[derive(Clone, Debug, Module)]
struct Attention {
    queries: Tensor<shape![Head, Width, Channel]>,
    keys: Tensor<shape![Head, Width, Channel]>,
    values: Tensor<shape![Head, Width, Channel]>,
    mix: Tensor<shape![Head, Channel, Width]>,
}

impl Attention {
    fn forward(&self, x: &States) -> States {
        let in_heads = |weight: &Tensor<shape![Head, Width, Channel]>| {
            let heads: Tensor<shape![Batch, Head, Time, Channel]> =
                einsum!(b t w, h w c -> b h t c; x, weight);
            heads
        };
        let scores = in_heads(&self.queries).matmul(&in_heads(&self.keys).transpose());
        let weights = Causal.masked(scores / (Channel.size() as f32).sqrt()).softmax::<-1>();
        let found: Tensor<shape![Batch, Head, Time, Channel]> =
            weights.matmul(&in_heads(&self.values));
        einsum!(b h t c, h c w -> b t w; found, self.mix)
    }
}

#[derive(Clone, Debug, Module)]
struct Block {
    before_attention: LayerNorm<Width>,
    attention: Attention,
    before_layers: LayerNorm<Width>,
    first: Linear<Width, Inner>,
    second: Linear<Inner, Width>,
}

#[derive(Clone, Debug, Module)]
struct Writer {
    letters: Embedding<Letter, Width>,
    places: Tensor<shape![Time, Width]>,
    blocks: Vec<Block>,
    norm: LayerNorm<Width>,
    scores: Linear<Width, Letter>,
}

impl Writer {
    fn new(rng: &mut Generator) -> Self {
        let block = Block {
            before_attention: LayerNorm::new(),
            attention: Attention {
                queries: rng.uniform(-0.25, 0.25),
                keys: rng.uniform(-0.25, 0.25),
                values: rng.uniform(-0.25, 0.25),
                mix: rng.uniform(-0.2, 0.2),
            },
            before_layers: LayerNorm::new(),
            first: Linear::new(rng),
            second: Linear::new(rng),
        };
        Self {
            letters: Embedding { weight: rng.normal(0.0, 0.1) },
            places: rng.normal(0.0, 0.1),
            blocks: vec![block],
            norm: LayerNorm::new(),
            scores: Linear::new(rng),
        }
    }

    fn loss(&self, inputs: &Letters, targets: &Letters) -> Result<Loss, IndexError> {
        let mut x: States = self.letters.forward(inputs)? + &self.places;
        for block in &self.blocks {
            x = &x + block.attention.forward(&block.before_attention.forward(&x));
            let inner = block.first.forward(&block.before_layers.forward(&x)).gelu_tanh();
            x += block.second.forward(&inner);
        }
        let scores = self.scores.forward(&self.norm.forward(&x));
        CrossEntropy::new().ignore(NOTHING).mean(&scores, targets)
    }
}

#[derive(Clone, Debug, Module)]
struct Training {
    model: Writer,
    optimizer: Optimizer,
}

impl Training {
    fn new() -> Self {
        let model = Writer::new(&mut Generator::seed(42));
        let optimizer = Optimizer::new(AdamW::default(), 1e-3).with_state_of(&model);
        Self { model, optimizer }
    }
}

/// The target behind the end of a name.
const NOTHING: i64 = -1;

const NAMES: [&str; 16] = [
    "ada",
    "alan",
    "barbara",
    "claude",
    "dennis",
    "edsger",
    "emmy",
    "grace",
    "haskell",
    "joan",
    "katherine",
    "leslie",
    "margaret",
    "niklaus",
    "radia",
    "tony",
];

/// Batches of names: the letters, and for each the next one.
fn batch() -> (Letters, Letters) {
    let time = Time.size();
    let (mut inputs, mut targets) = (Vec::new(), Vec::new());
    for name in NAMES {
        let letters: Vec<i64> = name.bytes().map(|byte| i64::from(byte - b'a') + 1).collect();
        let row = inputs.len();
        inputs.push(0);
        inputs.extend(&letters);
        targets.extend(&letters);
        targets.push(0);
        inputs.resize(row + time, 0);
        targets.resize(row + time, NOTHING);
    }
    let letters = |letters| Tensor::from_vec_shaped(shape![Batch(NAMES.len()), Time], letters);
    (letters(inputs).unwrap(), letters(targets).unwrap())
}

type Inputs = (Training, (Letters, Letters));

fn step() -> Program<Inputs, (Training, Loss)> {
    let step = |(training, (inputs, targets)): &Inputs| -> Result<_, Box<dyn std::error::Error>> {
        let mut next = training.clone();
        let (loss, gradient) =
            try_value_and_grad(&training.model, |model| model.loss(inputs, targets))?;
        next.optimizer.step(&mut next.model, &gradient)?;
        Ok((next, loss))
    };
    try_trace(&(Training::new(), batch()), step).unwrap()
}

const STEPS: usize = 50;

/// The losses of the steps, and the state after them.
fn losses(mut step: Step<Training, (Letters, Letters), Loss>) -> (Vec<f32>, Training) {
    let batch = batch();
    let losses = (0..STEPS).map(|_| step.call(&batch).unwrap().item()).collect();
    (losses, step.state().unwrap())
}

/// The number of elements of each parameter that a device has.
fn parameters(step: &Step<Training, (Letters, Letters), Loss>) -> Vec<usize> {
    let inputs = step.executable().signature().inputs().iter();
    let parameters = inputs.filter(|input| input.name().starts_with("0.model"));
    parameters.map(|input| input.tensor_type().local_sizes().iter().product()).collect()
}

/// Trains on several devices, and compares with the losses of one.
///
/// Gradients are summed over the devices if these have parts of a batch, and no weight is put together from its parts:
/// what a program gathers are indices.
fn agrees(
    engine: &Engine,
    way: &str,
    program: ShardedProgram<Inputs, (Training, Loss)>,
    sums_gradients: bool,
    expected: &[f32],
) {
    let step = engine.compile_sharded_step(program, &Training::new()).unwrap();
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
    assert!(results("all-to-all").is_empty(), "{way}: {collectives:?}");

    let (losses, trained) = losses(step);
    for (number, (found, expected)) in losses.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 1e-5, "{way}: step {number}: {found}, {expected}");
    }
    let (inputs, targets) = batch();
    let next = trained.model.loss(&inputs, &targets).unwrap().item();
    let expected = expected[STEPS];
    assert!((next - expected).abs() <= 1e-5, "{way}: the trained model: {next}, {expected}");
}

#[test]
fn training_on_eight_devices_is_that_on_one() {
    let Some(engine) = engine() else { return };
    let mut alone = engine.compile_step(step(), &Training::new()).unwrap();
    let batch = batch();
    let expected: Vec<f32> = (0..=STEPS).map(|_| alone.call(&batch).unwrap().item()).collect();
    assert!(expected[STEPS] < 0.7 * expected[0], "it learns: {expected:?}");
    agrees(engine, "by data", shard(step(), ByData).unwrap(), true, &expected);
    agrees(engine, "by model", shard(step(), ByModel).unwrap(), false, &expected);
    agrees(engine, "by both", shard(step(), ByBoth).unwrap(), true, &expected);
}

/// Parameters, what the optimiser keeps of them, and batches are where their shape types place them.
#[test]
fn shapes_decide_where_tensors_are() {
    let signature = shard(step(), ByBoth).unwrap().signature();
    let of = |name: &str| {
        let inputs = signature.inputs().iter();
        let input = inputs.clone().find(|input| input.name() == name).unwrap();
        input.tensor_type().to_string()
    };
    for (name, tensor_type) in [
        ("0.model.letters.weight", "f32 [27, 16]"),
        ("0.model.blocks.0.attention.mix", "f32 [4 over Model = 2, 8, 16]"),
        ("0.model.blocks.0.first.weight", "f32 [32 over Model = 2, 16]"),
        ("0.model.blocks.0.first.bias", "f32 [32 over Model = 2]"),
        ("0.model.blocks.0.second.weight", "f32 [16, 32 over Model = 2]"),
        ("0.optimizer.blocks.0.second.weight.exp_avg_sq", "f32 [16, 32 over Model = 2]"),
        ("0.optimizer.blocks.0.second.weight.step", "i64 []"),
        ("1.0", "i64 [16 over Data = 4, 12]"),
    ] {
        assert_eq!(of(name), tensor_type, "{name}");
    }
    let text = shard(step(), ByBoth).unwrap().to_stablehlo().unwrap();
    assert_eq!(Signature::of_text(&text).unwrap().mesh(), signature.mesh());
}

#[test]
fn what_types_cannot_know_is_refused_before_it_is_compiled() {
    let error = |count| {
        let rows = Tensor::<shape![Batch, 3]>::zeros_shaped(shape![Batch(count), 3]);
        message(shard(trace(&vec![rows], |rows| rows[0].sum()), ByData))
    };
    let shared = "which the 8 devices of `Along` do not share evenly";
    assert_eq!(error(30), format!("input `0`: `Batch` has size 30, {shared}; 24 or 32 would fit"));
    assert_eq!(error(7), format!("input `0`: `Batch` has size 7, {shared}; 8 would fit"));

    let none: Vec<Tensor<shape![Head, Inner]>> = Vec::new();
    sharding!(Heads on Grid: Head => Model);
    let program = trace(&(none, Tensor::<shape![Width]>::zeros()), |(_, x)| x.sum());
    assert_eq!(
        message(shard(program, Heads)),
        "the rule `Head => Model` is for an axis that no input or output of the program has; they have Width"
    );
}
