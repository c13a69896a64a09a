//! Twelve groups of 2048 channels.
//!
//! The compiler says: "`Dim<2048>` channels cannot be divided into `Dim<12>` groups of the same size"

use tensor_core::dim;
use tensor_nn::layers::GroupNorm;

fn layer() -> GroupNorm<dim!(2048), 12> {
    GroupNorm::new()
}

fn main() {}
