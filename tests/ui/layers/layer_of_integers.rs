//! A layer of integers.
//!
//! The compiler says: "elements of type `i64` are not floating-point numbers"

use tensor_core::{dim, random::Generator};
use tensor_nn::layers::Linear;

fn layer(rng: &mut Generator) -> Linear<dim!(1024), dim!(2048), i64> {
    Linear::new(rng)
}

fn main() {}
