//! Parts that are less than the whole.
//!
//! The compiler says: "`split` keeps every element: the parts are `Dim<1792>` in all, and axis 1 has size `Dim<2048>`"

use tensor_core::{Tensor, shape};

fn main() {
    let states = Tensor::<shape![1024, 2048]>::zeros();
    let (_gate, _rest) = states.split::<1, shape![1024, 768]>();
}
