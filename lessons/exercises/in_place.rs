//! A week of visitors is counted, day by day: each day is a table of two doors and three hours, and
//! the counter has one number for each hour.
//!
//! `+=` writes into what is there. The result of `[3] + [2, 3]` has two rows, for which the counter
//! has no place.

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let days: [Tensor<shape![2, 3]>; 2] =
        [tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], tensor![[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]];
    let mut by_hour = Tensor::<shape![3]>::zeros();

    for day in &days {
        // Both doors count.
        by_hour += day;
    }

    assert_eq!(by_hour, tensor![6.0, 8.0, 10.0]);
}
