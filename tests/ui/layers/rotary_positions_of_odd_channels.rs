//! Channels are turned in pairs.
//!
//! The compiler says: "axis 0 of size `Halves<Dim<63>>` cannot be split into 2 equal parts"

use tensor_core::dim;
use tensor_nn::layers::{Halves, RotaryPositions};

fn positions() -> RotaryPositions<dim!(1024), Halves<dim!(63)>> {
    RotaryPositions::new()
}

fn main() {}
