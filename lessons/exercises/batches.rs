//! Five pairs of matrices, and each is to be multiplied with its partner:
//! `[5, 2, 3]` and `[5, 3, 4]` give `[5, 2, 4]`.
//!
//! There are two products. `dot` has one matrix on its right side and applies it to everything on
//! its left; the other one takes a batch of matrices on both sides, and broadcasts the axes
//! before the last two.

use tensor_core::{Tensor, shape};

fn main() {
    let left = Tensor::<shape![5, 2, 3]>::ones();
    let right = Tensor::<shape![5, 3, 4]>::from_fn(|[pair, _, _]| pair as f32);

    // Which product pairs them up?
    let products = left.dot(&right);

    assert_eq!(products.len(), 5 * 2 * 4);
    assert_eq!(products.sum_axis::<-1>()[[4, 1]], 48.0);
}
