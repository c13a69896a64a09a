//! A shape is a tuple of axes, which has no `{}`; nor has it places that `[0]` could count.
//!
//! The compiler says: "cannot be formatted with the default formatter"

use tensor_core::{Tensor, shape};

fn main() {
    let images = Tensor::<shape![1024, 28, 28]>::zeros();
    println!("{}", images.shape());
}
