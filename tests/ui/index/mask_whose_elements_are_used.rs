//! The elements of a mask in brackets, as in NumPy, which are used further: no message about the use.
//!
//! The compiler says: "the elements of a mask `x.masked_select::<Found>(&mask)`"

use tensor_core::{Tensor, shape};

fn mean_of_inliers(x: &Tensor<shape![1024]>) -> f32 {
    let keep = (x - x.mean()).abs().less(x.std() * 2.0);
    let inliers = x[keep];
    inliers.mean().item()
}

fn main() {
    println!("{}", mean_of_inliers(&Tensor::linspace(0.0, 1.0)));
}
