//! A window that stays has no next place.
//!
//! The compiler says: "a stride, dilation, window or number of groups is from 1 to 9,999, not 0"

use tensor_core::windows::Conv2dOptions;

fn main() {
    let _ = Conv2dOptions::new().stride::<0>();
}
