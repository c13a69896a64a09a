//! Products of `f32` in `f64`, which would be no faster and whose results would be `f32` again.
//!
//! The compiler says: "products of `f32` are not computed in `f64`"
//! And: "`autocast::<bf16, _>(|| …)` rounds the operands of products to `bf16`"

use tensor_core::precision::autocast;
use tensor_core::{Tensor, shape};

fn main() {
    let (x, weight) = (Tensor::<shape![32, 64]>::ones(), Tensor::<shape![64, 10]>::ones());
    let scores = autocast::<f64, _>(|| x.dot(&weight));
    println!("{scores}");
}
