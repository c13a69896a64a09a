//! After the compiler's proposal to remove the argument: which axis?
//!
//! The compiler says: "cannot infer the value of the const parameter `AXIS` declared on the method `sum_axis`"
//! And: "counts.sum_axis::<AXIS>()"

use tensor_core::{Tensor, shape};

fn main() {
    let counts = Tensor::<shape![2048, 4096]>::ones();
    let columns = counts.sum_axis();
    println!("{columns}");
}
