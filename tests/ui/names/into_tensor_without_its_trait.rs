//! A method of a trait that is not imported.
//!
//! The compiler says: "`x.into_tensor()` is a method of the trait `IntoTensor`, which is not imported here"
//! And: "write `Tensor::<shape![2, 3]>::try_from(x)`, which needs no import"

use tensor_core::{DynTensor, Tensor, shape};

fn main() {
    let read = DynTensor::<f32>::zeros(&[2, 3]);
    let x: Tensor<shape![2, 3]> = read.into_tensor().unwrap();
    println!("{x}");
}
