//! 12 is not 3 × 5.
//!
//! The compiler says: "`unflatten` keeps the number of elements: `Dim<12>` is not `Dim<15>`"
//! And: "axis 1 has `Dim<12>` elements, shape `(((), Dim<3>), Dim<5>)` has `Dim<15>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 12]>::zeros();
    let _ = x.unflatten::<1, shape![3, 5]>();
}
