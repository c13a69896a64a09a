//! An axis that nobody declared.
//!
//! The compiler says: "cannot find type `Hiden` in this scope"
//! Lines: 17, as the compiler shows the name that it takes for the right one

use tensor_core::{Tensor, axis, shape, shapes};

axis!(Hidden = 768);

#[shapes]
#[derive(Clone, Debug)]
enum Layer {
    Scale(Tensor<shape![Hidden]>),
    Project { weight: Tensor<shape![Hiden, 50257]> },
}

fn main() {}
