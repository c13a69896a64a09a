//! A shape is a type. `shape![2, 3]` is two rows of three columns: the last axis comes last.
//!
//! Two shops report their sales of three days. The function below takes any such table, and no
//! other.

use tensor_core::{Tensor, shape, tensor};

/// The sales of each day, in all shops.
fn by_day(sales: &Tensor<shape![2, 3]>) -> Tensor<shape![3]> {
    sales.sum_axis::<0>()
}

fn main() {
    // Each inner list is one shop.
    let sales = tensor![[3.0, 2.0], [5.0, 0.0], [8.0, 1.0]];

    assert_eq!(by_day(&sales), tensor![5.0, 5.0, 9.0]);
}
