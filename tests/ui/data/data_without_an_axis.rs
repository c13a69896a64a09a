//! A mean of all pictures, loaded as if it were the pictures.
//!
//! The compiler says: "`Tensor<()>` has no batches along `Batch`"
//! And: "data are a tensor of at least one axis, a tuple of tensors, or `from_fn(len, |index| …)`"

use tensor_core::{Tensor, axis, shape};
use tensor_nn::data::Loader;

axis!(Batch);

fn main() {
    let images = Tensor::<shape![50000, 1024]>::zeros();
    let loader = Loader::new(images.mean(), 64);
    for batch in loader.epoch::<Batch>(0) {
        println!("{batch}");
    }
}
