//! Three parts for two axes.
//!
//! The compiler says: "this slice has more parts than shape `(((), Dim<1024>), Dim<768>)` has axes"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let states = Tensor::<shape![1024, 768]>::zeros();
    let _ = states.slice(slice![.., .., ..64]);
}
