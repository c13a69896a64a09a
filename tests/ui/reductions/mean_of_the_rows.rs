//! The program of the README: the mean of each row is subtracted as if it were that of each column.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::{Tensor, shape};

fn centre(rows: &Tensor<shape![4, 3]>) -> Tensor<shape![4, 3]> {
    rows - rows.mean_axis::<1>()
}

fn main() {}
