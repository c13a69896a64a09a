//! The entry points for each element type: what typed code and `DynTensor` call.
#![allow(
    private_interfaces,
    reason = "users cannot name the trait, only this crate calls its items"
)]

use core::mem::MaybeUninit;

use super::convolve;
use super::implicit::has_dense_vectors;
use super::weights::weights as weight_gradient;
use crate::element::Element;
use crate::kernel::bits::{bits, bits_of_slots};
use crate::kernel::matmul::widened::{narrowed, widened_view};
use crate::kernel::window_order::WindowOrder;
use crate::layout::{ErasedView, len_in_memory};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::windows::{FloatWindows, NumberWindows};
use crate::sizes::windows::Convolution;
use crate::storage::Storage;

/// The better order of the axes of a convolution.
fn order_of<T: Element>(plan: &Convolution) -> Option<WindowOrder> {
    WindowOrder::new(&plan.axes, &plan.result, &|axes| T::IS_FLOAT && has_dense_vectors(axes))
}

/// Implements both traits for element types, which sum in their own type, as unsigned integers, or in `f32`.
macro_rules! kernels {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* kernels!(@$class $T); )*
    };
    (@float $T:ident) => {
        kernels!(@number $T, |plan, input, weights, results| convolve(plan, input, weights, results));
        kernels!(@means $T, |plan, input, gradient, results| {
            weight_gradient(plan, input, gradient, results)
        });
    };
    (@unsigned u8) => { kernels!(@widened u8); };
    (@unsigned u16) => { kernels!(@widened u16); };
    (@unsigned $T:ident) => {
        kernels!(@number $T, |plan, input, weights, results| convolve(plan, input, weights, results));
    };
    (@signed i8) => { kernels!(@widened i8); };
    (@signed i16) => { kernels!(@widened i16); };
    (@signed $T:ident) => {
        kernels!(@number $T, |plan, input, weights, results| {
            // SAFETY: every pattern of bits is an integer.
            convolve(plan, bits(&input), bits(&weights), unsafe { bits_of_slots(results) });
        });
    };
    (@widened $T:ident) => {
        kernels!(@number $T, |plan, input, weights, results| {
            let (a, a_layout) = widened_view(input);
            let (b, b_layout) = widened_view(weights);
            let input = ErasedView::new(input.sizes, a_layout.as_ref(), &a);
            let weights = ErasedView::new(weights.sizes, b_layout.as_ref(), &b);
            // SAFETY: `convolve` writes every sum.
            unsafe { narrowed(results, |sums| convolve(plan, input, weights, sums)) };
        });
    };
    (@half $T:ident) => {
        kernels!(@widened $T);
        kernels!(@means $T, |plan, input, gradient, results| {
            let (a, a_layout) = widened_view(input);
            let (b, b_layout) = widened_view(gradient);
            let input = ErasedView::new(input.sizes, a_layout.as_ref(), &a);
            let gradient = ErasedView::new(gradient.sizes, b_layout.as_ref(), &b);
            // SAFETY: `weight_gradient` writes every sum.
            unsafe { narrowed(results, |sums| weight_gradient(plan, input, gradient, sums)) };
        });
    };
    (@boolean $T:ident) => {};
    (@number $T:ident, |$plan:ident, $input:ident, $weights:ident, $results:ident| $convolve:expr) => {
        impl NumberWindows for $T {
            #[inline(never)]
            fn convolved(
                $plan: &Convolution,
                $input: ErasedView<'_, Self>,
                $weights: ErasedView<'_, Self>,
            ) -> Storage<Self> {
                let run = |$plan: &Convolution, [$input, $weights]: [ErasedView<'_, Self>; 2]| {
                    let len = len_in_memory(&$plan.result, size_of::<Self>());
                    let write = |$results: &mut [MaybeUninit<Self>]| $convolve;
                    // SAFETY: `convolve` writes every result.
                    unsafe { Storage::build(len, write) }
                };
                match order_of::<Self>($plan) {
                    Some(order) => order.run([$input, $weights], &$plan.result, |operands| {
                        run(&order.convolution($plan), operands)
                    }),
                    None => run($plan, [$input, $weights]),
                }
            }
        }
    };
    (@means $T:ident, |$plan:ident, $input:ident, $gradient:ident, $results:ident| $weights:expr) => {
        impl FloatWindows for $T {
            #[inline(never)]
            fn convolved_weights(
                $plan: &Convolution,
                $input: ErasedView<'_, Self>,
                $gradient: ErasedView<'_, Self>,
            ) -> Storage<Self> {
                let run = |$plan: &Convolution, [$input, $gradient]: [ErasedView<'_, Self>; 2]| {
                    let len = len_in_memory(&$plan.weights(), size_of::<Self>());
                    let write = |$results: &mut [MaybeUninit<Self>]| $weights;
                    // SAFETY: `weight_gradient` writes every result.
                    unsafe { Storage::build(len, write) }
                };
                match order_of::<Self>($plan) {
                    Some(order) => order.run([$input, $gradient], &$plan.weights(), |operands| {
                        run(&order.convolution($plan), operands)
                    }),
                    None => run($plan, [$input, $gradient]),
                }
            }
        }
    };
}

for_each_element!(kernels);
