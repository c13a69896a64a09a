//! Products of matrices and vectors.

use core::marker::PhantomData;

use super::dispatch::{NONE, checked, combine};
use crate::array::kernel::matmul::{Factor, is_own_sum, multiply};
#[cfg(target_arch = "x86_64")]
use crate::array::kernel::product::{ConstSizes, finds_fuses, fuses, small_fused};
use crate::array::kernel::product::{Matrix, is_small, one_product};
use crate::array::layout::{AnyView, SizesOf, Strided, View};
use crate::array::plan::stretched;
#[cfg(target_arch = "x86_64")]
use crate::array::storage::INLINE;
use crate::array::storage::Storage;
use crate::element::{Element, Number};
use crate::shape::matmul_shape::{DotOf, Dotted, MatmulOf, Multiplied, OuterOf, Outered};
use crate::shape::{Shape, Sizes, StaticSizes};
use crate::tensor::Tensor;
use crate::tensor::operand::OperandOf;

/// The shape of a product of type `$O`: the one there is, or what `$shape` gives. Where the sides are
/// such that nothing is to be compared, the rest is not even compiled.
macro_rules! product_shape {
    ($O:ty, $L:ty, $R:ty, $shape:expr) => {
        if const { <$L as Shape>::CONSTANT.is_some() && <$R as Shape>::CONSTANT.is_some() } {
            <$O as Shape>::CONSTANT.expect("a product has the axes of its sides")
        } else {
            checked($shape)
        }
    };
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The matrix product, by the rules of
    /// [NumPy](https://numpy.org/doc/stable/reference/generated/numpy.matmul.html):
    /// `[..l, m, k] × [..r, k, n] → [..(l ⊕ r), m, n]`, where a side of rank 1 is a vector.
    ///
    /// The leading axes broadcast without copies, and so do views: `a.matmul(&b.transpose())`
    /// copies nothing but the result. Integers wrap around; 16-bit floats are summed in `f32`. A
    /// sum over no element is 0.
    ///
    /// # Panics
    ///
    /// When a named axis has two sizes.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let a = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    /// let b = tensor![[1.0, 0.0], [0.0, -1.0]];
    /// assert_eq!(a.matmul(&b), tensor![[1.0, -2.0], [3.0, -4.0], [5.0, -6.0]]);
    ///
    /// let queries = Tensor::<shape![8, 1, 10, 64]>::ones();
    /// let keys = Tensor::<shape![2, 10, 64]>::ones();
    /// let scores: Tensor<shape![8, 2, 10, 10]> = queries.matmul(&keys.transpose());
    /// assert_eq!(scores[[7, 1, 9, 9]], 64.0);
    /// ```
    #[track_caller]
    pub fn matmul<R: OperandOf<T>>(&self, right: R) -> Tensor<Multiplied<S, R::Shape>, T>
    where
        <T as Number>::Checked: Sized,
        R::Shape: MatmulOf<S>,
        T: Number,
    {
        let right = right.view();
        let shape = product_shape!(Multiplied<S, R::Shape>, S, R::Shape, MatmulOf::product_shape(self.shape, right.shape));
        product(self.view(), right, shape)
    }

    /// The product of the last axis with a matrix, `[..lead, k] · [k, n] → [..lead, n]`, or with a
    /// vector, `[..lead, k] · [k] → [..lead]`.
    ///
    /// Unlike [`matmul`](Tensor::matmul) it needs to know nothing about the leading axes, so that
    /// a layer can be written for any of them. Integers wrap around; 16-bit floats are summed in
    /// `f32`. A sum over no element is 0.
    ///
    /// # Panics
    ///
    /// When a named axis has two sizes.
    ///
    /// ```
    /// use tensor_core::{Axis, Shape, Tensor, shape, tensor};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.dot(&tensor![10.0, 1.0]), tensor![12.0, 34.0]);
    ///
    /// fn project<Lead: Shape, I: Axis, O: Axis>(
    ///     x: &Tensor<(Lead, I)>,
    ///     weight: &Tensor<shape![I, O]>,
    /// ) -> Tensor<(Lead, O)> {
    ///     x.dot(weight)
    /// }
    /// let y = project(&Tensor::<shape![5, 7, 2]>::ones(), &Tensor::<shape![2, 3]>::ones());
    /// assert_eq!(y, Tensor::<shape![5, 7, 3]>::full(2.0));
    /// ```
    #[track_caller]
    pub fn dot<R: OperandOf<T>>(&self, right: R) -> Tensor<Dotted<S, R::Shape>, T>
    where
        <T as Number>::Checked: Sized,
        R::Shape: DotOf<S>,
        T: Number,
    {
        let right = right.view();
        let shape = product_shape!(Dotted<S, R::Shape>, S, R::Shape, DotOf::product_shape(self.shape, right.shape));
        product(self.view(), right, shape)
    }

    /// All products of an element of one vector with an element of another, `[m] ⊗ [n] → [m, n]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let table = tensor![1, 2, 3].outer(&tensor![1, 10]);
    /// assert_eq!(table, tensor![[1, 10], [2, 20], [3, 30]]);
    /// ```
    pub fn outer<R: OperandOf<T>>(&self, right: R) -> Tensor<Outered<S, R::Shape>, T>
    where
        <T as Number>::Checked: Sized,
        R::Shape: OuterOf<S>,
        T: Number,
    {
        let (left, right) = (self.view(), right.view());
        let shape = checked(OuterOf::product_shape(left.shape, right.shape));
        let strided = |offset, strides: [isize; 2]| Strided {
            offset,
            strides: strides.iter().copied().collect(),
        };
        let of_left = strided(left.offset(), [left.strides()[0], 0]);
        let of_right = strided(right.offset(), [0, right.strides()[0]]);
        let sizes = shape.sizes();
        let operands =
            [(left.elements, &of_left), (right.elements, &of_right)].map(|(elements, layout)| {
                AnyView { sizes: &sizes, layout: Some(layout), elements }.erase()
            });
        // SAFETY: the kernel multiplies elements of type `T`.
        unsafe { combine(T::Mul, NONE, shape, &None, operands) }
    }
}

/// The rows, the inner size and the columns of a product of matrices or vectors whose sizes the
/// types know.
const fn sizes(left: Option<StaticSizes>, right: Option<StaticSizes>) -> Option<[usize; 3]> {
    let (Some(left), Some(right)) = (left, right) else { return None };
    let (m, k) = match *left.as_slice() {
        [k] => (1, k),
        [m, k] => (m, k),
        _ => return None,
    };
    let n = match *right.as_slice() {
        [_] => 1,
        [_, n] => n,
        _ => return None,
    };
    Some([m, k, n])
}

/// The shapes of two sides.
struct Pair<L, R>(PhantomData<(L, R)>);

impl<L: Shape, R: Shape> Pair<L, R> {
    const IS_SMALL: bool = match sizes(L::STATIC_SIZES, R::STATIC_SIZES) {
        Some([m, k, n]) => is_small(m, k, n),
        None => false,
    };
    /// How many elements the result has.
    #[cfg(target_arch = "x86_64")]
    const LEN: usize = <Self as ConstSizes>::SIZES[0] * <Self as ConstSizes>::SIZES[2];
}

#[cfg(target_arch = "x86_64")]
impl<L: Shape, R: Shape> ConstSizes for Pair<L, R> {
    const SIZES: [usize; 3] = match sizes(L::STATIC_SIZES, R::STATIC_SIZES) {
        Some(sizes) => sizes,
        None => [0; 3],
    };
}

/// The product of two tensors whose shapes were found to match, by `matmul` or by `dot`: the
/// result has the axes of the left side but the last one, then those of the right side but the
/// second last.
#[inline]
fn product<L: Shape, R: Shape, O: Shape, T: Number>(
    left: View<'_, L, T>,
    right: View<'_, R, T>,
    shape: O,
) -> Tensor<O, T> {
    #[cfg(target_arch = "x86_64")]
    if const { Pair::<L, R>::IS_SMALL }
        && let (None, None) = (left.layout, right.layout)
        && fuses::<T>()
    {
        // SAFETY: the machine was found to have what the function asks for.
        return unsafe { product_fused::<L, R, O, T>(left.elements, right.elements, shape) };
    }
    let shapes = (left.shape, right.shape);
    product_loops(left.layout, left.elements, right.layout, right.elements, shapes, shape)
}

/// [`product`] of small matrices. The elements are put where the tensor is to be: to move vectors
/// that were just written takes longer than the product of 4 by 4.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn product_fused<L: Shape, R: Shape, O: Shape, T: Number>(
    left: &[T],
    right: &[T],
    shape: O,
) -> Tensor<O, T> {
    if const { Pair::<L, R>::LEN <= INLINE } {
        let mut results = [T::ZERO; INLINE];
        small_fused::<Pair<L, R>, T>(left, right, |place, sum| results[place] = sum);
        return Tensor::from_storage(shape, Storage::Inline(results));
    }
    // SAFETY: every result is written.
    let storage = unsafe {
        Storage::build(Pair::<L, R>::LEN, |results| {
            small_fused::<Pair<L, R>, T>(left, right, |place, sum| {
                results[place].write(sum);
            });
        })
    };
    Tensor::from_storage(shape, storage)
}

/// [`product`] by the kernel. A function of its own, so that small tensors do not pay for its
/// frame; it takes the sides in parts, which stay in registers.
#[inline(never)]
fn product_loops<L: Shape, R: Shape, O: Shape, T: Number>(
    left_layout: Option<&Strided>,
    left: &[T],
    right_layout: Option<&Strided>,
    right: &[T],
    (left_shape, right_shape): (L, R),
    shape: O,
) -> Tensor<O, T> {
    if let (None, None) = (left_layout, right_layout) {
        #[cfg(target_arch = "x86_64")]
        if const { Pair::<L, R>::IS_SMALL } && finds_fuses::<T>() {
            // SAFETY: the machine has what the function asks for.
            return unsafe { product_fused::<L, R, O, T>(left, right, shape) };
        }
        if let Some(sizes) = const { sizes(L::STATIC_SIZES, R::STATIC_SIZES) }
            && (const { Pair::<L, R>::IS_SMALL } || is_own_sum::<T>())
        {
            return Tensor::from_storage(shape, multiply_slices(sizes, left, right));
        }
    }
    let left = View { shape: left_shape, layout: left_layout, elements: left };
    let right = View { shape: right_shape, layout: right_layout, elements: right };
    let [place, of_left, of_right] = &mut <[Sizes; 3]>::default();
    let sizes = SizesOf::of(shape, place);
    Tensor::from_storage(shape, multiply_any(sizes, left.any(of_left), right.any(of_right)))
}

/// [`product`] without the types of the shapes.
#[inline(never)]
fn multiply_any<T: Number>(
    sizes_of_result: &[usize],
    left: AnyView<'_, T>,
    right: AnyView<'_, T>,
) -> Storage<T> {
    let sizes = [left.sizes, right.sizes];
    let strides = [&left.strides()[..], &right.strides()];
    let offsets = [left.offset(), right.offset()];
    let elements = [left.elements, right.elements];
    if left.sizes.len() <= 2 && right.sizes.len() <= 2 && is_own_sum::<T>() {
        multiply_matrices(sizes, strides, offsets, elements)
    } else {
        multiply_views(sizes_of_result, sizes, strides, offsets, elements)
    }
}

/// [`product`] of two matrices or vectors in row-major order, for a type that is the type of its
/// sums, or of small ones.
#[inline(never)]
fn multiply_slices<T: Number>([m, k, n]: [usize; 3], left: &[T], right: &[T]) -> Storage<T> {
    let left = Matrix { elements: left, start: 0, row: k as isize, column: 1 };
    let right = Matrix { elements: right, start: 0, row: n as isize, column: 1 };
    // SAFETY: the kernel writes every result.
    unsafe { Storage::build(m * n, |results| one_product([m, k, n], left, right, None, results)) }
}

/// [`product`] of two matrices or vectors, for a type that is the type of its sums.
fn multiply_matrices<T: Number>(
    [left_sizes, right_sizes]: [&[usize]; 2],
    [left_strides, right_strides]: [&[isize]; 2],
    [left_offset, right_offset]: [usize; 2],
    [left, right]: [&[T]; 2],
) -> Storage<T> {
    let (m, k, row, column) = match (left_sizes, left_strides) {
        (&[m, k], &[row, column]) => (m, k, row, column),
        _ => (1, left_sizes[0], 0, left_strides[0]),
    };
    let left = Matrix { elements: left, start: left_offset as isize, row, column };
    let (n, row, column) = match (right_sizes, right_strides) {
        (&[_, n], &[row, column]) => (n, row, column),
        _ => (1, right_strides[0], 0),
    };
    let right = Matrix { elements: right, start: right_offset as isize, row, column };
    // SAFETY: the kernel writes every result.
    unsafe { Storage::build(m * n, |results| one_product([m, k, n], left, right, None, results)) }
}

/// [`product`] without the types of the shapes. A side of rank 1 is a vector: it lacks the axis of
/// the rows or of the columns.
fn multiply_views<T: Number>(
    result: &[usize],
    [left_sizes, right_sizes]: [&[usize]; 2],
    [left_strides, right_strides]: [&[isize]; 2],
    [left_offset, right_offset]: [usize; 2],
    [left, right]: [&[T]; 2],
) -> Storage<T> {
    let last = left_sizes.len() - 1;
    let (rows, columns) = match right_sizes.len() {
        1 => (result, 1),
        _ => (&result[..result.len() - 1], result[result.len() - 1]),
    };
    let rank = rows.len();
    // Where the left side has rows, the last of them is no leading axis of the right side.
    let batch_rank = rank - usize::from(last > 0 && right_sizes.len() > 1);
    let batch = right_sizes.len().saturating_sub(2);
    let mut right_rows = stretched(&right_sizes[..batch], &right_strides[..batch], batch_rank);
    right_rows.resize(rank, 0);
    let (right_inner, right_column) = match *right_strides {
        [.., inner, column] => (inner, column),
        _ => (right_strides[0], 0),
    };
    let left = Factor {
        elements: left,
        offset: left_offset,
        rows: stretched(&left_sizes[..last], &left_strides[..last], rank),
        inner: left_strides[last],
    };
    let right =
        Factor { elements: right, offset: right_offset, rows: right_rows, inner: right_inner };
    let len = result.iter().product();
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(len, |results| {
            multiply(rows, left_sizes[last], columns, &left, &right, right_column, results);
        })
    }
}
