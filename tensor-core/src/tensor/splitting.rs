//! Splitting a tensor along an axis.

use crate::shape::Shape;
use crate::shape::axis_index::HasAxis;
use crate::shape::results::Chunked;
use crate::shape::slicing::WrittenPart;
use crate::shape::splitting::{ChunkAxis, SplitParts};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;

/// A list of shapes as a tuple of tensors: the result of [`Tensor::split`].
#[diagnostic::on_unimplemented(
    message = "`split` gives at most 12 parts",
    label = "a tuple has at most 12 tensors here",
    note = "`chunk` gives any number of equal parts, and `slice` takes one after the other [T223]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait PartTensors<T: Element> {
    /// A tuple of tensors.
    type Tensors;

    /// The consecutive parts of a tensor along an axis, of these sizes.
    #[doc(hidden)]
    fn split<S: Shape>(of: &Tensor<S, T>, axis: usize, sizes: &[usize]) -> Self::Tensors;
}

/// [`SplitParts`] of a tensor: the bound of `split`, with the type of its result.
#[cfg_attr(doc, doc(hidden))]
pub trait SplitTensors<const I: isize, Sizes, T>: SplitParts<I, Sizes> {
    /// A tuple of tensors.
    type Tensors;

    /// The parts of a tensor.
    #[doc(hidden)]
    fn split(of: &Tensor<Self, T>) -> Self::Tensors
    where
        T: Element;
}

impl<S, Sizes, T: Element, const I: isize> SplitTensors<I, Sizes, T> for S
where
    S: SplitParts<I, Sizes, Parts: PartTensors<T>>,
{
    type Tensors = <S::Parts as PartTensors<T>>::Tensors;

    fn split(of: &Tensor<S, T>) -> Self::Tensors {
        let axis = <S as HasAxis<I>>::INDEX;
        <S::Parts as PartTensors<T>>::split(of, axis, &S::sizes_of_parts())
    }
}

/// The next part of a tensor along an axis, whose size is the first of `sizes`.
#[track_caller]
fn part<S: Shape, Target: Shape, T: Element>(
    of: &Tensor<S, T>,
    axis: usize,
    start: &mut usize,
    sizes: &mut &[usize],
) -> Tensor<Target, T> {
    let (size, rest) = sizes.split_first().expect("a size for each part");
    let end = *start + size;
    let written = WrittenPart::Range { start: *start as isize, end: Some(end as isize), step: 1 };
    (*start, *sizes) = (end, rest);
    unwrap_or_panic(of.part_of_axis(axis, written))
}

/// `(((), S1), S2)` from `S1 S2`.
macro_rules! list {
    ($lead:ty;) => { $lead };
    ($lead:ty; $next:ident $($more:ident)*) => { list!(($lead, $next); $($more)*) };
}

/// Generates [`PartTensors`] for each number of parts.
macro_rules! part_tensors {
    ([$($S:ident)*]) => {};
    ([$($S:ident)*] $Next:ident $($More:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, $($S: Shape,)* $Next: Shape> PartTensors<T> for list!((); $($S)* $Next) {
            type Tensors = ($(Tensor<$S, T>,)* Tensor<$Next, T>,);

            #[track_caller]
            fn split<S: Shape>(
                of: &Tensor<S, T>,
                axis: usize,
                mut sizes: &[usize],
            ) -> Self::Tensors {
                let (start, sizes) = (&mut 0, &mut sizes);
                (
                    $(part::<S, $S, T>(of, axis, start, sizes),)*
                    part::<S, $Next, T>(of, axis, start, sizes),
                )
            }
        }

        part_tensors! { [$($S)* $Next] $($More)* }
    };
}

part_tensors! { [] S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 }

/// # Parts
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_split!()]
    /// The parts are a tuple.
    ///
    /// NumPy's `split` takes the indices between the parts, PyTorch's the sizes, as here.
    /// ```
    /// let x = tensor![[1, 2, 3, 4], [5, 6, 7, 8]];
    /// let (first, rest) = x.split::<-1, shape![1, 3]>();
    /// assert_eq!(first, tensor![[1], [5]]);
    /// assert_eq!(rest, tensor![[2, 3, 4], [6, 7, 8]]);
    /// ```
    #[doc(alias("split_with_sizes", "array_split"))]
    #[usage(x.split::<0, shape![2, 3]>())]
    pub fn split<const AXIS: isize, Sizes>(&self) -> <S as SplitTensors<AXIS, Sizes, T>>::Tensors
    where
        S: SplitTensors<AXIS, Sizes, T>,
    {
        <S as SplitTensors<AXIS, Sizes, T>>::split(self)
    }

    /// Splits axis `AXIS` into `N` equal parts: `[..a, N · m, ..b] → N × [..a, m, ..b]`. Without a copy.
    ///
    /// An axis that is not a multiple of `N` does not compile.
    /// ```
    /// let projected = tensor![[1, 2, 3, 4, 5, 6]];
    /// let [query, key, value] = projected.chunk::<-1, 3>();
    /// assert_eq!(query, tensor![[1, 2]]);
    /// assert_eq!(key, tensor![[3, 4]]);
    /// assert_eq!(value, tensor![[5, 6]]);
    /// ```
    #[doc(alias("tensor_split", "hsplit", "vsplit"))]
    #[usage(x.chunk::<0, 3>())]
    pub fn chunk<const AXIS: isize, const N: usize>(&self) -> [Tensor<Chunked<S, AXIS, N>, T>; N]
    where
        S: ChunkAxis<AXIS, N>,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX;
        let size = self.axes.sizes()[axis] / N.max(1);
        core::array::from_fn(|position| {
            let (start, end) = ((position * size) as isize, ((position + 1) * size) as isize);
            let written = WrittenPart::Range { start, end: Some(end), step: 1 };
            unwrap_or_panic(self.part_of_axis(axis, written))
        })
    }
}
