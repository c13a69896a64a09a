//! `matmul`, `dot` and `outer` of typed tensors: the shape of the result, products so small that they
//! are unrolled in the user's crate, and otherwise a call of the [kernel](tensor_kernels::kernel::matmul)
//! of the element type.

#![allow(unsafe_code, reason = "kernels take pointers")]

use core::marker::PhantomData;

#[cfg(target_arch = "x86_64")]
use tensor_array::ops::matmul as products;
#[cfg(target_arch = "x86_64")]
use tensor_kernels::autocast::autocast;
use tensor_kernels::element::{Element, Number};
#[cfg(target_arch = "x86_64")]
use tensor_kernels::kernel::matmul::{StaticMkn, detect_fma, gemm_unrolled_fma, has_fma, is_small};
#[cfg(target_arch = "x86_64")]
use tensor_kernels::layout::graph::refuse_kept;
#[cfg(target_arch = "x86_64")]
use tensor_kernels::layout::is_traced;
use tensor_kernels::ops::ProductCall;
use tensor_kernels::static_calls::{call_matmul, call_product};
#[cfg(target_arch = "x86_64")]
use tensor_kernels::storage::{INLINE, Storage};

use super::dispatch::{is_on_heap, is_static, result_shape, unwrap_or_panic, with_results};
use crate::shape::matmul_shape::{Dot, DotOutput, Matmul, MatmulOutput, Outer, OuterOutput};
use crate::shape::{Shape, Sizes, StaticSizes};
use crate::tensor::Tensor;
use crate::tensor::operand::{ElementWith, Operand};
#[cfg(target_arch = "x86_64")]
use crate::tensor::recording::{Outcome, Recordable};
use crate::tensor::typed_view::{SizesOf, View};

/// The shape of a product of type `$O`: its constant if it is static, else the result of `$function` for
/// `$shapes`; for static shapes the compiler does not visit the function.
macro_rules! product_shape {
    ($O:ty, $L:ty, $R:ty, $function:expr, $shapes:expr) => {{
        // A function pointer, which is `Some` only where it is needed: see `result_shape!`.
        let function = const {
            if <$L as Shape>::CONSTANT.is_some() && <$R as Shape>::CONSTANT.is_some() {
                None
            } else {
                Some($function as fn(_, _) -> _)
            }
        };
        match function {
            Some(function) => unwrap_or_panic(function($shapes.0, $shapes.1)),
            None => <$O as Shape>::CONSTANT.expect("a product has the axes of its sides"),
        }
    }};
}

/// # Products
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_matmul!()]
    /// Panics: If two operands give the same named axis different sizes, or if the result does not fit into
    /// memory.
    /// ```
    /// let a = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    /// let b = tensor![[1.0, 0.0], [0.0, -1.0]];
    /// assert_eq!(a.matmul(&b), tensor![[1.0, -2.0], [3.0, -4.0], [5.0, -6.0]]);
    ///
    /// let queries = Tensor::<shape![8, 1, 10, 64]>::ones();
    /// let keys = Tensor::<shape![2, 10, 64]>::ones();
    /// let scores: Tensor<shape![8, 2, 10, 10]> = queries.matmul(&keys.transpose());
    /// assert_eq!(scores[[7, 1, 9, 9]], 64.0);
    /// ```
    #[doc(alias("mm", "bmm", "mv", "@", "gemm"))]
    pub fn matmul<R, SR>(&self, right: R) -> Tensor<MatmulOutput<S, SR>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        S: Matmul<SR>,
        SR: Shape,
        T: Number,
    {
        let right = right.as_view();
        let shape = product_shape!(
            MatmulOutput<S, SR>, S, SR,
            <S as Matmul<SR>>::product_shape, (self.axes, right.shape)
        );
        product(self.as_view(), right, shape)
    }

    #[doc = doc_dot!()]
    /// Unlike [`matmul`](Tensor::matmul) it requires nothing of the leading axes, so that a layer can be written
    /// for any of them.
    /// Panics: If two operands give the same named axis different sizes, or if the result does not fit into
    /// memory.
    /// ```
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
    #[doc(alias("tensordot", "vdot", "linear", "inner"))]
    pub fn dot<R, SR>(&self, right: R) -> Tensor<DotOutput<S, SR>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        S: Dot<SR>,
        SR: Shape,
        T: Number,
    {
        let right = right.as_view();
        let shape = product_shape!(
            DotOutput<S, SR>, S, SR,
            <S as Dot<SR>>::product_shape, (self.axes, right.shape)
        );
        product(self.as_view(), right, shape)
    }

    #[doc = doc_outer!()]
    /// Panics: If the result does not fit into memory.
    /// ```
    /// let table = tensor![1, 2, 3].outer(&tensor![1, 10]);
    /// assert_eq!(table, tensor![[1, 10], [2, 20], [3, 30]]);
    /// ```
    #[doc(alias("ger", "tensordot"))]
    pub fn outer<R, SR>(&self, right: R) -> Tensor<OuterOutput<S, SR>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        S: Outer<SR>,
        SR: Shape,
        T: Number,
    {
        let right = right.as_view();
        let shape = result_shape!(
            OuterOutput<S, SR>,
            <S as Outer<SR>>::product_shape,
            (self.axes, right.shape)
        );
        Tensor::with_result(shape, self.erased().outer(&right.erased()))
    }
}

/// `m`, `k` and `n` of a product of matrices or vectors, if both shapes are static.
#[track_caller]
const fn static_mkn(left: Option<StaticSizes>, right: Option<StaticSizes>) -> Option<[usize; 3]> {
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

/// A pair of shapes: those of the left and the right side.
struct ShapePair<L, R>(PhantomData<(L, R)>);

impl<L: Shape, R: Shape> ShapePair<L, R> {
    const MKN: Option<[usize; 3]> = static_mkn(L::STATIC_SIZES, R::STATIC_SIZES);

    /// Whether the product is unrolled here, in the user's crate: this is faster than a call.
    #[cfg(target_arch = "x86_64")]
    #[track_caller]
    const fn is_unrolled<T: Number>() -> bool {
        T::IS_UNROLLED && matches!(Self::MKN, Some(mkn) if is_small(mkn))
    }

    /// The number of elements of a product that is unrolled.
    #[cfg(target_arch = "x86_64")]
    const LEN: usize = <Self as StaticMkn>::MKN[0] * <Self as StaticMkn>::MKN[2];
}

/// The constants of a product of static shapes.
struct StaticProduct<L, R, O>(PhantomData<(L, R, O)>);

impl<L: Shape, R: Shape, O: Shape> StaticProduct<L, R, O> {
    const CALL: &'static ProductCall<'static> = &ProductCall {
        mkn: ShapePair::<L, R>::MKN,
        sizes: SizesOf::<O>::STATIC,
        operands: [SizesOf::<L>::STATIC, SizesOf::<R>::STATIC],
    };
}

#[cfg(target_arch = "x86_64")]
impl<L: Shape, R: Shape> StaticMkn for ShapePair<L, R> {
    const MKN: [usize; 3] = match Self::MKN {
        Some(mkn) => mkn,
        None => [0; 3],
    };
}

/// The product of two tensors whose shapes `matmul` or `dot` has checked: the result has the
/// axes of the left side except the last one, then those of the right side except the second
/// last.
#[inline]
#[track_caller]
fn product<L: Shape, R: Shape, O: Shape, T: Number>(
    left: View<'_, L, T>,
    right: View<'_, R, T>,
    shape: O,
) -> Tensor<O, T> {
    #[cfg(target_arch = "x86_64")]
    {
        // A function pointer, which is `Some` only where it is needed: see `result_shape!`.
        let unrolled = const {
            if ShapePair::<L, R>::is_unrolled::<T>() {
                Some(product_unrolled::<L, R, O, T> as fn(View<'_, L, T>, View<'_, R, T>, O) -> _)
            } else {
                None
            }
        };
        if let Some(unrolled) = unrolled {
            if const { T::NUMBER == f32::NUMBER } && autocast().is_some() {
                return matmul_dispatch(left, right, shape);
            }
            refuse_kept(left.layout());
            refuse_kept(right.layout());
            return unrolled(left, right, shape);
        }
    }
    if const { is_static::<L>() && is_static::<R>() && is_on_heap::<O, T>() } {
        let call = StaticProduct::<L, R, O>::CALL;
        let results = call_matmul(call, left.array, right.array);
        // SAFETY: the results are the elements of the product, of type `T`.
        return unsafe { with_results(shape, results) };
    }
    matmul_dispatch(left, right, shape)
}

/// A small product, recorded if a side requires gradients.
#[cfg(target_arch = "x86_64")]
#[inline]
#[track_caller]
fn product_unrolled<L: Shape, R: Shape, O: Shape, T: Number>(
    left: View<'_, L, T>,
    right: View<'_, R, T>,
    shape: O,
) -> Tensor<O, T> {
    if left.is_recorded() || right.is_recorded() {
        return recorded_unrolled(left, right, shape);
    }
    unrolled(left, right, shape)
}

/// [`unrolled`], recorded for gradients. A separate function, because moving a small product just after
/// its vectors were written is slow.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
#[track_caller]
fn recorded_unrolled<L: Shape, R: Shape, O: Shape, T: Number>(
    left: View<'_, L, T>,
    right: View<'_, R, T>,
    shape: O,
) -> Tensor<O, T> {
    if is_traced(left.layout()) || is_traced(right.layout()) {
        return matmul_dispatch(left, right, shape);
    }
    unrolled(left, right, shape).with(&[&left, &right], || products::matmul_rule::<T>())
}

/// [`product`] of small matrices, not recorded.
#[cfg(target_arch = "x86_64")]
#[inline]
#[track_caller]
fn unrolled<L: Shape, R: Shape, O: Shape, T: Number>(
    left: View<'_, L, T>,
    right: View<'_, R, T>,
    shape: O,
) -> Tensor<O, T> {
    if let (None, None) = (left.layout(), right.layout())
        && has_fma()
    {
        // SAFETY: AVX2 and FMA were detected on this machine.
        return unsafe {
            matmul_unrolled_fma::<L, R, O, T>(left.elements(), right.elements(), shape)
        };
    }
    first_unrolled(left, right, shape)
}

/// [`product`] of small matrices. The elements are written directly into the returned tensor: moving
/// vectors that were just written takes longer than a product of 4 by 4.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[track_caller]
fn matmul_unrolled_fma<L: Shape, R: Shape, O: Shape, T: Number>(
    left: &[T],
    right: &[T],
    shape: O,
) -> Tensor<O, T> {
    if const { ShapePair::<L, R>::LEN <= INLINE } {
        let mut results = [T::ZERO; INLINE];
        gemm_unrolled_fma::<ShapePair<L, R>, T>(left, right, |index, sum| results[index] = sum);
        return Tensor::from_storage(shape, Storage::Inline(results));
    }
    // SAFETY: every result is written.
    let storage = unsafe {
        Storage::build(ShapePair::<L, R>::LEN, |results| {
            gemm_unrolled_fma::<ShapePair<L, R>, T>(left, right, |index, sum| {
                results[index].write(sum);
            });
        })
    };
    Tensor::from_storage(shape, storage)
}

/// [`product`] of small matrices that are strided, or before FMA was detected. A separate function, so
/// that unrolled products need no stack frame.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[track_caller]
fn first_unrolled<L: Shape, R: Shape, O: Shape, T: Number>(
    left: View<'_, L, T>,
    right: View<'_, R, T>,
    shape: O,
) -> Tensor<O, T> {
    if let (None, None) = (left.layout(), right.layout())
        && detect_fma()
    {
        // SAFETY: AVX2 and FMA were detected on this machine.
        return unsafe {
            matmul_unrolled_fma::<L, R, O, T>(left.elements(), right.elements(), shape)
        };
    }
    matmul_dispatch(left, right, shape)
}

/// [`product`] by the kernel of the element type.
#[inline]
#[track_caller]
fn matmul_dispatch<L: Shape, R: Shape, O: Shape, T: Number>(
    left: View<'_, L, T>,
    right: View<'_, R, T>,
    shape: O,
) -> Tensor<O, T> {
    let [of_result, of_left, of_right] = &mut <[Sizes; 3]>::default();
    let call = ProductCall {
        mkn: const { ShapePair::<L, R>::MKN },
        sizes: SizesOf::of(shape, of_result),
        operands: [SizesOf::of(left.shape, of_left), SizesOf::of(right.shape, of_right)],
    };
    let (storage, layout) = call_product(&call, left.array, right.array);
    Tensor { axes: shape, storage, layout }
}
