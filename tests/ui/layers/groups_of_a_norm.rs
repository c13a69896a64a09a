//! Twelve groups of 2048 channels.
//!
//! The compiler says: "`Dim<2048>` channels cannot be divided into `Dim<12>` groups of the same size"
//! Lines: 17, as rustc shows where the bound of the function is declared.

use tensor_core::dim;
use tensor_nn::layers::GroupNorm;

fn layer() -> GroupNorm<dim!(2048), 12> {
    GroupNorm::new()
}

fn main() {}
