//! A list of axes is written with `axes!`; `shape!` makes sizes of the same numbers.
//!
//! The compiler says: "`(((), Dim<0>), Dim<2>)` is not a list of axes"
//! And: "`axes!` writes lists of axes, such as `axes![0, -1]` for the first and the last"
//! Lines: 18, because the compiler also shows an impl of the trait, and how it came to it.

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![32, 1024, 768]>::zeros();
    let _ = x.sum_axes::<shape![0, 2]>();
}
