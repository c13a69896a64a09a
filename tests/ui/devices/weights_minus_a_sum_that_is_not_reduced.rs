//! Gradient descent with a gradient whose parts are not added.
//!
//! The compiler says: "`Unreduced<Tensor<((), Dim<64>)>, Data>` is neither a tensor nor a number"
//!
//! Errors: 2, as for each type that is no tensor

use tensor_core::{Tensor, shape};
use tensor_xla::{mesh, unreduced};

mesh!(Grid: Data = 4, Model = 2);

type Weights = Tensor<shape![64]>;

fn step(weights: &Weights, rows: &Tensor<shape![Data, 16, 64]>) -> Weights {
    let gradient = unreduced(rows, |rows| rows.sum_axis::<0>());
    weights - gradient * 0.1
}

fn main() {
    let _ = step(&Tensor::ones(), &Tensor::ones());
}
