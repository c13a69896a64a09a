//! Nothing says that the heads are the width of the model.
//!
//! The compiler says: "is not known here"
//! Lines: 13, as rustc proposes a bound.

use tensor_core::{StaticAxis, random::Generator};
use tensor_nn::layers::MultiHeadAttention;

fn layer<D: StaticAxis, H: StaticAxis, C: StaticAxis>(
    rng: &mut Generator,
) -> MultiHeadAttention<D, H, C> {
    MultiHeadAttention::new(rng)
}

fn main() {}
