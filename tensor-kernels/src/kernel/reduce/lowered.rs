//! The mapping from element types to compiled loops: which loops an element type uses, and the
//! function from their accumulators to its results.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::ReduceKernel;
use super::loops::{BlockReducer, LargestFlipped, LoopElement, ReduceLoops, Widening};
use super::ops::{LargestMagnitude, Magnitudes, Nonzeros, Product, Squares, SumOf, Values};
use super::results::FinishFn;
use super::two_pass::{LogSumExp, LogSumExpState, Moments, MomentsState};
#[cfg(feature = "half")]
use super::widen::HalfFloat;
use crate::element::{Element, Float, Number};
use crate::kernel::isa_fns::{IsaFns, isa_fns};
use crate::kernel::typed::Typed;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

/// An element type whose reductions use the loops of another: signed and unsigned integers share
/// those of the signed ones, `bool` those of `i8`, and 16-bit floats those of `f32`.
pub(crate) trait Lowered: Element {
    /// The element type of the loops: of the same size, unless it is widened.
    type Loop: LoopElement;

    /// The conversion to [`Loop`](Lowered::Loop), if the bits cannot simply be reinterpreted.
    const WIDENING: Option<&'static Widening>;
    /// The bits to flip so that the order of [`Loop`](Lowered::Loop) is the order of the elements.
    const FLIP: u64;
    /// The bits to flip so that it is the reverse order.
    const FLIP_REVERSED: u64;

    /// Converts a result of the loops to the element type.
    fn lower(result: Self::Loop) -> Self;
}

macro_rules! lowered {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* lowered!(@$class $T $Other); )*
    };
    (@float $T:ident $Loop:ident) => {
        lowered!(@impl $T as $Loop: None, flip 0, reversed sign::<$Loop>(), |x| x);
    };
    (@half $T:ident $Loop:ident) => {
        lowered! {
            @impl $T as $Loop: Some(<$T as HalfFloat>::WIDENING), flip 0, reversed sign::<$Loop>(),
            |x| $T::from_f32(x)
        }
    };
    (@signed $T:ident $Other:ident) => {
        lowered!(@impl $T as $T: None, flip 0, reversed u64::MAX, |x| x);
    };
    (@unsigned $T:ident $Loop:ident) => {
        lowered! {
            @impl $T as $Loop: None, flip sign::<$T>(), reversed !sign::<$T>(), |x| x as $T
        }
    };
    (@boolean $T:ident $Loop:ident) => {
        lowered!(@impl $T as $Loop: None, flip 0, reversed u64::MAX, |x| x != 0);
    };
    (@impl $T:ident as $Loop:ident: $widening:expr, flip $flip:expr, reversed $reversed:expr,
        |$x:ident| $lower:expr) => {
        impl Lowered for $T {
            type Loop = $Loop;

            const WIDENING: Option<&'static Widening> = $widening;
            const FLIP: u64 = $flip;
            const FLIP_REVERSED: u64 = $reversed;

            #[inline(always)]
            fn lower($x: $Loop) -> Self {
                $lower
            }
        }
    };
}

/// The highest bit of a type.
const fn sign<T>() -> u64 {
    1 << (8 * size_of::<T>() - 1)
}

for_each_element!(lowered);

/// A float that loops are compiled for.
pub(crate) trait LoopFloat: LoopElement + Float + Lowered<Loop = Self> {
    /// The smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// Its logarithm.
    const LN_MIN_POSITIVE: Self;
}

macro_rules! loop_floats {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $( loop_floats!(@$class $T); )*
    };
    (@float $T:ident) => {
        impl LoopFloat for $T {
            const MIN_POSITIVE: Self = $T::MIN_POSITIVE;
            const LN_MIN_POSITIVE: Self = ($T::MIN_EXP - 1) as $T * core::$T::consts::LN_2;
        }
    };
    (@$other:ident $T:ident) => {};
}

for_each_element!(loop_floats);

/// The loops of a reducer on elements of a type.
struct ReducerLoops<T, R>(PhantomData<(T, R)>);

impl<T: Lowered, R: BlockReducer<T::Loop>> ReducerLoops<T, R> {
    const INNER: ReduceLoops = ReduceLoops::new::<T::Loop, R>(0);
    const LOOPS: ReduceLoops = widened::<T>(&Self::INNER);
}

impl<T: Lowered> ReducerLoops<T, LargestFlipped> {
    const LARGEST_INNER: ReduceLoops = ReduceLoops::new::<T::Loop, LargestFlipped>(T::FLIP);
    const LARGEST: ReduceLoops = widened::<T>(&Self::LARGEST_INNER);
    const SMALLEST_INNER: ReduceLoops =
        ReduceLoops::new::<T::Loop, LargestFlipped>(T::FLIP_REVERSED);
    const SMALLEST: ReduceLoops = widened::<T>(&Self::SMALLEST_INNER);
}

/// The loops for elements of a type, by way of the loops of the type to which it is widened.
const fn widened<T: Lowered>(loops: &'static ReduceLoops) -> ReduceLoops {
    match T::WIDENING {
        None => *loops,
        Some(widening) => ReduceLoops::widened(widening, loops),
    }
}

/// Generates a [`FinishFn`] from a function of accumulator and divisor.
macro_rules! finishes {
    ($(
        $(#[$doc:meta])*
        $name:ident[$T:ident: $Bound:path] |$accumulator:ident: $Accumulator:ty, $divisor:ident| $result:expr;
    )*) => {isa_fns! {$(
        $(#[$doc])*
        unsafe fn $name[$T: $Bound](
            _isa, accumulators: *const u8, count: usize, $divisor: usize, results: *mut u8
        ) as FinishFn {
            // SAFETY: there are `count` accumulators, and room for a result of each.
            let (accumulators, results) = unsafe {
                (
                    core::slice::from_raw_parts(accumulators.cast::<$Accumulator>(), count),
                    core::slice::from_raw_parts_mut(results.cast::<MaybeUninit<$T>>(), count),
                )
            };
            for (result, &$accumulator) in results.iter_mut().zip(accumulators) {
                result.write($T::lower($result));
            }
        }
    )*}};
}

/// Converts a divisor to the element type.
#[inline(always)]
fn number<T: Number>(divisor: usize) -> T {
    T::from_f64(divisor as f64)
}

finishes! {
    /// The accumulators themselves.
    lower[T: Lowered] |all: T::Loop, _divisor| all;
    /// `sum / divisor`
    mean[T: Lowered<Loop: LoopFloat>] |sum: T::Loop, divisor| sum.div(number(divisor));
    /// The square root of the sum.
    root[T: Lowered<Loop: LoopFloat>] |sum: T::Loop, _divisor| sum.sqrt();
    /// `Σ (x - mean)² / divisor`
    variance[T: Lowered<Loop: LoopFloat>] |state: MomentsState<T::Loop>, divisor| {
        let [_, squares] = state.mean_and_m2();
        squares.div(number(divisor))
    };
    /// The square root of the variance.
    deviation[T: Lowered<Loop: LoopFloat>] |state: MomentsState<T::Loop>, divisor| {
        let [_, squares] = state.mean_and_m2();
        squares.div(number(divisor)).sqrt()
    };
    /// `ln Σ e^x`
    log_sum_exp[T: Lowered<Loop: LoopFloat>] |state: LogSumExpState<T::Loop>, _divisor| {
        let LogSumExpState { largest, sum } = state;
        // With an infinite element, `inf - inf` has made the sum NaN; the infinity is the result.
        let infinite = !largest.is_finite() & !largest.is_nan();
        if infinite { largest } else { sum.ln().add(largest) }
    };
}

impl ReduceKernel {
    /// A kernel whose results are the accumulators, converted to the element type.
    const fn direct<T: Lowered>(loops: ReduceLoops) -> Typed<Self, T, T> {
        let finish = match T::WIDENING {
            None => None,
            Some(_) => Some(lower::baseline_only::<T>()),
        };
        // SAFETY: the loops and the function are for type `T`.
        unsafe { Typed::new(Self { loops, finish, result: size_of::<T>() }) }
    }

    /// A kernel whose results are computed from the accumulators by `finish`.
    const fn finished<T: Lowered>(
        loops: ReduceLoops,
        finish: IsaFns<FinishFn>,
    ) -> Typed<Self, T, T> {
        let kernel = Self { loops, finish: Some(finish), result: size_of::<T>() };
        // SAFETY: the loops are for type `T`, and so is the function in every call of this.
        unsafe { Typed::new(kernel) }
    }

    /// `Σ x`
    pub(crate) const fn sum<T: Lowered>() -> Typed<Self, T, T> {
        Self::direct::<T>(ReducerLoops::<T, SumOf<Values>>::LOOPS)
    }

    /// `Π x`
    pub(crate) const fn product<T: Lowered>() -> Typed<Self, T, T> {
        Self::direct::<T>(ReducerLoops::<T, Product>::LOOPS)
    }

    /// The largest element; NaN if there is one.
    pub(crate) const fn max<T: Lowered>() -> Typed<Self, T, T> {
        Self::direct::<T>(ReducerLoops::<T, LargestFlipped>::LARGEST)
    }

    /// The smallest element; NaN if there is one.
    pub(crate) const fn min<T: Lowered>() -> Typed<Self, T, T> {
        Self::direct::<T>(ReducerLoops::<T, LargestFlipped>::SMALLEST)
    }

    /// The number of elements that are not 0.
    pub(crate) const fn count_nonzero<T: Lowered>() -> Typed<Self, T, i64> {
        let loops = ReducerLoops::<T, Nonzeros>::LOOPS;
        // SAFETY: the loops are for type `T`, and the results are their accumulators.
        unsafe { Typed::new(Self { loops, finish: None, result: size_of::<i64>() }) }
    }

    /// A kernel of `bool` with a result for empty reductions.
    const fn of_bool(kernel: Self, empty: unsafe fn(*mut u8)) -> Typed<Self, bool, bool> {
        let loops = ReduceLoops { empty: Some(empty), ..kernel.loops };
        // SAFETY: the kernel is for `bool`.
        unsafe { Typed::new(Self { loops, ..kernel }) }
    }

    /// Whether all elements are `true`: the minimum.
    pub(crate) const fn all() -> Typed<Self, bool, bool> {
        Self::of_bool(*Self::min::<bool>().get(), write::<true>)
    }

    /// Whether any element is `true`: the maximum.
    pub(crate) const fn any() -> Typed<Self, bool, bool> {
        Self::of_bool(*Self::max::<bool>().get(), write::<false>)
    }

    /// `Σ x / n`
    pub(crate) const fn mean<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        Self::finished::<T>(ReducerLoops::<T, SumOf<Values>>::LOOPS, mean::up_to_avx2::<T>())
    }

    /// `Σ |x|`
    pub(crate) const fn norm_l1<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        Self::direct::<T>(ReducerLoops::<T, SumOf<Magnitudes>>::LOOPS)
    }

    /// `√Σ x²`
    pub(crate) const fn norm<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        Self::finished::<T>(squares::<T>(), root::up_to_avx2::<T>())
    }

    /// The largest `|x|`; NaN if there is one.
    pub(crate) const fn norm_max<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        Self::direct::<T>(ReducerLoops::<T, LargestMagnitude>::LOOPS)
    }

    /// `Σ (x - mean)² / (n - correction)`
    pub(crate) const fn variance<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        Self::finished::<T>(mean_and_m2::<T>(), variance::up_to_avx2::<T>())
    }

    /// The square root of the variance.
    pub(crate) const fn deviation<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        Self::finished::<T>(mean_and_m2::<T>(), deviation::up_to_avx2::<T>())
    }

    /// `ln Σ e^x`
    pub(crate) const fn log_sum_exp<T: Lowered<Loop: LoopFloat>>() -> Typed<Self, T, T> {
        Self::finished::<T>(exponentials::<T>(), log_sum_exp::baseline_only::<T>())
    }
}

/// The loops of means and squared deviations from them.
pub(crate) const fn mean_and_m2<T: Lowered<Loop: LoopFloat>>() -> ReduceLoops {
    ReducerLoops::<T, Moments>::LOOPS
}

/// The loops of sums of squares.
pub(crate) const fn squares<T: Lowered<Loop: LoopFloat>>() -> ReduceLoops {
    ReducerLoops::<T, SumOf<Squares>>::LOOPS
}

/// The loops of sums of exponentials.
pub(crate) const fn exponentials<T: Lowered<Loop: LoopFloat>>() -> ReduceLoops {
    ReducerLoops::<T, LogSumExp>::LOOPS
}

/// Writes the result of an empty reduction.
///
/// # Safety
///
/// There is room for it at `accumulator`.
unsafe fn write<const B: bool>(accumulator: *mut u8) {
    // SAFETY: there is room, as the caller promises.
    unsafe { accumulator.cast::<bool>().write(B) }
}
