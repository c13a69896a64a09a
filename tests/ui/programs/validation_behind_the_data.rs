//! The second part of a data set begins at its end.
//!
//! The compiler says: "slice 60000..70000 is out of range for axis 0 of size `Dim<60000>`"

use tensor_core::{Tensor, shape, slice};

struct Split {
    train: Tensor<shape![50000, 784]>,
    valid: Tensor<shape![10000, 784]>,
}

fn split(images: &Tensor<shape![60000, 784]>) -> Split {
    let train = images.slice(slice![..50000]).contiguous();
    let valid = images.slice(slice![60000..70000]).contiguous();
    Split { train, valid }
}

fn main() {
    let images = Tensor::zeros();
    let parts = split(&images);
    println!("{} {}", parts.train.mean().item(), parts.valid.mean().item());
}
