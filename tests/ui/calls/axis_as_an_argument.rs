//! The axis is part of the type of the result, so it comes before the parentheses. The line that
//! defines the method shows the call.
//!
//! The compiler says: "this method takes 0 arguments but 1 argument was supplied"
//! And: "x.mean_axis::<0>(),"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let hidden = Tensor::<shape![64, 1024]>::ones();
    let mean = hidden.mean_axis(0);
    println!("{mean}");
}
