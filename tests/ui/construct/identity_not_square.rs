//! An identity matrix has the same number of rows and columns.
//!
//! The compiler says: "shape `(((), Dim<2>), Dim<3>)` is not square"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2, 3]>::eye();
}
