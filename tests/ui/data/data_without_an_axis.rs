//! A mean of all pictures, loaded as if it were the pictures.
//!
//! The compiler says: "axis 0 is out of range for shape `()`"

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
