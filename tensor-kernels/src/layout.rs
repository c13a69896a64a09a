//! The mapping from an index to its element: row-major from the start of the storage, or by strides.

pub mod graph;
mod regroup;
mod slice;

pub use regroup::regroup;
pub use slice::sliced_layout;

use core::marker::PhantomData;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::plan::{broadcast_strides, row_major_strides};
use graph::GraphNode;
// The elements of arrays are counted as those of shapes are.
pub use crate::sizes::count::{checked_len, checked_num_elements, len_in_memory, num_elements};

/// Strides of all axes, first axis first, in elements.
pub type Strides = SmallVec<[isize; 6]>;

/// The layout of a view that is not row-major from the start of its storage.
#[doc(hidden)]
#[derive(Debug)]
pub struct StridedLayout {
    /// The element of index `[0, 0, …]`, in elements from the start of the storage.
    pub offset: usize,
    pub strides: Strides,
    /// Whether the elements are known to be in row-major order from the start of the storage: then the
    /// layout exists for its history alone.
    contiguous: bool,
    /// The operation that computed the elements, if it was recorded; views keep it.
    pub history: Option<History>,
}

impl Clone for StridedLayout {
    /// Strides are copied as a slice: `SmallVec::clone` goes element by element.
    #[inline]
    fn clone(&self) -> Self {
        Self { strides: Strides::from_slice(&self.strides), history: self.history.clone(), ..*self }
    }
}

/// A node of a graph, of which only the crate above knows what it is.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct History {
    pub node: Arc<dyn GraphNode>,
    /// Whether it is a step of a program that is being traced: then there are no elements.
    pub is_traced: bool,
}

// Nodes are immutable, so a panic leaves none in an inconsistent state.
impl UnwindSafe for History {}
impl RefUnwindSafe for History {}

impl StridedLayout {
    /// The layout of elements without a history.
    pub fn new(offset: usize, strides: Strides) -> Self {
        Self { offset, strides, contiguous: false, history: None }
    }

    /// The layout of elements that an operation wrote in row-major order, with their strides and the
    /// node of the operation.
    pub fn of_node(strides: Strides, history: History) -> Self {
        Self { offset: 0, strides, contiguous: !history.is_traced, history: Some(history) }
    }

    /// Whether this is an array of a program that is being traced, which has no elements.
    #[inline]
    pub fn is_traced(&self) -> bool {
        matches!(self.history, Some(History { is_traced: true, .. }))
    }

    /// Whether the operation that computed the elements was recorded.
    #[inline]
    pub fn is_recorded(&self) -> bool {
        self.history.is_some()
    }

    /// The node of the operation that computed the elements, if it was recorded.
    pub fn node(&self) -> Option<&dyn GraphNode> {
        Some(&*self.history.as_ref()?.node)
    }

    /// The offset of the first element, if the elements are contiguous in row-major order.
    pub fn row_major_start(&self, sizes: &[usize]) -> Option<usize> {
        (self.contiguous || is_row_major(sizes, &self.strides)).then_some(self.offset)
    }
}

/// Whether these are the strides of row-major order.
fn is_row_major(sizes: &[usize], strides: &[isize]) -> bool {
    let plain = row_major_strides(sizes);
    (0..sizes.len()).all(|axis| sizes[axis] == 1 || strides[axis] == plain[axis])
}

/// Whether the elements of a layout are known to be in row-major order from the start of the storage.
#[inline(always)]
pub fn is_contiguous(layout: Option<&StridedLayout>) -> bool {
    layout.is_none_or(|layout| layout.contiguous)
}

/// The layout of a tensor: `None` for row-major order from the start of the storage without a history.
///
/// Dropping a strided layout is a function call, so dropping a tensor without one is short enough to be
/// inlined (rows `a + b, 16 floats` of the benchmark `table`).
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Layout(Option<Box<StridedLayout>>);

impl Layout {
    pub const ROW_MAJOR: Self = Self(None);

    #[inline]
    pub fn new(layout: StridedLayout) -> Self {
        Self(Some(Box::new(layout)))
    }

    /// A copy of the layout; a call, as [`drop_strided`] is.
    #[inline(never)]
    pub fn copy_of(layout: &StridedLayout) -> Self {
        Self::new(layout.clone())
    }

    #[inline(always)]
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }

    #[inline(always)]
    pub fn as_deref(&self) -> Option<&StridedLayout> {
        self.0.as_deref()
    }

    /// Takes the layout and leaves [`ROW_MAJOR`](Self::ROW_MAJOR).
    #[inline]
    pub fn take(&mut self) -> Self {
        Self(self.0.take())
    }

    #[inline]
    pub fn into_strided(mut self) -> Option<StridedLayout> {
        self.0.take().map(|layout| *layout)
    }
}

impl Clone for Layout {
    #[inline]
    fn clone(&self) -> Self {
        self.as_deref().map_or(Self::ROW_MAJOR, Self::copy_of)
    }
}

impl Drop for Layout {
    #[inline(always)]
    fn drop(&mut self) {
        if let layout @ Some(_) = self.0.take() {
            drop_strided(layout);
        }
    }
}

#[cold]
#[inline(never)]
fn drop_strided(layout: Option<Box<StridedLayout>>) {
    drop(layout);
}

/// The layout of elements without a history, with this offset and these strides, in canonical form.
pub fn layout(sizes: &[usize], offset: usize, strides: Strides) -> Layout {
    layout_of(sizes, offset, strides, None)
}

/// The layout of a view of an array, with this offset and these strides, in canonical form: it keeps
/// the history of the array's layout.
pub fn view_layout(
    of: Option<&StridedLayout>,
    sizes: &[usize],
    offset: usize,
    strides: Strides,
) -> Layout {
    layout_of(sizes, offset, strides, of.and_then(|of| of.history.as_ref()))
}

/// The layout with this offset, these strides and this history, in canonical form.
pub fn layout_of(
    sizes: &[usize],
    offset: usize,
    strides: Strides,
    history: Option<&History>,
) -> Layout {
    let empty = sizes.contains(&0);
    let contiguous = empty || (offset == 0 && is_row_major(sizes, &strides));
    if history.is_none() && contiguous {
        return Layout::ROW_MAJOR;
    }
    let contiguous = contiguous && !history.is_some_and(|history| history.is_traced);
    // An empty tensor has no elements: the offset and strides are those of row-major order.
    let (offset, strides) = if empty { (0, row_major_strides(sizes)) } else { (offset, strides) };
    Layout::new(StridedLayout { offset, strides, contiguous, history: history.cloned() })
}

/// Whether an array is part of a program that is being traced.
#[inline(always)]
pub fn is_traced(layout: Option<&StridedLayout>) -> bool {
    layout.is_some_and(StridedLayout::is_traced)
}

/// Whether the operation that computed an array of this layout was recorded.
#[inline(always)]
pub fn is_recorded(layout: Option<&StridedLayout>) -> bool {
    match layout {
        Some(layout) => layout.is_recorded(),
        None => false,
    }
}

/// Refuses to read the elements of an array of a program that is being traced.
///
/// # Panics
///
/// If it is one.
#[inline(always)]
#[track_caller]
pub fn refuse_traced(layout: Option<&StridedLayout>) {
    if let Some(layout) = layout
        && layout.is_traced()
    {
        has_no_elements(layout);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn has_no_elements(layout: &StridedLayout) -> ! {
    if let Some(Err(message)) = layout.history.as_ref().map(|history| history.node.check()) {
        panic!("{message}");
    }
    panic!(
        "this tensor is part of a program that is being traced: it has a shape and no elements. Return it from the \
         function to read it when the program runs, and choose by `select` where the function would branch on it; \
         if no element is read here, this operation cannot be traced"
    );
}

/// A tensor to read from: sizes, layout and storage, with or without the element type.
///
/// Constructing one costs nothing and computes no strides. Kernels that walk the axes in another order,
/// or in parts, make a `RawView` of it (`kernel/raw_view.rs`), which checks that all
/// elements lie within the storage.
#[derive(Debug)]
pub struct ErasedView<'a, T = Untyped> {
    /// The sizes of all axes.
    pub sizes: &'a [usize],
    /// `None` for row-major order from the start of the elements.
    pub layout: Option<&'a StridedLayout>,
    /// Pointer to the first element of the storage.
    pub(crate) first: *const u8,
    /// The number of elements of the storage.
    pub(crate) len: usize,
    lifetime: PhantomData<&'a [T]>,
}

/// Stands for the element type in views for kernels that know the type themselves.
#[derive(Debug)]
pub enum Untyped {}

impl<T> Clone for ErasedView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ErasedView<'_, T> {}

impl<'a> ErasedView<'a> {
    /// A view of `len` contiguous elements that start at `first`.
    ///
    /// # Safety
    ///
    /// There are these elements, of the type that the kernel reads, and they are not written while the view exists, but
    /// by a kernel that writes each result over the element that it is computed from.
    #[inline(always)]
    pub unsafe fn contiguous(sizes: &'a [usize], first: *const u8, len: usize) -> Self {
        Self { sizes, layout: None, first, len, lifetime: PhantomData }
    }
}

impl<'a, T> ErasedView<'a, T> {
    /// A view of elements.
    #[inline(always)]
    pub fn new(sizes: &'a [usize], layout: Option<&'a StridedLayout>, elements: &'a [T]) -> Self {
        let (first, len) = (elements.as_ptr().cast(), elements.len());
        Self { sizes, layout, first, len, lifetime: PhantomData }
    }

    /// The same view without the element type.
    #[inline(always)]
    #[track_caller]
    pub fn untyped(&self) -> ErasedView<'a> {
        refuse_traced(self.layout);
        let Self { sizes, layout, first, len, .. } = *self;
        ErasedView { sizes, layout, first, len, lifetime: PhantomData }
    }
}

impl<'a, T: Copy> ErasedView<'a, T> {
    /// The elements of the storage.
    #[inline(always)]
    #[track_caller]
    pub fn elements(&self) -> &'a [T] {
        refuse_traced(self.layout);
        // SAFETY: typed views are made of slices alone, as `Untyped` is not `Copy`: this is that slice.
        unsafe { core::slice::from_raw_parts(self.first.cast(), self.len) }
    }

    /// The elements in row-major order, if they are contiguous in this order.
    #[track_caller]
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let start = self.row_major_start()?;
        let elements = self.elements().get(start..).and_then(|x| x.get(..num_elements(self.sizes)));
        Some(elements.expect("the strides stay within the elements"))
    }

    /// The same sizes and layout over elements of another element type.
    pub(crate) fn with_elements<'b, U: Copy>(self, elements: &'b [U]) -> ErasedView<'b, U>
    where
        'a: 'b,
    {
        ErasedView::new(self.sizes, self.layout, elements)
    }
}

impl<T> ErasedView<'_, T> {
    /// The strides along the axes of this tensor.
    pub fn strides(&self) -> Strides {
        match self.layout {
            Some(layout) => Strides::from_slice(&layout.strides),
            None => row_major_strides(self.sizes),
        }
    }

    /// The offset of the first element, if the elements are contiguous in row-major order.
    #[inline]
    pub fn row_major_start(&self) -> Option<usize> {
        self.layout.map_or(Some(0), |layout| layout.row_major_start(self.sizes))
    }

    /// The offset of the element of index `[0, 0, …]`.
    pub fn offset(&self) -> usize {
        self.layout.map_or(0, |layout| layout.offset)
    }

    /// The strides along the axes of a result of `rank` axes to which this tensor is broadcast.
    pub fn broadcast_strides_to(&self, rank: usize) -> Strides {
        match self.layout {
            Some(layout) => broadcast_strides(self.sizes, &layout.strides, rank),
            None => broadcast_strides(self.sizes, &row_major_strides(self.sizes), rank),
        }
    }
}
