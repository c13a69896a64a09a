//! Readings in double precision with a model in single precision, used further on.
//!
//! The compiler says: "`&Tensor<(((), Dim<4>), Dim<2>)>` is not an operand with elements of type `f64`"

use tensor_core::{Tensor, shape, tensor};

/// A trained model of another program.
struct Model {
    weight: Tensor<shape![4, 2]>,
    bias: Tensor<shape![2]>,
}

fn predict(model: &Model, readings: &Tensor<shape![3, 4], f64>) -> Tensor<shape![3, 2]> {
    let low = readings.min_axis::<0>();
    let high = readings.max_axis::<0>();
    let scaled = (readings - &low) / (&high - &low);
    (scaled.dot(&model.weight) + &model.bias).sigmoid()
}

fn main() {
    let model = Model {
        weight: tensor![[0.4, -0.1], [1.2, 0.3], [-0.7, 0.9], [0.05, -1.1]],
        bias: tensor![0.1, -0.2],
    };
    let readings: Tensor<shape![3, 4], f64> =
        tensor![[20.5, 1013.2, 45.0, 3.1], [22.1, 1009.8, 51.5, 4.7], [18.9, 1016.4, 39.2, 2.2],];
    println!("{:.3}", predict(&model, &readings));
}
