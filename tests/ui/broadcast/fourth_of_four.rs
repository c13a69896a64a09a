//! Four operands of which the last is the odd one.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::{Tensor, shape, zip_with4};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros();
    let b = Tensor::<shape![4]>::ones();
    let _ = zip_with4(&a, &a, &a, &b, |x, y, z, w| x * y + z * w);
}
