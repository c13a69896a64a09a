//! A bias on any leading axes, where every axis is written: there may be none, or many.
//!
//! The compiler says: "the ranks may differ: no bound states that shape `(Lead, A)` and shape `((), A)` have the same number of axes"
//! And: "[T108]"

use tensor_core::{Axis, Shape, Tensor, shape, strict};

struct Bias<A: Axis>(Tensor<shape![A]>);

#[strict(rank)]
impl<A: Axis> Bias<A> {
    fn added<Lead: Shape>(&self, x: &Tensor<shape![Lead.., A]>) {
        let _ = x + &self.0;
    }
}

fn main() {
    Bias(Tensor::<shape![3]>::ones()).added(&Tensor::<shape![2, 3]>::ones());
}
