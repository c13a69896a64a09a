//! Whether all or any elements are `true`.

use super::reduce::{along_axis, to_one};
use crate::array::kernel::lanes::All;
use crate::array::kernel::reductions::{AllTrue, AnyTrue, Truth};
use crate::element::Element;
use crate::shape::Shape;
use crate::shape::axis_index::{HasAxis, Kept, Removed};
use crate::tensor::Tensor;

/// Three methods on `bool` elements for one question.
macro_rules! questions {
    ($($Question:ident {
        $(#[$doc:meta])* $name:ident,
        $(#[$axis_doc:meta])* $name_axis:ident,
        $(#[$keepdims_doc:meta])* $name_axis_keepdims:ident
    })+) => {
        impl<S: Shape, T: Element> Tensor<S, T> {$(
            $(#[$doc])*
            pub fn $name(&self) -> Tensor<(), bool>
            where
                <T as Truth>::Checked: Sized,
                T: Truth,
            {
                Tensor::scalar(to_one(self.view(), $Question, ()))
            }

            $(#[$axis_doc])*
            pub fn $name_axis<const I: isize>(&self) -> Tensor<Removed<S, I>, bool>
            where
                <T as Truth>::Checked: Sized,
                S: HasAxis<I>,
                T: Truth,
            {
                let shape = <S as HasAxis<I>>::remove(self.shape);
                let (axis, len) = (<S as HasAxis<I>>::INDEX, shape.num_elements());
                let storage = along_axis(self.view(), axis, len, $Question, All(()));
                Tensor::from_storage(shape, storage)
            }

            $(#[$keepdims_doc])*
            pub fn $name_axis_keepdims<const I: isize>(&self) -> Tensor<Kept<S, I>, bool>
            where
                <T as Truth>::Checked: Sized,
                S: HasAxis<I>,
                T: Truth,
            {
                let Tensor { storage, .. } = self.$name_axis::<I>();
                Tensor::from_storage(<S as HasAxis<I>>::keep(self.shape), storage)
            }
        )+}
    };
}

questions! {
    AllTrue {
        /// Whether all elements are `true`, `[..] → []`; `true` if there is none.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert!(tensor![[1, 2], [3, 4]].greater(0).all().item());
        /// ```
        all,
        /// Whether all elements along axis `I` are `true`, `[..a, n, ..b] → [..a, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[true, false], [true, true]];
        /// assert_eq!(x.all_axis::<-1>(), tensor![false, true]);
        /// ```
        all_axis,
        /// Whether all elements along axis `I` are `true`; the axis stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[true, false], [true, true]];
        /// assert_eq!(x.all_axis_keepdims::<-1>(), tensor![[false], [true]]);
        /// ```
        all_axis_keepdims
    }
    AnyTrue {
        /// Whether some element is `true`, `[..] → []`; `false` if there is none.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert!(!tensor![[1, 2], [3, 4]].greater(4).any().item());
        /// ```
        any,
        /// Whether some element along axis `I` is `true`, `[..a, n, ..b] → [..a, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[true, false], [false, false]];
        /// assert_eq!(x.any_axis::<-1>(), tensor![true, false]);
        /// ```
        any_axis,
        /// Whether some element along axis `I` is `true`; the axis stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[true, false], [false, false]];
        /// assert_eq!(x.any_axis_keepdims::<-1>(), tensor![[true], [false]]);
        /// ```
        any_axis_keepdims
    }
}
