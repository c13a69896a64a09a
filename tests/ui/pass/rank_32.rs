//! Thirty-two axes, without a recursion limit.

use tensor_core::{Shape, Tensor, shape};

type Many = shape![
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 3
];
type Others = shape![
    2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 3
];

fn main() {
    let sum = Tensor::<Many>::ones() + Tensor::<Others>::ones() + Tensor::<shape![3]>::ones();
    assert_eq!(sum.shape().sizes().len(), 32);
    assert_eq!(sum.sum().item(), 144.0);
    assert_eq!(sum.sum_axis::<0>().shape().sizes()[..], sum.sum_axis::<-32>().shape().sizes()[..]);
    assert_eq!(sum.sum_axis::<31>().sum_axis::<-2>().len(), 8);
    assert_eq!(sum.reshape::<shape![48]>().to_vec(), [3.0; 48]);
}
