//! Generic code that names the last axes of a shape of which nothing is known.
//!
//! The compiler says: "expected a name for each of the last axes of shape `S`, found 1"
//! And: "generic code names them, as in `shape![Lead.., A, B]`"
//! And: "`..` represents any leading axes, and the names represent the last ones"

use tensor_core::{Shape, Tensor, einsum, shape};

fn scaled<S: Shape>(x: &Tensor<S>, weight: &Tensor<shape![768]>) -> Tensor<S> {
    einsum!(.. d, d -> .. d; x, weight)
}

fn main() {
    let _ = scaled(&Tensor::<shape![1024, 768]>::zeros(), &Tensor::ones());
}
