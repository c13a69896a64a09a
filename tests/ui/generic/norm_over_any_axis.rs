//! A norm over the last axis of any shape: that the result has the same shape is part of the bound.
//!
//! The compiler says: "in generic code, add the bound `S: Broadcast<<S as HasAxis<-1>>::KeepDims>`, with `Output = S` in it where the result has shape `S`"

use tensor_core::{HasAxis, Tensor};

fn normalized<S: HasAxis<-1>>(x: &Tensor<S>) -> Tensor<S> {
    x / (x * x).sum_axis_keepdims::<-1>().sqrt()
}

fn main() {}
