//! Generic code in which either side may stretch.
//!
//! The compiler says: "both sides may stretch: no bound states that shape `L` or shape `R` is the shape of the result"
//! And: "in generic code, add the bound `R: ExpandTo<L>` if `L` is the shape of the result"
//! And: "[T106]"

use tensor_core::{Broadcast, Shape, Tensor, strict};

struct Sum;

#[strict]
impl Sum {
    fn of<L: Shape + Broadcast<R>, R: Shape>(left: &Tensor<L>, right: &Tensor<R>) {
        let _ = left + right;
    }
}

fn main() {
    Sum::of(&Tensor::scalar(1.0), &Tensor::scalar(1.0));
}
