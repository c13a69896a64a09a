//! As in NumPy, `>` for a mask. In Rust it gives one `bool`.
//!
//! The compiler says: "`<` and `>` compare two numbers of one type, not shape"
//! And: "to compare each element, write `.less(…)` or `.greater(…)`"

use tensor_core::{Tensor, select, shape};

fn main() {
    let hidden = Tensor::<shape![64, 1024]>::ones();
    let positive = select(hidden > 0.0, &hidden, 0.0);
    println!("{positive}");
}
