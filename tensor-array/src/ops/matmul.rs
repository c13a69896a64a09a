//! Products: `matmul`, `dot`, `outer`, and the linear layer.

use tensor_kernels::instances::instances;
use tensor_kernels::kernel::function;
use tensor_kernels::layout::{ErasedView, StridedLayout, len_in_memory};
use tensor_kernels::ops::{Mul, ProductCall};
use tensor_kernels::plan::broadcast_sizes;
use tensor_kernels::static_calls::call_product;

use super::operation::Operation;
use super::prelude::*;
use crate::array::recording::Recordable;
use crate::array::trace;

/// The ranks that a product takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProductRow {
    /// The ranks that it takes, for the run-time error.
    pub operands: &'static str,
}

/// Generates the operation types (zero-sized) and their rows.
macro_rules! operations {
    ($($(#[$doc:meta])* $Op:ident: $name:literal, $operands:literal,
        numpy $numpy:literal, pytorch $pytorch:literal, stablehlo $stablehlo:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $Op;

            impl $Op {
                pub(crate) const ROW: ProductRow = ProductRow { operands: $operands };
            }
        )*

        /// The operations of this file.
        pub(super) const NAMES: &[Operation] = &[$(Operation {
            name: $name,
            operands: 2,
            elements: "Number",
            topic: "Products",
            numpy: Some($numpy),
            pytorch: Some($pytorch),
            stablehlo: Some($stablehlo),
        }),*];
    };
}

operations! {
    /// Matrix product over broadcast leading axes.
    Matmul: "matmul",
        "`matmul` takes at least one axis on both sides",
        numpy "matmul", pytorch "matmul", stablehlo "dot_general";
    /// Contraction of the last axis with a matrix or a vector.
    Dot: "dot",
        "`dot` takes at least one axis on its left side, a matrix or a vector on its right side",
        numpy "dot", pytorch "matmul", stablehlo "dot_general";
    /// All products of an element of one vector with an element of another.
    Outer: "outer",
        "`outer` takes two vectors",
        numpy "outer", pytorch "outer", stablehlo "dot_general";
}

/// The number of terms of a product's sums, from the sizes of its left operand.
fn contracted(left: &[usize]) -> u64 {
    left.last().map_or(1, |&size| size as u64)
}

primitive!(
    Matmul,
    |_| "matmul",
    |_, operands, result| 2 * count(result) * contracted(operands[0]),
    |_, to| to.builder.matmul(&to.x[0], &to.x[1], to.sizes),
);

/// `x · weightᵀ + bias` with a matrix and a vector: the operands are `x`, `weight` and `bias`.
#[derive(Clone, Copy, Debug)]
pub struct Linear;

primitive!(
    Linear,
    |_| "linear",
    |_, operands, result| 2 * count(result) * contracted(operands[0]) + count(result),
    |_, to| {
        let weight = to.builder.transpose(&to.x[1], &[1, 0]);
        let product = to.builder.matmul(&to.x[0], &weight, to.sizes);
        let bias = to.builder.broadcast(&to.x[2], to.sizes);
        to.builder.binary("add", &product, &bias)
    },
);

primitive!(Outer, |_| "outer", |_, _, result| count(result), |_, to| {
    let column = to.builder.reshape(&to.x[0], &[to.x[0].sizes[0], 1]);
    let column = to.builder.broadcast(&column, to.sizes);
    let row = to.builder.broadcast(&to.x[1], to.sizes);
    to.builder.binary("multiply", &column, &row)
});

evaluate!(
    Outer => (left: T, right: T) -> T where T: Number,
    |_, _| outer_erased(left.as_view(), right.as_view()),
    |outer| *outer,
);

/// `x · weightᵀ + bias`
#[doc(hidden)]
#[track_caller]
pub fn linear_step<T: Float>(sizes: &[usize], operands: &[&dyn Recordable; 3]) -> DynTensor<T> {
    let of_result = Sizes::from_slice(sizes);
    trace::step(Linear.into(), Some(Rule::of::<T>(Linear)), sizes, operands, move |x| {
        let (x, weight, bias) =
            (trace::operand::<T>(x, 0), trace::operand::<T>(x, 1), trace::operand::<T>(x, 2));
        match T::linear(x.as_view(), weight.as_view(), bias.as_view()) {
            Some(storage) => DynTensor::from_storage(of_result.clone(), storage),
            None => {
                let product = weight.transpose().and_then(|weight| x.dot(&weight));
                let sum = product.and_then(|product| &product + bias);
                sum.expect("the shapes are those of the trace")
            }
        }
    })
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

/// The rule of [`Matmul`]. Not inlined, so that its code is that of this crate.
#[doc(hidden)]
#[inline(never)]
pub fn matmul_rule<T: Element>() -> Rule {
    Rule::of::<T>(Matmul)
}

/// The rule of [`Linear`].
#[doc(hidden)]
#[inline(never)]
pub fn linear_rule<T: Element>() -> Rule {
    Rule::of::<T>(Linear)
}

instances!(matmul_rule::<f32>, matmul_rule::<f64>, linear_rule::<f32>, linear_rule::<f64>);

/// `y = a b`: `∂a = ∂y bᵀ` and `∂b = aᵀ ∂y`, where a vector is a matrix of one row or column.
impl GradientRule for Matmul {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
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
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
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
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let (a, b) = (at.operand::<T>(0), at.operand::<T>(1));
        smallvec![at.want(0, || gradient.times_matrix(&b)), at.want(1, || a.times_matrix(gradient)),]
    }
}

/// # Products
#[tensor_array_macros::method_docs(twins)]
impl<T: Number> DynTensor<T> {
    /// The matrix product, by the rules of
    /// [NumPy](https://numpy.org/doc/stable/reference/generated/numpy.matmul.html):
    /// `[..l, m, k] × [..r, k, n] → [..(l ⊕ r), m, n]`, `[k] × [..r, k, n] → [..r, n]`, `[..l, k] × [k] → [..l]`.
    /// Leading axes broadcast without copies, and views such as transposes are read without copies. Integers wrap
    /// around; 16-bit floats are summed in `f32`. A sum over no element is 0.
    /// Errors: [`ShapeError::ProductRank`] if a side has rank 0, [`ShapeError::Contracted`] if the axes
    /// that are summed over have different sizes, [`ShapeError::Sizes`] if the leading axes do not broadcast,
    /// [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let a = DynTensor::from_vec(&[3, 2], vec![1, 2, 3, 4, 5, 6])?;
    /// let b = DynTensor::from_vec(&[2, 2], vec![1, 0, 0, -1])?;
    /// assert_eq!(a.matmul(&b)?, DynTensor::from_vec(&[3, 2], vec![1, -2, 3, -4, 5, -6])?);
    /// assert_eq!(
    ///     b.matmul(&a).unwrap_err().to_string(),
    ///     "cannot multiply: the last axis of the left side has size 2, the second last axis of the right side has size 3"
    /// );
    /// ```
    #[doc(alias("mm", "bmm", "mv", "@", "gemm"))]
    pub fn matmul(&self, right: &Self) -> Result<Self, ShapeError> {
        let ranks_fit = self.rank() > 0 && right.rank() > 0;
        self.check(right, &Matmul::ROW, ranks_fit)?;
        let (lead, m) = match &self.sizes[..self.rank() - 1] {
            [lead @ .., m] => (lead, Some(*m)),
            [] => (&[][..], None),
        };
        let (batch, n) = match &right.sizes[..] {
            [batch @ .., _, n] => (batch, Some(*n)),
            _ => (&[][..], None),
        };
        let mut result = broadcast_sizes(lead, batch)?;
        result.extend(m.into_iter().chain(n));
        self.multiplied(right, result)
    }

    /// The product of the last axis with a matrix, `[..lead, k] · [k, n] → [..lead, n]`, or with a vector,
    /// `[..lead, k] · [k] → [..lead]`. Integers wrap around; 16-bit floats are summed in `f32`. A sum over no
    /// element is 0.
    /// Errors: [`ShapeError::ProductRank`] if the left side has rank 0 or the right side neither rank 1
    /// nor 2, [`ShapeError::Contracted`] if the axes that are summed over have different sizes,
    /// [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from_vec(&[2, 2], vec![1.0, 2.0, 3.0, 4.0])?;
    /// let weights = DynTensor::from_vec(&[2], vec![10.0, 1.0])?;
    /// assert_eq!(x.dot(&weights)?, DynTensor::from_vec(&[2], vec![12.0, 34.0])?);
    /// ```
    #[doc(alias("tensordot", "vdot", "linear", "inner"))]
    pub fn dot(&self, right: &Self) -> Result<Self, ShapeError> {
        let ranks_fit = self.rank() > 0 && matches!(right.rank(), 1 | 2);
        self.check(right, &Dot::ROW, ranks_fit)?;
        let mut result = Sizes::from_slice(&self.sizes[..self.rank() - 1]);
        result.extend(right.sizes.get(1).copied());
        self.multiplied(right, result)
    }

    /// The outer product, all products of elements of two vectors, `[m] ⊗ [n] → [m, n]`. Integers wrap around.
    /// Errors: [`ShapeError::ProductRank`] if a side is not a vector, [`ShapeError::TooLarge`] if the
    /// result does not fit into memory.
    /// ```
    /// let (x, y) = (DynTensor::from_vec(&[3], vec![1, 2, 3])?, DynTensor::from_vec(&[2], vec![1, 10])?);
    /// assert_eq!(x.outer(&y)?, DynTensor::from_vec(&[3, 2], vec![1, 10, 2, 20, 3, 30])?);
    /// ```
    #[doc(alias("ger", "tensordot"))]
    pub fn outer(&self, right: &Self) -> Result<Self, ShapeError> {
        let (left_sizes, right_sizes) = (&self.sizes[..], &right.sizes[..]);
        let (&[m], &[n]) = (left_sizes, right_sizes) else {
            return Err(self.wrong_rank(right, &Outer::ROW));
        };
        let result = Sizes::from_slice(&[m, n]);
        fits_into_memory::<T>(&result)?;
        Ok(apply::<(T, T), _>(Outer, (self, right), result))
    }

    /// Refuses operands whose ranks do not fit, or whose contracted axes differ.
    fn check(&self, right: &Self, product: &ProductRow, ranks_fit: bool) -> Result<(), ShapeError> {
        if !ranks_fit {
            return Err(self.wrong_rank(right, product));
        }
        let left = self.sizes[self.rank() - 1];
        let (right, position) = match right.sizes[..] {
            [.., axis, _] => (axis, "the second last axis"),
            [axis] => (axis, "the only axis"),
            [] => unreachable!("the rank was checked"),
        };
        if left != right {
            return Err(ShapeError::Contracted { left, right, position });
        }
        Ok(())
    }

    fn wrong_rank(&self, right: &Self, product: &ProductRow) -> ShapeError {
        let (expected, left, right) = (product.operands, self.rank(), right.rank());
        ShapeError::ProductRank { expected, left, right }
    }

    /// The product with these sizes, of operands that were checked to match.
    fn multiplied(&self, right: &Self, result: Sizes) -> Result<Self, ShapeError> {
        fits_into_memory::<T>(&result)?;
        let operands: [&[usize]; 2] = [&self.sizes, &right.sizes];
        let call = ProductCall { mkn: None, sizes: &result, operands };
        let (storage, layout) = call_product(&call, self.array(), right.array());
        Ok(Self { sizes: result, layout, storage })
    }
}

/// The outer product of two vectors, `[m] ⊗ [n] → [m, n]`, as the product of a column and a row.
///
/// # Panics
///
/// If the result does not fit into memory.
#[track_caller]
fn outer_erased<T: Number>(left: ErasedView<'_, T>, right: ErasedView<'_, T>) -> Storage<T> {
    let sizes = [left.sizes[0], right.sizes[0]];
    len_in_memory(&sizes, size_of::<T>());
    let layout = left.layout.map(|layout| {
        let strides = [layout.strides[0], 0].iter().copied().collect();
        StridedLayout::new(layout.offset, strides)
    });
    let column_sizes = [left.sizes[0], 1];
    let column = ErasedView::new(&column_sizes, layout.as_ref(), left.elements());
    function::binary::<Mul, T>().evaluate(&sizes, (column, right))
}
