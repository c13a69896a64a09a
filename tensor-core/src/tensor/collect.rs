//! The traits of `std` that create tensors from other tensors or from elements: `Default`,
//! `FromIterator`, `Extend`, `Sum`, `Product`.

use core::iter::{Product, Sum};

use tensor_kernels::element::{Element, Number};

use crate::shape::axis::Axis;
use crate::shape::{Shape, StaticShape};
use crate::tensor::operations::dispatch::unwrap_or_panic;
use crate::tensor::{LengthError, Tensor};

/// A tensor of zeros, like [`zeros`](Tensor::zeros).
impl<S: StaticShape, T: Element> Default for Tensor<S, T> {
    fn default() -> Self {
        Self::zeros()
    }
}

/// Collects elements into a vector, `[n]`; its axis is a named one, whose size is their number:
///
/// ```
/// use tensor_core::{Tensor, axis, shape};
///
/// axis!(Count);
/// let squares: Tensor<shape![Count], i32> = (1..=4).map(|n| n * n).collect();
/// assert_eq!(squares.shape(), shape![Count(4)]);
/// ```
///
/// # Panics
///
/// If the axis is static and has another size: [`from_vec`](Tensor::from_vec) returns a `Result`.
impl<A: Axis, T: Element> FromIterator<T> for Tensor<((), A), T> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        of_axis(elements.into_iter().collect())
    }
}

/// Appends elements to a vector, `[n] → [n + m]`, whose axis is a named one.
///
/// ```
/// use tensor_core::{Tensor, axis, shape};
///
/// axis!(Count);
/// let mut losses: Tensor<shape![Count]> = [0.5, 0.25].into_iter().collect();
/// losses.extend([0.125]);
/// assert_eq!(losses.shape(), shape![Count(3)]);
/// ```
///
/// # Panics
///
/// If the axis is static and there are more elements.
impl<A: Axis, T: Element> Extend<T> for Tensor<((), A), T> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        let mut all = self.to_vec();
        all.extend(elements);
        *self = of_axis(all);
    }
}

/// The vector with these elements.
///
/// # Panics
///
/// If its axis has another size.
#[track_caller]
fn of_axis<A: Axis, T: Element>(elements: Vec<T>) -> Tensor<((), A), T> {
    let shape = unwrap_or_panic(Shape::from_sizes(&[elements.len()]));
    let made: Result<_, LengthError<T>> = Tensor::from_vec_shaped(shape, elements);
    unwrap_or_panic(made)
}

/// The element-wise sum of tensors; zeros if there are none.
///
/// ```
/// use tensor_core::{Tensor, shape, tensor};
///
/// let gradients = [tensor![1.0, 2.0], tensor![3.0, 4.0]];
/// let sum: Tensor<shape![2], f64> = gradients.iter().sum();
/// assert_eq!(sum, tensor![4.0, 6.0]);
/// ```
impl<'a, S: StaticShape, T: Number> Sum<&'a Self> for Tensor<S, T> {
    fn sum<I: Iterator<Item = &'a Self>>(mut tensors: I) -> Self {
        let Some(first) = tensors.next() else { return Self::zeros() };
        tensors.fold(first.clone(), |mut sum, tensor| {
            sum += tensor;
            sum
        })
    }
}

/// The element-wise sum of tensors; zeros if there are none.
impl<S: StaticShape, T: Number> Sum for Tensor<S, T> {
    fn sum<I: Iterator<Item = Self>>(tensors: I) -> Self {
        tensors.reduce(|sum, tensor| sum + tensor).unwrap_or_default()
    }
}

/// The element-wise product of tensors; ones if there are none.
impl<'a, S: StaticShape, T: Number> Product<&'a Self> for Tensor<S, T> {
    fn product<I: Iterator<Item = &'a Self>>(mut tensors: I) -> Self {
        let Some(first) = tensors.next() else { return Self::ones() };
        tensors.fold(first.clone(), |mut product, tensor| {
            product *= tensor;
            product
        })
    }
}

/// The element-wise product of tensors; ones if there are none.
impl<S: StaticShape, T: Number> Product for Tensor<S, T> {
    fn product<I: Iterator<Item = Self>>(tensors: I) -> Self {
        tensors.reduce(|product, tensor| product * tensor).unwrap_or_else(Self::ones)
    }
}
