//! The state of a loop gets two numbers longer with each word.
//!
//! The compiler says: "expected `2`, found `4`"

use tensor_core::trace::scan;
use tensor_core::{Tensor, shape};

fn main() {
    let words = Tensor::<shape![5, 2]>::ones();
    let first = Tensor::<shape![2]>::zeros();
    let (last, ()) = scan(&first, &words, |state, word| (state.concat::<0, _>(word), ()));
    println!("{last}");
}
