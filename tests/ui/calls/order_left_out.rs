//! Which order? `permute` has no default.
//!
//! The compiler says: "cannot infer type of the type parameter `Order` declared on the method `permute`"

use tensor_core::{Tensor, shape};

fn main() {
    let image = Tensor::<shape![224, 224, 3]>::zeros();
    println!("{}", image.permute());
}
