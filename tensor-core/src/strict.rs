//! Strict broadcasting: [`#[strict]`](macro@crate::strict), [`strictly!`](crate::strictly!) and
//! [`relaxed!`](crate::relaxed!).
//!
//! `[4] - [4, 1]` broadcasts to `[4, 4]`, because both sides stretch: an outer difference, or a loss
//! with a forgotten `squeeze`. In strict code it does not compile. There are three modes:
//!
//! | mode | in one operation | rejects |
//! | --- | --- | --- |
//! | `#[strict]` | one side may stretch: the result has the shape of an operand | `[4] - [4, 1]` |
//! | `#[strict(rank)]` | only axes of size `One` may stretch: the ranks are the same | `[8, 4] - [4]` |
//! | `#[strict(same)]` | no side may stretch: the shapes are the same | `[8, 4] - [4]`, `[8, 4] - [1, 4]` |
//!
//! Scalars and tensors of rank 0 are allowed with every shape in all modes.
//!
//! Operators, comparisons and the other methods and functions of several operands are checked by their
//! types alone: the check generates no code.
//!
//! ```
//! use tensor_core::{Tensor, shape, strict};
//!
//! #[strict]
//! fn mean_squared_error(prediction: &Tensor<shape![4]>, target: &Tensor<shape![4]>) -> f32 {
//!     let error = prediction - target;
//!     (&error * &error).mean().item()
//! }
//! # assert_eq!(mean_squared_error(&Tensor::ones(), &Tensor::zeros()), 1.0);
//! ```

use core::marker::PhantomData;

use crate::shape::broadcast::{AssignTo, Broadcast, Broadcasted};

/// `A ⊕ B ⊕ C`
type Broadcasted3<A, B, C> = Broadcasted<Broadcasted<A, B>, C>;
/// `A ⊕ B ⊕ C ⊕ D`
type Broadcasted4<A, B, C, D> = Broadcasted<Broadcasted3<A, B, C>, D>;

mod attempt;
mod operand;

pub use attempt::{
    one_side2, one_side3, one_side4, rank_in_place2, rank2, rank3, rank4, same_in_place2, same2,
    same3, same4,
};
pub use operand::{HasShape, Side, side};

/// Strict code, under [`#[strict]`](macro@crate::strict), as error messages name it.
///
/// ```
/// use tensor_core::strict::{BothMayStretch, Strict};
///
/// // Nothing implements the trait: that is what the messages are about.
/// fn outer_sum<L, R, Result>(_: L, _: R) where Strict: BothMayStretch<L, R, Result> {}
/// ```
#[cfg_attr(doc, doc(hidden))]
pub struct Strict;

/// Declares traits without impls, required if operands break a rule, and types whose methods require them.
macro_rules! refusals {
    ($($(#[$attribute:meta])* $Name:ident<$($S:ident),+ $(; const $N:ident)*> of $Operands:ident;)+) => {$(
        $(#[$attribute])*
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Name<$($S,)+ $(const $N: usize),*> {
            /// The type of an argument that requires this trait.
            #[doc(hidden)]
            type Proof;
        }

        /// Operands whose shapes break a rule.
        #[doc(hidden)]
        pub struct $Operands<$($S,)+ $(const $N: usize),*>(PhantomData<($($S,)+)>);

        #[tensor_array_macros::bounds_without_source]
        impl<$($S,)+ $(const $N: usize),*> $Operands<$($S,)+ $($N),*> {
            pub fn proof(&self, _: <Strict as $Name<$($S,)+ $($N),*>>::Proof)
            where
                Strict: $Name<$($S,)+ $($N),*>,
            {
            }
        }
    )+};
}

/// Operands that satisfy a rule.
#[doc(hidden)]
pub struct Kept;

impl Kept {
    pub fn proof(&self, (): ()) {}
}

refusals! {
    /// Two operands that both stretch. [`Strict`] does not implement it: requiring it is the error. Not
    /// a bound for users to write.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{strictly, tensor};
    ///
    /// let column = tensor![[1.0], [2.0], [3.0]];
    /// let _ = strictly!(tensor![1.0, 2.0, 3.0] - column);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "both sides would stretch: shape `{L}` and shape `{R}` give `{Result}`",
        label = "in strict code one side may stretch, not both",
        note = "to pair the elements one by one, give both sides the same axes: `squeeze` takes an axis of `One` away, `unsqueeze` puts one in",
        note = "to combine every element with every other, write `relaxed!(a + b)` [T106]"
    )]
    BothMayStretch<L, R, Result> of BothStretch;

    /// Three operands that all stretch.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{select, strictly, tensor};
    ///
    /// let mask = tensor![[true], [false]];
    /// let _ = strictly!(select(mask, tensor![1.0, 2.0], 0.0));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "every operand would stretch: shapes `{A}`, `{B}` and `{C}` give `{Result}`",
        label = "in strict code one operand has the shape of the result",
        note = "to pair the elements one by one, give the operands the same axes: `squeeze` takes an axis of `One` away, `unsqueeze` puts one in",
        note = "to combine every element with every other, write `relaxed!(…)` around the operation [T106]"
    )]
    AllThreeMayStretch<A, B, C, Result> of AllThreeStretch;

    /// Four operands that all stretch.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{strictly, tensor, zip_with4};
    ///
    /// let (column, row) = (tensor![[1.0], [2.0]], tensor![1.0, 2.0]);
    /// let _ = strictly!(zip_with4(&column, &row, &row, &row, |a, b, c, d| a * b + c * d));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "every operand would stretch: shapes `{A}`, `{B}`, `{C}` and `{D}` give `{Result}`",
        label = "in strict code one operand has the shape of the result",
        note = "to pair the elements one by one, give the operands the same axes: `squeeze` takes an axis of `One` away, `unsqueeze` puts one in",
        note = "to combine every element with every other, write `relaxed!(…)` around the operation [T106]"
    )]
    AllFourMayStretch<A, B, C, D, Result> of AllFourStretch;

    /// Two operands that may both stretch, in generic code.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{Broadcast, Shape, Tensor, strict};
    ///
    /// #[strict]
    /// fn add<L: Shape + Broadcast<R>, R: Shape>(left: &Tensor<L>, right: &Tensor<R>) {
    ///     let _ = left + right;
    /// }
    /// ```
    #[diagnostic::on_unimplemented(
        message = "both sides may stretch: no bound states that shape `{L}` or shape `{R}` is the shape of the result",
        label = "in strict code one side may stretch, not both",
        note = "in generic code, add the bound `{R}: ExpandTo<{L}>` if `{L}` is the shape of the result, or write `relaxed!(a + b)` [T106]"
    )]
    EitherMayStretch<L, R> of EitherStretches;

    /// Two operands of different ranks.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{strictly, tensor};
    ///
    /// let rows = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let _ = strictly!(rank: rows - tensor![1.0, 2.0]);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "the ranks differ: shape `{L}` has {M} axes and shape `{R}` has {N}",
        label = "in `strict(rank)` code both sides have the same rank",
        note = "write the axes that are missing: `unsqueeze` puts one of size `One` in, which stretches; the methods that end in `_keepdims` keep it",
        note = "if the missing axes are to be added here, write `relaxed!(a + b)` [T108]"
    )]
    RanksDiffer<L, R; const M; const N> of TwoRanks;

    /// Operands whose ranks may differ, in generic code.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{Axis, Shape, Tensor, shape, strict};
    ///
    /// #[strict(rank)]
    /// fn add<Lead: Shape, A: Axis>(x: &Tensor<shape![Lead.., A]>, bias: &Tensor<shape![A]>) {
    ///     let _ = x + bias;
    /// }
    /// ```
    #[diagnostic::on_unimplemented(
        message = "the ranks may differ: no bound states that shape `{L}` and shape `{R}` have the same number of axes",
        label = "in `strict(rank)` code both sides have the same rank",
        note = "generic code names the axes of both sides, or has the same leading axes on both, `shape![Lead.., A]` and `shape![Lead.., One]`; if axes are to be added here, write `relaxed!(a + b)` [T108]"
    )]
    RanksMayDiffer<L, R> of UnknownRanks;

    /// Three operands of different ranks.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{strictly, tensor};
    ///
    /// let rows = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let _ = strictly!(rank: rows.clamp(&tensor![0.0, 1.0], 2.0));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "the ranks differ: shapes `{A}`, `{B}` and `{C}` do not have the same number of axes",
        label = "in `strict(rank)` code all operands but scalars have the same rank",
        note = "write the axes that are missing: `unsqueeze` puts one of size `One` in, which stretches; `relaxed!(…)` around the operation adds them here [T108]"
    )]
    ThreeRanksDiffer<A, B, C> of ThreeRanks;

    /// Four operands of different ranks.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{strictly, tensor, zip_with4};
    ///
    /// let (x, row) = (tensor![[1.0], [2.0]], tensor![1.0, 2.0]);
    /// let _ = strictly!(rank: zip_with4(&x, &x, &x, &row, |a, b, c, d| a * b + c * d));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "the ranks differ: shapes `{A}`, `{B}`, `{C}` and `{D}` do not have the same number of axes",
        label = "in `strict(rank)` code all operands but scalars have the same rank",
        note = "write the axes that are missing: `unsqueeze` puts one of size `One` in, which stretches; `relaxed!(…)` around the operation adds them here [T108]"
    )]
    FourRanksDiffer<A, B, C, D> of FourRanks;

    /// Two operands of different shapes.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{strictly, tensor};
    ///
    /// let rows = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let _ = strictly!(same: rows - tensor![1.0, 2.0]);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "a side would stretch: shape `{L}` is not shape `{R}`",
        label = "in `strict(same)` code no side may stretch",
        note = "be explicit: `expand` stretches a tensor, `squeeze` and `unsqueeze` remove and insert an axis of `One`",
        note = "if a side is to stretch here, write `relaxed!(a + b)` [T107]"
    )]
    SidesMayDiffer<L, R> of TwoShapes;

    /// Three operands of different shapes.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{strictly, tensor};
    ///
    /// let rows = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let _ = strictly!(same: rows.clamp(&tensor![0.0, 1.0], 2.0));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "an operand would stretch: shapes `{A}`, `{B}` and `{C}` are not the same",
        label = "in `strict(same)` code no operand may stretch",
        note = "be explicit: `expand` stretches a tensor; `relaxed!(…)` around the operation lets it stretch here [T107]"
    )]
    ThreeMayDiffer<A, B, C> of ThreeShapes;

    /// Four operands of different shapes.
    ///
    /// ```compile_fail,E0277
    /// use tensor_core::{strictly, tensor, zip_with4};
    ///
    /// let (x, row) = (tensor![[1.0], [2.0]], tensor![1.0, 2.0]);
    /// let _ = strictly!(same: zip_with4(&x, &x, &x, &row, |a, b, c, d| a * b + c * d));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "an operand would stretch: shapes `{A}`, `{B}`, `{C}` and `{D}` are not the same",
        label = "in `strict(same)` code no operand may stretch",
        note = "be explicit: `expand` stretches a tensor; `relaxed!(…)` around the operation lets it stretch here [T107]"
    )]
    FourMayDiffer<A, B, C, D> of FourShapes;
}
