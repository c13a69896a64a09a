//! An identity matrix has as many rows as columns.
//!
//! The compiler says: "shape `(((), Dim<2>), Dim<3>)` is not square"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2, 3]>::eye();
}
