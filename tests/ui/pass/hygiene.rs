//! The macros need no import but their own, and no name of the user gets in their way.

#![allow(unused)]

struct Tensor;
struct Dim;
struct One;
struct Axis;
struct Shape;
struct AxisIndex;
struct StaticAxis;
enum Option {
    Some,
    None,
}
struct Clone;
struct Copy;
struct Default;
struct PartialEq;
mod core {}
mod std {}

const A: usize = 2;
const N: usize = 3;

macro_rules! assert {
    ($($tokens:tt)*) => {
        compile_error!("this is not the macro that was meant")
    };
}
macro_rules! stringify {
    ($($tokens:tt)*) => {
        compile_error!("this is not the macro that was meant")
    };
}

tensor_core::axis!(Batch, Some = 5, Hidden = A * N);

type Matrix = ::tensor_core::Tensor<tensor_core::shape![{ A }, { N + A }, Some, Hidden, 1]>;

/// Sizes and elements that come out of another macro.
macro_rules! ones {
    ($($size:expr),*; $element:expr) => {
        tensor_core::tensor![$element; $($size),*]
    };
}

fn main() {
    let x: Matrix = ::tensor_core::Tensor::ones();
    assert_eq!(x.len(), 2 * 5 * 5 * 6);
    let size = 3;
    let y = tensor_core::tensor![[size, size + 1], [A as i32, { N as i32 }]];
    assert_eq!(y.to_vec(), [3, 4, 2, 3]);
    assert_eq!(ones![2, 1 + 1; 1.0].to_vec(), [1.0; 4]);
    let batch = tensor_core::shape![Batch(size as usize), 2];
    let z: ::tensor_core::Tensor<_> = ::tensor_core::Tensor::ones_shaped(batch);
    let turned = z.permute::<tensor_core::axes![1, 0]>();
    assert_eq!(turned.to_vec(), [1.0; 6]);
}
