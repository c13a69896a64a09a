//! The value of the action that was taken, as in PyTorch.
//!
//! The compiler says: "PyTorch's `gather` is `x.take_along_axis::<-1, _>(&indices)`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);
axis!(Actions = 18);

fn values(
    scores: &Tensor<shape![Batch, Actions]>,
    actions: &Tensor<shape![Batch], i64>,
) -> Tensor<shape![Batch]> {
    let taken = scores.gather(1, &actions.unsqueeze::<-1>());
    taken.squeeze::<-1>()
}

fn main() {}
