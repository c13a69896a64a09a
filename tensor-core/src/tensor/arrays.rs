//! Conversion from nested arrays, whose lengths the compiler checks against the shape.
//!
//! The length of an array is one number; the size of an axis is a sum of parts. Sizes of one part (below
//! 10,000, and multiples of a thousand or a million) are compared by types, so that `cargo check` finds
//! a mistake; other sizes are compared by a constant, in `cargo build`.

use tensor_kernels::element::Element;
use tensor_kernels::storage::Storage;

use crate::shape::arithmetic::{
    FewThousands, HasMagnitude, Magnitude, Nothing, PartTable, Single, SizePart, Thousands, Units,
};
use crate::shape::axis::{Dim, NoAxis, One, StaticAxis};
use crate::shape::broadcast::After;
use crate::shape::{StaticShape, StaticSizes};
use crate::tensor::Tensor;

/// The length of one level of nested arrays.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct ArrayLength<const N: usize>;

/// A shape with the lengths of nested arrays: `[[T; 3]; 2]` fills `[2, 3]`.
#[diagnostic::on_unimplemented(
    message = "the nested arrays and the shape of the tensor have different ranks",
    label = "one level of arrays for each axis",
    note = "`[[T; 3]; 2]` fills `shape![2, 3]` [T601]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait HasSizes<Lengths>: StaticShape {
    /// Resolves once these lengths match: the next length is compared only after that, so that one
    /// mistake gives one error.
    type Outer;
}

/// `[]`
#[diagnostic::do_not_recommend]
impl HasSizes<()> for () {
    type Outer = ();
}

/// `[..l, a]` where `[..l]` has the outer lengths and `a` the innermost one.
impl<L, A, Outer, const N: usize> HasSizes<(Outer, ArrayLength<N>)> for (L, A)
where
    L: HasSizes<Outer>,
    A: StaticAxis,
    After<L::Outer, A>: HasLength<N>,
{
    type Outer = <After<L::Outer, A> as HasLength<N>>::Same;
}

/// An axis of size `N`.
#[cfg_attr(doc, doc(hidden))]
pub trait HasLength<const N: usize>: StaticAxis {
    /// Resolves once the sizes match: see [`After`].
    type Same;
}

impl<A: StaticAxis, const N: usize> HasLength<N> for A
where
    A::Size: IsLength<N>,
{
    type Same = <A::Size as IsLength<N>>::Same;
}

/// The size `N`: the bound of [`HasLength`] on the size without its name.
#[diagnostic::on_unimplemented(
    message = "an array of length {N} does not fill an axis of size `{Self}`",
    label = "length {N} in the array, `{Self}` in the shape",
    note = "nested arrays have the sizes of the shape, from the first axis outside to the last inside [T602]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IsLength<const N: usize, X = ()> {
    /// Resolves once the sizes match: see [`After`].
    type Same;
}

#[diagnostic::do_not_recommend]
impl IsLength<1> for One {
    type Same = ();
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize, const N: usize> IsLength<N> for Dim<A, B, C>
where
    PartTable: SizePart<B, Part: HasMagnitude>,
    Magnitude<B>: SecondPart<Self, A, N>,
{
    type Same = <Magnitude<B> as SecondPart<Self, A, N>>::Same;
}

/// A second impl, so that the compiler does not explain the first one: see
/// [`NoAxis`](crate::bounds::NoAxis).
#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize, const N: usize> IsLength<N, NoAxis>
    for Dim<A, B, C>
{
    type Same = ();
}

/// The second part of a size whose first part is `A`; it may be `N`.
#[cfg_attr(doc, doc(hidden))]
pub trait SecondPart<Size, const A: usize, const N: usize> {
    /// Resolves once the sizes match: see [`After`].
    type Same;
}

/// A size of one part, which is the size itself.
#[diagnostic::do_not_recommend]
impl<Size, const N: usize> SecondPart<Size, N, N> for Nothing {
    type Same = ();
}

/// A size of several parts, whose sum a constant compares.
macro_rules! more_parts {
    ($($Magnitude:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<Size, const A: usize, const N: usize> SecondPart<Size, A, N> for $Magnitude {
            type Same = ();
        }
    )+};
}

more_parts!(Single, Units, FewThousands, Thousands);

/// Whether a shape has these sizes.
const fn same_sizes(sizes: Option<StaticSizes>, lengths: &[usize]) -> bool {
    let Some(sizes) = sizes else { return true };
    let sizes = sizes.as_slice();
    let mut axis = 0;
    while axis < lengths.len() {
        if sizes[axis] != lengths[axis] {
            return false;
        }
        axis += 1;
    }
    sizes.len() == lengths.len()
}

/// Generates the conversion from arrays nested as deep as there are lengths.
macro_rules! from_arrays {
    ($({$($N:ident)+} $array:ty, $lengths:ty, |$elements:ident| $flat:expr;)+) => {$(
        /// Conversion from nested arrays whose lengths match the shape; other lengths do not compile.
        impl<S, T: Element, $(const $N: usize),+> From<$array> for Tensor<S, T>
        where
            S: HasSizes<$lengths>,
        {
            fn from($elements: $array) -> Self {
                const {
                    assert!(
                        same_sizes(S::STATIC_SIZES, &[$($N),+]),
                        "the nested arrays have other lengths than the shape of the tensor"
                    );
                }
                Self::from_storage(S::VALUE, Storage::from_slice($flat))
            }
        }
    )+};
}

from_arrays! {
    {A} [T; A], ((), ArrayLength<A>), |x| &x;
    {A B} [[T; B]; A], (((), ArrayLength<A>), ArrayLength<B>), |x| x.as_flattened();
    {A B C} [[[T; C]; B]; A], ((((), ArrayLength<A>), ArrayLength<B>), ArrayLength<C>),
        |x| x.as_flattened().as_flattened();
    {A B C D} [[[[T; D]; C]; B]; A], (((((), ArrayLength<A>), ArrayLength<B>), ArrayLength<C>), ArrayLength<D>),
        |x| x.as_flattened().as_flattened().as_flattened();
}
