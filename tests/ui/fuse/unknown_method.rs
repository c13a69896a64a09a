//! A method that tensors do not have, in the middle of a pass.
//!
//! The compiler says: "no method named `gelo` found for struct"
//! And: "there is a method `gelu` with a similar name"

use tensor_core::{fuse, tensor};

fn main() {
    let (x, w) = (tensor![1.0, 2.0], tensor![3.0, 4.0]);
    let _ = fuse!((x * w).gelo() + 1.0);
}
