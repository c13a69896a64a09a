//! PyTorch's function that concatenates a list of tensors, and its result used further.
//!
//! The compiler says: "PyTorch's `cat` is `x.concat::<0, _>(&y)`, `Tensor::concat_array`, `Tensor::concat_all`"

use tensor_core::{Tensor, tensor};

fn main() {
    let (a, b) = (tensor![[1.0, 2.0]], tensor![[3.0, 4.0]]);
    let rows = Tensor::cat(&[a, b], 0);
    println!("{}", rows.sum_axis::<0>());
}
