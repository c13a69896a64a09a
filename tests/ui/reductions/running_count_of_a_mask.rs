//! How many are true so far: a mask is counted after a cast.
//!
//! The compiler says: "elements of type `bool` are not numbers"
//! And: "a `bool` tensor becomes numbers with `.cast::<f32>()`"

use tensor_core::{Tensor, shape};

fn main() {
    let mask = Tensor::<shape![2, 3]>::zeros().greater(0.0);
    let _ = mask.cumsum::<1>();
}
