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
                gradient.matmul(&b_matrix.transpose()).sum_to(&of_a).reshape(a.sizes())
            }),
            at.want(1, || {
                a_matrix.transpose().matmul(&gradient).sum_to(&of_b).reshape(b.sizes())
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
