//! Equality of tensors, exact (`==`) or within tolerances (`all_close`).

use crate::array::plan::Loops;
use crate::element::{Element, Float};
use crate::shape::Shape;
use crate::tensor::Tensor;

/// Pairs compared between two checks for an early exit.
const CHUNK: usize = 256;

/// Two tensors are equal if their shapes and all their elements are; NaN is not equal to itself.
///
/// For element-wise comparison with broadcasting, see `x.equal(&y)`.
///
/// ```
/// use tensor_core::tensor;
///
/// assert!(tensor![1.0, 2.0] == tensor![1.0, 2.0]);
/// assert!(tensor![f64::NAN] != tensor![f64::NAN]);
/// ```
impl<S: Shape, T: Element> PartialEq for Tensor<S, T> {
    fn eq(&self, other: &Self) -> bool {
        self.all_pairs(other, |a, b| a == b)
    }
}

/// # Equality within tolerances
#[cfg_attr(doc, tensor_macros::readable_bounds)]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// Whether `|a - b| <= absolute + relative · |b|` for every pair of elements, `b` from `other`:
    /// `[..s], [..s] → bool`.
    ///
    /// Infinities are close to themselves only, NaN to nothing. As
    /// [NumPy's `allclose`](https://numpy.org/doc/stable/reference/generated/numpy.allclose.html),
    /// whose default tolerances are `1e-5` and `1e-8`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![0.1, 0.2] + tensor![0.2, 0.1];
    /// assert!(x != tensor![0.3, 0.3]);
    /// assert!(x.all_close(&tensor![0.3, 0.3], 1e-12, 0.0));
    /// ```
    #[doc(alias = "allclose")]
    #[doc(alias = "isclose")]
    pub fn all_close(&self, other: &Self, relative: f64, absolute: f64) -> bool
    where
        <T as Float>::Checked: Sized,
        T: Float,
    {
        self.all_pairs(other, |a, b| {
            let (a, b) = (a.to_f64(), b.to_f64());
            a == b || (b.is_finite() && (a - b).abs() <= absolute + relative * b.abs())
        })
    }

    /// Whether the shapes are equal and `holds` is true for every pair of elements.
    fn all_pairs(&self, other: &Self, holds: impl Fn(T, T) -> bool) -> bool {
        if self.shape != other.shape {
            return false;
        }
        if let (Some(a), Some(b)) = (self.as_slice(), other.as_slice()) {
            // Without an early exit within a chunk, the loop is vectorised.
            let all = |(a, b): (&[T], &[T])| {
                a.iter().zip(b).fold(true, |all, (&a, &b)| all & holds(a, b))
            };
            return a.chunks(CHUNK).zip(b.chunks(CHUNK)).all(all);
        }
        let (a, b) = (self.view(), other.view());
        let loops = Loops::from_strides(
            &self.shape.sizes(),
            [&a.strides(), &b.strides()],
            [a.offset(), b.offset()],
        );
        let [rows, columns] = loops.block();
        let mut all = true;
        loops.for_each_block(|start| {
            let pair = |row: usize, column: usize| {
                let [a_at, b_at] = [0, 1].map(|k| {
                    let steps =
                        row as isize * rows.strides[k] + column as isize * columns.strides[k];
                    (start[k] + steps) as usize
                });
                holds(a.elements[a_at], b.elements[b_at])
            };
            all =
                all && (0..rows.size).all(|row| (0..columns.size).all(|column| pair(row, column)));
        });
        all
    }
}
