//! Sums, products and means, over everything or along one axis.

use crate::array::kernel::lanes::{All, Known, Reduction, reduce_slice};
use crate::array::kernel::lines::Source;
use crate::array::kernel::reduce::{reduce_all, reduce_axis};
use crate::array::kernel::reductions::{Elements, Mean, Product, Sum};
use crate::array::layout::{AnyView, View};
use crate::array::storage::Storage;
use crate::element::{Element, Float, Number};
use crate::shape::axis::Axis;
use crate::shape::axis_index::{HasAxis, Kept, Removed};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;

/// The elements of a view, reduced to one result.
#[inline]
pub(super) fn to_one<S: Shape, T: Element, R: Reduction<T>>(
    view: View<'_, S, T>,
    reduction: R,
    about: R::About,
) -> R::Result {
    match view.as_slice() {
        Some(elements) if !elements.is_empty() => {
            let partial = reduce_slice(reduction, elements, All(about));
            reduction.finish(partial, about)
        }
        _ => {
            let (sizes, strides) = (view.shape.sizes(), view.strides());
            let source = Source {
                elements: view.elements,
                offset: view.offset(),
                sizes: &sizes,
                strides: &strides,
            };
            reduce_all(source, reduction, about)
        }
    }
}

/// Calls `f` with a view without the type of its shape, and the axis in it: an axis that has
/// axes around it in row-major order is the second of three.
#[inline]
pub(super) fn with_source<T: Element, O>(
    view: AnyView<'_, T>,
    axis: usize,
    f: impl FnOnce(Source<'_, T>, usize) -> O,
) -> O {
    let sizes = view.sizes;
    match view.layout {
        None => {
            let outer = sizes[..axis].iter().product();
            let inner = sizes[axis + 1..].iter().product();
            let sizes = [outer, sizes[axis], inner];
            let strides = [(sizes[1] * inner) as isize, inner as isize, 1];
            let elements = view.elements;
            f(Source { elements, offset: 0, sizes: &sizes, strides: &strides }, 1)
        }
        Some(layout) => {
            let (elements, offset) = (view.elements, layout.offset);
            f(Source { elements, offset, sizes, strides: &layout.strides }, axis)
        }
    }
}

/// The elements of a view, reduced along one axis to `len` results.
#[inline]
pub(super) fn along_axis<S: Shape, T: Element, R: Reduction<T>>(
    view: View<'_, S, T>,
    axis: usize,
    len: usize,
    reduction: R,
    about: impl Known<R::About>,
) -> Storage<R::Result>
where
    R::Result: Element,
{
    along_any(view.any(&mut Sizes::new()), axis, len, reduction, about)
}

/// [`along_axis`] without the type of the shape.
#[inline(never)]
fn along_any<T: Element, R: Reduction<T>>(
    view: AnyView<'_, T>,
    axis: usize,
    len: usize,
    reduction: R,
    about: impl Known<R::About>,
) -> Storage<R::Result>
where
    R::Result: Element,
{
    with_source(view, axis, |source, axis| {
        // SAFETY: the kernel writes every result.
        unsafe {
            Storage::build(len, |results| reduce_axis(source, axis, reduction, about, results))
        }
    })
}

/// Methods `[..] → []`, `[..a, n, ..b] → [..a, ..b]` and `[..a, n, ..b] → [..a, 1, ..b]` on
/// elements that meet a bound.
macro_rules! reductions {
    ($($Bound:ident |$count:ident| $reduction:expr => {
        $(#[$doc:meta])*
        $name:ident,
        $(#[$axis_doc:meta])*
        $name_axis:ident,
        $(#[$keepdims_doc:meta])*
        $name_axis_keepdims:ident
    })+) => {
        impl<S: Shape, T: Element> Tensor<S, T> {$(
            $(#[$doc])*
            pub fn $name(&self) -> Tensor<(), T>
            where
                <T as $Bound>::Checked: Sized,
                T: $Bound,
            {
                let $count = self.len();
                Tensor::scalar(to_one(self.view(), $reduction, ()))
            }

            $(#[$axis_doc])*
            pub fn $name_axis<const I: isize>(&self) -> Tensor<Removed<S, I>, T>
            where
                <T as $Bound>::Checked: Sized,
                S: HasAxis<I>,
                T: $Bound,
            {
                let shape = <S as HasAxis<I>>::remove(self.shape);
                let $count = <S as HasAxis<I>>::axis(self.shape).size();
                let (axis, len) = (<S as HasAxis<I>>::INDEX, shape.num_elements());
                let storage = along_axis(self.view(), axis, len, $reduction, All(()));
                Tensor::from_storage(shape, storage)
            }

            $(#[$keepdims_doc])*
            pub fn $name_axis_keepdims<const I: isize>(&self) -> Tensor<Kept<S, I>, T>
            where
                <T as $Bound>::Checked: Sized,
                S: HasAxis<I>,
                T: $Bound,
            {
                let Tensor { storage, .. } = self.$name_axis::<I>();
                Tensor::from_storage(<S as HasAxis<I>>::keep(self.shape), storage)
            }
        )+}
    };
}

reductions! {
    Number |_count| Sum(Elements) => {
        /// The sum of all elements, `[..] → []`; 0 if there is none.
        ///
        /// Floats are summed pairwise, so that the error hardly grows with their number; 16-bit
        /// floats are summed in `f32` and rounded once. Integers wrap around on overflow.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 2], [3, 4]].sum().item(), 10);
        /// ```
        sum,
        /// The sums along axis `I`, `[..a, n, ..b] → [..a, ..b]`. A negative `I` counts from the
        /// last axis: -1.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[1, 2, 3], [4, 5, 6]];
        /// assert_eq!(x.sum_axis::<0>(), tensor![5, 7, 9]);
        /// assert_eq!(x.sum_axis::<-1>(), tensor![6, 15]);
        /// ```
        sum_axis,
        /// The sums along axis `I`, which stays with size `One`, `[..a, n, ..b] → [..a, 1, ..b]`,
        /// so that they broadcast to the tensor.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[1.0, 3.0], [2.0, 2.0]];
        /// let shares = &x / x.sum_axis_keepdims::<-1>();
        /// assert_eq!(shares, tensor![[0.25, 0.75], [0.5, 0.5]]);
        /// ```
        sum_axis_keepdims
    }
    Number |_count| Product => {
        /// The product of all elements, `[..] → []`; 1 if there is none. Integers wrap around.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 2], [3, 4]].prod().item(), 24);
        /// ```
        prod,
        /// The products along axis `I`, `[..a, n, ..b] → [..a, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 2, 3], [4, 5, 6]].prod_axis::<-1>(), tensor![6, 120]);
        /// ```
        prod_axis,
        /// The products along axis `I`, which stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1, 2], [3, 4]].prod_axis_keepdims::<-1>(), tensor![[2], [12]]);
        /// ```
        prod_axis_keepdims
    }
    Float |count| Sum(Mean { count }) => {
        /// The mean of all elements, `[..] → []`; NaN if there is none.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1.0, 2.0], [3.0, 6.0]].mean().item(), 3.0);
        /// ```
        mean,
        /// The means along axis `I`, `[..a, n, ..b] → [..a, ..b]`; NaN along an axis of size 0.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1.0, 2.0], [3.0, 6.0]].mean_axis::<0>(), tensor![2.0, 4.0]);
        /// ```
        mean_axis,
        /// The means along axis `I`, which stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`, so that they broadcast to the tensor.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[1.0, 3.0], [2.0, 6.0]];
        /// let centred = &x - x.mean_axis_keepdims::<-1>();
        /// assert_eq!(centred, tensor![[-1.0, 1.0], [-2.0, 2.0]]);
        /// ```
        mean_axis_keepdims
    }
}
