//! What may be written into a tensor: everything that stretches to it.

use tensor_core::{Tensor, axis, shape, tensor};

axis!(Batch);

fn main() {
    let mut x = Tensor::<shape![2, 3]>::ones();
    x += &Tensor::<shape![3]>::ones();
    x *= Tensor::<shape![2, 1]>::full(2.0);
    x -= 1.0;
    x /= Tensor::scalar(3.0);
    x.zip_assign(&tensor![[1], [2]], |x, row| x * row as f32);
    assert_eq!(x.to_vec(), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);

    let mut batch = Tensor::<shape![Batch, 2], i32>::zeros_shaped(shape![Batch(3), 2]);
    batch += &tensor![1, 2];
    batch += batch.clone();
    assert_eq!(batch.to_vec(), [2, 4, 2, 4, 2, 4]);
}
