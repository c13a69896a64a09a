//! The rules of products.

use smallvec::smallvec;

use super::rule::{At, Operands, Rule, rules};
use super::value::{Value, fits};
use crate::element::Float;
use crate::shape::Sizes;
use crate::tensor::rules::{MatMul, Outer};

rules! {
    MatMul: OPERANDS;
    Outer: OPERANDS;
}

impl<T: Float> Value<T> {
    fn matmul(&self, other: &Self) -> Self {
        Self(fits(self.0.matmul(&other.0)))
    }

    fn transpose(&self) -> Self {
        Self(fits(self.0.transpose()))
    }

    /// Whether the matrices lie column by column, as the transpose of contiguous ones.
    fn is_column_major(&self) -> bool {
        let (Some(layout), [.., rows, _]) = (self.0.layout.as_deref(), self.sizes()) else {
            return false;
        };
        matches!(layout.strides[..], [.., 1, column] if column.unsigned_abs() == *rows && column != 1)
    }

    /// `a b` summed to these sizes, where what it is the gradient of lies column by column if
    /// `is_column_major`: then so does the result, and is copied nowhere on the way to what it is a view of.
    fn product_like(a: &Self, b: &Self, sizes: &Sizes, is_column_major: bool) -> Self {
        if !is_column_major {
            return a.matmul(b).sum_to(sizes);
        }
        let mut transposed = sizes.clone();
        let last = transposed.len() - 1;
        transposed.swap(last - 1, last);
        b.transpose().matmul(&a.transpose()).sum_to(&transposed).transpose()
    }
}

/// `y = a b`: `∂a = ∂y bᵀ` and `∂b = aᵀ ∂y`, where a vector is a matrix of one row or column.
impl Rule for MatMul {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let (a, b) = (at.operand::<T>(0), at.operand::<T>(1));
        let k = *a.sizes().last().expect("products have no operand of rank 0");
        let n = if b.sizes().len() == 1 { 1 } else { b.sizes()[b.sizes().len() - 1] };
        let (of_a, of_b): (Sizes, Sizes);
        let gradient = if b.sizes().len() <= 2 {
            // One matrix for all rows of the left side.
            let rows = a.sizes()[..a.sizes().len() - 1].iter().product();
            (of_a, of_b) = (Sizes::from_slice(&[rows, k]), Sizes::from_slice(&[k, n]));
            gradient.reshape(&[rows, n])
        } else {
            let m = if a.sizes().len() == 1 { 1 } else { a.sizes()[a.sizes().len() - 2] };
            of_a = if a.sizes().len() == 1 { Sizes::from_slice(&[1, k]) } else { a.sizes().into() };
            of_b = b.sizes().into();
            let lead = gradient.sizes().len() + usize::from(a.sizes().len() == 1);
            let mut sizes: Sizes = gradient.sizes().into();
            sizes.truncate(lead - 2);
            sizes.extend([m, n]);
            gradient.reshape(&sizes)
        };
        let (a_matrix, b_matrix) = (a.reshape(&of_a), b.reshape(&of_b));
        smallvec![
            at.want(0, || {
                let b = b_matrix.transpose();
                Value::product_like(&gradient, &b, &of_a, a_matrix.is_column_major())
                    .reshape(a.sizes())
            }),
            at.want(1, || {
                let a = a_matrix.transpose();
                Value::product_like(&a, &gradient, &of_b, b_matrix.is_column_major())
                    .reshape(b.sizes())
            }),
        ]
    }
}

impl Rule for Outer {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let (a, b) = (at.operand::<T>(0), at.operand::<T>(1));
        smallvec![at.want(0, || gradient.matmul(&b)), at.want(1, || a.matmul(gradient)),]
    }
}
