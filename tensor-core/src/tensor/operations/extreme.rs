//! The largest and the smallest element, and where they are.

use super::reduce::{along_axis, to_one, with_source};
use crate::array::kernel::extreme::{Extreme, place_along_axis, place_of_all, place_of_slice};
use crate::array::kernel::lanes::All;
use crate::array::kernel::lines::Source;
use crate::array::kernel::reductions::{Maximum, Minimum};
use crate::array::layout::View;
use crate::array::storage::Storage;
use crate::element::{Element, Number};
use crate::shape::axis::Axis;
use crate::shape::axis_index::{HasAxis, Kept, Removed};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;

/// # Panics
///
/// When there is no element to choose from.
#[track_caller]
fn refuse_nothing(method: &str, elements: usize) {
    if elements == 0 {
        panic!("`{method}` of a tensor without elements: some axis has size 0");
    }
}

/// # Panics
///
/// When the axis has size 0.
#[track_caller]
fn refuse_empty_axis<const I: isize, S: HasAxis<I>>(method: &str, shape: S) {
    if shape.axis().size() == 0 {
        let name = <S::Axis as Axis>::NAME.map(|name| format!(" (`{name}`)")).unwrap_or_default();
        panic!("`{method}` along axis {}{name}, which has size 0: no element to choose", S::INDEX);
    }
}

/// The place of the extreme among all elements of a view that has some.
fn place_in_view<S: Shape, T: Number>(view: View<'_, S, T>, extreme: impl Extreme<T>) -> i64 {
    let place = match view.as_slice() {
        Some(elements) => place_of_slice(elements, extreme),
        None => {
            let (sizes, strides) = (view.shape.sizes(), view.strides());
            let (elements, offset) = (view.elements, view.offset());
            place_of_all(Source { elements, offset, sizes: &sizes, strides: &strides }, extreme)
        }
    };
    place as i64
}

/// The places of the extremes along an axis that has some element.
fn collect_places<T: Number>(
    source: Source<'_, T>,
    axis: usize,
    len: usize,
    extreme: impl Extreme<T>,
) -> Storage<i64> {
    // SAFETY: the kernel writes every result.
    unsafe { Storage::build(len, |results| place_along_axis(source, axis, extreme, results)) }
}

/// Methods on numbers for one extreme: the element and its place.
macro_rules! extremes {
    ($($Extreme:ident {
        $(#[$doc:meta])* $name:ident,
        $(#[$axis_doc:meta])* $name_axis:ident,
        $(#[$keepdims_doc:meta])* $name_axis_keepdims:ident,
        $(#[$place_doc:meta])* $place:ident,
        $(#[$place_axis_doc:meta])* $place_axis:ident,
        $(#[$place_keepdims_doc:meta])* $place_axis_keepdims:ident
    })+) => {
        impl<S: Shape, T: Element> Tensor<S, T> {$(
            $(#[$doc])*
            ///
            /// # Panics
            ///
            /// When there is no element.
            #[track_caller]
            pub fn $name(&self) -> Tensor<(), T>
            where
                <T as Number>::Checked: Sized,
                T: Number,
            {
                refuse_nothing(stringify!($name), self.len());
                Tensor::scalar(to_one(self.view(), $Extreme, ()))
            }

            $(#[$axis_doc])*
            ///
            /// # Panics
            ///
            /// When the axis has size 0.
            #[track_caller]
            pub fn $name_axis<const I: isize>(&self) -> Tensor<Removed<S, I>, T>
            where
                <T as Number>::Checked: Sized,
                S: HasAxis<I>,
                T: Number,
            {
                refuse_empty_axis::<I, S>(stringify!($name_axis), self.shape);
                let shape = <S as HasAxis<I>>::remove(self.shape);
                let (axis, len) = (<S as HasAxis<I>>::INDEX, shape.num_elements());
                let storage = along_axis(self.view(), axis, len, $Extreme, All(()));
                Tensor::from_storage(shape, storage)
            }

            $(#[$keepdims_doc])*
            ///
            /// # Panics
            ///
            /// When the axis has size 0.
            #[track_caller]
            pub fn $name_axis_keepdims<const I: isize>(&self) -> Tensor<Kept<S, I>, T>
            where
                <T as Number>::Checked: Sized,
                S: HasAxis<I>,
                T: Number,
            {
                refuse_empty_axis::<I, S>(stringify!($name_axis_keepdims), self.shape);
                let Tensor { storage, .. } = self.$name_axis::<I>();
                Tensor::from_storage(<S as HasAxis<I>>::keep(self.shape), storage)
            }

            $(#[$place_doc])*
            ///
            /// # Panics
            ///
            /// When there is no element.
            #[track_caller]
            pub fn $place(&self) -> Tensor<(), i64>
            where
                <T as Number>::Checked: Sized,
                T: Number,
            {
                refuse_nothing(stringify!($place), self.len());
                Tensor::scalar(place_in_view(self.view(), $Extreme))
            }

            $(#[$place_axis_doc])*
            ///
            /// # Panics
            ///
            /// When the axis has size 0.
            #[track_caller]
            pub fn $place_axis<const I: isize>(&self) -> Tensor<Removed<S, I>, i64>
            where
                <T as Number>::Checked: Sized,
                S: HasAxis<I>,
                T: Number,
            {
                refuse_empty_axis::<I, S>(stringify!($place_axis), self.shape);
                let shape = <S as HasAxis<I>>::remove(self.shape);
                let (axis, len) = (<S as HasAxis<I>>::INDEX, shape.num_elements());
                let storage = with_source(self.view().any(&mut Sizes::new()), axis, |source, axis| {
                    collect_places(source, axis, len, $Extreme)
                });
                Tensor::from_storage(shape, storage)
            }

            $(#[$place_keepdims_doc])*
            ///
            /// # Panics
            ///
            /// When the axis has size 0.
            #[track_caller]
            pub fn $place_axis_keepdims<const I: isize>(&self) -> Tensor<Kept<S, I>, i64>
            where
                <T as Number>::Checked: Sized,
                S: HasAxis<I>,
                T: Number,
            {
                refuse_empty_axis::<I, S>(stringify!($place_axis_keepdims), self.shape);
                let Tensor { storage, .. } = self.$place_axis::<I>();
                Tensor::from_storage(<S as HasAxis<I>>::keep(self.shape), storage)
            }
        )+}
    };
}

extremes! {
    Maximum {
        /// The largest element, `[..] → []`; NaN if there is one.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 4], [3, 2]].max().item(), 4);
        /// ```
        max,
        /// The largest elements along axis `I`, `[..a, n, ..b] → [..a, ..b]`; NaN where there is
        /// one.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 4], [3, 2]].max_axis::<0>(), tensor![3, 4]);
        /// ```
        max_axis,
        /// The largest elements along axis `I`, which stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[1, 4], [3, 2]];
        /// assert_eq!(&x - x.max_axis_keepdims::<-1>(), tensor![[-3, 0], [0, -1]]);
        /// ```
        max_axis_keepdims,
        /// The place of the largest element in row-major order, `[..] → []`: the first one, or the
        /// first NaN.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 4], [4, 2]].argmax().item(), 1);
        /// ```
        argmax,
        /// The places of the largest elements along axis `I`, `[..a, n, ..b] → [..a, ..b]`: the
        /// first one of each, or the first NaN.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let scores = tensor![[0.1, 0.7, 0.2], [0.5, 0.5, 0.0]];
        /// assert_eq!(scores.argmax_axis::<-1>(), tensor![1, 0]);
        /// ```
        argmax_axis,
        /// The places of the largest elements along axis `I`, which stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 4], [3, 2]].argmax_axis_keepdims::<-1>(), tensor![[1], [0]]);
        /// ```
        argmax_axis_keepdims
    }
    Minimum {
        /// The smallest element, `[..] → []`; NaN if there is one.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[2, 4], [3, 1]].min().item(), 1);
        /// ```
        min,
        /// The smallest elements along axis `I`, `[..a, n, ..b] → [..a, ..b]`; NaN where there is
        /// one.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 4], [3, 2]].min_axis::<0>(), tensor![1, 2]);
        /// ```
        min_axis,
        /// The smallest elements along axis `I`, which stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[1, 4], [3, 2]];
        /// assert_eq!(&x - x.min_axis_keepdims::<-1>(), tensor![[0, 3], [1, 0]]);
        /// ```
        min_axis_keepdims,
        /// The place of the smallest element in row-major order, `[..] → []`: the first one, or
        /// the first NaN.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[2, 1], [1, 4]].argmin().item(), 1);
        /// ```
        argmin,
        /// The places of the smallest elements along axis `I`, `[..a, n, ..b] → [..a, ..b]`: the
        /// first one of each, or the first NaN.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let distances = tensor![[0.3, 0.1, 0.2], [0.5, 0.9, 0.5]];
        /// assert_eq!(distances.argmin_axis::<-1>(), tensor![1, 0]);
        /// ```
        argmin_axis,
        /// The places of the smallest elements along axis `I`, which stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 4], [3, 2]].argmin_axis_keepdims::<-1>(), tensor![[0], [1]]);
        /// ```
        argmin_axis_keepdims
    }
}
