//! Comparisons, choices between elements, and other functions of two operands that broadcast.

use super::apply::{zip2, zip3};
use super::collect::{Shared, SharedLong, SharedWith, WorkOnSlices};
use crate::element::{Element, Float, Number};
use crate::shape::Shape;
use crate::shape::broadcast::{ElementWise3, ElementWiseOf};
use crate::tensor::Tensor;
use crate::tensor::operand::OperandOf;

/// The comparisons of two elements. They know no shape, and so neither do the loops that call them.
macro_rules! comparisons {
    ($($name:ident: $op:tt;)*) => {$(
        fn $name<T: Element>(left: T, right: T) -> bool {
            left $op right
        }
    )*};
}

comparisons! {
    equal: ==;
    not_equal: !=;
    less: <;
    less_equal: <=;
    greater: >;
    greater_equal: >=;
}

fn clamp<T: Number>(x: T, low: T, high: T) -> T {
    x.maximum(low).minimum(high)
}

fn pick<T>(mask: bool, then: T, otherwise: T) -> T {
    if mask { then } else { otherwise }
}

/// `x^y` as a closure, which loops take in where they would call a function.
fn pow<T: Float>() -> impl WorkOnSlices<T, T, T> {
    SharedWith(
        #[inline(always)]
        |instructions, x, y| T::pow_with(x, y, instructions),
    )
}

/// Methods `[..l], [..r] → [..(l ⊕ r)]` on elements that meet a bound.
macro_rules! methods {
    ($($Bound:ident => $Out:ty { $($(#[$doc:meta])* $name:ident = $f:expr;)+ })+) => {
        impl<S: Shape, T: Element> Tensor<S, T> {$($(
            $(#[$doc])*
            #[track_caller]
            pub fn $name<R: OperandOf<T>>(&self, other: R) -> Tensor<<R::Shape as ElementWiseOf<S>>::Output, $Out>
            where
                <T as $Bound>::Checked: Sized,
                R::Shape: ElementWiseOf<S>,
                T: $Bound,
            {
                zip2(self.view(), other.view(), $f)
            }
        )+)+}
    };
}

methods! {
    Element => bool {
        /// Where both are equal, with a tensor or a scalar; NaN equals nothing.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// let mask = tensor![[1, 2], [3, 4]].equal(&tensor![1, 4]);
        /// assert_eq!(mask, tensor![[true, false], [false, true]]);
        /// ```
        equal = Shared(equal);
        /// Where they differ, with a tensor or a scalar; NaN differs from everything.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1, 2].not_equal(1), tensor![false, true]);
        /// ```
        not_equal = Shared(not_equal);
        /// Where `self < other`, with a tensor or a scalar; `false` with NaN.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1, 2].less(2), tensor![true, false]);
        /// ```
        less = Shared(less);
        /// Where `self <= other`, with a tensor or a scalar; `false` with NaN.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1, 2].less_equal(1), tensor![true, false]);
        /// ```
        less_equal = Shared(less_equal);
        /// Where `self > other`, with a tensor or a scalar; `false` with NaN.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1, 2].greater(1), tensor![false, true]);
        /// ```
        greater = Shared(greater);
        /// Where `self >= other`, with a tensor or a scalar; `false` with NaN.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1, 2].greater_equal(2), tensor![false, true]);
        /// ```
        greater_equal = Shared(greater_equal);
    }
    Number => T {
        /// The smaller elements, with a tensor or a scalar; NaN if either is NaN.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1, 5].minimum(&tensor![[2], [7]]), tensor![[1, 2], [1, 5]]);
        /// ```
        minimum = Shared(T::minimum);
        /// The larger elements, with a tensor or a scalar; NaN if either is NaN.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![-1.0, 5.0].maximum(0.0), tensor![0.0, 5.0]);
        /// ```
        maximum = Shared(T::maximum);
        /// The quotient rounded toward minus infinity, with a tensor or a scalar, as NumPy's and
        /// PyTorch's `floor_divide`. Integers panic on division by zero.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![7, -7].floor_divide(2), tensor![3, -4]);
        /// ```
        floor_divide = SharedLong(T::floor_divide);
        /// What is left of [`floor_divide`](Tensor::floor_divide): it has the sign of the divisor,
        /// as NumPy's and PyTorch's `remainder`. The operator `%` has the sign of the dividend, as
        /// in Rust. Integers panic on division by zero.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![7, -7].remainder(3), tensor![1, 2]);
        /// assert_eq!(tensor![7, -7] % 3, tensor![1, -1]);
        /// ```
        remainder = SharedLong(T::remainder);
    }
    Float => T {
        /// `self` raised to the power `other`, a tensor or a scalar.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![2.0, 3.0].pow(&tensor![[1.0], [2.0]]), tensor![[2.0, 3.0], [4.0, 9.0]]);
        /// ```
        pow = pow();
        /// The angle of the point (`other`, `self`) in radians, from -π to π.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].atan2(1.0), tensor![0.0]);
        /// ```
        atan2 = SharedLong(T::atan2);
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The elements, not below `low` and not above `high`, tensors or scalars: `[..s], [..l], [..h]
    /// → [..(s ⊕ l ⊕ h)]`. NaN stays NaN. Where `low` is above `high`, the result is `high`, as in
    /// NumPy and PyTorch.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![-3, 0, 9].clamp(-1, 5), tensor![-1, 0, 5]);
    /// assert_eq!(tensor![1, 1].clamp(&tensor![[0], [2]], 3), tensor![[1, 1], [2, 2]]);
    /// ```
    #[track_caller]
    pub fn clamp<L: OperandOf<T>, H: OperandOf<T>>(
        &self,
        low: L,
        high: H,
    ) -> Tensor<<S as ElementWise3<L::Shape, H::Shape>>::Output, T>
    where
        <T as Number>::Checked: Sized,
        S: ElementWise3<L::Shape, H::Shape>,
        T: Number,
    {
        zip3(self.view(), low.view(), high.view(), Shared(clamp))
    }
}

/// `then` where `mask` is true, `otherwise` elsewhere, each a tensor or a scalar: `[..m], [..t],
/// [..o] → [..(m ⊕ t ⊕ o)]`, as NumPy's and PyTorch's `where`.
///
/// ```
/// use tensor_core::{select, tensor};
///
/// let scores = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let causal = tensor![[true, false], [true, true]];
/// let masked = select(&causal, &scores, f64::NEG_INFINITY);
/// assert_eq!(masked, tensor![[1.0, f64::NEG_INFINITY], [3.0, 4.0]]);
/// ```
#[track_caller]
pub fn select<M, A, B, T>(
    mask: M,
    then: A,
    otherwise: B,
) -> Tensor<<M::Shape as ElementWise3<A::Shape, B::Shape>>::Output, T>
where
    M: OperandOf<bool>,
    A: OperandOf<T>,
    B: OperandOf<T>,
    <M::Shape as ElementWise3<A::Shape, B::Shape>>::Output: Sized,
    M::Shape: ElementWise3<A::Shape, B::Shape>,
    T: Element,
{
    zip3(mask.view(), then.view(), otherwise.view(), Shared(pick))
}
