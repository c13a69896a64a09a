//! Every loss is what PyTorch computes, in `f64`, on what `pytorch.py` stored.

use tensor_core::{Float, Tensor, axis, shape, tensor};

use tensor_nn::losses::{self, BinaryCrossEntropy, CrossEntropy, Nll, each};

mod stored;

use stored::Case;

axis!(Batch);

#[test]
fn classes() {
    let case = Case::read("losses", "classes");
    let (x, y) = (case.get::<shape![2, 3, 4]>("x"), case.integers::<shape![2, 3]>("y"));
    let (log, partly) =
        (case.get::<shape![2, 3, 4]>("log"), case.integers::<shape![2, 3]>("partly"));
    let weights = case.get::<shape![4]>("weights");
    case.check("plain_mean", &losses::cross_entropy(&x, &y).unwrap());
    let named = (case.get::<shape![Batch, 3, 4]>("x"), case.integers::<shape![Batch, 3]>("y"));
    case.check("plain_mean", &losses::cross_entropy(&named.0, &named.1).unwrap());

    let check = |name: &str, loss: CrossEntropy<_, f64>, y: &Tensor<shape![2, 3], i64>| {
        case.check(&format!("{name}_none"), &loss.each(&x, y).unwrap());
        case.check(&format!("{name}_sum"), &loss.sum(&x, y).unwrap());
        case.check(&format!("{name}_mean"), &loss.mean(&x, y).unwrap());
    };
    let partial = CrossEntropy::new().ignore(-100);
    check("plain", CrossEntropy::new(), &y);
    check("partly", partial.clone(), &partly);
    check("weighted", partial.clone().weigh(weights.clone()), &partly);
    check("smooth", partial.clone().smooth_labels(0.2), &partly);
    check("all", partial.weigh(weights.clone()).smooth_labels(0.2), &partly);

    let nll = Nll::new().ignore(-100).weigh(weights);
    case.check("nll_none", &nll.each(&log, &partly).unwrap());
    case.check("nll_sum", &nll.sum(&log, &partly).unwrap());
    case.check("nll_mean", &nll.mean(&log, &partly).unwrap());
    case.check("plain_mean", &losses::nll(&log, &y).unwrap());
}

#[test]
fn elements() {
    let case = Case::read("losses", "elements");
    let get = |name| case.get::<shape![4, 5]>(name);
    let [x, y, p, t] = ["x", "y", "p", "t"].map(get);
    case.check("mse_each", &each::mse(&x, &y));
    case.check("mse_mean", &losses::mse(&x, &y));
    case.check("l1_each", &each::l1(&x, &y));
    case.check("l1_mean", &losses::l1(&x, &y));
    case.check("huber_each", &each::huber(&x, &y, 1.5));
    case.check("huber_mean", &losses::huber(&x, &y, 1.5));
    case.check("smooth_l1_each", &each::smooth_l1(&x, &y, 0.7));
    case.check("smooth_l1_mean", &losses::smooth_l1(&x, &y, 0.7));
    case.check("binary_each", &each::binary_cross_entropy(&p, &t));
    case.check("binary_mean", &losses::binary_cross_entropy(&p, &t));
    let x = x * 10.0;
    case.check("logits_each", &each::binary_cross_entropy_with_logits(&x, &t));
    case.check("logits_mean", &losses::binary_cross_entropy_with_logits(&x, &t));
    let weighted = BinaryCrossEntropy::new().weigh_positive(case.get("positive"));
    case.check("weighted_each", &weighted.each(&x, &t));
    case.check("weighted_mean", &weighted.mean(&x, &t));
    case.check("logits_mean", &BinaryCrossEntropy::new().mean(&x, &t));
    let (log_q, target) = (get("log_q"), get("target"));
    case.check("kl_each", &each::kl_divergence(&log_q, &target));
    case.check("kl_mean", &losses::kl_divergence(&log_q, &target));
}

/// The error of an index that is not a class names the index and its position; negative indices are
/// errors.
#[test]
fn classes_out_of_range() {
    let scores = Tensor::<shape![2, 2, 3]>::zeros();
    let error = losses::cross_entropy(&scores, &tensor![[0, 1], [2, 3]]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "index 3, at position [1, 1] of the indices, is out of range for axis 2 of size 3: indices go from 0 to 2"
    );
    let error = losses::cross_entropy(&scores, &tensor![[0, 1], [-1, 0]]).unwrap_err();
    assert_eq!((error.index, &error.position[..]), (-1, &[1, 0][..]));
    let error = CrossEntropy::new().ignore(-2).each(&scores, &tensor![[-2, -1], [0, 0]]);
    assert_eq!(error.unwrap_err().index, -1);
    let error =
        losses::nll(&Tensor::<shape![3]>::zeros(), &tensor![5_u8].index::<0>(0)).unwrap_err();
    assert_eq!((error.index, error.position.len()), (5, 0));
    // The largest numbers are named as they are, and are none of those that are ignored.
    let scores = Tensor::<shape![2, 3]>::zeros();
    let error = losses::cross_entropy(&scores, &tensor![0, u64::MAX]).unwrap_err();
    assert_eq!(error.index, i128::from(u64::MAX));
    let error = CrossEntropy::new().ignore(i64::MAX).each(&scores, &tensor![u64::MAX, 1]);
    assert_eq!(error.unwrap_err().index, i128::from(u64::MAX));
    let error = CrossEntropy::new().ignore(-1).each(&scores, &tensor![u64::MAX, 1]);
    assert_eq!(error.unwrap_err().index, i128::from(u64::MAX));
    let error = losses::cross_entropy(&scores, &tensor![(1_i64 << 53) + 1, 0]).unwrap_err();
    assert_eq!(error.index, (1 << 53) + 1);
}

/// Where no example counts there is no mean, as in PyTorch; a class that may be ignored is one of the
/// classes.
#[test]
fn ignored_classes() {
    let scores = Tensor::<shape![2, 3]>::zeros();
    let loss = CrossEntropy::new().ignore(1);
    assert!(loss.mean(&scores, &tensor![1, 1]).unwrap().item().is_nan());
    assert_eq!(loss.sum(&scores, &tensor![1, 1]).unwrap().item(), 0.0);
    let third = 3.0_f32.ln();
    assert!((loss.mean(&scores, &tensor![1, 2]).unwrap().item() - third).abs() < 1e-6);
    // An ignored example counts as 0, whatever its scores are.
    let infinite = tensor![[f32::NEG_INFINITY, 0.0, 0.0], [0.0, 0.0, 0.0]];
    let loss = CrossEntropy::new().ignore(-1).each(&infinite, &tensor![-1, 0]).unwrap();
    assert_eq!(loss[[0]], 0.0);
}

/// Losses of one example, whose target has no axis, and of none.
#[test]
fn few_examples() {
    let one = losses::cross_entropy(&tensor![0.0, 0.0], &Tensor::<shape![], i64>::full(1)).unwrap();
    assert!((one.item() - 2.0_f32.ln()).abs() < 1e-6);
    let none: Tensor<shape![Batch, 3]> = Tensor::zeros_shaped(shape![Batch(0), 3]);
    let classes: Tensor<shape![Batch], i64> = Tensor::zeros_shaped(shape![Batch(0)]);
    assert_eq!(CrossEntropy::new().sum(&none, &classes).unwrap().item(), 0.0);
    assert!(losses::cross_entropy(&none, &classes).unwrap().item().is_nan());
}

#[test]
fn the_type_of_a_target_follows_from_the_prediction() {
    let x = Tensor::<shape![2, 3]>::ones();
    let (y, zeros) = (&mut Tensor::zeros(), Tensor::zeros());
    assert_eq!(losses::mse(&x, &zeros).item(), 1.0);
    assert_eq!(losses::mse(&x, &zeros), losses::mse(&x, y));
    assert_eq!(losses::huber(&x, &Tensor::zeros(), 1.0).item(), 0.5);
    assert_eq!(losses::kl_divergence(&Tensor::zeros(), &x).item(), 0.0);
}

/// Checks the values of a loss and its gradient, where they or the terms of the loss are singular, against
/// those of PyTorch.
#[track_caller]
fn singular(
    loss: impl Fn(&Tensor<shape![5], f64>) -> Tensor<shape![5], f64>,
    [at, values, gradients]: [[f64; 5]; 3],
) {
    let x = Tensor::<shape![5], f64>::from(at).requires_grad();
    let y = loss(&x);
    assert!(y.all_close(&Tensor::from(values), 1e-8, 0.0), "{y}");
    let gradient = y.sum().gradients(&x);
    assert!(gradient.all_close(&Tensor::from(gradients), 1e-8, 0.0), "{gradient}");
}

const INF: f64 = f64::INFINITY;

#[test]
fn probabilities_of_0_and_1_have_finite_gradients() {
    let target = tensor![0.0, 1.0, 0.0, 1.0, 0.5];
    singular(
        |p| each::binary_cross_entropy(p, &target),
        [[0.0, 0.0, 1.0, 1.0, 1.0], [0.0, 100.0, 100.0, 0.0, 50.0], [0.0, -1e12, 1e12, 0.0, 5e11]],
    );
    singular(
        |p| each::binary_cross_entropy(p, &target),
        [
            [0.25, 1e-13, 0.5, 1e-300, 0.75],
            [0.2876820724517809, 29.933606208922594, 2.0_f64.ln(), 100.0, 0.8369882167858358],
            [4.0 / 3.0, -1e12, 2.0, -1e12, 4.0 / 3.0],
        ],
    );
    // A sigmoid that is 1, and one that is 0.
    fn steps<T: Float>(scores: [f64; 4]) -> Vec<f64> {
        let scores: Tensor<shape![4], T> = Tensor::from_fn(|[i]| T::from_f64(scores[i]));
        let (scores, target) =
            (scores.requires_grad(), Tensor::from_fn(|[i]| T::from_f64((i % 2) as f64)));
        let loss = each::binary_cross_entropy(&scores.sigmoid(), &target).sum();
        loss.gradients(&scores).iter().map(|gradient| gradient.to_f64()).collect()
    }
    assert_eq!(steps::<f32>([20.0, 20.0, -200.0, -200.0]), [0.0; 4]);
    assert_eq!(steps::<f64>([40.0, 40.0, -1000.0, -1000.0]), [0.0; 4]);
}

#[test]
fn gradients_of_losses_at_singular_points() {
    let zeros = Tensor::<shape![5], f64>::zeros();
    let differences = [0.0, 1.5, -1.5, INF, 1e200];
    singular(
        |x| each::huber(x, &zeros, 1.5),
        [differences, [0.0, 1.125, 1.125, INF, 1.5e200], [0.0, 1.5, -1.5, 1.5, 1.5]],
    );
    for beta in [0.0, 1e-320] {
        singular(
            |x| each::smooth_l1(x, &zeros, beta),
            [differences, [0.0, 1.5, 1.5, INF, 1e200], [0.0, 1.0, -1.0, 1.0, 1.0]],
        );
    }
    singular(
        |x| each::l1(x, &zeros),
        [[0.0, -0.0, 1.5, -1.5, -INF], [0.0, 0.0, 1.5, 1.5, INF], [0.0, 0.0, 1.0, -1.0, -1.0]],
    );
    singular(
        |x| each::mse(x, &zeros),
        [[0.0, -0.0, 1.5, 1e200, -INF], [0.0, 0.0, 2.25, INF, INF], [0.0, 0.0, 3.0, 2e200, -INF]],
    );
    let target = tensor![1.0, 0.0, 1.0, 0.0, 0.5];
    singular(
        |x| each::binary_cross_entropy_with_logits(x, &target),
        [
            [1e3, 1e3, -1e3, -1e3, 0.0],
            [0.0, 1e3, 1e3, 0.0, 2.0_f64.ln()],
            [0.0, 1.0, -1.0, 0.0, 0.0],
        ],
    );
    // A probability of 0 of what never happens: 0 by continuity, where PyTorch has NaN.
    let target = tensor![0.0, 0.0, 0.5, 1.0, 1.0];
    singular(
        |log_q| each::kl_divergence(log_q, &target),
        [[-INF, -1.0, -INF, 0.0, -2.0], [0.0, 0.0, INF, 0.0, 2.0], [0.0, 0.0, -0.5, -1.0, -1.0]],
    );
    let (log_q, p) = (tensor![-INF, -INF].requires_grad(), tensor![0.0, 0.0].requires_grad());
    let of_both = losses::kl_divergence(&log_q, &p).gradients((&log_q, &p));
    assert_eq!(of_both, (tensor![0.0, 0.0], tensor![0.0, 0.0]));
}

/// A class that is never right has the score -∞.
#[test]
fn classes_without_probability() {
    let x = tensor![[-INF, 0.0, 1.0], [1000.0, -INF, 0.0], [0.0, -INF, 0.0]].requires_grad();
    let losses = CrossEntropy::new().each(&x, &tensor![1, 0, 1]).unwrap();
    let expected = tensor![1.3132616875182228, 0.0, INF];
    assert!(losses.all_close(&expected, 1e-12, 0.0), "{losses}");
    let gradient = losses.sum().gradients(&x);
    let share = 0.731058578630005;
    let expected = tensor![[0.0, -share, share], [0.0, 0.0, 0.0], [0.5, -1.0, 0.5]];
    assert!(gradient.all_close(&expected, 1e-12, 0.0), "{gradient}");

    let x = tensor![[-INF, 0.0], [-1.0, -INF]].requires_grad();
    let loss = Nll::new().ignore(-100).sum(&x, &tensor![-100, 0]).unwrap();
    assert_eq!(loss.gradients(&x), tensor![[0.0, 0.0], [-1.0, 0.0]]);
}

/// The message of a panic.
fn refused(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(f).expect_err("a panic");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn numbers_of_losses_are_checked() {
    let x = tensor![1.0_f64];
    for delta in [0.0, -1.0, f64::NAN, INF] {
        let message = refused(|| drop(losses::huber(&tensor![1.0], &tensor![0.0], delta)));
        let expected =
            format!("the delta of huber is {delta}, and must be finite and larger than 0");
        assert_eq!(message, expected);
    }
    for beta in [-1.0, f64::NAN, INF] {
        let message = refused(|| drop(losses::smooth_l1(&tensor![1.0], &tensor![0.0], beta)));
        let expected =
            format!("the beta of smooth_l1 is {beta}, and must be finite and at least 0");
        assert_eq!(message, expected);
    }
    assert_eq!(losses::smooth_l1(&x, &tensor![0.0], 0.0).item(), 1.0);
    for smoothing in [-0.1, 1.1, f64::NAN] {
        let expected = format!("the smoothing is {smoothing}, and must be from 0 to 1");
        let set = || drop(CrossEntropy::<tensor_core::dim!(2)>::new().smooth_labels(smoothing));
        assert_eq!(refused(set), expected);
        let field = || {
            let loss = CrossEntropy { smoothing, ..CrossEntropy::new() };
            drop(loss.mean(&tensor![[1.0, 2.0]], &tensor![0]));
        };
        assert_eq!(refused(field), expected);
    }
}
