//! Every loss is what PyTorch computes, in `f64`, on what `pytorch.py` stored.

use tensor_core::{Tensor, axis, shape, tensor};
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

/// An index that is no class says which one it is, and where it stands; none counts from the end.
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
    assert_eq!(losses::mse(&x, &&zeros), losses::mse(&x, y));
    assert_eq!(losses::huber(&x, &Tensor::zeros(), 1.0).item(), 0.5);
    assert_eq!(losses::kl_divergence(&Tensor::zeros(), &x).item(), 0.0);
}
