//! Amounts before two axes, and after one.
//!
//! The compiler says: "the amounts before and after the axes are for different numbers of axes"

use tensor_core::{Padding, Tensor, shape};

fn main() {
    let image = Tensor::<shape![1024, 768]>::zeros();
    let _ = image.pad::<shape![2, 2], shape![2]>(Padding::Edge);
}
