//! The shapes of products: the operands of `matmul`, `dot` and `outer`, and their results.
//!
//! ```text
//! [..l, m, k] × [..r, k, n] = [..(l ⊕ r), m, n]      matmul: matrices
//!         [k] × [..r, k, n] = [..r, n]               matmul: a vector on the left
//!     [..l, k] × [k]        = [..l]                  matmul: a vector on the right
//! [..lead, k] · [k, n]      = [..lead, n]            dot with a matrix
//! [..lead, k] · [k]         = [..lead]               dot with a vector
//!         [m] ⊗ [n]         = [m, n]                 outer
//! ```

use core::fmt;

use crate::shape::Shape;
use crate::shape::axis::{Axis, NoAxis, One};
use crate::shape::broadcast::{After, Broadcast, Broadcasted};
use crate::shape::error::ShapeError;

/// The shape of `l.matmul(r)`, as `Broadcasted` is for `l + r`.
pub type MatmulOutput<L, R> = <R as MatmulRhs<L>>::Product;

/// The shape of `l.dot(r)`.
pub type DotOutput<L, R> = <R as DotRhs<L>>::Product;

/// The shape of `l.outer(r)`.
pub type OuterOutput<L, R> = <R as OuterRhs<L>>::Product;

/// A shape with at least one axis: what products need on both sides.
#[diagnostic::on_unimplemented(
    message = "a tensor of rank 0 has no axis that a product with shape `{Other}` could sum over",
    label = "both sides need at least one axis",
    note = "to scale by a single number write `*` [T302]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NonScalar<Other> {
    /// The shape of the product: none, as there is no impl.
    type Product: Shape;

    /// Its value.
    #[doc(hidden)]
    fn product(self) -> Self::Product;
}

/// A shape with one axis or two, for the right side of `dot`.
#[diagnostic::on_unimplemented(
    message = "`dot` takes a matrix or a vector on its right side, not shape `{Self}`",
    label = "more than two axes",
    note = "for a batch of matrices on both sides use `matmul` [T302]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait MatrixOrVector<Left> {
    /// The shape of the product: none, as there is no impl.
    type Product: Shape;

    /// Its value.
    #[doc(hidden)]
    fn product(self) -> Self::Product;
}

/// Two shapes that `matmul` multiplies, by the rules of
/// [NumPy](https://numpy.org/doc/stable/reference/generated/numpy.matmul.html).
///
/// ```
/// use tensor_core::{Shape, Tensor, bounds::{Matmul, MatmulOutput}, tensor};
///
/// fn product<L: Matmul<R>, R: Shape>(l: &Tensor<L>, r: &Tensor<R>) -> Tensor<MatmulOutput<L, R>> {
///     l.matmul(r)
/// }
///
/// let swapped = product(&tensor![[1.0, 2.0]], &tensor![[0.0, 1.0], [1.0, 0.0]]);
/// assert_eq!(swapped, tensor![[2.0, 1.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`matmul` needs to know the last two axes of both sides, and cannot multiply shape `{Self}` by shape `{R}`",
    label = "not enough is known about the axes",
    note = "in generic code, name the last two axes of both sides, `((Lead, M), K)` and `((Lead, K), N)`, or contract with one matrix by `dot`, as in `x.dot(&weight)`, for any `(Lead, K)` [T303]"
)]
pub trait Matmul<R>: Shape {
    /// The shape of the product.
    type Product: Shape;

    /// The shape of the product, as a value.
    ///
    /// # Errors
    ///
    /// Returns an error if a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn matmul_shape(self, right: R) -> Result<Self::Product, ProductError>;
}

/// Two shapes that `dot` contracts: the last axis of the left side with a matrix or a vector.
///
/// ```
/// use tensor_core::{Shape, Tensor, bounds::{Dot, DotOutput}, tensor};
///
/// fn projected<S: Dot<W>, W: Shape>(x: &Tensor<S>, weight: &Tensor<W>) -> Tensor<DotOutput<S, W>> {
///     x.dot(weight)
/// }
///
/// assert_eq!(projected(&tensor![[1.0, 2.0]], &tensor![10.0, 1.0]), tensor![12.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`dot` needs to know the last axis of its left side and all axes of its right side, and cannot contract shape `{Self}` with shape `{R}`",
    label = "not enough is known about the axes",
    note = "in generic code, name them: `(Lead, K)` on the left side, as in `x.dot(&weight)`, `shape![K, N]` or `shape![K]` on the right side [T303]"
)]
pub trait Dot<R>: Shape {
    /// The shape of the product.
    type Product: Shape;

    /// The shape of the product, as a value.
    ///
    /// # Errors
    ///
    /// Returns an error if a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn dot_shape(self, right: R) -> Result<Self::Product, ProductError>;
}

/// Two vectors, for `outer`.
///
/// ```
/// use tensor_core::{Shape, Tensor, bounds::{Outer, OuterOutput}, tensor};
///
/// fn table<L: Outer<R>, R: Shape>(l: &Tensor<L>, r: &Tensor<R>) -> Tensor<OuterOutput<L, R>> {
///     l.outer(r)
/// }
///
/// assert_eq!(table(&tensor![1.0, 2.0], &tensor![1.0, 10.0]), tensor![[1.0, 10.0], [2.0, 20.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`outer` takes two vectors, not shape `{Self}` and shape `{R}`",
    label = "both sides of `outer` have exactly one axis",
    note = "`[m] ⊗ [n]` gives `[m, n]`; for other ranks, `unsqueeze` one side and multiply with `*`, which broadcasts; in generic code, name the axes, `shape![M]` and `shape![N]` [T302]"
)]
pub trait Outer<R>: Shape {
    /// The shape of the product.
    type Product: Shape;

    /// The shape of the product, as a value.
    #[doc(hidden)]
    fn outer_shape(self, right: R) -> Self::Product;
}

/// The same axis.
#[diagnostic::on_unimplemented(message = "`{Self}` and `{K}` differ")]
#[cfg_attr(doc, doc(hidden))]
pub trait SameAxis<K> {
    /// The axis.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<A: Axis> SameAxis<A> for A {
    type Is = A;
}

#[diagnostic::do_not_recommend]
impl<A> SameAxis<NoAxis> for A {
    type Is = NoAxis;
}

/// The axis that two axes are which a product sums over.
#[diagnostic::on_unimplemented(message = "`{L}` and `{K}` differ")]
#[cfg_attr(doc, doc(hidden))]
pub trait ContractedAxis<L, K> {
    /// The axis.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<L: SameAxis<K>, K> ContractedAxis<L, K> for (L,) {
    type Is = L::Is;
}

/// Stamps out the relations of two axes that a product sums over: they are the same.
///
/// `Self` is a one-element tuple, because for a type that the user declared the compiler would also show
/// its declaration. Nothing decides the parameter `Is` where the axes differ, so the compiler proposes no
/// bound: see `AxesMatch`.
macro_rules! contracts {
    ($($(#[$doc:meta])* $Contracts:ident: $message:literal, $note:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "`{L}` and `{K}` differ",
            note = $note
        )]
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Contracts<L, K, Is> {
            /// Resolved once the axes match: see [`After`].
            #[doc(hidden)]
            type Matched;
        }

        #[diagnostic::do_not_recommend]
        impl<L: SameAxis<K, Is = X>, K, X> $Contracts<L, K, X> for (L,) {
            type Matched = X;
        }

        /// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
        #[diagnostic::do_not_recommend]
        impl $Contracts<NoAxis, NoAxis, One> for (NoAxis,) {
            type Matched = One;
        }
    )*};
}

contracts! {
    /// An axis that `matmul` can contract with an axis of the right side: the same one.
    Contracts:
        "cannot multiply: the last axis of the left side is `{L}`, the second last axis of the right side is `{K}`",
        "`[..l, m, k] × [..r, k, n]` sums over `k`, so that both sides must have the same `k`; `transpose` swaps the last two axes [T301]";
    /// An axis that `matmul` and `dot` can contract with the axis of a vector: the same one.
    ContractsVector:
        "cannot multiply: the last axis of the left side is `{L}`, the only axis of the right side is `{K}`",
        "`[..l, k] × [k]` sums over `k`, so that both sides must have the same `k` [T301]";
    /// An axis that `dot` can contract with the first axis of a matrix: the same one.
    ContractsMatrix:
        "cannot contract: the last axis of the left side is `{L}`, the first axis of the matrix on the right side is `{K}`",
        "`[..lead, k] · [k, n]` sums over `k`, so that both sides must have the same `k` [T301]";
}

/// Two sides of `matmul` with their axes before the last: those of the left side, where the right one is no
/// vector.
#[cfg_attr(doc, doc(hidden))]
pub trait KnownSides<L> {
    /// A type that is there where the axes are known.
    type Known;
}

#[diagnostic::do_not_recommend]
impl<L> KnownSides<L> for () {
    type Known = ();
}

#[diagnostic::do_not_recommend]
impl<L: VectorOrMore, R, J> KnownSides<L> for (R, J) {
    type Known = L::Known;
}

/// The axes before the last of the left side: none, or one behind any others.
#[cfg_attr(doc, doc(hidden))]
pub trait VectorOrMore {
    /// A type that is there where the axes are known.
    type Known;
}

#[diagnostic::do_not_recommend]
impl VectorOrMore for () {
    type Known = ();
}

#[diagnostic::do_not_recommend]
impl<L, M> VectorOrMore for (L, M) {
    type Known = ();
}

/// What decides the parameter `Known` of [`SidesOfMatmul`].
#[cfg_attr(doc, doc(hidden))]
pub trait KnownSidesOf<L, R> {
    /// A type that is there where the axes are known.
    type Known;
}

#[diagnostic::do_not_recommend]
impl<L, K, R: KnownSides<L>, N> KnownSidesOf<(L, K), (R, N)> for ((L, K),) {
    type Known = R::Known;
}

/// Two sides of `matmul` whose axes are known. Nothing decides the parameter `Known` where they are not, so
/// that the compiler proposes no bound: see `AxesMatch`.
#[diagnostic::on_unimplemented(
    message = "`matmul` needs to know the last two axes of both sides, and cannot multiply shape `{L}` by shape `{R}`",
    label = "not enough is known about the axes",
    note = "in generic code, name the last two axes of both sides, `((Lead, M), K)` and `((Lead, K), N)`, or contract with one matrix by `dot`, as in `x.dot(&weight)`, for any `(Lead, K)` [T303]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SidesOfMatmul<L, R, Known> {
    /// `Known`: see [`After`].
    #[doc(hidden)]
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<L, K, R: KnownSides<L, Known = X>, N, X> SidesOfMatmul<(L, K), (R, N), X> for ((L, K),) {
    type Matched = X;
}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<R> SidesOfMatmul<NoAxis, R, NoAxis> for (NoAxis,) {
    type Matched = NoAxis;
}

/// `[..l, k] × [..r, n]`, by the axes before the last.
impl<L, K, R, N, X> Matmul<(R, N)> for (L, K)
where
    L: Shape,
    K: Axis,
    <((L, K),) as SidesOfMatmul<(L, K), (R, N), X>>::Matched: Sized,
    ((L, K),): SidesOfMatmul<(L, K), (R, N), X>,
    ((L, K),): KnownSidesOf<(L, K), (R, N), Known = X>,
    After<<((L, K),) as SidesOfMatmul<(L, K), (R, N), X>>::Matched, (L, K)>: MultipliedBy<(R, N)>,
{
    type Product =
        <After<<((L, K),) as SidesOfMatmul<(L, K), (R, N), X>>::Matched, (L, K)> as MultipliedBy<
            (R, N),
        >>::Product;

    fn matmul_shape(self, right: (R, N)) -> Result<Self::Product, ProductError> {
        self.multiplied_by(right)
    }
}

/// The left side of `matmul` with `R`.
#[cfg_attr(doc, doc(hidden))]
pub trait MultipliedBy<R> {
    /// The shape of the product.
    type Product: Shape;

    /// The shape of the product, as a value.
    #[doc(hidden)]
    fn multiplied_by(self, right: R) -> Result<Self::Product, ProductError>;
}

/// `[..l, m, k] × [..r, k, n] = [..(l ⊕ r), m, n]`
impl<L, M, K, R, J, N, X> MultipliedBy<((R, J), N)> for ((L, M), K)
where
    L: Shape + Broadcast<R>,
    R: Shape,
    K: Axis,
    (K,): Contracts<K, J, X>,
    (K,): ContractedAxis<K, J, Is = X>,
    M: Axis,
    J: Axis,
    N: Axis,
{
    type Product = After<<(K,) as Contracts<K, J, X>>::Matched, ((Broadcasted<L, R>, M), N)>;

    fn multiplied_by(self, right: ((R, J), N)) -> Result<Self::Product, ProductError> {
        let (((left, m), k), ((right, j), n)) = (self, right);
        ProductError::unless_equal(k, j, "the second last axis")?;
        let lead = left.broadcast(right).map_err(ProductError::Lead)?;
        Ok(((lead, m), n))
    }
}

/// `[k] × [..r, k, n] = [..r, n]`
impl<K, R, J, N, X> MultipliedBy<((R, J), N)> for ((), K)
where
    R: Shape,
    K: Axis,
    (K,): Contracts<K, J, X>,
    (K,): ContractedAxis<K, J, Is = X>,
    J: Axis,
    N: Axis,
{
    type Product = After<<(K,) as Contracts<K, J, X>>::Matched, (R, N)>;

    fn multiplied_by(self, right: ((R, J), N)) -> Result<Self::Product, ProductError> {
        let (((), k), ((right, j), n)) = (self, right);
        ProductError::unless_equal(k, j, "the second last axis")?;
        Ok((right, n))
    }
}

/// `[..l, k] × [k] = [..l]`
impl<L, K, J, X> MultipliedBy<((), J)> for (L, K)
where
    L: Shape,
    K: Axis,
    (K,): ContractsVector<K, J, X>,
    (K,): ContractedAxis<K, J, Is = X>,
    J: Axis,
{
    type Product = After<<(K,) as ContractsVector<K, J, X>>::Matched, L>;

    fn multiplied_by(self, ((), j): ((), J)) -> Result<L, ProductError> {
        ProductError::unless_equal(self.1, j, "the only axis")?;
        Ok(self.0)
    }
}

/// `[] × R` is refused.
impl<R: Shape> Matmul<R> for ()
where
    (): NonScalar<R>,
{
    type Product = <() as NonScalar<R>>::Product;

    fn matmul_shape(self, _: R) -> Result<Self::Product, ProductError> {
        Ok(self.product())
    }
}

/// `L × []` is refused.
impl<L: Shape, K: Axis> Matmul<()> for (L, K)
where
    (): NonScalar<(L, K)>,
{
    type Product = <() as NonScalar<(L, K)>>::Product;

    fn matmul_shape(self, (): ()) -> Result<Self::Product, ProductError> {
        Ok(().product())
    }
}

/// The axes before the last of a side of a product: none, one, or more.
#[cfg_attr(doc, doc(hidden))]
pub trait AxesBeforeLast {
    /// A type that is there where the axes are known.
    type Known;
}

#[diagnostic::do_not_recommend]
impl AxesBeforeLast for () {
    type Known = ();
}

#[diagnostic::do_not_recommend]
impl<J> AxesBeforeLast for ((), J) {
    type Known = ();
}

#[diagnostic::do_not_recommend]
impl<R, A, J> AxesBeforeLast for ((R, A), J) {
    type Known = ();
}

/// What decides the parameter `Known` of [`RightSideOfDot`].
#[cfg_attr(doc, doc(hidden))]
pub trait KnownRightAxes<R> {
    /// A type that is there where the axes are known.
    type Known;
}

#[diagnostic::do_not_recommend]
impl<R: AxesBeforeLast, N> KnownRightAxes<(R, N)> for ((R, N),) {
    type Known = R::Known;
}

/// A right side of `dot` whose axes are known. Nothing decides the parameter `Known` where they are not, so
/// that the compiler proposes no bound: see `AxesMatch`.
#[diagnostic::on_unimplemented(
    message = "`dot` needs to know the last axis of its left side and all axes of its right side, and cannot contract shape `{L}` with shape `{R}`",
    label = "not enough is known about the axes",
    note = "in generic code, name them: `(Lead, K)` on the left side, as in `x.dot(&weight)`, `shape![K, N]` or `shape![K]` on the right side [T303]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait RightSideOfDot<L, R, Known> {
    /// `Known`: see [`After`].
    #[doc(hidden)]
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<L, R: AxesBeforeLast<Known = X>, N, X> RightSideOfDot<L, (R, N), X> for ((R, N),) {
    type Matched = X;
}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<L> RightSideOfDot<L, NoAxis, NoAxis> for (NoAxis,) {
    type Matched = NoAxis;
}

/// `[..lead, k] · [..] `, by the axes of the right side.
impl<L, K, R, N, X> Dot<(R, N)> for (L, K)
where
    L: Shape,
    K: Axis,
    <((R, N),) as RightSideOfDot<(L, K), (R, N), X>>::Matched: Sized,
    ((R, N),): RightSideOfDot<(L, K), (R, N), X>,
    ((R, N),): KnownRightAxes<(R, N), Known = X>,
    After<<((R, N),) as RightSideOfDot<(L, K), (R, N), X>>::Matched, (R, N)>: DottedWith<L, K>,
{
    type Product =
        <After<<((R, N),) as RightSideOfDot<(L, K), (R, N), X>>::Matched, (R, N)> as DottedWith<
            L,
            K,
        >>::Product;

    fn dot_shape(self, right: (R, N)) -> Result<Self::Product, ProductError> {
        right.dotted_with(self)
    }
}

/// The right side of `dot` with `[..lead, k]`.
#[cfg_attr(doc, doc(hidden))]
pub trait DottedWith<L, K> {
    /// The shape of the product.
    type Product: Shape;

    /// The shape of the product, as a value.
    #[doc(hidden)]
    fn dotted_with(self, left: (L, K)) -> Result<Self::Product, ProductError>;
}

/// `[..lead, k] · [k, n] = [..lead, n]`
impl<L, K, J, N, X> DottedWith<L, K> for (((), J), N)
where
    L: Shape,
    K: Axis,
    (K,): ContractsMatrix<K, J, X>,
    (K,): ContractedAxis<K, J, Is = X>,
    J: Axis,
    N: Axis,
{
    type Product = After<<(K,) as ContractsMatrix<K, J, X>>::Matched, (L, N)>;

    fn dotted_with(self, left: (L, K)) -> Result<(L, N), ProductError> {
        let (((), j), n) = self;
        ProductError::unless_equal(left.1, j, "the first axis")?;
        Ok((left.0, n))
    }
}

/// `[..lead, k] · [k] = [..lead]`
impl<L, K, J, X> DottedWith<L, K> for ((), J)
where
    L: Shape,
    K: Axis,
    (K,): ContractsVector<K, J, X>,
    (K,): ContractedAxis<K, J, Is = X>,
    J: Axis,
{
    type Product = After<<(K,) as ContractsVector<K, J, X>>::Matched, L>;

    fn dotted_with(self, left: (L, K)) -> Result<L, ProductError> {
        ProductError::unless_equal(left.1, self.1, "the only axis")?;
        Ok(left.0)
    }
}

/// `L · [..r, a, k, n]` is refused.
impl<L, K, R, A, J, N> DottedWith<L, K> for (((R, A), J), N)
where
    L: Shape,
    K: Axis,
    (((R, A), J), N): MatrixOrVector<(L, K)>,
{
    type Product = <(((R, A), J), N) as MatrixOrVector<(L, K)>>::Product;

    fn dotted_with(self, _: (L, K)) -> Result<Self::Product, ProductError> {
        Ok(self.product())
    }
}

/// `[] · R` is refused.
impl<R: Shape> Dot<R> for ()
where
    (): NonScalar<R>,
{
    type Product = <() as NonScalar<R>>::Product;

    fn dot_shape(self, _: R) -> Result<Self::Product, ProductError> {
        Ok(self.product())
    }
}

/// `L · []` is refused.
impl<L: Shape, K: Axis> Dot<()> for (L, K)
where
    (): NonScalar<(L, K)>,
{
    type Product = <() as NonScalar<(L, K)>>::Product;

    fn dot_shape(self, (): ()) -> Result<Self::Product, ProductError> {
        Ok(().product())
    }
}

/// `[m] ⊗ [n] = [m, n]`
#[diagnostic::do_not_recommend]
impl<M: Axis, N: Axis> Outer<((), N)> for ((), M) {
    type Product = (((), M), N);

    fn outer_shape(self, ((), n): ((), N)) -> Self::Product {
        (self, n)
    }
}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<M: Axis> Outer<NoAxis> for ((), M) {
    type Product = Self;

    fn outer_shape(self, right: NoAxis) -> Self {
        match right {}
    }
}

/// Run-time sizes of a product that do not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProductError {
    /// The axes that are summed over.
    Inner {
        /// The size of the last axis of the left side.
        left: usize,
        /// The size of the axis of the right side.
        right: usize,
        /// Which axis of the right side.
        place: &'static str,
        /// The name of both.
        name: &'static str,
    },
    /// The leading axes, which broadcast.
    Lead(ShapeError),
    /// A named axis that the result has twice, with two sizes.
    Result(ShapeError),
}

impl ProductError {
    fn unless_equal<K: Axis, J: Axis>(left: K, right: J, place: &'static str) -> Result<(), Self> {
        let (left, right) = (left.size(), right.size());
        if left == right {
            return Ok(());
        }
        Err(Self::Inner { left, right, place, name: K::NAME.unwrap_or_default() })
    }
}

impl fmt::Display for ProductError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inner { left, right, place, name } => write!(
                f,
                "cannot multiply: the last axis of the left side (`{name}`) has size {left}, {place} of the right side (`{name}`) has size {right}"
            ),
            Self::Lead(error) => write!(f, "cannot multiply: the leading axes differ. {error}"),
            Self::Result(error) => write!(f, "cannot multiply: in the result, {error}"),
        }
    }
}

impl core::error::Error for ProductError {}

/// Stamps out a relation of two shapes that the shape of the right side is asked for.
///
/// A method whose bound is on the shape of its left side is not found at all while the shape of the
/// right side is unknown, and the compiler then speaks of the method, not of the sizes.
macro_rules! rhs_bound {
    ($($(#[$doc:meta])* $Of:ident = $Rule:ident |$left:ident, $right:ident| $shape:expr;)*) => {$(
        $(#[$doc])*
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Of<L>: Shape {
            /// The shape of the product.
            type Product: Shape;

            /// The shape of the product, as a value.
            ///
            /// # Errors
            ///
            /// Returns an error if a named axis has different sizes on the two sides, or two sizes in the
            /// result.
            fn product_shape(left: L, right: Self) -> Result<Self::Product, ProductError>;
        }

        impl<L: $Rule<R, Product = O>, R: Shape, O: Shape> $Of<L> for R {
            type Product = O;

            fn product_shape($left: L, $right: R) -> Result<O, ProductError> {
                $shape?.with_one_size_each().map_err(ProductError::Result)
            }
        }
    )*};
}

rhs_bound! {
    /// A shape that a shape `L` can be multiplied with: `L: Matmul<Self>`.
    MatmulRhs = Matmul |left, right| left.matmul_shape(right);
    /// A shape whose axis a shape `L` can contract with its last one: `L: Dot<Self>`.
    DotRhs = Dot |left, right| left.dot_shape(right);
    /// A shape that makes a table with a shape `L`: `L: Outer<Self>`.
    OuterRhs = Outer |left, right| Ok::<_, ProductError>(left.outer_shape(right));
}
