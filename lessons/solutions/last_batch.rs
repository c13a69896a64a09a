//! Ten examples in batches of four: the last batch has two. So the number of examples in a batch is
//! not known before the program runs, and the axis along them has a name instead, `Batch`.

use tensor_core::{Tensor, axis, shape, tensor};
use tensor_nn::data::Loader;

axis!(Batch);

/// The sum of the examples of a batch.
fn sum(batch: &Tensor<shape![Batch, 2]>) -> Tensor<shape![2]> {
    batch.sum_axis::<0>()
}

fn main() {
    let examples = Tensor::<shape![10, 2]>::ones();
    let mut total = tensor![0.0, 0.0];

    for batch in Loader::new(examples, 4).epoch::<Batch>(0) {
        total += sum(&batch);
    }

    assert_eq!(total, tensor![10.0, 10.0]);
}
