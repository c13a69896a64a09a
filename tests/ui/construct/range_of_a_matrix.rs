//! Numbers in a row are a vector; `reshape` makes a matrix of them.
//!
//! The compiler says: "shape `(((), Dim<2>), Dim<3>)` does not have rank 1"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2, 3]>::arange();
}
