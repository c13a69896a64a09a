//! Losses.

use tensor_core::{Float, Tensor, shape, tensor};
use tensor_nn::losses::{self, BinaryCrossEntropy, CrossEntropy, Nll, each};

use super::check::{Check, numbers};

pub fn cases<T: Float>(check: &mut Check) {
    of_elements::<T>(check);
    of_classes::<T>(check);
}

fn of_elements<T: Float>(check: &mut Check) {
    let (x, y) = (
        numbers::<shape![4, 6], T>(),
        numbers::<shape![4, 6], T>().flip::<tensor_core::axes![1]>(),
    );
    macro_rules! losses {
        ($($module:literal $name:ident($x:expr, $y:expr $(, $argument:expr)?);)*) => {$(
            check.case(concat!("each::", stringify!($name)), ($y, $x), |(y, x)| {
                each::$name(x, y $(, $argument)?)
            });
            check.case(concat!("losses::", stringify!($name)), ($y, $x), |(y, x)| {
                losses::$name(x, y $(, $argument)?)
            });
        )*};
    }
    let (p, q) = (x.sigmoid(), y.sigmoid());
    losses! {
        "" mse(x.clone(), y.clone());
        "" l1(x.clone(), y.clone());
        "" huber(x.clone(), y.clone(), 0.5);
        "" smooth_l1(x.clone(), y.clone(), 0.5);
        "" binary_cross_entropy(p.clone(), q.clone());
        "" binary_cross_entropy_with_logits(x.clone(), q.clone());
        "" kl_divergence(x.log_softmax::<-1>(), q.clone());
    }
    check.case("each::smooth_l1 of beta 0", (y, x.clone()), |(y, x)| each::smooth_l1(x, y, 0.0));
    let weights = numbers::<shape![6], T>().square();
    check.case("binary::each", (q.clone(), x.clone()), |(q, x)| {
        BinaryCrossEntropy::new().each(x, q)
    });
    check.case("binary::sum", (weights.clone(), q.clone(), x.clone()), |(weights, q, x)| {
        BinaryCrossEntropy::new().weigh_positive(weights.clone()).sum(x, q)
    });
    check.case("binary::mean", (weights, q, x), |(weights, q, x)| {
        BinaryCrossEntropy::new().weigh_positive(weights.clone()).mean(x, q)
    });
}

fn of_classes<T: Float>(check: &mut Check) {
    let scores = numbers::<shape![2, 3, 4], T>();
    let classes = tensor![[0_i64, 3, 1], [2, 2, 0]];
    let some = tensor![[0_i64, 3, -100], [2, -100, 0]];
    let weights = numbers::<shape![4], T>().square();
    let inputs = (classes.clone(), scores.clone());
    check.case("losses::cross_entropy", inputs.clone(), |(classes, x)| {
        losses::cross_entropy(x, classes).unwrap()
    });
    check.case("losses::nll", inputs.clone(), |(classes, x)| {
        losses::nll(&x.log_softmax::<-1>(), classes).unwrap()
    });
    macro_rules! reductions {
        ($($name:literal $Loss:ident $reduction:ident $(.$method:ident($($argument:expr),*))*, $classes:expr;)*) => {$(
            let inputs = (weights.clone(), $classes.clone(), scores.clone());
            check.case(concat!("classes::", stringify!($reduction), " ", $name), inputs, |(weights, classes, x)| {
                let _ = weights;
                $Loss::new()$(.$method($($argument),*))*.$reduction(x, classes).unwrap()
            });
        )*};
    }
    reductions! {
        "CrossEntropy" CrossEntropy each, classes;
        "CrossEntropy" CrossEntropy sum, classes;
        "CrossEntropy" CrossEntropy mean, classes;
        "CrossEntropy ignoring" CrossEntropy each .ignore(-100), some;
        "CrossEntropy ignoring" CrossEntropy sum .ignore(2), classes;
        "CrossEntropy ignoring" CrossEntropy mean .ignore(-100), some;
        "CrossEntropy smoothing" CrossEntropy each .smooth_labels(0.1), classes;
        "CrossEntropy smoothing" CrossEntropy sum .smooth_labels(0.1), classes;
        "CrossEntropy smoothing" CrossEntropy mean .smooth_labels(0.1), classes;
        "CrossEntropy smoothing and ignoring" CrossEntropy mean .smooth_labels(0.1).ignore(-100), some;
        "Nll" Nll each, classes;
        "Nll" Nll sum, classes;
        "Nll" Nll mean, classes;
        "Nll ignoring" Nll mean .ignore(-100), some;
    }
    macro_rules! weighted {
        ($($name:literal $Loss:ident $reduction:ident $(.$method:ident($($argument:expr),*))*, $classes:expr;)*) => {$(
            let inputs = (weights.clone(), $classes.clone(), scores.clone());
            check.case(concat!("classes::", stringify!($reduction), " ", $name), inputs, |(weights, classes, x)| {
                $Loss::new().weigh(weights.clone())$(.$method($($argument),*))*.$reduction(x, classes).unwrap()
            });
        )*};
    }
    weighted! {
        "CrossEntropy weighing" CrossEntropy each, classes;
        "CrossEntropy weighing" CrossEntropy mean .ignore(-100), some;
        "CrossEntropy weighing and smoothing" CrossEntropy mean .ignore(-100).smooth_labels(0.1), some;
        "Nll weighing" Nll sum, classes;
        "Nll weighing" Nll mean .ignore(-100), some;
    }
    // Classes of other integers, and rows above the sizes of tiny tensors.
    let many = numbers::<shape![40, 37], T>();
    let of_many = Tensor::<shape![40], i64>::arange() % 37;
    check.case("classes::mean of u8", (of_many, many), |(classes, x)| {
        losses::cross_entropy(x, &classes.cast::<u8>()).unwrap()
    });
    let one = numbers::<shape![3], T>();
    check.case("classes::mean of one", (Tensor::scalar(2_i64), one), |(class, x)| {
        losses::cross_entropy(x, class).unwrap()
    });
}
