//! The mean of integers along an axis, which floats are compared with further on.
//!
//! The compiler says: "elements of type `{integer}` are not floating-point numbers"
//! Errors: 2, as the result is used further

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let ages = tensor![[23, 45, 31, 60], [19, 22, 80, 41], [55, 34, 29, 38]];
    let incomes: Tensor<shape![3, 4], i32> =
        tensor![[2100, 4500, 3300, 5000], [900, 1800, 2200, 4100], [3900, 2700, 2500, 3100]];

    let oldest = ages.max_axis::<1>();
    let total: Tensor<shape![3], i32> = incomes.sum_axis::<1>();
    let mean_age = ages.mean_axis::<1>();
    let above = ages.cast::<f64>().greater(mean_age.unsqueeze::<1>());
    let counts = above.count_nonzero_axis::<1>();

    for city in 0..3 {
        println!(
            "city {city}: oldest {}, total {}, mean age {:.1}, {} above",
            oldest[[city]],
            total[[city]],
            mean_age[[city]],
            counts[[city]],
        );
    }
}
