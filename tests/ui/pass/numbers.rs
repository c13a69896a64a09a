//! Scalars have the element type of the tensor, on either side, and literals are inferred.

use tensor_core::element::{Integer, Number};
use tensor_core::{Float, Shape, Tensor, shape, tensor};

fn scaled<S: Shape, T: Number>(x: &Tensor<S, T>, by: T) -> Tensor<S, T> {
    x * by + by
}

fn halved<S: Shape, T: Float>(x: Tensor<S, T>) -> Tensor<S, T> {
    x * T::from_f64(0.5)
}

fn complement<S: Shape, T: Float>(x: &Tensor<S, T>) -> Tensor<S, T> {
    Tensor::<(), T>::full(T::from_f64(1.0)) - x
}

fn doubled<S: Shape, T: Integer>(x: &Tensor<S, T>, one: T) -> Tensor<S, T> {
    x << one
}

macro_rules! floats {
    ($($T:ty)*) => {$(
        let x: Tensor<shape![2], $T> = tensor![1.0, 2.0];
        assert_eq!(2.0 * &x - 1.0, tensor![1.0, 3.0]);
        assert_eq!(1.0 / (1.0 + x.clone()) % 1.0, &complement(&x) * 0.0 + 1.0 / (1.0 + &x));
        assert_eq!(halved(scaled(&x, 2.0)), tensor![2.0, 3.0]);
        // The type of a result is that of the numbers it is computed of, whichever is written.
        let roots: Tensor<shape![2], $T> = tensor![1.0, 4.0].sqrt();
        assert_eq!(roots, x);
        let mean: Tensor<shape![], $T> = tensor![1.0, 2.0].mean();
        assert_eq!(mean.item(), 1.5);
        let lengths: Tensor<shape![2], $T> = tensor![[0.0, 1.0], [0.0, 2.0]].square().sum_axis::<-1>().sqrt();
        assert_eq!(lengths, x);
    )*};
}

macro_rules! integers {
    ($($T:ty)*) => {$(
        let x: Tensor<shape![2], $T> = tensor![1, 2];
        assert_eq!((2 * &x - 1) / 1 % 3, tensor![1, 0]);
        assert_eq!(7 - x.clone() & 7 | 1 ^ &x, (7 - &x) & 7 | (1 ^ x.clone()));
        assert_eq!(doubled(&scaled(&x, 2), 1), tensor![8, 12]);
        assert_eq!(1 << &x | 1 << (&x + 1) >> 1, 1 << x.clone());
    )*};
}

fn main() {
    floats!(f32 f64);
    integers!(i8 i16 i32 i64 u8 u16 u32 u64);
    let rate = 0.5;
    let x = tensor![[2.0_f32, 4.0]];
    assert_eq!(&x * rate - rate * &x, &x + -1.0 * &x);
    assert_eq!(&x + Tensor::<shape![2]>::zeros(), x);
    assert_eq!(tensor![true, false] & true, true ^ !tensor![true, false]);
}
