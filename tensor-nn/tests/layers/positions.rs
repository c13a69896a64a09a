//! Rotary positions in both layouts and with scaling; sinusoidal and learned positions.

use tensor_core::{StaticAxis, Tensor, shape, tensor};
use tensor_nn::layers::*;

use super::{D, Time, read, rng};

type H8 = Halves<D<8>>;
type I8 = Interleaved<D<8>>;

#[test]
fn rotary() {
    let case = read("rotary");
    let positions: RotaryPositions<D<5>, H8, f64> = RotaryPositions::new();
    case.check("y", &positions.forward(&case.get::<shape![2, 5, H8]>("x")));

    let case = read("rotary_interleaved");
    let shape = (((), D::<5>::VALUE), I8::VALUE);
    let positions = RotaryPositions::<D<5>, I8, f64>::new_shaped(shape, 10_000.0, 3);
    let x = case.get::<shape![2, 5, I8]>("x");
    let y = positions.forward(&x);
    case.check("y", &y);
    // The same turns in the other layout.
    let shape = (((), D::<5>::VALUE), H8::VALUE);
    let positions = RotaryPositions::<D<5>, H8, f64>::new_shaped(shape, 10_000.0, 3);
    let halves = positions.forward(&Halves::of(&x));
    assert!(Interleaved::of(&halves).all_close(&y, 1e-12, 0.0));
    assert_eq!(Halves::of(&Interleaved::of(&halves)), halves);
}

#[test]
fn rotary_from_a_position() {
    let case = read("rotary_from_3");
    let shape = (((), Time(5)), H8::VALUE);
    let positions = RotaryPositions::<Time, H8, f64>::new_shaped(shape, 10_000.0, 3);
    let x = case.get::<shape![2, Time, H8]>("x");
    case.check("y", &positions.forward(&x));
    // A range of a longer table is the same.
    let table = RotaryPositions::<D<16>, H8, f64>::new();
    assert_eq!(table.part::<Time>(3..8), positions);

    // The products of turned queries and keys depend on their distance alone.
    let later = RotaryPositions::<Time, H8, f64>::new_shaped(shape, 10_000.0, 100);
    let products = |positions: &RotaryPositions<Time, H8, f64>| {
        let turned = positions.forward(&x);
        turned.matmul(&turned.swap_axes::<-1, -2>())
    };
    assert!((products(&positions) - products(&later)).abs().max().item() < 1e-11);
}

#[test]
fn rotary_in_attention() {
    let layer: MultiHeadAttention<D<8>, D<2>, Halves<D<4>>, f64> =
        MultiHeadAttention::new(&mut rng());
    let x: Tensor<shape![2, 5, 8], f64> = rng().normal(0.0, 1.0);
    let positions: RotaryPositions<D<5>, Halves<D<4>>, f64> = RotaryPositions::new();
    let y = layer.forward_rotary(&x, &positions, Causal, &mut Pass::eval());
    assert_ne!(y, layer.forward(&x, Causal, &mut Pass::eval()));
    let shape = (((), D::<5>::VALUE), Halves(D::<4>::VALUE));
    let shifted = RotaryPositions::new_shaped(shape, 10_000.0, 7);
    let shifted = layer.forward_rotary(&x, &shifted, Causal, &mut Pass::eval());
    assert!((y - shifted).abs().max().item() < 1e-12);
}

/// The results of `transformers` 5.24, in `f32`, for heads of 16 channels.
#[test]
fn scaled_frequencies() {
    #[track_caller]
    fn check(scaling: RotaryScaling, base: f64, expected: [f64; 8]) {
        for (found, expected) in scaling.frequencies(base, 16).into_iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-6 * expected, "{found}, {expected}");
        }
    }
    let plain = [1.0, 0.31622776, 0.1, 0.031622776, 0.01, 0.0031622776, 0.001, 0.00031622776];
    check(RotaryScaling::None, 10_000.0, plain);
    check(
        RotaryScaling::PositionInterpolation { factor: 4.0 },
        10_000.0,
        plain.map(|frequency| frequency / 4.0),
    );
    let dynamic = [
        1.0,
        0.2702961266040802,
        0.07305999845266342,
        0.019747832790017128,
        0.005337762646377087,
        0.0014427766436710954,
        0.00038997692172415555,
        0.00010540925723034889,
    ];
    let scaling =
        |len| RotaryScaling::DynamicNtk { factor: 2.0, max_position_embeddings: 2048, len };
    check(scaling(4096), 10_000.0, dynamic);
    check(scaling(100), 10_000.0, plain);
    // The factor that 4,096 positions lead to: 2 · 2 - 1.
    check(RotaryScaling::Ntk { factor: 3.0 }, 10_000.0, dynamic);
    let llama3 = RotaryScaling::Llama3 {
        factor: 8.0,
        low_freq_factor: 1.0,
        high_freq_factor: 4.0,
        original_max_position_embeddings: 8192,
    };
    let expected = [
        1.0,
        0.193922758102417,
        0.03760603070259094,
        0.00729266507551074,
        0.0005248460220173001,
        3.428102354519069e-05,
        6.647869668086059e-06,
        1.289173155782919e-06,
    ];
    check(llama3, 500_000.0, expected);
    let yarn = |truncate, attention_factor| RotaryScaling::Yarn {
        factor: 4.0,
        beta_fast: 32.0,
        beta_slow: 1.0,
        original_max_position_embeddings: 2048,
        truncate,
        attention_factor,
    };
    let (fast, slow) = ([1.0, 0.31622776, 0.1], [0.00025, 0.00007905694]);
    let expected = |[a, b, c]: [f64; 3]| [fast[0], fast[1], fast[2], a, b, c, slow[0], slow[1]];
    let between = [0.025693506002426147, 0.00624999962747097, 0.0013834965648129582];
    check(yarn(true, None), 10_000.0, expected(between));
    let between = [0.02387019619345665, 0.005056971684098244, 0.0008112904615700245];
    check(yarn(false, Some(0.75)), 10_000.0, expected(between));

    // Queries and keys are scaled.
    let factor = yarn(true, None).attention_factor();
    assert!((factor - 1.138629436111989).abs() < 1e-12);
    let x = Tensor::<shape![3, Halves<D<16>>], f64>::ones();
    let [scaled, plain] = [Some(0.75), Some(1.0)].map(|factor| {
        RotaryPositions::<D<3>, Halves<D<16>>, f64>::new_scaled(
            x.shape(),
            1e4,
            0,
            yarn(true, factor),
        )
        .forward(&x)
    });
    assert!(scaled.all_close(&(plain * 0.75), 1e-12, 0.0));
}

#[test]
fn sinusoidal_and_learned() {
    let case = read("sinusoidal");
    let shape = shape![5, 8];
    let of = [SinusoidalPositions::interleaved(shape, 3), SinusoidalPositions::halves(shape, 3)];
    for (name, positions) in ["interleaved", "halves"].into_iter().zip(of) {
        let positions: SinusoidalPositions<D<5>, D<8>, f64> = positions;
        case.check(name, positions.table());
        case.check(name, &positions.forward(&Tensor::<shape![5, 8], f64>::zeros()));
    }

    let learned = LearnedPositions { weight: tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] };
    let x: Tensor<shape![1, Time, 2], f64> = Tensor::zeros_shaped(shape![1, Time(2), 2]);
    assert_eq!(learned.forward(&x, 1).to_vec(), [3.0, 4.0, 5.0, 6.0]);
    let beyond = std::panic::catch_unwind(|| learned.forward(&x, 2)).unwrap_err();
    assert_eq!(
        beyond.downcast_ref::<String>().unwrap(),
        "there are 3 positions, and the sequence has positions 2 to 4"
    );
}
