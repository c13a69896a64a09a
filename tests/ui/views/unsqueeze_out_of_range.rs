//! The result has three axes, so that the new one is 0, 1 or 2.
//!
//! The compiler says: "axis 3 is out of range"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.unsqueeze::<3>();
}
