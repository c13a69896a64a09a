//! First values are drawn for sizes that the types know.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"
//! Lines: 20, as rustc shows where the bound of the function is declared.

use tensor_core::{axis, dim, random::Generator};
use tensor_nn::layers::Linear;

axis!(Batch);

fn layer(rng: &mut Generator) -> Linear<Batch, dim!(2048)> {
    Linear::new(rng)
}

fn main() {}
