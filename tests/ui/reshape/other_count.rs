//! Six elements into a shape of eight.
//!
//! The compiler says: "`reshape` keeps the number of elements: `Dim<6>` is not `Dim<8>`"
//! And: "shape `(((), Dim<2>), Dim<3>)` has `Dim<6>` elements, shape `(((), Dim<2>), Dim<4>)` has `Dim<8>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.reshape::<shape![2, 4]>();
}
