//! First values are drawn for sizes that the types know.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"

use tensor_core::{axis, dim, random::Generator};
use tensor_nn::layers::Linear;

axis!(Batch);

fn layer(rng: &mut Generator) -> Linear<Batch, dim!(2048)> {
    Linear::new(rng)
}

fn main() {}
