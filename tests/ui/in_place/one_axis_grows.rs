//! One number for each row is to take up a whole table.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `One` does not hold one of size `Dim<3>`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut of_each_row = Tensor::<shape![4, 1]>::zeros();
    let table = Tensor::<shape![4, 3]>::ones();
    of_each_row += table;
}
