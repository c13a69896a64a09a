//! Twelve query heads cannot share five heads of keys and values.
//!
//! The compiler says: "`Dim<12>` query heads cannot share `Dim<5>` heads of keys and values"

use tensor_core::{dim, random::Generator};
use tensor_nn::layers::GroupedQueryAttention;

fn layer(rng: &mut Generator) -> GroupedQueryAttention<dim!(768), dim!(12), dim!(5), dim!(64)> {
    GroupedQueryAttention::new(rng)
}

fn main() {}
