//! More padding than an option of a type has.
//!
//! The compiler says: "padding is from 0 to 9,999 elements, not 10500"
//! And: "[T806]"

use tensor_core::windows::Conv2dOptions;

fn main() {
    let _ = Conv2dOptions::new().padding::<10500>();
}
