//! From every row its own mean is subtracted, so that each row has mean 0.
//!
//! The mean along the last axis has one number for each of the four rows. Shapes are aligned at
//! their last axis, and there the table has its three columns:
//!
//! ```text
//!     table   4 × 3
//!     mean        4
//! ```
//!
//! What if the mean kept the axis that it was taken along, with size 1? A size of 1 stretches.

use tensor_core::{Tensor, shape, tensor};

fn centred(table: &Tensor<shape![4, 3]>) -> Tensor<shape![4, 3]> {
    table - table.mean_axis::<1>()
}

fn main() {
    let table = tensor![[1.0, 2.0, 3.0], [4.0, 4.0, 4.0], [0.0, 9.0, 0.0], [5.0, 0.0, 1.0]];

    let rows = centred(&table);

    assert_eq!(rows.sum_axis::<1>(), Tensor::zeros());
    assert_eq!(rows[[2, 1]], 6.0);
}
