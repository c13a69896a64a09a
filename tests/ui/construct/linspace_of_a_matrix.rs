//! Six numbers at equal distances, along the rows or down the columns?
//!
//! The compiler says: "the number of axes of shape `(((), Dim<2>), Dim<3>)` is not 1"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![2, 3]>::linspace(0.0, 1.0);
}
