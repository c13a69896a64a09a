//! The entry points for each element type: what typed code and `DynTensor` call.
#![allow(
    private_interfaces,
    reason = "users cannot name the trait, only this crate calls its items"
)]

use core::mem::MaybeUninit;

use super::matrix::Matrix;
use super::{GemmElement, gemm_dispatch, is_of_few_rows, is_small, matmul_erased};
use crate::array_ref::ArrayRef;
use crate::autocast::autocast;
use crate::element::{Element, Number};
use crate::layout::{ErasedView, Layout, len_in_memory, num_elements};
use crate::ops::ProductCall;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::products::MatmulKernels;
use crate::storage::Storage;

/// Implements [`MatmulKernels`] for element types, by the functions of a module below.
macro_rules! kernels {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* kernels!(@$class $T); )*
    };
    (@float $T:ident) => {
        kernels!(@impl in_type: $T, unrolled: true, |a, b, c| a.mul_add(b, c), {
            kernels!(@autocast $T);

            #[inline(never)]
            fn linear(
                x: ErasedView<'_, Self>,
                weight: ErasedView<'_, Self>,
                bias: ErasedView<'_, Self>,
            ) -> Option<Storage<Self>> {
                in_type::linear(x, weight, bias)
            }
        });
    };
    (@autocast f32) => {
        #[inline(always)]
        fn autocast_product(
            call: &ProductCall<'_>,
            left: ArrayRef<'_, Self>,
            right: ArrayRef<'_, Self>,
        ) -> Option<(Storage<Self>, Layout)> {
            autocast().map(|to| (to.product)(call, left, right))
        }
    };
    (@autocast f64) => {};
    (@unsigned u8) => { kernels!(@integer widened u8); };
    (@unsigned u16) => { kernels!(@integer widened u16); };
    (@unsigned $T:ident) => { kernels!(@integer in_type $T); };
    (@signed i8) => { kernels!(@integer widened i8); };
    (@signed i16) => { kernels!(@integer widened i16); };
    (@signed $T:ident) => { kernels!(@integer as_unsigned $T); };
    (@integer $loops:ident $T:ident) => {
        kernels!(@impl $loops: $T, unrolled: false, |a, b, c| c.add(a.mul(b)));
    };
    (@half $T:ident) => {
        kernels! {
            @impl widened: $T, unrolled: false,
            |a, b, c| Number::narrow(a.widen().mul_add(b.widen(), c.widen()))
        }
    };
    (@boolean $T:ident) => {};
    (@impl $loops:ident: $T:ident, unrolled: $is_unrolled:literal, |$a:ident, $b:ident, $c:ident| $fma:expr $(, {$($more:tt)*})?) => {
        impl MatmulKernels for $T {
            const IS_UNROLLED: bool = $is_unrolled;

            $($($more)*)?

            #[inline(always)]
            fn matmul_fma($a: Self, $b: Self, $c: Self) -> Self {
                $fma
            }

            #[inline(never)]
            fn matmul_strided(
                result: &[usize],
                left: ErasedView<'_, Self>,
                right: ErasedView<'_, Self>,
            ) -> Storage<Self> {
                let len = len_in_memory(result, size_of::<Self>());
                // SAFETY: `erased` writes every result.
                unsafe { Storage::build(len, |results| $loops::erased(result, left, right, results)) }
            }

            #[inline(never)]
            fn matmul_contiguous(
                mkn @ [m, _, n]: [usize; 3],
                left: &[Self],
                right: &[Self],
            ) -> Storage<Self> {
                let len = len_in_memory(&[m, n], size_of::<Self>());
                // SAFETY: `contiguous` writes every result.
                unsafe { Storage::build(len, |results| $loops::contiguous(mkn, left, right, results)) }
            }
        }
    };
}

for_each_element!(kernels);

/// Types whose products are summed in the type itself.
mod in_type {
    use super::*;

    pub(super) use super::matmul_erased as erased;

    pub(super) fn contiguous<A: GemmElement>(
        mkn @ [_, k, n]: [usize; 3],
        left: &[A],
        right: &[A],
        results: &mut [MaybeUninit<A>],
    ) {
        let (left, right) =
            (Matrix::row_major_strides(left, k), Matrix::row_major_strides(right, n));
        gemm_dispatch(mkn, left, right, None, results);
    }

    pub(super) fn linear<A: GemmElement>(
        x: ErasedView<'_, A>,
        weight: ErasedView<'_, A>,
        bias: ErasedView<'_, A>,
    ) -> Option<Storage<A>> {
        let gemm_plus_row = A::gemm_plus_row()?;
        let (&[n, inner], (&k, lead)) = (weight.sizes, x.sizes.split_last()?) else { return None };
        let m = num_elements(lead);
        let mkn = [m, k, n];
        if k != inner || bias.sizes != [n] || m < 2 || n < 2 || k == 0 || is_small(mkn) {
            return None;
        }
        let bias = bias.as_slice()?;
        let left = match (x.as_slice(), lead) {
            (Some(elements), _) => Matrix::row_major_strides(elements, k),
            (None, [_]) => Matrix::of_view(x),
            (None, _) => return None,
        };
        let right = Matrix::of_view(weight).transposed();
        if is_of_few_rows(mkn, right) {
            return None;
        }
        let len = len_in_memory(&[m, n], size_of::<A>());
        // SAFETY: a product writes all results.
        Some(unsafe {
            Storage::build(len, |results| gemm_plus_row(mkn, left, right, bias, results))
        })
    }
}

/// Signed integers, which wrap around like unsigned ones.
mod as_unsigned {
    use super::*;
    use crate::kernel::bits::{bits, bits_of, bits_of_slots};

    pub(super) fn erased<T: Element<Bits: GemmElement>>(
        result: &[usize],
        left: ErasedView<'_, T>,
        right: ErasedView<'_, T>,
        results: &mut [MaybeUninit<T>],
    ) {
        // SAFETY: every pattern of 32 or 64 bits is an element.
        matmul_erased(result, bits(&left), bits(&right), unsafe { bits_of_slots(results) });
    }

    pub(super) fn contiguous<T: Element<Bits: GemmElement>>(
        mkn: [usize; 3],
        left: &[T],
        right: &[T],
        results: &mut [MaybeUninit<T>],
    ) {
        // SAFETY: as above.
        let results = unsafe { bits_of_slots(results) };
        in_type::contiguous(mkn, bits_of(left), bits_of(right), results);
    }
}

/// 16-bit floats, which are summed as `f32` and rounded once, and integers of 8 and 16 bits, whose sums have the low bits of
/// those of 32-bit integers.
pub(in crate::kernel) mod widened {
    use super::*;
    use crate::kernel::matmul::{gemm_naive, is_small};
    use crate::layout::{StridedLayout, num_elements};

    /// A type that is summed in another one.
    pub(in crate::kernel) trait Widen: Element {
        type Wide: GemmElement;

        fn widen(self) -> Self::Wide;
        fn narrow(sum: Self::Wide) -> Self;
    }

    macro_rules! widen {
        ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
            $( $(#[$cfg])* widen!(@$class $T); )*
        };
        (@half $T:ident) => {
            widen!(@impl $T as f32, |x| Number::widen(x), |sum| Number::narrow(sum));
        };
        (@signed i8) => { widen!(@integer i8); };
        (@signed i16) => { widen!(@integer i16); };
        (@unsigned u8) => { widen!(@integer u8); };
        (@unsigned u16) => { widen!(@integer u16); };
        (@integer $T:ident) => { widen!(@impl $T as u32, |x| x as u32, |sum| sum as $T); };
        (@impl $T:ident as $Wide:ident, |$x:ident| $widen:expr, |$sum:ident| $narrow:expr) => {
            impl Widen for $T {
                type Wide = $Wide;

                #[inline(always)]
                fn widen(self) -> $Wide {
                    let $x = self;
                    $widen
                }

                #[inline(always)]
                fn narrow($sum: $Wide) -> $T {
                    $narrow
                }
            }
        };
        (@$class:ident $T:ident) => {};
    }

    for_each_element!(widen);

    #[inline(never)]
    fn widened<T: Widen>(elements: &[T]) -> Vec<T::Wide> {
        elements.iter().map(|element| element.widen()).collect()
    }

    /// The elements that the strides reach, widened, and the layout of the view over them.
    pub(in crate::kernel) fn widened_view<T: Widen>(
        view: ErasedView<'_, T>,
    ) -> (Vec<T::Wide>, Option<StridedLayout>) {
        if view.sizes.contains(&0) {
            return (Vec::new(), None);
        }
        let Some(StridedLayout { offset, strides, .. }) = view.layout else {
            return (widened(&view.elements()[..num_elements(view.sizes)]), None);
        };
        let (mut first, mut last) = (*offset, *offset);
        for (&size, &stride) in view.sizes.iter().zip(strides) {
            let reach = (size - 1).checked_mul(stride.unsigned_abs());
            let reach = reach.expect("strides within the elements");
            if stride < 0 {
                first -= reach;
            } else {
                last += reach;
            }
        }
        let layout = StridedLayout::new(offset - first, strides.clone());
        (widened(&view.elements()[first..=last]), Some(layout))
    }

    /// Narrows the sums that `write` writes.
    ///
    /// # Safety
    ///
    /// `write` must write every element of the slice that it is passed.
    pub(in crate::kernel) unsafe fn narrowed<T: Widen>(
        results: &mut [MaybeUninit<T>],
        write: impl FnOnce(&mut [MaybeUninit<T::Wide>]),
    ) {
        let mut sums = Vec::with_capacity(results.len());
        write(&mut sums.spare_capacity_mut()[..results.len()]);
        // SAFETY: `write` has written every sum, as the caller promises.
        unsafe { sums.set_len(results.len()) };
        for (result, &sum) in results.iter_mut().zip(&sums) {
            result.write(T::narrow(sum));
        }
    }

    pub(super) fn erased<T: Widen>(
        result: &[usize],
        left: ErasedView<'_, T>,
        right: ErasedView<'_, T>,
        results: &mut [MaybeUninit<T>],
    ) {
        if results.is_empty() {
            return;
        }
        let (a, a_layout) = widened_view(left);
        let (b, b_layout) = widened_view(right);
        let left = ErasedView::new(left.sizes, a_layout.as_ref(), &a);
        let right = ErasedView::new(right.sizes, b_layout.as_ref(), &b);
        // SAFETY: `matmul_erased` writes every sum.
        unsafe { narrowed(results, |sums| matmul_erased(result, left, right, sums)) };
    }

    pub(super) fn contiguous<T: Widen>(
        mkn @ [m, k, n]: [usize; 3],
        left: &[T],
        right: &[T],
        results: &mut [MaybeUninit<T>],
    ) {
        let (of_left, of_right) = (num_elements(&[m, k]), num_elements(&[k, n]));
        let (a, b) = (widened(&left[..of_left]), widened(&right[..of_right]));
        let write = |sums: &mut [MaybeUninit<T::Wide>]| {
            // Small products are summed without fused multiply-adds.
            if is_small(mkn) {
                let (a, b) = (Matrix::row_major_strides(&a, k), Matrix::row_major_strides(&b, n));
                gemm_naive(mkn, a, b, sums);
            } else {
                in_type::contiguous(mkn, &a, &b, sums);
            }
        };
        // SAFETY: both products write every sum.
        unsafe { narrowed(results, write) };
    }
}
