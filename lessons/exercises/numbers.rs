//! Temperatures, from degrees Celsius to degrees Fahrenheit: times 1.8, plus 32.
//!
//! A number goes with a tensor of any shape. Two lists go together element by element, and then
//! they need the same length.

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let celsius: Tensor<shape![3]> = tensor![0.0, 37.0, 100.0];

    // Every temperature is moved by the same 32 degrees.
    let fahrenheit = celsius * 1.8 + tensor![32.0, 32.0];

    assert!(fahrenheit.all_close(&tensor![32.0, 98.6, 212.0], 1e-6, 0.0));
}
