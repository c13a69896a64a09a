//! Indexing and access to elements: `x[[row, column]]`, `get`, `item`, `as_mut_slice`.

use core::ops::{Index, IndexMut};

use tensor_kernels::element::Element;
use tensor_kernels::layout::refuse_traced;
use tensor_kernels::storage::Storage;

use crate::shape::axis::One;
use crate::shape::axis_index::HasRank;
#[cfg(not(doc))]
use crate::shape::broadcast::After;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::recording::refuse_to_write;

/// A shape whose type has exactly one element: `[]`, `[1]`, `[1, 1]` …
///
/// ```
/// use tensor_core::{Tensor, bounds::OneElement, tensor};
///
/// fn value<S: OneElement>(x: &Tensor<S>) -> f32 {
///     x.item()
/// }
///
/// assert_eq!(value(&tensor![[2.5]]), 2.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "a tensor of shape `{Self}` is not a single element",
    label = "expected rank 0, or only axes of size `One`",
    note = "take one element by its index, such as `x[[0, 0]]`, or reduce all of them, such as `x.sum()` [T208]"
)]
pub trait OneElement: Shape {}

/// `[]`
#[diagnostic::do_not_recommend]
impl OneElement for () {}

/// `[..l, 1]`
#[diagnostic::do_not_recommend]
impl<L: OneElement> OneElement for (L, One) {}

/// An index out of bounds.
struct OutOfBounds {
    axis: usize,
    index: usize,
    size: usize,
}

impl OutOfBounds {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn panic(self, names: &[String]) -> ! {
        let Self { axis, index, size } = self;
        // A name is written `Batch=32`; the message states the size already.
        let name =
            names[axis].split_once('=').map_or(String::new(), |(name, _)| format!(" (`{name}`)"));
        panic!("index {index} is out of bounds for axis {axis}{name} of size {size}")
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The offset of an element in the storage.
    #[inline]
    fn position<const N: usize>(&self, index: [usize; N]) -> Result<usize, OutOfBounds>
    where
        S: HasRank<N>,
    {
        let mut sizes = [0; N];
        self.axes.write_sizes(&mut sizes);
        for (axis, (&index, &size)) in index.iter().zip(&sizes).enumerate() {
            if index >= size {
                return Err(OutOfBounds { axis, index, size });
            }
        }
        Ok(match self.layout.as_deref() {
            None => index.iter().zip(&sizes).fold(0, |position, (i, size)| position * size + i),
            Some(layout) => {
                let moves =
                    index.iter().zip(&layout.strides).map(|(&i, stride)| i as isize * stride);
                (layout.offset as isize + moves.sum::<isize>()) as usize
            }
        })
    }

    #[inline]
    #[track_caller]
    fn checked_position<const N: usize>(&self, index: [usize; N]) -> usize
    where
        S: HasRank<N>,
    {
        match self.position(index) {
            Ok(position) => position,
            Err(error) => error.panic(&self.axes.names()),
        }
    }
}

/// # Shape and size
#[tensor_array_macros::method_docs]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// The shape, as a value.
    /// ```
    /// use tensor_core::{Shape, Tensor, shape};
    ///
    /// let x = Tensor::<shape![2, 3]>::zeros();
    /// assert_eq!(x.shape().sizes()[..], [2, 3]);
    /// ```
    #[inline]
    #[doc(alias = "size")]
    pub fn shape(&self) -> S {
        self.axes
    }

    #[doc = doc_sizes!()]
    /// ```
    /// let x = Tensor::<shape![2, 3]>::zeros();
    /// assert_eq!(x.sizes()[..], [2, 3]);
    /// assert_eq!(x.sizes()[0], 2);
    /// ```
    pub fn sizes(&self) -> Sizes {
        self.axes.sizes()
    }

    #[doc = doc_rank!()]
    /// ```
    /// assert_eq!(tensor![[1, 2, 3], [4, 5, 6]].rank(), 2);
    /// ```
    #[doc(alias = "ndim")]
    pub fn rank(&self) -> usize {
        S::RANK
    }

    #[doc = doc_len!()]
    /// ```
    /// assert_eq!(tensor![[1, 2, 3], [4, 5, 6]].len(), 6);
    /// ```
    #[inline]
    #[doc(alias("numel", "size"))]
    pub fn len(&self) -> usize {
        self.axes.num_elements()
    }

    #[doc = doc_is_empty!()]
    /// ```
    /// assert!(Tensor::<shape![2, 0]>::zeros().is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// # Elements
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_as_slice!()]
    /// Panics: If the tensor is part of a program that is being [traced](crate::trace).
    /// ```
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.as_slice(), Some(&[1, 2, 3, 4][..]));
    /// assert_eq!(x.transpose().as_slice(), None);
    /// assert_eq!(x.transpose().to_vec(), [1, 3, 2, 4]);
    /// ```
    pub fn as_slice(&self) -> Option<&[T]> {
        self.as_view().as_slice()
    }

    /// All stored elements.
    ///
    /// # Panics
    ///
    /// If the tensor is part of a program that is being traced.
    #[inline]
    fn stored(&self) -> &[T] {
        refuse_traced(self.layout.as_deref());
        self.storage.as_slice()
    }

    #[doc = doc_get!()]
    /// Panics: If the tensor is part of a program that is being [traced](crate::trace).
    /// ```
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.get([1, 0]), Some(3));
    /// assert_eq!(x.get([2, 0]), None);
    /// ```
    #[inline]
    pub fn get<const N: usize>(&self, index: [usize; N]) -> Option<T>
    where
        S: HasRank<N>,
    {
        let position = self.position(index).ok()?;
        Some(self.stored()[position])
    }

    #[doc = doc_item!()]
    /// All its axes are `One`.
    /// Panics: If the tensor is part of a program that is being [traced](crate::trace).
    /// ```
    /// assert_eq!(tensor![1.0, 2.0, 3.0].sum().item(), 6.0);
    /// ```
    #[inline]
    #[doc(alias = "to_scalar")]
    pub fn item(&self) -> T
    where
        S: OneElement,
    {
        self.stored()[self.as_view().offset()]
    }

    #[doc = doc_as_mut_slice!()]
    /// Panics: If the tensor requires gradients, or is part of a program that is being traced.
    /// ```
    /// let mut x = tensor![[1, 2], [3, 4]];
    /// let before = x.clone();
    /// x.as_mut_slice()[0] = 10;
    /// assert_eq!(x, tensor![[10, 2], [3, 4]]);
    /// assert_eq!(before, tensor![[1, 2], [3, 4]]);
    /// ```
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        if !self.layout.is_none() || self.storage.get_mut().is_none() {
            self.copy_elements();
        }
        let len = self.len();
        let elements = self.storage.get_mut().expect("a new copy has one owner");
        &mut elements[..len]
    }

    /// Copies the elements to unshared storage in row-major order.
    #[cold]
    fn copy_elements(&mut self) {
        refuse_to_write(self);
        *self = match self.as_slice() {
            // The storage may have more elements than this tensor.
            Some(elements) => Self::from_storage(self.axes, Storage::from_slice(elements)),
            None => self.contiguous(),
        };
    }
}

/// The index of an element of a tensor of shape `S`: a `usize` for each axis.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the index of an element of shape `{S}`",
    label = "expected a `usize` for each axis, such as `x[[0, 0]]`",
    note = "a part is `x.index::<0>(3)` or `x.slice(slice![.., 1..])`, the elements of a mask `x.masked_select::<Found>(&mask)`; in generic code, add a bound such as `{S}: HasRank<2>` [T207]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ElementIndex<S> {
    /// A type that the compiler knows only for an index: see [`After`](crate::broadcast::After).
    #[doc(hidden)]
    type Known;

    /// The offset of the element in the storage.
    ///
    /// # Panics
    ///
    /// If the index is out of bounds.
    #[doc(hidden)]
    fn position_in<T: Element>(self, tensor: &Tensor<S, T>) -> usize
    where
        S: Shape;
}

#[diagnostic::do_not_recommend]
impl<S: HasRank<N>, const N: usize> ElementIndex<S> for [usize; N] {
    type Known = ();

    #[inline]
    #[track_caller]
    fn position_in<T: Element>(self, tensor: &Tensor<S, T>) -> usize {
        tensor.checked_position(self)
    }
}

/// The element at an index: `x[[i, j]]`.
///
/// # Panics
///
/// If the index is out of bounds.
impl<S, T, I> Index<I> for Tensor<S, T>
where
    S: Shape,
    T: Element,
    I: ElementIndex<S>,
{
    // Resolved once the index is one, so that a refused index has no element.
    #[cfg(not(doc))]
    type Output = After<I::Known, T>;
    #[cfg(doc)]
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        &self.stored()[index.position_in(self)]
    }
}

/// The element at an index, for writing; copies the elements first if another tensor shares them.
///
/// # Panics
///
/// If the index is out of bounds.
impl<S, T, I> IndexMut<I> for Tensor<S, T>
where
    S: Shape,
    T: Element,
    I: ElementIndex<S>,
{
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut T {
        if !self.layout.is_none() {
            self.copy_elements();
        }
        let position = index.position_in(self);
        &mut self.as_mut_slice()[position]
    }
}
