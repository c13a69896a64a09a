//! One number for each of four rows. Shapes line up at their last axis, so the 4 is paired with the
//! three columns; `[4, 1]` would stretch over them.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"
//! And: "shapes align at the last axis"

use tensor_core::{Tensor, shape};

fn main() {
    let table = Tensor::<shape![4, 3]>::zeros();
    let of_each_row = Tensor::<shape![4]>::ones();
    let _ = &table / &of_each_row;
}
