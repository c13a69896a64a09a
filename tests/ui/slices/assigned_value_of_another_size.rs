//! A row of 768 numbers into one of 1024.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `Dim<1024>` does not hold one of size `Dim<768>`"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let mut table = Tensor::<shape![50257, 1024]>::zeros();
    let row = Tensor::<shape![768]>::ones();
    table.assign_slice(slice![0], &row);
}
