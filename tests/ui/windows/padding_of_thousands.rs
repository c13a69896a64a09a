//! More padding than an option of a type has.
//!
//! The compiler says: "padding is from 0 to 9,999 elements, not 10500"
//! And: "[T806]"

use tensor_core::windows::Conv2d;

fn main() {
    let _ = Conv2d::new().padding::<10500>();
}
