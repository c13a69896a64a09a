//! 24 hours, as parts of a day: the first row is the night, the last the evening.
//!
//! `reshape` gives the same elements other axes. It adds none and loses none, so the sizes of the
//! new shape multiply to what there was, and the compiler does the multiplication.

use tensor_core::{Tensor, shape};

fn main() {
    let hours = Tensor::<shape![24], i32>::arange();

    // Four parts of the day, of as many hours each.
    let parts = hours.reshape::<shape![4, 7]>();

    assert_eq!(parts[[0, 0]], 0);
    assert_eq!(parts[[3, 0]], 18);
    assert_eq!(parts[[3, 5]], 23);
}
