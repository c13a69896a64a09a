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
use crate::shape::axis::{Axis, NoAxis};
use crate::shape::broadcast::{BroadcastOf, Broadcasted, Refused};
use crate::shape::error::ShapeError;

/// The shape of `l.matmul(r)`, like `Broadcasted` for `l + r`.
pub type MatmulOutput<L, R> = <L as Matmul<R>>::Product;

/// The shape of `l.dot(r)`.
pub type DotOutput<L, R> = <L as Dot<R>>::Product;

/// The shape of `l.outer(r)`.
pub type OuterOutput<L, R> = <L as Outer<R>>::Product;

/// A shape with at least one axis: required by products on both sides. `Self` is `(S,)`, because for the
/// type itself the compiler would report the bound of the method.
#[diagnostic::on_unimplemented(
    message = "a tensor of rank 0 has no axis that a product with shape `{Other}` could sum over",
    label = "both sides need at least one axis",
    note = "to scale by a single number write `*` [T302]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NonScalar<Other> {
    /// The shape of the product, which never resolves, as there is no impl.
    type Product: Shape;

    /// The shape, as a value.
    #[doc(hidden)]
    fn product() -> Self::Product;
}

/// A shape with one or two axes, for the right side of `dot`: see [`NonScalar`].
#[diagnostic::on_unimplemented(
    message = "`dot` takes a matrix or a vector on its right side, not shape `{Right}`",
    label = "more than two axes",
    note = "for a batch of matrices on both sides use `matmul` [T302]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait MatrixOrVector<Left, Right>: Refused {
    /// The shape of the product, which never resolves, as there is no impl.
    type Product: Shape;

    /// The shape, as a value.
    #[doc(hidden)]
    fn product() -> Self::Product;
}

/// Generates the bound of a product, `L: $Product<R>`, from its rule, `R: $Rule<L, R>`. [`MatmulOf`] has an impl of its own.
macro_rules! products {
    ($($(#[$doc:meta])* $Product:ident: $Rule:ident $(|$left:ident, $right:ident| $shape:expr)?;)+) => {$(
        $(#[$doc])*
        pub trait $Product<R>: Shape {
            /// The shape of the product.
            type Product: Shape;

            /// The shape of the product, as a value.
            ///
            /// # Errors
            ///
            /// Returns an error if a named axis has two sizes: on the two sides, where they are contracted, or in the
            /// result.
            #[doc(hidden)]
            fn product_shape(self, right: R) -> Result<Self::Product, ProductError>;
        }

        $(impl<L: Shape, R: $Rule<L, R>> $Product<R> for L {
            type Product = R::Product;

            fn product_shape(self, $right: R) -> Result<Self::Product, ProductError> {
                let $left = self;
                $shape?.with_one_size_each().map_err(ProductError::Result)
            }
        })?
    )+};
}

products! {
    /// Two shapes that `matmul` multiplies, by the rules of
    /// [NumPy](https://numpy.org/doc/stable/reference/generated/numpy.matmul.html).
    ///
    /// `Product` is the shape of the result, [`MatmulOutput<L, R>`](MatmulOutput).
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
    Matmul: MatmulOf;

    /// Two shapes that `dot` contracts: the last axis of the left side with a matrix or a vector.
    ///
    /// `Product` is the shape of the result, [`DotOutput<L, R>`](DotOutput).
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
    Dot: DotOf |left, right| R::dot_shape(left, right);

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
    Outer: OuterOf |left, right| Ok::<_, ProductError>(R::outer_shape(left, right));
}

/// Declares two axes that a product does not sum over: they differ.
///
/// `Self` is a one-element tuple, because for a type that the user declared the compiler would also show
/// its declaration.
macro_rules! contracts {
    ($($(#[$doc:meta])* $Contracts:ident: $message:literal, $label:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $message,
            label = $label
        )]
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Contracts<L, K>: Refused {
            /// The shape of the product, which never resolves, as there is no impl.
            type Product: Shape;

            /// The shape, as a value.
            #[doc(hidden)]
            fn product() -> Self::Product;
        }
    )*};
}

contracts! {
    /// Axes that `matmul` does not sum over.
    Contracts:
        "cannot multiply: the last axis of the left side is `{L}`, the second last axis of the right side is `{K}`",
        "`[..l, m, k] × [..r, k, n]` sums over `k`, and `{L}` and `{K}` differ; `transpose` swaps the last two axes [T301]";
    /// An axis, and that of a vector, that `matmul` and `dot` do not sum over.
    ContractsVector:
        "cannot multiply: the last axis of the left side is `{L}`, the only axis of the right side is `{K}`",
        "`[..l, k] × [k]` sums over `k`, and `{L}` and `{K}` differ [T301]";
    /// An axis, and the first one of a matrix, that `dot` does not sum over.
    ContractsMatrix:
        "cannot contract: the last axis of the left side is `{L}`, the first axis of the matrix on the right side is `{K}`",
        "`[..lead, k] · [k, n]` sums over `k`, and `{L}` and `{K}` differ [T301]";
}

/// The rule of [`Matmul`]. `Self` is any type, set to `R` by the bounds: the compiler lists the impls of
/// an unmet trait, unless they are for any type.
#[diagnostic::on_unimplemented(
    message = "`matmul` needs to know the last two axes of both sides, and cannot multiply shape `{L}` by shape `{R}`",
    label = "not enough is known about the axes",
    note = "in generic code, name the last two axes of both sides, `((Lead, M), K)` and `((Lead, K), N)`, or contract with one matrix by `dot`, as in `x.dot(&weight)`, for any `(Lead, K)` [T303]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait MatmulOf<L, R> {
    /// The leading axes of the left side, which broadcast with those of the right side: [`Matmul`] requires it.
    type LeftLead: Shape;
    /// The leading axes of the right side.
    type RightLead: Shape;
    /// The shape of the product, with these leading axes.
    type Of<Lead: Shape>: Shape;

    /// The leading axes of both sides, as values.
    ///
    /// # Errors
    ///
    /// Returns an error if the axes that are summed over have different sizes.
    #[doc(hidden)]
    fn leads(left: L, right: R) -> Result<(Self::LeftLead, Self::RightLead), ProductError>;

    /// The shape of the product, as a value.
    #[doc(hidden)]
    fn product<Lead: Shape>(left: L, right: R, lead: Lead) -> Self::Of<Lead>;
}

type Left<L, R> = <R as MatmulOf<L, R>>::LeftLead;
type Right<L, R> = <R as MatmulOf<L, R>>::RightLead;

impl<L: Shape, R: Copy + MatmulOf<L, R>> Matmul<R> for L
where
    Left<L, R>: BroadcastOf<Left<L, R>, Right<L, R>>,
{
    type Product = R::Of<Broadcasted<Left<L, R>, Right<L, R>>>;

    fn product_shape(self, right: R) -> Result<Self::Product, ProductError> {
        let (left_lead, right_lead) = R::leads(self, right)?;
        let lead = left_lead.broadcast(right_lead).map_err(ProductError::Lead)?;
        R::product(self, right, lead).with_one_size_each().map_err(ProductError::Result)
    }
}

/// `[..l, m, k] × [..r, k, n] = [..(l ⊕ r), m, n]`
#[diagnostic::do_not_recommend]
impl<X, L: Shape, M: Axis, K: Axis, R: Shape, N: Axis> MatmulOf<((L, M), K), ((R, K), N)> for X {
    type LeftLead = L;
    type RightLead = R;
    type Of<Lead: Shape> = ((Lead, M), N);

    fn leads(left: ((L, M), K), right: ((R, K), N)) -> Result<(L, R), ProductError> {
        ProductError::unless_equal(left.1, right.0.1, "the second last axis")?;
        Ok((left.0.0, right.0.0))
    }

    fn product<Lead: Shape>(left: ((L, M), K), right: ((R, K), N), lead: Lead) -> Self::Of<Lead> {
        ((lead, left.0.1), right.1)
    }
}

/// `[k] × [..r, k, n] = [..r, n]`
#[diagnostic::do_not_recommend]
impl<X, K: Axis, R: Shape, N: Axis> MatmulOf<((), K), ((R, K), N)> for X {
    type LeftLead = ();
    type RightLead = R;
    type Of<Lead: Shape> = (Lead, N);

    fn leads(left: ((), K), right: ((R, K), N)) -> Result<((), R), ProductError> {
        ProductError::unless_equal(left.1, right.0.1, "the second last axis")?;
        Ok(((), right.0.0))
    }

    fn product<Lead: Shape>(_: ((), K), right: ((R, K), N), lead: Lead) -> (Lead, N) {
        (lead, right.1)
    }
}

/// `[..l, k] × [k] = [..l]`
#[diagnostic::do_not_recommend]
impl<X, L: Shape, K: Axis> MatmulOf<(L, K), ((), K)> for X {
    type LeftLead = L;
    type RightLead = ();
    type Of<Lead: Shape> = Lead;

    fn leads(left: (L, K), right: ((), K)) -> Result<(L, ()), ProductError> {
        ProductError::unless_equal(left.1, right.1, "the only axis")?;
        Ok((left.0, ()))
    }

    fn product<Lead: Shape>(_: (L, K), _: ((), K), lead: Lead) -> Lead {
        lead
    }
}

/// The rule of [`Dot`]. `Self` is any type, set to `R` by the bounds: the compiler lists the impls of an
/// unmet trait, unless they are for any type.
#[diagnostic::on_unimplemented(
    message = "`dot` needs to know the last axis of its left side and all axes of its right side, and cannot contract shape `{L}` with shape `{R}`",
    label = "not enough is known about the axes",
    note = "in generic code, name them: `(Lead, K)` on the left side, as in `x.dot(&weight)`, `shape![K, N]` or `shape![K]` on the right side [T303]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait DotOf<L, R> {
    /// The shape of the product.
    type Product: Shape;

    /// The shape of the product, as a value.
    ///
    /// # Errors
    ///
    /// Returns an error if a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn dot_shape(left: L, right: R) -> Result<Self::Product, ProductError>;
}

/// `[..lead, k] · [k, n] = [..lead, n]`
#[diagnostic::do_not_recommend]
impl<X, L: Shape, K: Axis, N: Axis> DotOf<(L, K), (((), K), N)> for X {
    type Product = (L, N);

    fn dot_shape((left, k): (L, K), (((), j), n): (((), K), N)) -> Result<(L, N), ProductError> {
        ProductError::unless_equal(k, j, "the first axis")?;
        Ok((left, n))
    }
}

/// `[..lead, k] · [k] = [..lead]`
#[diagnostic::do_not_recommend]
impl<X, L: Shape, K: Axis> DotOf<(L, K), ((), K)> for X {
    type Product = L;

    fn dot_shape((left, k): (L, K), ((), j): ((), K)) -> Result<L, ProductError> {
        ProductError::unless_equal(k, j, "the only axis")?;
        Ok(left)
    }
}

/// Generates the products that are refused, with the bound that has the message.
macro_rules! refused {
    ($([$($P:ident)*] $Product:ident $Left:ty, $Right:ty => $Refused:ty: $Message:ident<$($Arg:ty),+> $(+ $Also:ident)?;)*) => {$(
        refused! { @$Product [$($P)*] $Left, $Right => $Refused: $Message<$($Arg),+> $(+ $Also)? }
    )*};
    (@MatmulOf [$($P:ident)*] $Left:ty, $Right:ty => $Refused:ty: $Message:ident<$($Arg:ty),+> $(+ $Also:ident)?) => {
        impl<X, $($P),*> MatmulOf<$Left, $Right> for X
        where
            $Refused: $Message<$($Arg),+> $(+ $Also)?,
        {
            type LeftLead = <$Refused as $Message<$($Arg),+>>::Product;
            type RightLead = ();
            type Of<Lead: Shape> = Lead;

            fn leads(_: $Left, _: $Right) -> Result<(Self::LeftLead, ()), ProductError> {
                Ok((<$Refused as $Message<$($Arg),+>>::product(), ()))
            }

            fn product<Lead: Shape>(_: $Left, _: $Right, lead: Lead) -> Lead {
                lead
            }
        }
    };
    (@DotOf [$($P:ident)*] $Left:ty, $Right:ty => $Refused:ty: $Message:ident<$($Arg:ty),+> $(+ $Also:ident)?) => {
        impl<X, $($P),*> DotOf<$Left, $Right> for X
        where
            $Refused: $Message<$($Arg),+> $(+ $Also)?,
        {
            type Product = <$Refused as $Message<$($Arg),+>>::Product;

            fn dot_shape(_: $Left, _: $Right) -> Result<Self::Product, ProductError> {
                Ok(<$Refused as $Message<$($Arg),+>>::product())
            }
        }
    };
}

refused! {
    [L M K R J N] MatmulOf ((L, M), K), ((R, J), N) => (K,): Contracts<K, J> + Refused;
    [K R J N] MatmulOf ((), K), ((R, J), N) => (K,): Contracts<K, J> + Refused;
    [L K J] MatmulOf (L, K), ((), J) => (K,): ContractsVector<K, J> + Refused;
    [R] MatmulOf (), R => ((),): NonScalar<R>;
    [L K] MatmulOf (L, K), () => ((),): NonScalar<(L, K)>;
    [L K J N] DotOf (L, K), (((), J), N) => (K,): ContractsMatrix<K, J> + Refused;
    [L K J] DotOf (L, K), ((), J) => (K,): ContractsVector<K, J> + Refused;
    [L K R A J N] DotOf (L, K), (((R, A), J), N) => ((((R, A), J), N),): MatrixOrVector<(L, K), (((R, A), J), N)> + Refused;
    [R] DotOf (), R => ((),): NonScalar<R>;
    [L K] DotOf (L, K), () => ((),): NonScalar<(L, K)>;
}

/// The rule of [`Outer`]. `Self` is any type, set to `R` by the bounds: see [`MatmulOf`].
#[diagnostic::on_unimplemented(
    message = "`outer` takes two vectors, not shape `{L}` and shape `{R}`",
    label = "both sides of `outer` have exactly one axis",
    note = "`[m] ⊗ [n]` gives `[m, n]`; for other ranks, `unsqueeze` one side and multiply with `*`, which broadcasts; in generic code, name the axes, `shape![M]` and `shape![N]` [T302]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OuterOf<L, R> {
    /// The shape of the product.
    type Product: Shape;

    /// The shape of the product, as a value.
    #[doc(hidden)]
    fn outer_shape(left: L, right: R) -> Self::Product;
}

/// `[m] ⊗ [n] = [m, n]`
#[diagnostic::do_not_recommend]
impl<X, M: Axis, N: Axis> OuterOf<((), M), ((), N)> for X {
    type Product = (((), M), N);

    fn outer_shape(left: ((), M), ((), n): ((), N)) -> Self::Product {
        (left, n)
    }
}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<X, M: Axis> OuterOf<((), M), NoAxis> for X {
    type Product = ((), M);

    fn outer_shape(_: ((), M), right: NoAxis) -> Self::Product {
        match right {}
    }
}

/// Run-time sizes of a product that do not match.
#[derive(Clone, PartialEq, Eq)]
pub enum ProductError {
    /// The axes that are summed over differ.
    Inner {
        /// The size of the last axis of the left side.
        left: usize,
        /// The size of the axis of the right side.
        right: usize,
        /// The axis of the right side, in words.
        position: &'static str,
        /// The name of both axes.
        name: &'static str,
    },
    /// The leading axes do not broadcast.
    Lead(ShapeError),
    /// A named axis occurs twice in the result, with two sizes.
    Result(ShapeError),
}

impl ProductError {
    fn unless_equal<K: Axis, J: Axis>(
        left: K,
        right: J,
        position: &'static str,
    ) -> Result<(), Self> {
        let (left, right) = (left.size(), right.size());
        if left == right {
            return Ok(());
        }
        Err(Self::Inner { left, right, position, name: K::NAME.unwrap_or_default() })
    }
}

impl fmt::Display for ProductError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inner { left, right, position, name } => write!(
                f,
                "cannot multiply: the last axis of the left side (`{name}`) has size {left}, {position} of the right side (`{name}`) has size {right}"
            ),
            Self::Lead(error) => write!(f, "cannot multiply: the leading axes differ. {error}"),
            Self::Result(error) => write!(f, "cannot multiply: in the result, {error}"),
        }
    }
}

tensor_kernels::__debug_as_display!(ProductError);

impl core::error::Error for ProductError {}
