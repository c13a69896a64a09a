//! A sum, which is not computed element by element, as the outermost operation.
//!
//! The compiler says: "`sum` is no element-wise method of tensors: fuse the operand in front of it, `fuse!(…).sum(…)` [T709]"

use tensor_core::{fuse, tensor};

fn main() {
    let (x, w) = (tensor![1.0, 2.0], tensor![3.0, 4.0]);
    let _ = fuse!((x * w).sum());
}
