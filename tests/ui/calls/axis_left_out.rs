//! After the compiler's proposal to remove the argument: which axis?
//!
//! The compiler says: "cannot infer the value of the const parameter `AXIS` declared on the method `sum_axis`"
//! And: "x.sum_axis::<0>(),"
//! Errors: 2, as the compiler says it of the result and of the parameter
//! Lines: 27, as it shows the line of the definition for the second

use tensor_core::{Tensor, shape};

fn main() {
    let counts = Tensor::<shape![2048, 4096]>::ones();
    let columns = counts.sum_axis();
    println!("{columns}");
}
