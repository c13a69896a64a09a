//! Six numbers at equal distances, along the rows or down the columns?
//!
//! The compiler says: "shape `(((), Dim<2>), Dim<3>)` does not have rank 1"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2, 3]>::linspace(0.0, 1.0);
}
