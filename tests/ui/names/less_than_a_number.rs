//! A mask of the padding as in PyTorch. `lt` is also a method of `PartialOrd`, whose argument is a reference.
//!
//! The compiler says: "PyTorch's `lt` is `x.less(0.0)`"

use tensor_core::{Tensor, select, shape};

fn main() {
    let hidden = Tensor::<shape![64, 1024]>::ones();
    let negative = hidden.lt(0.0);
    println!("{}", select(&negative, 0.0, &hidden));
}
