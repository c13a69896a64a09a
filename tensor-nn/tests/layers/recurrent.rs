//! Recurrent layers.

use tensor_core::module::{Module, StaticModule};
use tensor_core::random::Generator;
use tensor_core::{Axis, Tensor, dim, shape};
use tensor_nn::layers::*;

use super::{Case, D, Time, read, rng};

#[test]
fn cells() {
    let case = read("lstm_cell");
    let cell: LstmCell<D<3>, D<4>, f64> = case.fill(LstmCell::new(&mut rng()));
    let x = case.get::<shape![2, 3]>("x");
    let state = LstmState { hidden: case.get::<shape![2, 4]>("h"), cell: case.get("c") };
    let next = cell.step(&x, &state);
    case.check("hidden", &next.hidden);
    case.check("memory", &next.cell);

    let case = read("gru_cell");
    let cell: GruCell<D<3>, D<4>, f64> = case.fill(GruCell::new(&mut rng()));
    let next = cell.step(&case.get::<shape![2, 3]>("x"), &case.get::<shape![2, 4]>("h"));
    case.check("hidden", &next);
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
#[should_panic = "the type has 2 layers, and there are 1"]
fn layers_that_are_missing() {
    let mut layers: Lstm<D<3>, D<4>, f64, Forward, 2> = Lstm::new(&mut rng());
    layers.rest.clear();
    layers.forward(&Tensor::<shape![5, 3], f64>::ones(), &mut Pass::eval());
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
