//! A loop along the third axis of a matrix.
//!
//! The compiler says: "axis 2 is out of range for shape"

use tensor_core::trace::scan_along;
use tensor_core::{Tensor, shape};

fn main() {
    let words = Tensor::<shape![5, 2]>::ones();
    let zeros = Tensor::<shape![5]>::zeros();
    let (sum, ()) = scan_along::<2, _, _, _>(&zeros, &words, |sum, word| (sum + word, ()));
    println!("{sum}");
}
