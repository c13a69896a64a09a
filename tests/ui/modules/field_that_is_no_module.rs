//! A model with a field for its settings, in which there is no parameter.
//!
//! The compiler says: "`Settings` is not a module: a walk over the parameters of a model finds none in it"
//! And: "`#[module(skip)]` above a field that has no parameters"

use tensor_core::{Module, Tensor, shape};

struct Settings {
    rate: f32,
}

#[derive(Module)]
struct Model {
    weight: Tensor<shape![2048, 1024]>,
    settings: Settings,
}

fn main() {
    let model = Model { weight: Tensor::zeros(), settings: Settings { rate: 0.1 } };
    println!("{} {}", model.num_parameters(), model.settings.rate);
}
