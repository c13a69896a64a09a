//! Numbers in a `Vec` have no axis.
//!
//! The compiler says: "`Vec<f32>` has no examples to make batches of"

use tensor_core::axis;
use tensor_nn::data::Loader;

axis!(Batch);

fn main() {
    let loader = Loader::new(vec![1.0_f32, 2.0, 3.0], 2);
    for batch in loader.epoch::<Batch>(0) {
        println!("{batch}");
    }
}
