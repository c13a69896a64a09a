//! PyTorch's name of the transpose, for an array whose shape is known at run time.
//!
//! The compiler says: "PyTorch's `t` is `x.transpose()`"

use tensor_core::{DynTensor, Element};

fn columns<T: Element>(x: &DynTensor<T>) -> usize {
    let transposed = x.t();
    transposed.sizes()[0]
}

fn main() {
    println!("{}", columns(&DynTensor::<f32>::zeros(&[2, 3])));
}
