//! A square weight of GPT-2 has the inputs first.
//!
//! The compiler says: "a linear layer has a weight `[Out<Dim<768>>, In<_>]`, not one of shape `(((), In<Dim<768>>), Out<Dim<768>>)`"
//! And: "`weight.transpose()` converts `[In, Out]`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{In, Linear, Out};

type D = dim!(768);

fn projection(weight: Tensor<shape![In<D>, Out<D>]>, bias: Tensor<shape![768]>) -> Linear<D, D> {
    Linear::of(weight, bias)
}

fn main() {}
