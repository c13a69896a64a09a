//! A batch over all devices, and a hidden layer over those of the model: activations have both.
//!
//! The compiler says: "`Batch` and `Hidden` are both split over `Model`, and are axes of one tensor"

use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, shard, sharding};

axis!(Batch = 16, Pixel = 64, Hidden = 32);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => (Data, Model), Hidden => Model);

fn main() {
    let weight = Tensor::<shape![Pixel, Hidden]>::zeros();
    let images = Tensor::<shape![Batch, Pixel]>::zeros();
    let program = trace(&(weight, images), |(weight, images)| images.dot(weight));
    let _ = shard(program, Rules);
}
