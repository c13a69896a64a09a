//! A network that reads from both ends has outputs of twice the state, and nothing says that the state has a double.
//!
//! The compiler says: "add the bound `H: MulSizes<dim!(2)>` [N105]"
//! Lines: 20, as the bound is that of a struct, and rustc proposes another.

use tensor_core::Axis;
use tensor_nn::layers::{Bidirectional, Gru};

struct Reader<I: Axis, H: Axis> {
    sentences: Gru<I, H, f32, Bidirectional>,
}

fn main() {}
