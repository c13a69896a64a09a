//! Linear layers, convolutions and pooling.

use tensor_core::autograd::grad;
use tensor_core::windows::{Pool1dOptions, Pool2dOptions};
use tensor_core::{dim, shape, windows};
use tensor_nn::layers::*;

use super::{Batch, D, Time, read, rng};

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
    let options = windows::Conv1dOptions::new().stride::<2>().padding::<1>().output_padding::<1>();
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
    case.check(
        "max2d",
        &MaxPool2d(Pool2dOptions::new::<3>().stride::<2>().padding::<1>()).forward(&x),
    );
    case.check("avg2d", &AvgPool2d(Pool2dOptions::new::<2>()).forward(&x));
    let padded = AvgPool2d(Pool2dOptions::new::<3>().stride::<2>().padding::<1>());
    case.check("avg2d_padded", &padded.forward(&x));
    case.check("adaptive", &AdaptiveAvgPool::<shape![3, 4]>::new().forward(&x));
    let adaptive = AdaptiveMaxPool::<shape![3, 4]>::new();
    case.check("adaptive_max", &adaptive.forward(&x));
    let gradient = grad(&x, |x| adaptive.forward(x).square().sum());
    case.check("adaptive_max_gradient", &gradient);
    case.check("mean", &GlobalAvgPool2d.forward(&x));
    case.check("largest", &GlobalMaxPool2d.forward(&x));

    let line = case.get::<shape![2, 3, 10]>("line");
    case.check("adaptive_max1d", &AdaptiveMaxPool::<shape![5]>::new().forward(&line));
    case.check("max1d", &MaxPool1d(Pool1dOptions::new::<3>().stride::<2>()).forward(&line));
    case.check("avg1d", &AvgPool1d(Pool1dOptions::new::<4>().stride::<3>()).forward(&line));
}
