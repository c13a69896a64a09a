//! A reader who reads from left to right has seen, at each place, this word and those before it. The
//! mask contains this: row by row, which of the four words can be attended to.
//!
//! `select` takes from its second argument where the mask is true, and from the third elsewhere. All
//! three broadcast to one shape.

use tensor_core::{Tensor, select, shape};

fn main() {
    let scores = Tensor::<shape![2, 4, 4]>::ones();

    // Both examples share this mask.
    let seen = Tensor::<shape![4, 4], bool>::from_fn(|[place, word]| word <= place);

    let masked = select(&seen, &scores, f32::NEG_INFINITY);
    assert_eq!(masked.exp().sum_axis::<-1>()[[1, 2]], 3.0 * 1_f32.exp());
    assert_eq!(masked[[0, 0, 3]], f32::NEG_INFINITY);
}
