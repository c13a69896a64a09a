//! A model is saved, and later a program loads it. The types of a program do not know what is in a
//! file, so `load` compares: every parameter has to be there, with its shape. If one does not fit,
//! the model stays as it was, and the error lists all that do not.

use tensor_core::random::Generator;
use tensor_core::{Module, dim};
use tensor_nn::layers::{Linear, Relu, Sequential};

type Saved = Sequential<(Linear<dim!(4), dim!(16)>, Relu, Linear<dim!(16), dim!(2)>)>;

type Model = Sequential<(Linear<dim!(4), dim!(16)>, Relu, Linear<dim!(16), dim!(2)>)>;

fn main() {
    let path = std::env::temp_dir().join("tensor-core-lesson-checkpoints.safetensors");
    let mut rng = Generator::seed(1);
    let saved: Saved = Sequential((Linear::new(&mut rng), Relu, Linear::new(&mut rng)));
    saved.save(&path).expect("a file to write");

    let mut model: Model = Sequential((Linear::zeros(), Relu, Linear::zeros()));
    model.load(&path).unwrap_or_else(|error| panic!("{error}"));

    assert_eq!(model.0.0.weight.to_vec(), saved.0.0.weight.to_vec());
}
