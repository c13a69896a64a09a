//! Nine tensors in one pass.
//!
//! The compiler says: "`fuse!` reads at most eight tensors in one pass, and these are more"
//! And: "compute a part of it first"
//! And: "[T709]"
//!
//! Lines: 17, because the limit is a bound of the function that the macro calls.

use tensor_core::{fuse, tensor};

fn main() {
    let [a, b, c, d, e, f, g, h, i] = [1.0; 9].map(|x| tensor![x, x]);
    let _ = fuse!(a + b + c + d + e + f + g + h + i);
}
