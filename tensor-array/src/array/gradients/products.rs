//! The rules of products.

use smallvec::smallvec;

use super::operations::fits;
use super::rule::{At, GradientRule, Operands, rules};
use crate::array::dynamic::DynTensor;
use crate::element::Float;
use crate::sizes::Sizes;

/// A product of matrices or vectors, by `matmul` or by `dot`.
pub struct MatMul;

/// `x · weightᵀ + bias` with a matrix and a vector: the operands are `x`, `weight` and `bias`.
pub struct Linear;

/// The outer product of two vectors.
pub(crate) struct Outer;

rules! {
    MatMul: OPERANDS;
    Linear: OPERANDS;
    Outer: OPERANDS;
}

impl<T: Float> DynTensor<T> {
    fn times_matrix(&self, other: &Self) -> Self {
        fits(self.matmul(other))
    }

    fn transposed(&self) -> Self {
        fits(self.transpose())
    }

    /// Whether the matrices are column-major, like the transpose of contiguous ones.
    fn is_column_major(&self) -> bool {
        let (Some(layout), [.., rows, _]) = (self.layout.as_deref(), self.sizes()) else {
            return false;
        };
        matches!(layout.strides[..], [.., 1, column] if column.unsigned_abs() == *rows && column != 1)
    }

    /// `a b` summed to these sizes, column-major if `is_column_major`: a gradient in the layout of its
    /// operand needs no copy when it is passed back through the view.
    fn product_like(a: &Self, b: &Self, sizes: &Sizes, is_column_major: bool) -> Self {
        if !is_column_major {
            return a.times_matrix(b).summed_to(sizes);
        }
        let mut transposed = sizes.clone();
        let last = transposed.len() - 1;
        transposed.swap(last - 1, last);
        b.transposed().times_matrix(&a.transposed()).summed_to(&transposed).transposed()
    }
}

/// `y = a b`: `∂a = ∂y bᵀ` and `∂b = aᵀ ∂y`, where a vector is a matrix of one row or column.
impl GradientRule for MatMul {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (a, b) = (at.sizes(0), at.sizes(1));
        let k = *a.last().expect("products have no operand of rank 0");
        let n = if b.len() == 1 { 1 } else { b[b.len() - 1] };
        let (of_a, of_b): (Sizes, Sizes);
        let gradient = if b.len() <= 2 {
            // The right side is a single matrix for all rows of the left side.
            let rows = a[..a.len() - 1].iter().product();
            (of_a, of_b) = (Sizes::from_slice(&[rows, k]), Sizes::from_slice(&[k, n]));
            gradient.in_sizes(&[rows, n])
        } else {
            let m = if a.len() == 1 { 1 } else { a[a.len() - 2] };
            of_a = if a.len() == 1 { Sizes::from_slice(&[1, k]) } else { a.into() };
            of_b = b.into();
            let lead = gradient.sizes().len() + usize::from(a.len() == 1);
            let mut sizes: Sizes = gradient.sizes().into();
            sizes.truncate(lead - 2);
            sizes.extend([m, n]);
            gradient.in_sizes(&sizes)
        };
        let a_matrix = || at.operand::<T>(0).in_sizes(&of_a);
        let b_matrix = || at.operand::<T>(1).in_sizes(&of_b);
        let column_major = |position: usize, sizes: &Sizes| {
            at.operand::<T>(position).in_sizes(sizes).is_column_major()
        };
        smallvec![
            at.want(0, || {
                let b = b_matrix().transposed();
                DynTensor::product_like(&gradient, &b, &of_a, column_major(0, &of_a)).in_sizes(a)
            }),
            at.want(1, || {
                let a = a_matrix().transposed();
                DynTensor::product_like(&a, &gradient, &of_b, column_major(1, &of_b)).in_sizes(b)
            }),
        ]
    }
}

/// `y = x wᵀ + b`: `∂x = ∂y w`, `∂w = ∂yᵀ x`, `∂b = ∂y`, which the backward pass sums over the rows.
impl GradientRule for Linear {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (x, w) = (at.sizes(0), at.sizes(1));
        let rows = x[..x.len() - 1].iter().product();
        let of_rows = || gradient.in_sizes(&[rows, w[0]]);
        smallvec![
            at.want(0, || of_rows().times_matrix(&at.operand(1)).in_sizes(x)),
            at.want(1, || of_rows()
                .transposed()
                .times_matrix(&at.operand(0).in_sizes(&[rows, w[1]]))),
            at.want(2, || gradient.clone()),
        ]
    }
}

impl GradientRule for Outer {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (a, b) = (at.operand::<T>(0), at.operand::<T>(1));
        smallvec![at.want(0, || gradient.times_matrix(&b)), at.want(1, || a.times_matrix(gradient)),]
    }
}
