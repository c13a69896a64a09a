//! Numbers of goods and their prices. Goods are counted, so they are integers, `i64`; prices are
//! floats, `f32`.
//!
//! The shapes agree, and still the two do not go together: element types never mix silently,
//! because a conversion can lose something. The one who writes it decides, by `cast`.

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let goods: Tensor<shape![3], i64> = tensor![2, 0, 10];
    let prices: Tensor<shape![3]> = tensor![1.5, 8.0, 0.25];

    let costs = prices * goods.cast::<f32>();

    assert_eq!(costs, tensor![3.0, 0.0, 2.5]);
}
