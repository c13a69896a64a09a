//! In front of `Lead` there may be any axes, so that axis 0 is not known: count from the end.
//!
//! The compiler says: "axis 0 is out of range for shape `(Lead, Dim<3>)`"
//! And: "in generic code, add the bound `(Lead, Dim<3>): HasAxis<0>`"

use tensor_core::{Shape, Tensor, shape};

fn sum<Lead: Shape>(x: &Tensor<shape![Lead.., 3]>) {
    let _ = x.sum_axis::<0>();
}

fn main() {}
