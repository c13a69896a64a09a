//! Comparing with one limit for each row, not for each column.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let limits = Tensor::<shape![2]>::zeros();
    let _ = x.less(&limits);
}
