//! Two axes of one name, declared in two modules: they are two types.
//!
//! The compiler says: "axes of one name are two types"
//! And: "declare it once and import it"
//! And: "[T212]"

use tensor_core::{Tensor, axis, shape};

axis!(Batch = 8, Channels = 3);

mod data {
    tensor_core::axis!(pub Channels = 3);
}

fn main() {
    let x: Tensor<shape![data::Channels]> = Tensor::zeros();
    let _ = x.align_to::<shape![Batch, Channels]>();
}
