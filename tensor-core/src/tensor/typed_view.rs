//! A borrowed tensor with its shape type: the form of operands before the shape type is erased.

use core::marker::PhantomData;

use tensor_array::array::dynamic::DynTensor;
use tensor_kernels::array_ref::ArrayRef;
use tensor_kernels::element::Element;
use tensor_kernels::layout::{ErasedView, StridedLayout, Strides, refuse_traced};
use tensor_kernels::storage::INLINE;

use crate::shape::{Shape, Sizes};

/// A borrowed tensor: the form in which every operation takes its operands, whoever owns the elements.
#[doc(hidden)]
pub struct View<'a, S, T> {
    pub(crate) shape: S,
    pub(crate) array: ArrayRef<'a, T>,
}

impl<S: Copy, T> Clone for View<'_, S, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Copy, T> Copy for View<'_, S, T> {}

impl<'a, T> View<'a, (), T> {
    /// A scalar, which has rank 0.
    #[inline(always)]
    pub(crate) fn scalar(scalar: &'a T) -> Self {
        Self { shape: (), array: ArrayRef::scalar(scalar) }
    }
}

impl<'a, S: Shape, T: Element> View<'a, S, T> {
    /// The view without its shape type; run-time sizes are written to `buffer`.
    #[inline(always)]
    pub(crate) fn erase<'b>(&self, buffer: &'b mut Sizes) -> ErasedView<'b, T>
    where
        'a: 'b,
    {
        let sizes = SizesOf::<S>::of(self.shape, buffer);
        self.array.with_sizes(sizes)
    }

    /// [`erase`](Self::erase) for a static shape: no buffer for the sizes is compiled.
    #[inline(always)]
    pub(crate) fn erase_static(&self) -> ErasedView<'a, T> {
        debug_assert!(const { S::STATIC_SIZES.is_some() }, "all sizes are static");
        self.array.with_sizes(SizesOf::<S>::STATIC)
    }

    /// The tensor without its shape type; it shares the elements.
    pub(crate) fn erased(&self) -> DynTensor<T> {
        if const { S::STATIC_SIZES.is_some() } {
            DynTensor::from_array(self.array, SizesOf::<S>::STATIC)
        } else {
            DynTensor::from_array(self.array, &self.shape.sizes())
        }
    }

    /// `None` for row-major order from the start of the elements.
    #[inline(always)]
    pub(crate) fn layout(&self) -> Option<&'a StridedLayout> {
        self.array.layout()
    }

    /// All stored elements, including ones that the layout does not use.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn elements(&self) -> &'a [T] {
        refuse_traced(self.layout());
        self.array.elements()
    }

    #[inline]
    pub(crate) fn offset(&self) -> usize {
        match self.layout() {
            Some(layout) => layout.offset,
            None => 0,
        }
    }

    /// The strides along the axes of this tensor.
    #[inline]
    pub(crate) fn strides(&self) -> Strides {
        self.erase(&mut Sizes::new()).strides()
    }

    /// The strides for a result of `rank` axes that this tensor stretches to.
    pub(crate) fn broadcast_strides_to(&self, rank: usize) -> Strides {
        self.erase(&mut Sizes::new()).broadcast_strides_to(rank)
    }

    /// The elements, followed by zeros, if they are stored inline in row-major order.
    #[inline(always)]
    pub(crate) fn inline(&self) -> Option<&'a [T; INLINE]> {
        self.array.inline()
    }

    /// The elements in row-major order, if they are contiguous.
    #[track_caller]
    pub(crate) fn as_slice(&self) -> Option<&'a [T]> {
        let start = match self.layout() {
            None => 0,
            Some(layout) => layout.row_major_start(&self.shape.sizes())?,
        };
        Some(&self.elements()[start..][..self.shape.num_elements()])
    }
}

/// The sizes of a shape as a slice: static sizes are constants, others are written to a buffer of the
/// caller.
pub(crate) struct SizesOf<S>(PhantomData<S>);

/// [`SizesOf::MANY`]. A function, as constants in a body are evaluated even where the code is not reached.
const fn many<S: Shape>() -> &'static [usize] {
    SizesOf::<S>::MANY
}

impl<S: Shape> SizesOf<S> {
    /// The sizes if they are static, else an empty slice.
    ///
    /// Most shapes have few axes: a program stores only their sizes, without room for the maximal rank.
    pub(crate) const STATIC: &'static [usize] = match S::STATIC_SIZES {
        Some(sizes) => match *sizes.as_slice() {
            [] => &[],
            [a] => &[a],
            [a, b] => &[a, b],
            [a, b, c] => &[a, b, c],
            [a, b, c, d] => &[a, b, c, d],
            [a, b, c, d, e] => &[a, b, c, d, e],
            _ => many::<S>(),
        },
        None => &[],
    };
    const MANY: &'static [usize] = match &S::STATIC_SIZES {
        Some(sizes) => sizes.as_slice(),
        None => &[],
    };

    #[inline(always)]
    pub(crate) fn of(shape: S, buffer: &mut Sizes) -> &[usize] {
        if const { S::STATIC_SIZES.is_some() } {
            Self::STATIC
        } else {
            *buffer = shape.sizes();
            buffer
        }
    }
}
