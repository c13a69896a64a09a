//! In front of `Lead` there may be any axes, so that axis 0 is not known: count from the end.
//!
//! The compiler says: "the rank of `Lead` is not known here"
//! And: "count from the end in generic code: -1 is the last axis"
//! Lines: 13, because the compiler proposes a bound in four lines.

use tensor_core::{Shape, Tensor, shape};

fn sum<Lead: Shape>(x: &Tensor<shape![Lead.., 3]>) {
    let _ = x.sum_axis::<0>();
}

fn main() {}
