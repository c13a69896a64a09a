//! Of any shape at all it is not known whether it has a last axis: rank 0 has none.
//!
//! The compiler says: "axis -1 is out of range for shape `S`"
//! And: "in generic code, add the bound `S: HasAxis<-1>`"

use tensor_core::{Shape, Tensor};

fn sums<S: Shape>(x: &Tensor<S>) {
    let _ = x.sum_axis::<-1>();
}

fn main() {}
