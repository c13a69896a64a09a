//! Numbers in a `Vec` have no axis.
//!
//! The compiler says: "`Vec<f32>` has no examples to make batches of"
//! Errors: 2, as a loader of such data has no batches either
//! Lines: 27, as rustc shows the bound, and says of the loader what it lacks.

use tensor_core::axis;
use tensor_nn::data::Loader;

axis!(Batch);

fn main() {
    let loader = Loader::new(vec![1.0_f32, 2.0, 3.0], 2);
    for batch in loader.epoch::<Batch>(0) {
        println!("{batch}");
    }
}
