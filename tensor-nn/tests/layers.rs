//! Every layer computes what PyTorch computes, in `f64`, with the parameters that `pytorch.py` stored.

use tensor_core::module::{Module, StaticModule};
use tensor_core::random::Generator;
use tensor_core::windows::{self, Pool1d, Pool2d};
use tensor_core::{Axis, Tensor, axis, dim, shape};
use tensor_nn::layers::*;

mod stored;

use stored::Case;

/// The sizes of the cases.
type D<const N: usize> = tensor_core::Dim<N>;

fn read(name: &'static str) -> Case {
    Case::read("layers", name)
}

fn rng() -> Generator {
    Generator::seed(1)
}

axis!(Batch);
axis!(Time);

#[test]
fn linear() {
    let case = read("linear");
    let layer: Linear<D<5>, D<4>, f64> = case.fill(Linear::new(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 3, 5]>("x")));
    case.check("y", &layer.forward(&case.get::<shape![Batch, Time, 5]>("x")));

    let case = read("linear_without_bias");
    let layer: Linear<D<5>, D<4>, f64, NoBias> = case.fill(Linear::without_bias(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![3, 5]>("x")));
}

#[test]
fn convolutions() {
    let case = read("conv1d");
    let layer: Conv1d<D<2>, D<6>, D<3>, Options1d<2, 1, 2, 2>, f64> =
        case.fill(Conv1d::new(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 11]>("x")));
    case.check("y", &layer.forward(&case.get::<shape![Batch, 4, 11]>("x")));

    let case = read("conv2d");
    let layer: Conv2d<D<3>, D<4>, D<3>, D<3>, Options2d<2, 1>, f64> =
        case.fill(Conv2d::new(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 3, 7, 8]>("x")));

    let case = read("conv2d_same");
    let layer: Conv2d<D<2>, D<4>, D<3>, D<5>, Same2d, f64, NoBias> =
        case.fill(Conv2d::without_bias(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 2, Batch, Time]>("x")));

    let case = read("conv2d_depthwise");
    let layer: Conv2d<dim!(1), D<4>, D<3>, D<3>, Options2d<1, 2, 2, 4>, f64> =
        case.fill(Conv2d::new(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 7, 8]>("x")));
}

#[test]
fn transposed_convolutions() {
    let case = read("conv_transpose1d");
    let options = windows::Conv1d::new().stride::<2>().padding::<1>().output_padding::<1>();
    let layer = ConvTranspose1d {
        weight: case.get::<shape![3, 2, 3]>("weight"),
        bias: case.get::<shape![2]>("bias"),
        options,
    };
    case.check("y", &layer.forward(&case.get::<shape![2, 3, 5]>("x")));

    // With groups the bias has one element for each output of all groups.
    let case = read("conv_transpose2d");
    let layer: ConvTranspose2d<D<4>, D<3>, D<3>, D<3>, Options2d<2, 1, 1, 2>, f64, _> =
        ConvTranspose2d {
            weight: case.get("weight"),
            bias: case.get::<shape![6]>("bias"),
            options: Default::default(),
        };
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 4, 5]>("x")));
}

#[test]
fn pooling() {
    let case = read("pooling");
    let x = case.get::<shape![2, 3, 8, 9]>("x");
    case.check("max2d", &MaxPool2d(Pool2d::new::<3>().stride::<2>().padding::<1>()).forward(&x));
    case.check("avg2d", &AvgPool2d(Pool2d::new::<2>()).forward(&x));
    let padded = AvgPool2d(Pool2d::new::<3>().stride::<2>().padding::<1>());
    case.check("avg2d_padded", &padded.forward(&x));
    case.check("adaptive", &AdaptiveAvgPool::<shape![3, 4]>::new().forward(&x));
    case.check("mean", &GlobalAvgPool2d.forward(&x));
    case.check("largest", &GlobalMaxPool2d.forward(&x));

    let line = case.get::<shape![2, 3, 10]>("line");
    case.check("max1d", &MaxPool1d(Pool1d::new::<3>().stride::<2>()).forward(&line));
    case.check("avg1d", &AvgPool1d(Pool1d::new::<4>().stride::<3>()).forward(&line));
}

#[test]
fn normalisation_of_the_last_axis() {
    let case = read("layer_norm");
    let layer: LayerNorm<D<6>, f64> = case.fill(LayerNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 3, 6]>("x")));

    let case = read("layer_norm_without_bias");
    let mut layer: LayerNorm<D<6>, f64, NoBias> = case.fill(LayerNorm::without_bias());
    layer.epsilon = 0.5;
    case.check("y", &layer.forward(&case.get::<shape![2, 6]>("x")));

    let case = read("rms_norm");
    let layer: RmsNorm<D<6>, f64> = case.fill(RmsNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 3, 6]>("x")));
}

#[test]
fn normalisation_of_channels() {
    let case = read("group_norm");
    let layer: GroupNorm<D<4>, 2, f64> = case.fill(GroupNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 3, 5]>("x")));
    let case = read("group_norm_of_sequences");
    let layer: GroupNorm<D<4>, 2, f64, -2> = case.fill(GroupNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 4, Time]>("x")));
    let case = read("group_norm_of_vectors");
    let layer: GroupNorm<D<4>, 2, f64, -1> = case.fill(GroupNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![Batch, 4]>("x")));

    let case = read("instance_norm");
    let layer: InstanceNorm<D<4>, f64> = case.fill(InstanceNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 3, 5]>("x")));
    let case = read("instance_norm_of_sequences");
    let layer: InstanceNorm<D<4>, f64, -2> = case.fill(InstanceNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 3]>("x")));
}

/// Three batches in training, what is kept of them, and a batch in use.
macro_rules! batch_norm {
    ($name:literal, $layer:expr, $($shape:tt)*) => {{
        let case = read($name);
        let mut layer = $layer;
        (layer.weight, layer.bias) = (case.get("weight"), case.get("bias"));
        let mut rng = rng();
        for batch in 0..3 {
            let mut pass = Pass::training(&mut rng);
            let y = layer.forward(&case.get::<$($shape)*>(&format!("x{batch}")), &mut pass);
            case.check(&format!("y{batch}"), &y);
            layer.update(&mut pass);
        }
        case.check("running_mean", &layer.running_mean);
        case.check("running_var", &layer.running_var);
        assert_eq!(layer.num_batches_tracked, case.integers("num_batches_tracked"));

        let x = case.get::<$($shape)*>("x0");
        case.check("used", &layer.forward(&x, &mut Pass::eval()));
        // A layer that does not take part in training is used, whatever the pass is for.
        layer.training = false;
        let mut pass = Pass::training(&mut rng);
        case.check("used", &layer.forward(&x, &mut pass));
        layer.update(&mut pass);
        assert_eq!(layer.num_batches_tracked.item(), 3);
    }};
}

#[test]
fn batch_norm() {
    batch_norm!("batch_norm1d", BatchNorm1d::<D<3>, f64>::new(), shape![5, 3]);
    let mut layer = BatchNorm::<D<3>, f64, -2>::new();
    layer.momentum = 0.3;
    batch_norm!("batch_norm_of_sequences", layer, shape![Batch, 3, Time]);
    batch_norm!("batch_norm2d", BatchNorm2d::<D<3>, f64>::new(), shape![2, 3, 4, 5]);
}

/// Two layers of one shape keep their own statistics, in whatever order they take them over; a layer that
/// a pass goes through twice has seen two batches.
#[test]
fn statistics_go_to_their_layer() {
    let mut first = BatchNorm1d::<dim!(1)>::new();
    let mut second = BatchNorm1d::<dim!(1)>::new();
    let mut pass = Pass::training(&mut rng());
    let x: Tensor<shape![2, 1]> = Tensor::from_vec(vec![0.0, 20.0]).unwrap();
    second.forward(&x, &mut pass);
    first.forward(&(&x * 2.0), &mut pass);
    // What trains may be a clone of the model.
    first.clone().forward(&(&x * 3.0), &mut pass);
    first.update(&mut pass);
    second.update(&mut pass);
    assert_eq!(first.running_mean[[0]], 0.9 * 2.0 + 0.1 * 30.0);
    assert_eq!(second.running_mean[[0]], 1.0);
    assert_eq!((first.num_batches_tracked.item(), second.num_batches_tracked.item()), (2, 1));
}

#[test]
#[should_panic = "batch normalisation trains on more than one element for each channel"]
fn one_example_has_no_variance() {
    let layer = BatchNorm1d::<D<3>>::new();
    layer.forward(&Tensor::<shape![1, 3]>::ones(), &mut Pass::training(&mut rng()));
}

#[test]
fn embedding() {
    let case = read("embedding");
    let layer: Embedding<D<7>, D<3>, f64> = case.fill(Embedding::new(&mut rng()));
    case.check("y", &layer.forward(&case.integers::<shape![2, 3]>("x")).unwrap());
}

#[test]
fn attention_of_queries_to_keys() {
    let case = read("attention");
    let q = case.get::<shape![2, 3, 4, 5]>("q");
    let k = case.get::<shape![2, 3, 6, 5]>("k");
    let v = case.get::<shape![2, 3, 6, 2]>("v");
    case.check("plain", &attention(&q, &k, &v, NoMask));
    case.check("causal", &attention(&q, &k, &v, Causal));
    let allowed = case.mask::<shape![4, 6]>("allowed");
    case.check("masked", &attention(&q, &k, &v, Allowed(&allowed)));
    let added = case.get::<shape![4, 6]>("added");
    case.check("biased", &attention(&q, &k, &v, Added(&added)));
    // Both masks are what either leaves.
    let both = attention(&q, &k, &v, (Causal, Allowed(&allowed)));
    let causal = Tensor::<shape![4, 6], bool>::full(true).tril(0);
    assert_eq!(both, attention(&q, &k, &v, Allowed(&(&causal & &allowed))));
}

type Heads<H, C> = MultiHeadAttention<D<8>, H, C, f64>;

#[test]
fn attention_with_heads() {
    let case = read("heads");
    let layer: Heads<D<2>, D<4>> = case.fill(Heads::new(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 5, 8]>("x"), NoMask, &mut Pass::eval()));
    case.check(
        "y",
        &layer.forward(&case.get::<shape![Batch, Time, 8]>("x"), NoMask, &mut Pass::eval()),
    );

    let case = read("heads_causal");
    let layer: Heads<D<2>, D<4>> = case.fill(Heads::new(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 5, 8]>("x"), Causal, &mut Pass::eval()));

    let case = read("heads_padded");
    let layer: Heads<D<2>, D<4>> = case.fill(Heads::new(&mut rng()));
    let keys = case.mask::<shape![Batch, 5]>("keys");
    case.check(
        "y",
        &layer.forward(&case.get::<shape![Batch, 5, 8]>("x"), KeyPadding(&keys), &mut Pass::eval()),
    );

    let case = read("heads_cross");
    let layer: Heads<D<4>, D<2>> = case.fill(Heads::new(&mut rng()));
    let (x, context) = (case.get::<shape![2, 5, 8]>("x"), case.get::<shape![2, 3, 8]>("context"));
    case.check("y", &layer.cross(&x, &context, NoMask, &mut Pass::eval()));
}

/// The row for padding is looked up like any other, and nothing comes back to it.
#[test]
fn embedding_of_padding() {
    let case = read("embedding_padded");
    let table: Embedding<D<5>, D<3>, f64> = case.fill(Embedding::new(&mut rng()));
    let words = case.integers::<shape![2, 3]>("x");
    let factors = case.get::<shape![2, 3, 3]>("factors");
    case.check("y", &table.forward_padded(&words, 2).expect("words of the table"));
    let gradient = tensor_core::autograd::grad(&table, |table| {
        (table.forward_padded(&words, 2).expect("words of the table") * &factors).sum()
    });
    case.check("gradient", &gradient.weight);
    // The same row, counted from the end; and one that there is not.
    let gradient = tensor_core::autograd::grad(&table, |table| {
        (table.forward_padded(&words, -3).expect("words of the table") * &factors).sum()
    });
    case.check("gradient", &gradient.weight);
    assert!(table.forward_padded(&words, 5).is_err());
}

#[test]
fn chunks_have_a_size() {
    type Four<A> = Chunks<D<4>, A>;
    assert_eq!(<Four<Time> as Axis>::from_size(12), Some(Four::of(Time(3))));
    assert_eq!(<Four<Time> as Axis>::from_size(13), None);
    assert_eq!(<Chunks<dim!(0), Time> as Axis>::from_size(0), None);
    let many = std::panic::catch_unwind(|| Four::of(Time(usize::MAX / 2)).size());
    assert!(many.is_err());
}

#[test]
#[should_panic = "the type says 2 layers, and there are 1"]
fn layers_that_are_missing() {
    let mut layers: Lstm<D<3>, D<4>, f64, Forward, 2> = Lstm::new(&mut rng());
    layers.rest.clear();
    layers.forward(&Tensor::<shape![5, 3], f64>::ones(), &mut Pass::eval());
}

#[test]
fn rotary_positions() {
    let case = read("rotary");
    let positions: RotaryPositions<D<5>, D<8>, f64> = RotaryPositions::new();
    case.check("y", &positions.forward(&case.get::<shape![2, 5, 8]>("x")));

    let case = read("rotary_from_3");
    let shape = shape![Time(5), 8];
    let positions = RotaryPositions::<Time, D<8>, f64>::new_shaped(shape, 10_000.0, 3);
    case.check("y", &positions.forward(&case.get::<shape![2, Time, 8]>("x")));

    // The products of turned queries and keys depend on their distance alone.
    let x = case.get::<shape![2, Time, 8]>("x");
    let later = RotaryPositions::<Time, D<8>, f64>::new_shaped(shape, 10_000.0, 100);
    let products = |positions: &RotaryPositions<Time, D<8>, f64>| {
        let turned = positions.forward(&x);
        turned.matmul(&turned.swap_axes::<-1, -2>())
    };
    assert!((products(&positions) - products(&later)).abs().max().item() < 1e-11);

    // In attention, the same as turning queries and keys by hand.
    let layer: Heads<D<2>, D<4>> = Heads::new(&mut rng());
    let positions: RotaryPositions<D<5>, D<4>, f64> = RotaryPositions::new();
    let x = case.get::<shape![2, 5, 8]>("x");
    let y = layer.forward_rotary(&x, &positions, Causal, &mut Pass::eval());
    assert_ne!(y, layer.forward(&x, Causal, &mut Pass::eval()));
    let shifted = RotaryPositions::new_shaped(shape![5, 4], 10_000.0, 7);
    let shifted = layer.forward_rotary(&x, &shifted, Causal, &mut Pass::eval());
    assert!((y - shifted).abs().max().item() < 1e-12);
}

#[test]
fn transformer_blocks() {
    let case = read("block_pre");
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<16>, f64> =
        TransformerBlock::new(&mut rng(), NormOrder::Pre, 0.0);
    let (block, x) = (case.fill(block), case.get::<shape![2, 5, 8]>("x"));
    case.check("y", &block.forward(&x, NoMask, &mut Pass::eval()));
    case.check("causal", &block.forward(&x, Causal, &mut Pass::training(&mut rng())));

    let case = read("block_post");
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<16>, f64, Relu> =
        TransformerBlock::new(&mut rng(), NormOrder::Post, 0.0);
    let (block, x) = (case.fill(block), case.get::<shape![Batch, Time, 8]>("x"));
    case.check("y", &block.forward(&x, NoMask, &mut Pass::eval()));
    case.check("causal", &block.forward(&x, Causal, &mut Pass::eval()));
}

/// The states of a case, `[layers · directions, 2, 4]`, by layer and direction.
fn states<const DIRECTIONS: usize, const LAYERS: usize>(
    case: &Case,
    name: &str,
) -> [[Tensor<shape![2, 4], f64>; DIRECTIONS]; LAYERS] {
    let all = case.get::<shape![Time, 2, 4]>(name);
    std::array::from_fn(|layer| {
        std::array::from_fn(|direction| all.index::<0>(layer * DIRECTIONS + direction).contiguous())
    })
}

/// `hidden` and `cell` of each layer and direction.
fn check_states<const DIRECTIONS: usize, const LAYERS: usize>(
    case: &Case,
    names: [&str; 2],
    found: [[LstmState<shape![2], D<4>, f64>; DIRECTIONS]; LAYERS],
) {
    let hidden = states::<DIRECTIONS, LAYERS>(case, names[0]);
    let cell = states::<DIRECTIONS, LAYERS>(case, names[1]);
    let expected = hidden.iter().flatten().zip(cell.iter().flatten());
    for (found, (hidden, cell)) in found.iter().flatten().zip(expected) {
        assert!(found.hidden.all_close(hidden, 1e-11, 1e-11));
        assert!(found.cell.all_close(cell, 1e-11, 1e-11));
    }
}

/// The first states of a case.
fn lstm_states<const DIRECTIONS: usize, const LAYERS: usize>(
    case: &Case,
) -> [[LstmState<shape![2], D<4>, f64>; DIRECTIONS]; LAYERS] {
    let hidden = states::<DIRECTIONS, LAYERS>(case, "state");
    let cell = states::<DIRECTIONS, LAYERS>(case, "state_cell");
    std::array::from_fn(|layer| {
        std::array::from_fn(|direction| LstmState {
            hidden: hidden[layer][direction].clone(),
            cell: cell[layer][direction].clone(),
        })
    })
}

#[test]
fn lstm() {
    let (case, pass) = (read("lstm"), &mut Pass::eval());
    let layer: Lstm<D<3>, D<4>, f64> = case.fill(Lstm::new(&mut rng()));
    let x = case.get::<shape![2, 5, 3]>("x");
    let (y, [last]) = layer.forward(&x, pass);
    case.check("y", &y);
    check_states(&case, ["hidden", "cell"], [[last]]);

    let [[state]] = lstm_states(&case);
    let (y, [last]) = layer.forward_from(&x, [state.clone()], pass);
    case.check("from", &y);
    check_states(&case, ["from_hidden", "from_cell"], [[last]]);
    let (first, [after]) = layer.step(&x.index::<1>(0), [state.clone()], pass);
    assert!((&first - y.index::<1>(0)).abs().max().item() < 1e-12);
    assert_eq!(first, after.hidden);

    let none: Tensor<shape![2, Time, 3], f64> = Tensor::zeros_shaped(shape![2, Time(0), 3]);
    let (y, [last]) = layer.forward_from(&none, [state.clone()], pass);
    assert_eq!((y.shape(), last), (shape![2, Time(0), 4], state));
}

/// The loops of steps and of whole sequences go through the layers in the same way.
#[test]
fn lstm_of_three_layers() {
    let (case, pass) = (read("lstm_layers"), &mut Pass::eval());
    let layers: Lstm<D<3>, D<4>, f64, Forward, 3> = case.fill(Lstm::new(&mut rng()));
    let x = case.get::<shape![2, Time, 3]>("x");
    let (y, last) = layers.forward(&x, pass);
    case.check("y", &y);
    check_states(&case, ["hidden", "cell"], last.map(|state| [state]));

    let mut states = lstm_states::<1, 3>(&case).map(|[state]| state);
    let (y, _) = layers.forward_from(&x, states.clone(), pass);
    case.check("from", &y);
    for (time, x) in x.iter_axis::<1>().enumerate() {
        let (output, next) = layers.step(&x, states, pass);
        assert!((output - y.index::<1>(time)).abs().max().item() < 1e-12);
        states = next;
    }
    check_states(&case, ["from_hidden", "from_cell"], states.map(|state| [state]));
}

#[test]
fn lstm_in_both_directions() {
    let (case, pass) = (read("lstm_bidirectional"), &mut Pass::eval());
    type Model = Lstm<D<3>, D<4>, f64, Bidirectional, 2>;
    let layers: Model = case.fill(Lstm::new(&mut rng()));
    let x = case.get::<shape![2, 5, 3]>("x");
    let (y, last) = layers.forward(&x, pass);
    case.check::<shape![2, 5, 8]>("y", &y);
    check_states(&case, ["hidden", "cell"], last);
    let (y, last) = layers.forward_from(&x, lstm_states(&case), pass);
    case.check("from", &y);
    check_states(&case, ["from_hidden", "from_cell"], last);

    assert_eq!(
        layers.names()[4..8].to_vec(),
        [
            "weight_ih_l0_reverse",
            "weight_hh_l0_reverse",
            "bias_ih_l0_reverse",
            "bias_hh_l0_reverse"
        ]
    );
    assert_eq!(layers.names()[12], "weight_ih_l1_reverse");
    assert_eq!(Model::NUM_PARAMETERS, layers.num_parameters());
}

#[test]
fn gru() {
    let (case, pass) = (read("gru"), &mut Pass::eval());
    let layer: Gru<D<3>, D<4>, f64> = case.fill(Gru::new(&mut rng()));
    let x = case.get::<shape![2, Time, 3]>("x");
    let (y, [last]) = layer.forward(&x, pass);
    case.check("y", &y);
    case.check::<shape![1, 2, 4]>("hidden", &last.unsqueeze::<0>());

    let [[state]] = states(&case, "state");
    let (y, [last]) = layer.forward_from(&x, [state.clone()], pass);
    case.check("from", &y);
    case.check::<shape![1, 2, 4]>("from_hidden", &last.unsqueeze::<0>());
    let (first, _) = layer.step(&x.index::<1>(0), [state], pass);
    assert!((first - y.index::<1>(0)).abs().max().item() < 1e-12);
}

#[test]
fn gru_in_both_directions() {
    let (case, pass) = (read("gru_bidirectional"), &mut Pass::eval());
    let layers: Gru<D<3>, D<4>, f64, Bidirectional, 2> = case.fill(Gru::new(&mut rng()));
    let x = case.get::<shape![2, 5, 3]>("x");
    let (y, last) = layers.forward(&x, pass);
    case.check::<shape![2, 5, 8]>("y", &y);
    case.check::<shape![4, 2, 4]>("hidden", &Tensor::stack_all::<0, D<4>>(last.iter().flatten()));
    let (y, _) = layers.forward_from(&x, states(&case, "state"), pass);
    case.check("from", &y);
}

/// Dropout is between the layers, and nowhere else.
#[test]
fn dropout_between_layers() {
    let x = Tensor::<shape![2, 5, 3]>::ones();
    let training = |seed| Pass::training(&mut Generator::seed(seed));
    let mut one: Gru<D<3>, D<4>> = Gru::new(&mut rng());
    one.dropout = Dropout::new(0.5);
    assert_eq!(one.forward(&x, &mut training(1)), one.forward(&x, &mut Pass::eval()));

    let mut two: Gru<D<3>, D<4>, f32, Forward, 2> = Gru::new(&mut rng());
    two.dropout = Dropout::new(0.5);
    let (y, [below, above]) = two.forward(&x, &mut training(1));
    let (expected, [below_in_use, above_in_use]) = two.forward(&x, &mut Pass::eval());
    assert_eq!(below, below_in_use);
    assert!(y != expected && above != above_in_use);
}

/// With all weights dropped the heads find nothing, in training alone.
#[test]
fn dropout_of_weights_of_attention() {
    let mut layer: MultiHeadAttention<D<8>, D<2>, D<4>> = MultiHeadAttention::new(&mut rng());
    let x = Tensor::<shape![2, 8]>::ones();
    let all = layer.forward(&x, NoMask, &mut Pass::eval());
    layer.dropout = Dropout::new(1.0);
    assert_eq!(layer.forward(&x, NoMask, &mut Pass::eval()), all);
    let none = layer.forward(&x, NoMask, &mut Pass::training(&mut rng()));
    assert_eq!(none, Tensor::zeros());
}

#[test]
fn activations() {
    let case = read("activations");
    let x = case.get::<shape![27]>("x");
    case.check("relu", &Relu.forward(&x));
    case.check("gelu", &Gelu.forward(&x));
    case.check("gelu_tanh", &GeluTanh.forward(&x));
    case.check("silu", &Silu.forward(&x));
    case.check("tanh", &Tanh.forward(&x));
    case.check("sigmoid", &Sigmoid.forward(&x));
    case.check("softplus", &Softplus.forward(&x));
    case.check("leaky_relu", &LeakyRelu { slope: 0.1 }.forward(&x));
    case.check("elu", &Elu::default().forward(&x));
    case.check("elu_2", &Elu { alpha: 2.0 }.forward(&x));
    case.check("x", &Identity.forward(&x));

    let table = case.get::<shape![3, 4]>("table");
    case.check("softmax", &Softmax.forward(&table));
    case.check("log_softmax", &LogSoftmax.forward(&table));
}

/// Every element is 0 or divided by what is kept; a seed gives the same ones again.
#[test]
fn dropout() {
    let x: Tensor<shape![100, Batch]> = Tensor::ones_shaped(shape![100, Batch(100)]);
    for rate in [0.0, 0.25, 0.5, 1.0] {
        let dropped = Dropout::new(rate).forward(&x, &mut Pass::training(&mut rng()));
        let zeros = dropped.iter().filter(|&&x| x == 0.0).count() as f64 / 1e4;
        assert!((zeros - rate).abs() < 0.02, "{zeros} of {rate}");
        let kept = 1.0 / (1.0 - rate) as f32;
        assert!(dropped.iter().all(|&x| x == 0.0 || x == kept));
        assert_eq!(dropped, Dropout::new(rate).forward(&x, &mut Pass::training(&mut rng())));
    }
    let mut layer = Dropout::new(0.5);
    let mut pass = Pass::training(&mut rng());
    assert_ne!(layer.forward(&x, &mut pass), layer.forward(&x, &mut pass));
    assert_eq!(layer.forward(&x, &mut Pass::eval()), x);
    Module::set_training(&mut layer, false);
    assert_eq!(layer.forward(&x, &mut pass), x);
}

/// All layers in one list: what each gives the next one takes.
#[test]
fn sequential() {
    type Net = Sequential<(
        Conv2d<dim!(1), D<4>, D<3>, D<3>, Same2d>,
        BatchNorm2d<D<4>>,
        Relu,
        MaxPool2d<Pool2d<D<2>, D<2>>>,
        Flatten,
        Dropout,
        Sequential<(Linear<D<64>, D<16>>, Gelu)>,
        Linear<D<16>, D<10>>,
        LogSoftmax,
    )>;
    let rng = &mut rng();
    let net: Net = Sequential((
        Conv2d::new(rng),
        BatchNorm2d::new(),
        Relu,
        MaxPool2d(Pool2d::new::<2>()),
        Flatten,
        Dropout::new(0.1),
        Sequential((Linear::new(rng), Gelu)),
        Linear::new(rng),
        LogSoftmax,
    ));
    let images: Tensor<shape![Batch, 1, 8, 8]> =
        rng.normal_shaped(shape![Batch(5), 1, 8, 8], 0.0, 1.0);
    let y: Tensor<shape![Batch, 10]> = net.forward(&images, &mut Pass::training(rng));
    assert!(y.exp().sum_axis::<-1>().iter().all(|sum| (sum - 1.0).abs() < 1e-5));

    let names = ["0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var"];
    assert_eq!(net.names()[..6], names);
    assert_eq!(net.names()[7..], ["6.0.weight", "6.0.bias", "7.weight", "7.bias"]);
    assert_eq!(Net::NUM_PARAMETERS, 40 + 8 + 65 * 16 + 170);
    assert_eq!(net.num_parameters(), Net::NUM_PARAMETERS);
}

/// Recurrent layers, attention and tables stand in lists, too.
#[test]
fn sequential_of_words() {
    let rng = &mut rng();
    let model = Sequential((
        Embedding::<D<20>, D<8>>::new(rng),
        RotaryPositions::<D<6>, D<8>>::new(),
        TransformerBlock::<D<8>, D<2>, D<4>, D<16>>::new(rng, NormOrder::Pre, 0.1),
        MultiHeadAttention::<D<8>, D<2>, D<4>>::new(rng),
        RmsNorm::<D<8>>::new(),
        Lstm::<D<8>, D<5>>::new(rng),
        Gru::<D<5>, D<4>>::new(rng),
        LayerNorm::<D<4>>::new(),
    ));
    let words: Tensor<shape![3, 6], i64> = rng.integers(0..20);
    let y: Tensor<shape![3, 6, 4]> = model.forward(&words, &mut Pass::eval());
    assert!(y.is_finite().all().item());
}

/// A model in generic code needs no bounds beyond those of its axes.
#[test]
fn generic_models() {
    use tensor_core::{Axis, Shape};

    fn scores<Lead: Shape, I: Axis, H: Axis, O: Axis>(
        model: &Sequential<(Linear<I, H>, Relu, Linear<H, O>)>,
        x: &Tensor<shape![Lead.., I]>,
    ) -> Tensor<shape![Lead.., O]> {
        model.forward(x, &mut Pass::eval())
    }

    fn written<Lead: Shape, Time: Axis, D: Axis, H: Axis, O: Axis>(
        (attention, norm, hidden, out): &(
            MultiHeadAttention<D, dim!(2), dim!(4)>,
            LayerNorm<D>,
            Linear<D, H>,
            Linear<H, O>,
        ),
        x: &Tensor<shape![Lead.., Time, D]>,
    ) -> Tensor<shape![Lead.., Time, O]> {
        let x = x + attention.forward(&norm.forward(x), Causal, &mut Pass::eval());
        out.forward(&hidden.forward(&x).gelu())
    }

    let rng = &mut rng();
    let model = Sequential((Linear::<D<5>, D<6>>::new(rng), Relu, Linear::<D<6>, D<7>>::new(rng)));
    assert_eq!(scores(&model, &Tensor::<shape![2, 3, 5]>::ones()).shape(), shape![2, 3, 7]);
    let model = (
        MultiHeadAttention::<D<8>, D<2>, D<4>>::new(rng),
        LayerNorm::new(),
        Linear::<D<8>, D<6>>::new(rng),
        Linear::<D<6>, D<7>>::new(rng),
    );
    assert_eq!(written(&model, &Tensor::<shape![2, 3, 8]>::ones()).shape(), shape![2, 3, 7]);
}
