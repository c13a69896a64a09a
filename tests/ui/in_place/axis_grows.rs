//! The result would be `[3, 3, 7]`, which the tensor on the left cannot become.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `One` does not hold one of size `Dim<7>`"
//! And: "the tensor that is written to keeps its shape, and `Dim<7>` does not fit into `One`; `&a + &b` is a new tensor"

use tensor_core::{Tensor, shape};

fn main() {
    let mut a = Tensor::<shape![1, 3, 1]>::zeros();
    let b = Tensor::<shape![3, 1, 7]>::ones();
    a += &b;
}
