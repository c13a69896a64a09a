//! One height for each of two rows is to fill a table of three columns.
//!
//! `expand` stretches as an operator does: axes are aligned at the last one, only size 1 grows, and
//! nothing is copied. The two heights are aligned with the three columns.

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let heights: Tensor<shape![2]> = tensor![7, 9].cast();

    // `unsqueeze` adds an axis of size 1, and `squeeze` takes one away. Which is needed first?
    let table = heights.unsqueeze::<-1>().expand::<shape![2, 3]>();

    assert_eq!(table, tensor![[7.0, 7.0, 7.0], [9.0, 9.0, 9.0]]);
}
