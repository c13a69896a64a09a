//! A file of GPT-2 has the weight of a linear layer as `[in, out]`, and the layers here have
//! `[out, in]`, as PyTorch's. Where both sizes are the same, nothing would fail, and the model
//! would compute nonsense.
//!
//! The axis types `In` and `Out` state which is which, and `Linear::of` requires them in its order.
//! `transpose` swaps the axes and their types.

use tensor_core::{Tensor, dim, shape, tensor};
use tensor_nn::layers::{In, Linear, NoBias, Out};

type D = dim!(2);

fn main() {
    // Number 0 of the input goes to number 1 of the output.
    let file = tensor![[0.0, 1.0], [0.0, 0.0]];
    let weight: Tensor<shape![In<D>, Out<D>]> = file.rename_axis::<0, In<D>>().rename_axis::<1, _>();

    let layer: Linear<D, D, f32, NoBias> = Linear::of(weight.transpose(), NoBias);

    assert_eq!(layer.forward(&tensor![5.0, 7.0]), tensor![0.0, 5.0]);
}
