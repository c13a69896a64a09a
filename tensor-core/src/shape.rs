//! Shapes as types: `()` has rank 0, `(Lead, A)` has the axes of `Lead` followed by the axis `A`.
//!
//! # How bounds are written
//!
//! The compiler's message for a wrong shape depends on how the violated bound is written.
//!
//! - A refusal is a small trait that has the message, never an equality of associated types, whose message cannot be
//!   customised. `A: BroadcastAxis<B>` and then `<A as BroadcastAxis<B>>::BroadcastedAxis`, not
//!   `BroadcastAxis<B, BroadcastedAxis = C>`. An equality on the output of an impl that has such a bound is harmless.
//! - A method has one bound that can be refused, and its result is projected from it: the next trait solver reports a second
//!   error for an output that is named before the bound. It also reports a bound on a projection twice, so that the shape of an
//!   operand is a parameter: `R: Operand<T, Shape = SR>, S: Matmul<SR>`, not `S: Matmul<R::Shape>`.
//! - What operations require has one impl, for every type (`BroadcastOf`, `Expand`, `Matmul` …): rustc then has no impl to
//!   list. The small trait has two impls for a type, or none, as rustc would explain a single one in seven lines (`NoAxis`).
//! - A bound on the left side requires something of the right side (`L: Matmul<R>` requires `R: MatmulOf<L, R>`). rustc looks for
//!   methods before it infers their arguments: a bound that the left side meets with no right side would hide the method (E0599).
//! - The small trait is not implemented for the `Self` of the method's bound, but for a tuple of it, `(A,)`: for `Self`
//!   itself rustc would print its own message.
//! - rustc shows the source of a bound after the message. `#[tensor_array_macros::bounds_without_source]` prevents it; an alias, a
//!   trait whose one impl requires another trait, would be named instead of that trait.
//! - Without an impl that some types meet, the small trait makes rustc propose no `where` clause, in both solvers: `AxesMatch`
//!   has no impls, and an impl of the rule for all types requires it, beside those for what is allowed. They may overlap, since
//!   that impl also requires `Refused` of `(A,)`, which rustc knows no crate implements. It prints one `required for` more, so
//!   the rule is in the label and not in a note. All of what the other impls require is in traits above (`Matmul`): where two
//!   impls apply and both are refused, rustc names the trait of the rule.
//! - A label of the form `reason: rule [T101]` is a line shorter than a label and a note; `cargo shapes` makes a note of the rule.
//! - The next trait solver points at the one argument whose type contains the first parameter of the method in a bound, with two
//!   lines more. If no argument does, and the receiver contains a parameter of the impl, it points at the method, with no chain
//!   of bounds: `S: Shape<LastAxis = J>, Self: LayerTakes<J, I>`, not `S: LayerInput<I>`.
//! - An index that a call leaves out is reported once if the result is a type that has the index as a parameter of its own:
//!   `results.rs`.
//! - The last axis is checked before the axes to its left (`After`), so that two axes that differ
//!   are one error.
//! - rustc takes a bound of the function for that of a method as soon as it knows `S`, and then the operand differs, which is
//!   E0271. `After<SR, S>: Convolve<SR, …>` waits for the shape of the operand. (With the same for products, rustc leaves out
//!   the note that names both operands.)
//! - A bound of generic code must not affect the inference of other shapes. `shape![Lead.., C, H, W]: Convolve<…>` does
//!   not imply `Shape`: otherwise the compiler would use this bound for every shape of three axes that it infers. For
//!   the same reason, methods take a tensor of any shape `S`, not one of a list whose axes are parameters.
//! - The laws are supertraits: `S ⊕ S = S`, `S ⊕ [] = S`, `A ⊕ 1 = A` need no where clause. The price is that `S::Output` is
//!   ambiguous, so that every result has an alias: `Broadcasted`, `WithoutAxis`, `Transposed`.
//! - Traits that users do not write are not in the documentation (`#[cfg_attr(doc, doc(hidden))]`). Programs are
//!   compiled as without this attribute, so no message depends on it.
//!
//! # What a shape costs
//!
//! Values that depend only on static shapes are constants, and branches on constants are removed: `if const` drops the
//! other branch before code generation, and `Shape::CONSTANT` is the shape of a result without a function that computes
//! it. rustc also visits the functions that a dead branch calls, and evaluates their constants, for each shape: that
//! took a third of the compile time of one more operation. So such a function is a value in a constant, `None` where it
//! is not needed (`result_shape!`), or takes slices instead of shapes. Functions that need no shape type take an
//! `ErasedView`, and those that need no element type one that is `Untyped`.

pub mod align;
pub mod arithmetic;
pub(crate) mod axis;
pub mod axis_index;
pub mod axis_list;
pub mod broadcast;
pub mod indexing;
pub mod join;
pub(crate) mod matmul_shape;
pub(crate) mod rearrange;
pub mod reshape;
pub(crate) mod results;
pub mod run_time;
pub mod slicing;
pub mod splitting;
pub(crate) mod tensordot;
pub mod views;
pub mod windows;

use core::any::TypeId;
use core::fmt::{self, Debug};

use smallvec::SmallVec;
use tensor_kernels::sizes::count::{TOO_LARGE, checked_len, checked_num_elements, num_elements};
use tensor_kernels::sizes::error::ShapeError;

use crate::shape::axis::{Axis, NoLastAxis, StaticAxis};
use crate::shape::broadcast::{After, AssignTo, Broadcast, Broadcasted};
pub use tensor_kernels::sizes::Sizes;
pub(crate) use tensor_kernels::sizes::{error, index_error};

/// Largest rank for which sizes are computed in constants.
pub(crate) const CONSTANT_RANK: usize = 32;

/// Static sizes of a shape, for plans in constants.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct StaticSizes {
    rank: usize,
    sizes: [usize; CONSTANT_RANK],
}

impl StaticSizes {
    const EMPTY: Self = Self { rank: 0, sizes: [1; CONSTANT_RANK] };

    /// Appends an axis of this size; `None` above [`CONSTANT_RANK`].
    const fn and(self, size: usize) -> Option<Self> {
        if self.rank == CONSTANT_RANK {
            return None;
        }
        let Self { rank, mut sizes } = self;
        sizes[rank] = size;
        Some(Self { rank: rank + 1, sizes })
    }

    /// A copy of the sizes. Never inlined: it would be compiled for each shape.
    #[inline(never)]
    fn copied(&self) -> Sizes {
        SmallVec::from_slice(self.as_slice())
    }

    /// The sizes, first axis first.
    #[inline]
    pub(crate) const fn as_slice(&self) -> &[usize] {
        self.sizes.split_at(self.rank).0
    }

    /// The product of the sizes, for constants.
    ///
    /// # Panics
    ///
    /// At compile time, if it is above `isize::MAX`.
    pub(crate) const fn num_elements(&self) -> usize {
        match checked_num_elements(self.as_slice()) {
            Some(count) => count,
            None => panic!("{}", TOO_LARGE),
        }
    }

    /// [`num_elements`](Self::num_elements) of a tensor with elements of `element_bytes` bytes.
    ///
    /// # Panics
    ///
    /// At compile time, if the tensor has more than `isize::MAX` bytes.
    pub(crate) const fn len_in_memory(&self, element_bytes: usize) -> usize {
        match checked_len(self.as_slice(), element_bytes) {
            Some(count) => count,
            None => panic!("{}", TOO_LARGE),
        }
    }
}

/// A list of axes, as a type and as a value.
///
/// [`shape!`](crate::shape!) writes both: `Tensor<shape![2, 3]>` and
/// `Tensor::zeros_shaped(shape![Batch(32), 3])`. The list ends with the last axis, because
/// broadcasting aligns shapes there, and `Lead` in `(Lead, A)` is itself a shape: a function over any
/// leading axes takes `Lead: Shape`.
///
/// A name has one size: if a named axis occurs in a shape twice, as in a matrix of similarities within
/// a batch, both must have the same size; otherwise creating a tensor of the shape fails.
///
/// The laws of broadcasting are supertraits, so that generic code needs no bounds for them:
/// `S ⊕ S = S` and `S ⊕ [] = S`.
///
/// ```
/// use tensor_core::{Shape, Tensor, tensor};
///
/// fn doubled<S: Shape>(x: &Tensor<S>) -> Tensor<S> {
///     x + x
/// }
///
/// assert_eq!(doubled(&tensor![[1.0], [2.0]]), tensor![[2.0], [4.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape",
    label = "expected `()` or a pair `(Lead, Axis)`, as `shape!` writes them",
    note = "write shapes with `shape![2, 3]`; in generic code, add the bound `{Self}: Shape` [T701]"
)]
pub trait Shape:
    Copy
    + PartialEq
    + Debug
    + Send
    + Sync
    + 'static
    + Broadcast<Self, Output = Self>
    + Broadcast<(), Output = Self>
    + AssignTo<Self>
    + sealed::ShapeList
{
    /// Named by types next to this bound, so that error messages are about the user's code alone: see
    /// [`bounds`](crate::bounds).
    #[doc(hidden)]
    type Checked;

    /// A list of the same length without sizes: the same type for all shapes of one rank, also in generics.
    #[doc(hidden)]
    type AnySizes;

    /// The axes before the last one; none of rank 0.
    #[doc(hidden)]
    type Leading: Shape;

    /// The last axis; [`NoLastAxis`] of rank 0.
    #[doc(hidden)]
    type LastAxis: Axis;

    /// The number of axes.
    #[doc(alias = "ndim")]
    const RANK: usize;

    /// The sizes, if all are static.
    #[doc(hidden)]
    const STATIC_SIZES: Option<StaticSizes>;

    /// The only value of this type, if all axes are [`One`] or [`Dim`](crate::Dim): then the code that
    /// computes the shape is not compiled.
    #[doc(hidden)]
    const CONSTANT: Option<Self>;

    /// The last axis, which leads to those before it.
    #[doc(hidden)]
    const LAST_AXIS: Option<&'static ConstantAxis>;

    /// The number of axes with run-time sizes.
    #[doc(hidden)]
    const RUN_TIME_AXES: usize;

    /// The layouts that the last axis states.
    #[doc(hidden)]
    const LAST_LAYOUT: [u64; 2];

    /// The shape of this type with these sizes.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Rank`] if the rank differs, [`ShapeError::StaticSize`] if the size of a static
    /// axis differs, [`ShapeError::SeveralAxes`] if those of several do, [`ShapeError::TwoSizes`] if a named axis that occurs twice has two sizes.
    ///
    /// ```
    /// use tensor_core::{Shape, axis, shape};
    ///
    /// axis!(Batch);
    /// let images = <shape![Batch, 28, 28]>::from_sizes(&[32, 28, 28])?;
    /// assert_eq!(images, shape![Batch(32), 28, 28]);
    /// assert!(<shape![Batch, 28, 28]>::from_sizes(&[32, 28, 27]).is_err());
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    fn from_sizes(sizes: &[usize]) -> Result<Self, ShapeError> {
        match Self::read_sizes(sizes) {
            Some(shape) => shape.with_one_size_each(),
            None => Err(mismatch(&Self::axis_facts(), sizes)),
        }
    }

    /// The shape with these sizes, without the check that axes of the same name have the same size; `None` if it has
    /// others.
    #[doc(hidden)]
    fn read_sizes(sizes: &[usize]) -> Option<Self>;

    /// Writes the [`RANK`](Shape::RANK) sizes into `sizes`.
    #[doc(hidden)]
    fn write_sizes(self, sizes: &mut [usize]);

    /// The text for each axis in messages: `3`, `Batch=32`.
    #[doc(hidden)]
    fn names(self) -> Vec<String> {
        names(&Self::axis_facts(), &self.sizes())
    }

    /// Calls `axis` with the size of each axis, last axis first, and with its name if the size is a
    /// run-time size.
    #[doc(hidden)]
    fn for_each_axis_from_the_end(self, axis: &mut impl FnMut(usize, Option<Option<&'static str>>));

    /// The size of the last axis of this type, if it is a run-time size.
    #[doc(hidden)]
    fn run_time_size(self, axis: TypeId) -> Option<usize>;

    /// Appends the static properties of each axis.
    #[doc(hidden)]
    fn write_axes(axes: &mut Vec<AxisFacts>);

    /// The static properties of each axis.
    #[doc(hidden)]
    fn axis_facts() -> Vec<AxisFacts> {
        let mut axes = Vec::with_capacity(Self::RANK);
        Self::write_axes(&mut axes);
        axes
    }

    /// The shape, if all axes of the same name have the same size.
    ///
    /// # Errors
    ///
    /// [`ShapeError::TwoSizes`] if they do not.
    #[doc(hidden)]
    fn with_one_size_each(self) -> Result<Self, ShapeError>;

    /// The sizes of all axes, first axis first.
    ///
    /// ```
    /// use tensor_core::{Shape, axis, shape};
    ///
    /// axis!(Batch);
    /// assert_eq!(shape![Batch(32), 28, 28].sizes()[..], [32, 28, 28]);
    /// ```
    fn sizes(self) -> Sizes {
        let write = const {
            match Self::STATIC_SIZES {
                // The compiler visits a call in a dead branch for each shape, but not a function pointer.
                Some(_) => None,
                None => Some(Self::write_sizes as fn(Self, &mut [usize])),
            }
        };
        match write {
            Some(write) => {
                let mut sizes = zeros(Self::RANK);
                write(self, &mut sizes);
                sizes
            }
            None => {
                const { &Self::STATIC_SIZES }.as_ref().map_or_else(Sizes::new, StaticSizes::copied)
            }
        }
    }

    /// The sizes of all axes for `{}` and `{:?}`, with the names of named axes.
    ///
    /// A shape is a tuple, whose own `{:?}` shows the tuple.
    ///
    /// ```
    /// use tensor_core::{Shape, axis, shape};
    ///
    /// axis!(Batch);
    /// assert_eq!(shape![2, 3].display().to_string(), "[2, 3]");
    /// assert_eq!(shape![Batch(32), 784].display().to_string(), "[Batch(32), 784]");
    /// ```
    fn display(self) -> impl fmt::Display + Debug {
        SizesAndNames(self.names())
    }

    /// The number of elements: the product of the sizes, 1 for rank 0.
    ///
    /// # Panics
    ///
    /// If it is above `isize::MAX`, which no memory holds; does not compile if all sizes are static.
    ///
    /// ```
    /// use tensor_core::{Shape, shape};
    ///
    /// assert_eq!(shape![2, 3].num_elements(), 6);
    /// ```
    #[doc(alias = "numel")]
    #[track_caller]
    fn num_elements(self) -> usize {
        let constant = const {
            match Self::STATIC_SIZES {
                Some(sizes) => Some(sizes.num_elements()),
                None => None,
            }
        };
        match constant {
            Some(count) => count,
            None => num_elements(&self.sizes()),
        }
    }

    /// The shape of an element-wise operation: `[..l], [..r] → [..(l ⊕ r)]`.
    ///
    /// The types determine which axes stretch; run-time sizes are compared here.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Sizes`] if a named axis has different sizes on the two sides: a named axis never
    /// stretches. [`ShapeError::TwoSizes`] if it has two sizes in the result.
    ///
    /// ```
    /// use tensor_core::{Shape, axis, shape};
    ///
    /// axis!(Batch);
    /// let both = shape![Batch(32), 1].broadcast(shape![Batch(32), 10])?;
    /// assert_eq!(both, shape![Batch(32), 10]);
    ///
    /// let error = shape![Batch(32), 10].broadcast(shape![Batch(31), 10]).unwrap_err();
    /// assert!(error.to_string().starts_with(
    ///     "The size of tensor a (32) must match the size of tensor b (31) at non-singleton dimension 0"
    /// ));
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    fn broadcast<R: Shape>(self, right: R) -> Result<Broadcasted<Self, R>, ShapeError>
    where
        Self: Broadcast<R>,
    {
        Self::result_shape(self, right)
    }
}

/// `rank` zeros, which sizes are written to. Never inlined: it would be compiled for each shape.
#[inline(never)]
fn zeros(rank: usize) -> Sizes {
    SmallVec::from_elem(0, rank)
}

/// The text for each axis in messages.
fn names(axes: &[AxisFacts], sizes: &[usize]) -> Vec<String> {
    let name = |(axis, size): (&AxisFacts, &usize)| match axis.name {
        Some(name) => format!("{name}={size}"),
        None => size.to_string(),
    };
    axes.iter().zip(sizes).map(name).collect()
}

/// Why a shape with these axes does not have these sizes.
fn mismatch(axes: &[AxisFacts], sizes: &[usize]) -> ShapeError {
    if axes.len() != sizes.len() {
        return ShapeError::Rank { expected: axes.len(), found: sizes.len() };
    }
    let mut mismatch: Option<ShapeError> = None;
    for (axis, (facts, &found)) in axes.iter().zip(sizes).enumerate() {
        let AxisFacts { size, name, id, .. } = *facts;
        if !(facts.accepts)(found) {
            let expected = size.unwrap_or_default();
            let of_axis = ShapeError::StaticSize { expected, found, axis, name };
            mismatch = Some(match mismatch {
                Some(before) => before.and(of_axis),
                None => of_axis,
            });
        } else if let (None, None) = (&mismatch, size)
            && let Some(first) = axes[..axis].iter().position(|axis| axis.id == id)
            && sizes[first] != found
        {
            let (name, sizes) = (name.unwrap_or_default(), [sizes[first], found]);
            mismatch = Some(ShapeError::TwoSizes { name, sizes, axis });
        }
    }
    mismatch.expect("an axis refuses its size")
}

/// The static properties of an axis.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct AxisFacts {
    /// The size, if static.
    pub(crate) size: Option<usize>,
    pub(crate) name: Option<&'static str>,
    /// The type of the axis.
    pub(crate) id: TypeId,
    /// Whether an axis of this type can have this size.
    accepts: fn(usize) -> bool,
}

/// The static properties of an axis, for constants, and those of the axes before it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ConstantAxis {
    /// The size, if static.
    pub size: Option<usize>,
    /// The name, if it has one.
    pub name: Option<&'static str>,
    /// The axis before it.
    pub before: Option<&'static Self>,
}

/// The axis of a type as messages show it: `128`, `Hidden=768`, `Batch`.
impl fmt::Display for AxisFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name, self.size) {
            (Some(name), Some(size)) => write!(f, "{name}={size}"),
            (Some(name), None) => f.write_str(name),
            (None, Some(size)) => write!(f, "{size}"),
            (None, None) => f.write_str("?"),
        }
    }
}

/// Seals [`Shape`]: shapes are lists and nothing else. Sizes come from axes, which users can implement.
mod sealed {
    pub trait ShapeList {}

    impl ShapeList for () {}

    impl<L, A> ShapeList for (L, A) {}
}

/// The text of [`Shape::display`], from [`Shape::names`].
struct SizesAndNames(Vec<String>);

impl fmt::Display for SizesAndNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (axis, size) in self.0.iter().enumerate() {
            if axis > 0 {
                f.write_str(", ")?;
            }
            match size.split_once('=') {
                Some((name, size)) => write!(f, "{name}({size})")?,
                None => f.write_str(size)?,
            }
        }
        f.write_str("]")
    }
}

impl Debug for SizesAndNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A shape whose sizes are all static.
///
/// ```
/// use tensor_core::{StaticShape, Tensor, shape, tensor};
///
/// fn halves<S: StaticShape>() -> Tensor<S> {
///     Tensor::full(0.5)
/// }
///
/// assert_eq!(halves::<shape![2]>(), tensor![0.5, 0.5]);
/// ```
#[diagnostic::on_unimplemented(
    message = "not every axis of shape `{Self}` has a size known at compile time",
    note = "use the form that takes a shape value, such as `Tensor::zeros_shaped(shape![Batch(32), 3])`; in generic code, add the bound `{Self}: StaticShape` [T403]"
)]
pub trait StaticShape: Shape + KnownSizes {
    /// Named in bounds, `S: StaticShape<Checked: Sized>`, so that error messages are about the call alone.
    #[doc(hidden)]
    type Checked;

    /// The only value of this type.
    const VALUE: Self;
}

/// [`KnownSizes`] is required of shapes alone, so that a type that is not a shape causes no second error.
impl<S: Shape> StaticShape for S
where
    After<<S as Shape>::Checked, S>: KnownSizes,
{
    type Checked = S;
    const VALUE: S = S::KNOWN;
}

/// A list of axes with static sizes: the bound of [`StaticShape`].
#[diagnostic::on_unimplemented(
    message = "not every axis of shape `{Self}` has a size known at compile time",
    note = "in generic code, add the bound `{Self}: StaticShape` [T403]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait KnownSizes {
    /// Resolves once all sizes are known, so that one axis is reported at a time.
    #[doc(hidden)]
    type Known;

    /// The only value of this type.
    #[doc(hidden)]
    const KNOWN: Self;
}

/// `[]`
#[diagnostic::do_not_recommend]
impl KnownSizes for () {
    type Known = ();
    const KNOWN: Self = ();
}

/// `[..l, a]`
impl<L: KnownSizes, A> KnownSizes for (L, A)
where
    After<L::Known, (A,)>: SizeInTypes<A>,
{
    type Known = <After<L::Known, (A,)> as SizeInTypes<A>>::Size;
    const KNOWN: Self = (L::KNOWN, <(A,) as SizeInTypes<A>>::KNOWN);
}

/// An axis with a static size: the bound of [`StaticShape`] on each axis, and of arithmetic. `Self` is a one-element
/// tuple, because for a type that the user declared the compiler would also show its declaration.
#[diagnostic::on_unimplemented(
    message = "the size of axis `{A}` is not known at compile time",
    label = "this needs the size of every axis in the types: in generic code, add the bound `{A}: StaticAxis`; give a run-time size in a shape value to a method whose name ends in `_shaped`, such as `zeros_shaped(shape![{A}(32), 3])`, or use an operation that leaves this axis alone [T403]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SizeInTypes<A> {
    /// The same size without a name.
    type Size: StaticAxis;

    /// The axis.
    #[doc(hidden)]
    const KNOWN: A;
}

/// The size of the axis `A`, if it is static.
pub(crate) type StaticSize<A> = <(A,) as SizeInTypes<A>>::Size;

#[diagnostic::do_not_recommend]
impl<A: StaticAxis> SizeInTypes<A> for (A,) {
    type Size = A::Size;
    const KNOWN: A = A::VALUE;
}

#[diagnostic::do_not_recommend]
impl Shape for () {
    type Checked = Self;
    type AnySizes = ();
    type Leading = ();
    type LastAxis = NoLastAxis;
    const RANK: usize = 0;
    const STATIC_SIZES: Option<StaticSizes> = Some(StaticSizes::EMPTY);
    const CONSTANT: Option<Self> = Some(());
    const LAST_AXIS: Option<&'static ConstantAxis> = None;
    const RUN_TIME_AXES: usize = 0;
    const LAST_LAYOUT: [u64; 2] = [0; 2];

    fn read_sizes(sizes: &[usize]) -> Option<Self> {
        sizes.is_empty().then_some(())
    }

    fn write_sizes(self, _: &mut [usize]) {}

    fn for_each_axis_from_the_end(self, _: &mut impl FnMut(usize, Option<Option<&'static str>>)) {}

    fn run_time_size(self, _: TypeId) -> Option<usize> {
        None
    }

    fn write_axes(_: &mut Vec<AxisFacts>) {}

    fn with_one_size_each(self) -> Result<Self, ShapeError> {
        Ok(self)
    }
}

impl<L: Shape, A: Axis> Shape for (L, A) {
    type Checked = Self;
    type AnySizes = (L::AnySizes, ());
    type Leading = L;
    type LastAxis = A;
    const RANK: usize = L::RANK + 1;
    const STATIC_SIZES: Option<StaticSizes> = match (L::STATIC_SIZES, A::SIZE) {
        (Some(lead), Some(size)) => lead.and(size),
        _ => None,
    };
    const CONSTANT: Option<Self> = match (L::CONSTANT, A::CONSTANT) {
        (Some(lead), Some(axis)) => Some((lead, axis)),
        _ => None,
    };
    const LAST_AXIS: Option<&'static ConstantAxis> =
        Some(&ConstantAxis { size: A::SIZE, name: A::NAME, before: L::LAST_AXIS });
    const RUN_TIME_AXES: usize = L::RUN_TIME_AXES + A::SIZE.is_none() as usize;
    const LAST_LAYOUT: [u64; 2] = axis::layouts::<A>();

    fn read_sizes(sizes: &[usize]) -> Option<Self> {
        let (&last, lead) = sizes.split_last()?;
        Some((L::read_sizes(lead)?, A::from_size(last)?))
    }

    fn write_sizes(self, sizes: &mut [usize]) {
        sizes[L::RANK] = self.1.size();
        self.0.write_sizes(sizes);
    }

    fn for_each_axis_from_the_end(
        self,
        axis: &mut impl FnMut(usize, Option<Option<&'static str>>),
    ) {
        axis(self.1.size(), A::SIZE.is_none().then_some(A::NAME));
        self.0.for_each_axis_from_the_end(axis);
    }

    fn write_axes(axes: &mut Vec<AxisFacts>) {
        L::write_axes(axes);
        axes.push(AxisFacts {
            size: A::SIZE,
            name: A::NAME,
            id: TypeId::of::<A>(),
            accepts: |size| A::from_size(size).is_some(),
        });
    }

    #[inline]
    fn run_time_size(self, axis: TypeId) -> Option<usize> {
        if const { Self::RUN_TIME_AXES == 0 } {
            return None;
        }
        if A::SIZE.is_none() && axis == TypeId::of::<A>() {
            return Some(self.1.size());
        }
        self.0.run_time_size(axis)
    }

    #[inline]
    fn with_one_size_each(self) -> Result<Self, ShapeError> {
        if const { Self::RUN_TIME_AXES < 2 } {
            return Ok(self);
        }
        let lead = self.0.with_one_size_each()?;
        if A::SIZE.is_none()
            && let Some(first) = self.0.run_time_size(TypeId::of::<A>())
            && first != self.1.size()
        {
            let (name, sizes) = (A::NAME.unwrap_or_default(), [first, self.1.size()]);
            return Err(ShapeError::TwoSizes { name, sizes, axis: L::RANK });
        }
        Ok((lead, self.1))
    }
}
