//! Arithmetic on static sizes, by typenum, and the canonical type of each size.
//!
//! Sizes are converted to digits, which are typenum numbers, and back by the tables of the crate
//! `tensor-sizes`. No other module names typenum, and no error message does: a trait of this module
//! rejects a size, and its message shows sizes.

use self::digits::{AddDigits, CarriedParts, Carry, Complement, MulDigits};
use crate::shape::SizeInTypes;
use crate::shape::axis::{Axis, StaticAxis};
use crate::shape::broadcast::After;

pub use self::canonical::{
    CanonicalSize, Constant, FewThousands, HasMagnitude, HasTable, InOrder, Magnitude, Millions,
    NotOne, Nothing, Single, Table, Thousands, ToSize, Units, Valid, Whole, WholeSize,
};
pub use self::digits::SizeDigits;
pub use self::overflow::{
    Billions, CountFits, DifferenceFits, EnoughElements, NoBillions, ProductFits, SumFits,
};
pub use self::windows::{
    CountPlaces, CountPlacesCeil, CoversPadding, DivSizes, HalfOfWindow, HasRest, HoldsPlaces,
    NoPlaces, SizeQuotient, SomePlaces, Spread, Uncount,
};
#[cfg_attr(doc, doc(hidden))]
pub use tensor_sizes::{PartTable, SizePart};

mod canonical;
mod digits;
mod overflow;
mod windows;

/// The axis of size `a + b`, as after concatenation.
///
/// ```
/// use tensor_core::{arithmetic::SizeSum, dim};
///
/// let sum: dim!(1_500) = SizeSum::<dim!(900), dim!(600)>::default();
/// # let _ = sum;
/// ```
pub type SizeSum<A, B> = <A as AddSizes<B>>::Output;

/// The axis of size `a - b`.
pub type SizeDifference<A, B> = <A as SubSizes<B>>::Output;

/// The axis of size `a · b`, as after flattening.
///
/// ```
/// use tensor_core::{arithmetic::SizeProduct, dim};
///
/// let pixels: dim!(784) = SizeProduct::<dim!(28), dim!(28)>::default();
/// # let _ = pixels;
/// ```
pub type SizeProduct<A, B> = <A as MulSizes<B>>::Output;

/// Two static sizes whose sum is a size, at most 999,999,999.
///
/// A bound for generic code:
/// `fn concat<A: AddSizes<B>, B: StaticAxis>(…) -> Tensor<((), SizeSum<A, B>)>`.
///
/// ```
/// use tensor_core::{StaticAxis, Tensor, arithmetic::{AddSizes, SizeSum}, dim};
///
/// fn concatenated<A: AddSizes<B>, B: StaticAxis>() -> Tensor<((), SizeSum<A, B>)> {
///     Tensor::zeros()
/// }
///
/// assert_eq!(concatenated::<dim!(3), dim!(2)>().len(), 5);
/// ```
pub trait AddSizes<B>: StaticAxis {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Output: StaticAxis;
}

/// Two static sizes, the second not greater than the first.
///
/// ```
/// use tensor_core::{StaticAxis, Tensor, arithmetic::{SizeDifference, SubSizes}, dim};
///
/// fn rest<A: SubSizes<B>, B: StaticAxis>() -> Tensor<((), SizeDifference<A, B>)> {
///     Tensor::zeros()
/// }
///
/// assert_eq!(rest::<dim!(5), dim!(2)>().len(), 3);
/// ```
pub trait SubSizes<B>: StaticAxis {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Output: StaticAxis;
}

/// Two static sizes whose product is a size, at most 999,999,999.
///
/// ```
/// use tensor_core::{StaticAxis, Tensor, arithmetic::{MulSizes, SizeProduct}, dim};
///
/// fn pixels<H: MulSizes<W>, W: StaticAxis>() -> Tensor<((), SizeProduct<H, W>)> {
///     Tensor::zeros()
/// }
///
/// assert_eq!(pixels::<dim!(28), dim!(28)>().len(), 784);
/// ```
pub trait MulSizes<B>: StaticAxis {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Output: StaticAxis;
}

/// A shape of static sizes with at most 999,999,999 elements.
///
/// ```
/// use tensor_core::{Tensor, arithmetic::CountElements, shape};
///
/// fn zeros_like<S: CountElements>() -> Tensor<((), S::Count)> {
///     Tensor::zeros()
/// }
///
/// assert_eq!(zeros_like::<shape![28, 28]>().len(), 784);
/// ```
///
/// Binding the associated type to a name makes it the only bound needed by generic code that splits an
/// axis and merges it again:
///
/// ```
/// use tensor_core::{Shape, StaticAxis, Tensor, arithmetic::CountElements, shape};
///
/// fn merged<Lead, Heads, Depth, Model>(x: &Tensor<shape![Lead.., Model]>) -> Tensor<shape![Lead.., Model]>
/// where
///     Lead: Shape,
///     Heads: StaticAxis,
///     Depth: StaticAxis,
///     Model: StaticAxis,
///     shape![Heads, Depth]: CountElements<Count = Model>,
/// {
///     let heads: Tensor<shape![Lead.., Heads, Depth]> = x.unflatten::<-1, shape![Heads, Depth]>();
///     heads.flatten_axes::<-2, -1>()
/// }
/// # let _ = merged::<shape![3], tensor_core::dim!(12), tensor_core::dim!(64), _>;
/// ```
#[diagnostic::on_unimplemented(
    message = "the number of elements of shape `{Self}` is not known here",
    label = "the compiler cannot count the elements: the compiler counts static sizes, up to 999,999,999 elements [T404]; in generic code, add the bound `{Self}: CountElements`, with `Count = N` in it where the result has an axis `N`; for `reshape` alone, `{Self}: ReshapeTo<Target>`, and for heads of attention, `(H, C): HeadsFill<D>` [T403]"
)]
pub trait CountElements: SizesToCount {
    /// The number of elements as an axis: [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Count: StaticAxis;
}

/// A list of axes with static sizes. It is a separate bound from their product, so that a run-time
/// axis has its own message.
///
/// Not a [`StaticShape`]: the compiler applies what a bound of generic code implies to every shape that
/// it infers, so `shape![H, D]: CountElements` would make the axes of every call `H` and `D`.
#[diagnostic::on_unimplemented(
    message = "the number of elements of shape `{Self}` is not known here",
    label = "the compiler cannot count the elements: the compiler counts static sizes, up to 999,999,999 elements [T404]; in generic code, add the bound `{Self}: CountElements`, with `Count = N` in it where the result has an axis `N`; for `reshape` alone, `{Self}: ReshapeTo<Target>`, and for heads of attention, `(H, C): HeadsFill<D>` [T403]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SizesToCount: Sized {
    /// Resolves once all sizes are known: see [`After`].
    #[doc(hidden)]
    type Known;

    /// The only value of this type.
    #[doc(hidden)]
    const KNOWN: Self;
}

/// `[]`
impl SizesToCount for () {
    type Known = ();
    const KNOWN: Self = ();
}

/// `[..l, a]`
impl<L: SizesToCount, A> SizesToCount for (L, A)
where
    After<L::Known, (A,)>: SizeInTypes<A>,
{
    type Known = <After<L::Known, (A,)> as SizeInTypes<A>>::Size;
    const KNOWN: Self = (L::KNOWN, <(A,) as SizeInTypes<A>>::KNOWN);
}

/// The size of an axis, as digits.
type DigitsOf<A> = <<A as StaticAxis>::Size as SizeDigits>::Digits;

/// `a + b`
impl<A, B, E, N> AddSizes<B> for A
where
    A: StaticAxis<Size: SizeDigits>,
    B: StaticAxis,
    // Required once the size of `A` is known: two unknown sizes are one error.
    After<DigitsOf<A>, B::Size>: SizeDigits<Digits = E>,
    DigitsOf<A>: AddDigits<E, Output = N>,
    N: Carry<Parts: ToSize, Billions: SumFits<A, B>>,
{
    type Output = <N::Parts as ToSize>::Size;
}

/// `a - b = (a + (1,000,000,000 - b)) - 1,000,000,000`
impl<A, B> SubSizes<B> for A
where
    A: StaticAxis<Size: SizeDigits>,
    B: StaticAxis<Size: SizeDigits<Digits: Complement>>,
    DigitsOf<A>: AddDigits<ComplementOf<B>>,
    Less<DigitsOf<A>, B>: Carry<Parts: ToSize, Billions: DifferenceFits<A, B>>,
{
    type Output = After<
        <<Less<DigitsOf<A>, B> as Carry>::Billions as DifferenceFits<A, B>>::Matched,
        <<Less<DigitsOf<A>, B> as Carry>::Parts as ToSize>::Size,
    >;
}

/// `1,000,000,000 - b`, as digits.
type ComplementOf<B> = <DigitsOf<B> as Complement>::Output;

/// `n + (1,000,000,000 - b)`, as digits.
type Less<N, B> = <N as AddDigits<ComplementOf<B>>>::Output;

/// A static size that is not less than `B`.
#[cfg_attr(doc, doc(hidden))]
pub trait AtLeast<B> {
    /// Exists only if `self ≥ B`, so that naming it is the comparison: see [`After`].
    #[doc(hidden)]
    type Matched;
}

/// `a ≥ b`, if `a + (1,000,000,000 - b)` has a billion.
impl<A, B> AtLeast<B> for A
where
    A: SizeDigits,
    B: StaticAxis<Size: SizeDigits<Digits: Complement>>,
    A::Digits: AddDigits<ComplementOf<B>, Output: Carry<Billions: EnoughElements<A, B>>>,
{
    type Matched = <<Less<A::Digits, B> as Carry>::Billions as EnoughElements<A, B>>::Matched;
}

/// The difference of two static sizes, and whether it is at least 0, so that the caller words the error.
#[diagnostic::on_unimplemented(
    message = "the size `{Self}` is not known here",
    label = "the compiler cannot compute with a size that is a parameter: in generic code, the last `required for` below is the bound to add: of `A` and `AddSizes<B>` it is `A: AddSizes<B, Output = N>`, with `use tensor_core::arithmetic::AddSizes`, where the result has size `N` [T403]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Subtract<B> {
    /// [`Billions`] if the difference is at least 0, else [`NoBillions`].
    type Fits;
    /// `a - b`, if it is at least 0.
    type Difference: StaticAxis;
}

/// `a - b = (a + (1,000,000,000 - b)) - 1,000,000,000`
#[diagnostic::do_not_recommend]
impl<A, B, C, N> Subtract<B> for A
where
    A: SizeDigits,
    B: SizeDigits<Digits: Complement<Output = C>>,
    A::Digits: AddDigits<C, Output = N>,
    N: Carry<Parts: ToSize>,
{
    type Fits = N::Billions;
    type Difference = <N::Parts as ToSize>::Size;
}

/// A constant of a program, such as the number of parts of an axis, as a type.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Count<const N: usize>;

/// A number from 1 to 999 as a size.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that the compiler divides by",
    label = "write a number from 1 to 999",
    note = "a `DynTensor` takes any number [T223]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait CountSize {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Size: StaticAxis;
}

impl<const N: usize, P> CountSize for Count<N>
where
    PartTable: SizePart<N, Part = P>,
    P: HasMagnitude<Magnitude: NotZero>,
    (tensor_sizes::NoPart, tensor_sizes::NoPart, P): ToSize,
{
    type Size = <(tensor_sizes::NoPart, tensor_sizes::NoPart, P) as ToSize>::Size;
}

/// The magnitude of a number from 1 to 999.
#[diagnostic::on_unimplemented(
    message = "a number of parts is from 1 to 999",
    label = "write a number from 1 to 999",
    note = "a `DynTensor` takes any number [T223]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NotZero {}

#[diagnostic::do_not_recommend]
impl NotZero for Single {}

#[diagnostic::do_not_recommend]
impl NotZero for Units {}

/// In place of [`Billions`] for an axis whose size is compared at run time.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct RunTimeSize;

/// `a · b`
impl<A, B, N> MulSizes<B> for A
where
    A: StaticAxis<Size: SizeDigits>,
    B: StaticAxis<Size: SizeDigits>,
    DigitsOf<A>: MulDigits<DigitsOf<B>, Output = N>,
    N: Carry<Parts: ToSize, Billions: ProductFits<A, B>>,
{
    type Output = <N::Parts as ToSize>::Size;
}

/// The number of elements of a shape, as digits.
#[diagnostic::on_unimplemented(
    message = "the number of elements of `{Self}` is not known here",
    label = "the compiler cannot count the elements",
    note = "in generic code, add the bound `{Self}: CountElements` [T403]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait CountDigits {
    /// Digits that may exceed 999.
    type Digits;
}

/// `[]` has 1 element.
impl CountDigits for () {
    type Digits = DigitsOf<crate::shape::axis::One>;
}

/// The elements of `[..l, a]`: those of `[..l]`, times `a`.
impl<L, A: Axis> CountDigits for (L, A)
where
    (A,): SizeInTypes<A, Size: SizeDigits>,
    L: CountDigits<Digits: Carry>,
    Above<L::Digits>: CarriedParts,
    <Above<L::Digits> as CarriedParts>::Digits:
        MulDigits<<<(A,) as SizeInTypes<A>>::Size as SizeDigits>::Digits>,
{
    type Digits = <<Above<L::Digits> as CarriedParts>::Digits as MulDigits<
        <<(A,) as SizeInTypes<A>>::Size as SizeDigits>::Digits,
    >>::Output;
}

/// The billions of a number, and its other parts.
type Above<N> = (<N as Carry>::Above, <N as Carry>::Parts);

#[diagnostic::do_not_recommend]
impl<S> CountElements for S
where
    S: SizesToCount + CountDigits<Digits: Carry<Parts: ToSize, Billions: CountFits<S>>>,
{
    type Count = <<S::Digits as Carry>::Parts as ToSize>::Size;
}
