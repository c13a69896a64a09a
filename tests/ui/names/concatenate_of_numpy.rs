//! NumPy's `concatenate`, and PyTorch's addition in place.
//!
//! The compiler says: "NumPy's `concatenate` is `x.concat::<0, _>(&y)`; of several `Tensor::concat_array::<0, _>([&x, &y])`"

use tensor_core::{Tensor, tensor};

fn main() {
    let train = tensor![[5.1, 3.5], [4.9, 3.0]];
    let test = tensor![[5.8, 2.7], [6.7, 3.1]];
    let all = Tensor::concatenate([train, test], 0);
    println!("{}", all.mean_axis::<0>());
}
