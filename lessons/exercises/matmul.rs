//! How alike are three people? Each is a row of four answers, and the product of two rows is large
//! where their answers agree. All pairs at once are a matrix product, `[3, 4] × [4, 3] = [3, 3]`.
//!
//! A product of matrices sums over the last axis of the left side and the second last of the right
//! side, and both must have the same size.

use tensor_core::tensor;

fn main() {
    let answers = tensor![[1, 0, 1, 0], [1, 1, 1, 1], [0, 1, 0, 1]];

    // On both sides, the answers are in the rows. Where should they be on the right side?
    let alike = answers.matmul(&answers);

    assert_eq!(alike.to_vec(), [2, 2, 0, 2, 4, 2, 0, 2, 2]);
}
