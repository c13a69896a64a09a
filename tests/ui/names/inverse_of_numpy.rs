//! What there is not: the message has the reason.
//!
//! The compiler says: "NumPy's `inv` has no counterpart here"

use tensor_core::{Tensor, shape};

fn main() {
    let covariance = Tensor::<shape![64, 64]>::eye();
    let residuals = Tensor::<shape![64]>::ones();
    println!("{}", residuals.dot(&covariance.inv()).dot(&residuals));
}
