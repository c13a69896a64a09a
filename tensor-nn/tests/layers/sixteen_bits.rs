//! Statistics, scores and losses of 16-bit floats are computed in `f32`: they may exceed the largest `f16`, 65,504.

use half::f16;
use tensor_core::autograd::grad;
use tensor_core::{Shape, StaticShape, Tensor, dim, shape, tensor};
use tensor_nn::layers::*;
use tensor_nn::losses;

use super::rng;

fn halves<S: Shape>(x: &Tensor<S>) -> Tensor<S, f16> {
    x.cast()
}

/// 300 and -300 in turn.
fn alternating<S: StaticShape>() -> Tensor<S> {
    let numbers = [300.0, -300.0].into_iter().cycle().take(S::VALUE.num_elements());
    Tensor::from_vec(numbers.collect()).unwrap()
}

#[test]
fn batch_norm() {
    let x: Tensor<shape![8, 3, 2, 2], f16> = halves(&alternating());
    let mut layer: BatchNorm2d<dim!(3), f16> = BatchNorm2d::new();
    let expected = x.cast::<f32>() / 300.0;
    let mut rng = rng();
    for _ in 0..200 {
        let mut pass = Pass::training(&mut rng);
        let y = layer.forward(&x, &mut pass);
        assert!(y.cast::<f32>().all_close(&expected, 1e-3, 0.0), "{y}");
        pass.update(&mut layer);
    }
    // The variance is 92,903.
    assert_eq!(layer.running_var, Tensor::full(f16::MAX));
    let used = layer.forward(&x, &mut Pass::eval()).cast::<f32>();
    assert!(used.all_close(&(x.cast::<f32>() / 65_504_f32.sqrt()), 1e-3, 0.0), "{used}");
    let slope =
        grad(&layer, |layer| layer.forward(&x, &mut Pass::training(&mut rng)).square().mean());
    assert!(slope.weight.cast::<f32>().all_close(&Tensor::full(2.0 / 3.0), 1e-2, 0.0));
}

/// With each mask, and in parts.
#[test]
fn attention_scores() {
    let queries: Tensor<shape![1, 1, 2, 4]> = Tensor::full(300.0);
    let keys = tensor![[[[300.0_f32], [-300.0], [300.0]]]] + Tensor::<shape![1, 1, 3, 4]>::zeros();
    let values = tensor![[[[1.0_f32], [2.0], [3.0]]]];
    let (q, k, v) = (halves(&queries), halves(&keys), halves(&values));
    let bias: Tensor<shape![2, 3]> = tensor![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    let (half_bias, is_word) = (halves(&bias), tensor![[true, true, false]]);
    let allowed = tensor![[true, true, false], [false, false, true]];
    macro_rules! check {
        ($mask:expr, $half_mask:expr) => {
            let expected = attention(&queries, &keys, &values, $mask);
            let found = attention(&q, &k, &v, $half_mask).cast::<f32>();
            assert!(found.all_close(&expected, 1e-3, 0.0), "{found} and {expected}");
            let found = grouped_attention(&q, &k, &v, $half_mask).cast::<f32>();
            assert!(found.all_close(&expected, 1e-3, 0.0), "{found} and {expected}");
        };
    }
    check!(NoMask, NoMask);
    check!(Causal, Causal);
    check!(CausalLowerRight, CausalLowerRight);
    check!(Allowed(&allowed), Allowed(&allowed));
    check!(KeyPadding(&is_word), KeyPadding(&is_word));
    check!(AdditiveMask(&bias), AdditiveMask(&half_bias));
    check!((Causal, AdditiveMask(&bias)), (Causal, AdditiveMask(&half_bias)));

    let many: Tensor<shape![2, 1024, 4]> = alternating::<shape![2, 1024, 4]>() + 1.0;
    let values: Tensor<shape![2, 1024, 3]> = rng().normal(0.0, 1.0);
    let expected = attention(&many, &many, &values, Causal);
    let (q, v) = (halves(&many), halves(&values));
    let found = attention(&q, &q, &v, Causal);
    assert!(found.cast::<f32>().all_close(&expected, 1e-2, 1e-2));
    // Requiring gradients, the scores are not computed in parts.
    assert_eq!(attention(&q.clone().requires_grad(), &q, &v, Causal).detach(), found);
}

/// A single large difference, and sums of many.
#[test]
fn means_of_losses() {
    let number = f16::from_f32;
    let (mut x, zero) = (Tensor::<shape![100], f16>::zeros(), Tensor::<shape![100], f16>::zeros());
    x[[0]] = number(1000.0);
    assert_eq!(losses::mse(&x, &zero).item(), number(10_000.0));
    assert_eq!(losses::huber(&x, &zero, 900.0).item(), number(4950.0));
    assert_eq!(losses::each::smooth_l1(&x, &zero, 1.0)[[0]], number(999.5));
    let large = &x * number(60.0);
    assert_eq!(losses::l1(&large, &-large.clone()).item(), number(1200.0));

    // 3,000 losses of 40.
    let scores = (tensor![40.0_f32, 0.0] + Tensor::<shape![3000, 2]>::zeros()).cast::<f16>();
    let classes = Tensor::<shape![3000], i64>::ones();
    assert_eq!(
        losses::CrossEntropy::new().ignore(-1).mean(&scores, &classes).unwrap().item(),
        number(40.0)
    );
    assert_eq!(losses::cross_entropy(&scores, &classes).unwrap().item(), number(40.0));
    let targets = (tensor![0.0_f32, 1.0] + Tensor::<shape![3000, 2]>::zeros()).cast::<f16>();
    let binary = losses::BinaryCrossEntropy::new().weigh_positive(tensor![1.0, 1.0].cast());
    let expected = (40.0 + 2.0_f32.ln()) / 2.0;
    assert_eq!(binary.mean(&scores, &targets).item(), number(expected));
}

#[test]
fn masked_means() {
    let words = Tensor::<shape![1, 3000, 1], f16>::full(f16::from_f32(300.0));
    let mean = masked_mean(&words, &Tensor::full(true));
    assert_eq!(mean, Tensor::full(f16::from_f32(300.0)));
}
