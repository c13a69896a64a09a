//! Four operands of which the first is the odd one.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<5>` with one of size `Dim<3>`"

use tensor_core::{Tensor, shape, zip_with4};

fn main() {
    let a = Tensor::<shape![2, 5]>::zeros();
    let b = Tensor::<shape![3]>::ones();
    let _ = zip_with4(&a, &b, &b, &b, |x, y, z, w| x * y + z * w);
}
