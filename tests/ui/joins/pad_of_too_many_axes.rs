//! Amounts for three axes of a matrix.
//!
//! The compiler says: "`pad` has amounts for more axes than the shape has"

use tensor_core::{Padding, Tensor, shape};

fn main() {
    let image = Tensor::<shape![1024, 768]>::zeros();
    let _ = image.pad::<shape![0, 2, 2], shape![0, 2, 2]>(Padding::Edge);
}
