//! The reducers: sums of summands, products, the largest and the smallest element.

use crate::element::{Float, Isa, Number};
use crate::kernel::isa_fns::is_rare;
use crate::ops::elements::for_each_element;

/// A reduction of elements to one result, one element at a time: each is mapped to an accumulator, and
/// accumulators are combined.
///
/// Combining is associative and commutative, up to rounding; elements are combined in an unspecified order.
/// All of it is `#[inline(always)]`, so that it is compiled for the instruction set of its caller.
pub(crate) trait Reducer<T>: Copy {
    /// A parameter for each element that its accumulator depends on.
    type Param: Copy;
    /// The intermediate result of some of the elements.
    type Accumulator: Copy;

    /// Whether rounding errors make it worthwhile to combine recursive halves rather than sequentially.
    const PAIRWISE: bool;

    /// An accumulator that is neutral when it is combined with `first` and others: the one without any
    /// element, or `first` itself if the reduction is idempotent.
    fn start(self, first: T) -> Self::Accumulator;

    /// The accumulator of one element.
    fn map_element(self, element: T, param: Self::Param) -> Self::Accumulator;

    /// Combines two accumulators.
    fn combine(self, a: Self::Accumulator, b: Self::Accumulator) -> Self::Accumulator;
}

/// The summand of a sum, as a function of an element.
pub(crate) trait Summand<T: Number>: Copy {
    /// A parameter for each element that its summand depends on.
    type Param: Copy;

    /// The summand of one element.
    fn of(self, element: T, param: Self::Param) -> T;
}

/// The sum of summands.
#[derive(Clone, Copy)]
pub(crate) struct SumOf<F>(pub F);

impl<T: Number, F: Summand<T>> Reducer<T> for SumOf<F> {
    type Param = F::Param;
    type Accumulator = T;
    const PAIRWISE: bool = true;

    /// -0, so that a sum of -0 alone is -0; 0 for integers.
    #[inline(always)]
    fn start(self, _: T) -> T {
        T::from_f64(-0.0)
    }

    #[inline(always)]
    fn map_element(self, element: T, param: F::Param) -> T {
        self.0.of(element, param)
    }

    #[inline(always)]
    fn combine(self, a: T, b: T) -> T {
        a.add(b)
    }
}

/// `Σ x`
#[derive(Clone, Copy)]
pub(crate) struct Values;

impl<T: Number> Summand<T> for Values {
    type Param = ();

    #[inline(always)]
    fn of(self, element: T, (): ()) -> T {
        element
    }
}

/// `Σ |x|`
#[derive(Clone, Copy)]
pub(crate) struct Magnitudes;

impl<T: Number> Summand<T> for Magnitudes {
    type Param = ();

    #[inline(always)]
    fn of(self, element: T, (): ()) -> T {
        element.abs()
    }
}

/// `Σ x²`
#[derive(Clone, Copy)]
pub(crate) struct Squares;

impl<T: Number> Summand<T> for Squares {
    type Param = ();

    #[inline(always)]
    fn of(self, element: T, (): ()) -> T {
        element.mul(element)
    }
}

/// `Σ x y`, where `y` is the parameter of each `x`.
#[derive(Clone, Copy)]
pub(crate) struct DotProduct;

impl<T: Number> Summand<T> for DotProduct {
    type Param = T;

    #[inline(always)]
    fn of(self, element: T, other: T) -> T {
        element.mul(other)
    }
}

/// `Σ (x - center)`
#[derive(Clone, Copy)]
pub(crate) struct CenteredSum;

impl<T: Number> Summand<T> for CenteredSum {
    type Param = T;

    #[inline(always)]
    fn of(self, element: T, center: T) -> T {
        element.sub(center)
    }
}

/// `Σ (x - center)²`
#[derive(Clone, Copy)]
pub(crate) struct CenteredSquares;

impl<T: Number> Summand<T> for CenteredSquares {
    type Param = T;

    #[inline(always)]
    fn of(self, element: T, center: T) -> T {
        let deviation = element.sub(center);
        deviation.mul(deviation)
    }
}

/// `Σ e^(x - largest)`
#[derive(Clone, Copy)]
pub(crate) struct Exponentials(pub Isa);

impl<T: Float> Summand<T> for Exponentials {
    type Param = T;

    #[inline(always)]
    fn of(self, element: T, largest: T) -> T {
        /// A separate function, so that rare loops are small.
        #[inline(never)]
        fn exp<T: Float>(x: T) -> T {
            x.exp_isa(Isa::BASELINE)
        }
        let x = element.sub(largest);
        if is_rare(self.0) { exp(x) } else { x.exp_isa(self.0) }
    }
}

/// The number of elements that are not 0.
#[derive(Clone, Copy)]
pub(crate) struct Nonzeros;

impl<T: Number> Reducer<T> for Nonzeros {
    type Param = ();
    type Accumulator = i64;
    const PAIRWISE: bool = false;

    #[inline(always)]
    fn start(self, _: T) -> i64 {
        0
    }

    #[inline(always)]
    fn map_element(self, element: T, (): ()) -> i64 {
        i64::from(element != T::ZERO)
    }

    #[inline(always)]
    fn combine(self, a: i64, b: i64) -> i64 {
        a + b
    }
}

/// `Π x`
#[derive(Clone, Copy)]
pub(crate) struct Product;

impl<T: Number> Reducer<T> for Product {
    type Param = ();
    type Accumulator = T;
    const PAIRWISE: bool = true;

    #[inline(always)]
    fn start(self, _: T) -> T {
        T::ONE
    }

    #[inline(always)]
    fn map_element(self, element: T, (): ()) -> T {
        element
    }

    #[inline(always)]
    fn combine(self, a: T, b: T) -> T {
        a.mul(b)
    }
}

/// The largest element after some of its bits are flipped, so that one loop serves four orders: flipping
/// the sign of a float or all bits of an integer reverses the order, flipping the sign bit converts the
/// order of unsigned integers to that of signed ones.
///
/// NaN if there is one. Of 0 and -0, either.
#[derive(Clone, Copy)]
pub(crate) struct Largest<B>(pub B);

impl<T: FlipBits> Reducer<T> for Largest<T::Bits> {
    type Param = ();
    type Accumulator = T;
    const PAIRWISE: bool = false;

    #[inline(always)]
    fn start(self, first: T) -> T {
        first.flip(self.0)
    }

    #[inline(always)]
    fn map_element(self, element: T, (): ()) -> T {
        element.flip(self.0)
    }

    #[inline(always)]
    fn combine(self, a: T, b: T) -> T {
        a.maximum(b)
    }
}

/// [`Largest`], with accumulators that have the bits of elements. Their loops store no operand of a comparison: those
/// would have masked stores on AVX2, which some processors execute slowly.
#[derive(Clone, Copy)]
pub(crate) struct LargestElement<B>(pub B);

impl<T: FlipBits> Reducer<T> for LargestElement<T::Bits> {
    type Param = ();
    type Accumulator = T;
    const PAIRWISE: bool = false;

    #[inline(always)]
    fn start(self, first: T) -> T {
        first
    }

    #[inline(always)]
    fn map_element(self, element: T, (): ()) -> T {
        element
    }

    #[inline(always)]
    fn combine(self, a: T, b: T) -> T {
        a.flip(self.0).maximum(b.flip(self.0)).flip(self.0)
    }
}

/// The largest `|x|`; NaN if there is one.
#[derive(Clone, Copy)]
pub(crate) struct LargestMagnitude;

impl<T: Number> Reducer<T> for LargestMagnitude {
    type Param = ();
    type Accumulator = T;
    const PAIRWISE: bool = true;

    #[inline(always)]
    fn start(self, _: T) -> T {
        T::ZERO
    }

    #[inline(always)]
    fn map_element(self, element: T, (): ()) -> T {
        element.abs()
    }

    #[inline(always)]
    fn combine(self, a: T, b: T) -> T {
        a.maximum(b)
    }
}

/// An element type that loops are compiled for, whose bits can be flipped.
pub(crate) trait FlipBits: Number {
    /// The low bits of `bits`.
    fn bits(bits: u64) -> Self::Bits;

    /// The element with those bits flipped that are set in `bits`.
    fn flip(self, bits: Self::Bits) -> Self;
}

macro_rules! flip_bits {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $( flip_bits!(@$class $T); )*
    };
    (@signed $T:ident) => { flip_bits!(@impl $T: |x, bits| x ^ bits as $T); };
    (@$other:ident $T:ident) => {};
    (@impl $T:ident: |$x:ident, $bits:ident| $flip:expr) => {
        impl FlipBits for $T {
            #[inline(always)]
            fn bits(bits: u64) -> Self::Bits {
                bits as Self::Bits
            }

            #[inline(always)]
            fn flip(self, $bits: Self::Bits) -> Self {
                let $x = self;
                $flip
            }
        }
    };
}

for_each_element!(flip_bits);

// The bits of a float are flipped as an integer of its size.
flip_bits!(@impl f32: |x, bits| f32::from_bits(x.to_bits() ^ bits));
flip_bits!(@impl f64: |x, bits| f64::from_bits(x.to_bits() ^ bits));
