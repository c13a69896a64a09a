//! Results composed of the elements of others, piece by piece: joins, padding, rolls, triangles.
//!
//! A [`Program`] describes the composition of the result; [`assemble`] allocates and writes it from front
//! to back, in contiguous runs wherever the source has them. Nothing here depends on the element type,
//! only on its size: each loop is compiled once for 1, 2, 4 and 8 bytes.

mod concat;
mod maps;
mod rearrange;
mod triangle;
mod writer;

pub use maps::{IndexMap, padded, repeated, rolled};
pub use triangle::Side;

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use self::writer::Writer;
use super::bypass;
use crate::element::Element;
use crate::layout::{ErasedView, Strides, len_in_memory};
use crate::storage::Storage;

/// The composition of a result with elements of type `T`; its views are stored without the type.
pub struct Program<'a, T> {
    steps: Steps<'a>,
    elements: PhantomData<&'a [T]>,
}

/// A [`Program`] without its element type.
enum Steps<'a> {
    /// The parts concatenated along an axis.
    Concat { parts: Vec<ErasedView<'a>>, axis: usize },
    /// For each axis a map of its indices to those of the source; `fill` where an index has no source.
    Rearrange { x: ErasedView<'a>, maps: &'a [IndexMap], fill: ErasedView<'a> },
    /// The triangle of matrices on one side of a diagonal, and `fill` on the other side.
    Triangle { x: ErasedView<'a>, side: Side, diagonal: isize, fill: ErasedView<'a> },
    /// Matrices with vectors as their diagonals, and `fill` elsewhere.
    Diagonal { x: ErasedView<'a>, fill: ErasedView<'a> },
}

impl<'a, T: Element> Program<'a, T> {
    fn new(steps: Steps<'a>) -> Self {
        Self { steps, elements: PhantomData }
    }

    /// The parts concatenated along an axis; their sizes differ along this axis alone.
    pub fn concat(parts: impl Iterator<Item = ErasedView<'a, T>>, axis: usize) -> Self {
        Self::new(Steps::Concat { parts: parts.map(|part| part.untyped()).collect(), axis })
    }

    /// A rearrangement: each result is the element at the index that the maps of the axes give.
    pub fn rearrange(x: ErasedView<'a, T>, maps: &'a [IndexMap], fill: &'a Fill<T>) -> Self {
        Self::new(Steps::Rearrange { x: x.untyped(), maps, fill: fill.as_view() })
    }

    /// The triangle of matrices on one side of a diagonal, with 0 on the other side.
    pub fn triangle(x: ErasedView<'a, T>, side: Side, diagonal: isize, fill: &'a Fill<T>) -> Self {
        Self::new(Steps::Triangle { x: x.untyped(), side, diagonal, fill: fill.as_view() })
    }

    /// Matrices with vectors as their diagonals.
    pub fn diagonal(x: ErasedView<'a, T>, fill: &'a Fill<T>) -> Self {
        Self::new(Steps::Diagonal { x: x.untyped(), fill: fill.as_view() })
    }
}

/// The element that fills positions without a source.
pub struct Fill<T>(pub T);

impl<T: Element> Fill<T> {
    fn as_view(&self) -> ErasedView<'_> {
        ErasedView::new(&[], None, core::slice::from_ref(&self.0)).untyped()
    }
}

/// Builds the elements of a result of these sizes.
///
/// # Panics
///
/// If it has more than `isize::MAX` bytes, or if the program makes another number of elements.
#[track_caller]
pub fn assemble<T: Element>(sizes: &[usize], program: &Program<'_, T>) -> Storage<T> {
    let len = len_in_memory(sizes, size_of::<T>());
    let write = |slots: &mut [MaybeUninit<T>]| {
        // Programs are only run for results that are not empty.
        if slots.is_empty() {
            return;
        }
        // SAFETY: the slots have the size of elements of type `T`, like the views of the program, all of
        // which were made from elements of type `T`.
        unsafe { run(&program.steps, size_of::<T>(), slots.as_mut_ptr().cast(), slots.len()) };
    };
    // SAFETY: `run` writes every slot, or panics.
    unsafe { Storage::build(len, write) }
}

/// Writes all of `len` elements of `bytes` bytes each.
///
/// # Panics
///
/// If the steps make more or fewer.
///
/// # Safety
///
/// `first` points to memory for them, aligned for elements of this size, that nothing else uses; the
/// views have elements of this size, and every bit pattern of that size is valid for one.
unsafe fn run(steps: &Steps<'_>, bytes: usize, first: *mut u8, len: usize) {
    macro_rules! with_bits {
        ($($bytes:literal is $B:ty,)*) => {
            match bytes {
                $($bytes => {
                    // SAFETY: as the caller promises.
                    let out = unsafe { core::slice::from_raw_parts_mut(first.cast(), len) };
                    // `Rearrange` reads results while it writes; triangles and diagonals write short runs.
                    let bypasses =
                        matches!(steps, Steps::Concat { .. }) && bypass::pays(len * bytes);
                    let mut writer = match bypasses {
                        // SAFETY: concatenation repeats nothing.
                        true => unsafe { Writer::<$B>::bypassing(out) },
                        false => Writer::<$B>::new(out),
                    };
                    // SAFETY: as the caller promises.
                    unsafe { write_bits(steps, &mut writer) };
                    writer.finish();
                })*
                _ => unreachable!("elements of {bytes} bytes"),
            }
        };
    }
    with_bits! { 1 is u8, 2 is u16, 4 is u32, 8 is u64, }
}

/// # Safety
///
/// The views have elements of the size and alignment of `B`.
unsafe fn write_bits<B: Copy>(steps: &Steps<'_>, writer: &mut Writer<'_, B>) {
    match steps {
        Steps::Concat { parts, axis } => {
            // SAFETY: as the caller promises.
            let parts = parts.iter().map(|view| unsafe { MoveSource::<B>::new(view) });
            concat::write(writer, &parts.collect::<Vec<_>>(), *axis);
        }
        Steps::Rearrange { x, maps, fill } => {
            // SAFETY: as the caller promises.
            let (x, fill) = unsafe { (MoveSource::<B>::new(x), MoveSource::<B>::new(fill)) };
            rearrange::write(writer, &x, maps, fill.first());
        }
        Steps::Triangle { x, side, diagonal, fill } => {
            // SAFETY: as the caller promises.
            let (x, fill) = unsafe { (MoveSource::<B>::new(x), MoveSource::<B>::new(fill)) };
            triangle::write(writer, &x, *side, *diagonal, fill.first());
        }
        Steps::Diagonal { x, fill } => {
            // SAFETY: as the caller promises.
            let (x, fill) = unsafe { (MoveSource::<B>::new(x), MoveSource::<B>::new(fill)) };
            triangle::write_diagonal(writer, &x, fill.first());
        }
    }
}

/// A tensor to read from, with its elements as bits.
struct MoveSource<'a, B> {
    elements: &'a [B],
    sizes: &'a [usize],
    strides: Strides,
    offset: isize,
    /// The first of the trailing axes that together are contiguous.
    contiguous_from: usize,
}

impl<'a, B: Copy> MoveSource<'a, B> {
    /// # Safety
    ///
    /// The elements of the view have the size and alignment of `B`.
    unsafe fn new(view: &ErasedView<'a>) -> Self {
        // SAFETY: the elements have the size of `B`, as the caller promises; a view has `len` of them,
        // initialised for as long as it lives, and every bit pattern is valid for `B`.
        let elements = unsafe { core::slice::from_raw_parts(view.first.cast(), view.len) };
        let (sizes, strides) = (view.sizes, view.strides());
        let (mut contiguous_from, mut step) = (sizes.len(), 1);
        while let Some(axis) = contiguous_from.checked_sub(1) {
            if sizes[axis] != 1 && strides[axis] != step {
                break;
            }
            // The product overflows only if the view is empty.
            step = step.wrapping_mul(sizes[axis] as isize);
            contiguous_from = axis;
        }
        Self { elements, sizes, strides, offset: view.offset() as isize, contiguous_from }
    }

    fn first(&self) -> B {
        self.elements[self.offset as usize]
    }

    /// Writes the elements of the axes from `axis` on, starting at `offset`.
    fn write(&self, writer: &mut Writer<'_, B>, axis: usize, offset: isize) {
        let sizes = &self.sizes[axis..];
        if sizes.contains(&0) {
            return;
        }
        if axis >= self.contiguous_from {
            let len = sizes.iter().product();
            return writer.copy(&self.elements[offset as usize..][..len]);
        }
        let (size, stride) = (sizes[0], self.strides[axis]);
        if sizes.len() == 1 {
            return writer.copy_strided(self.elements, offset, stride, size);
        }
        for index in 0..size as isize {
            self.write(writer, axis + 1, offset + index * stride);
        }
    }

    /// Calls `visit` with the offset of each index of the axes before `axis`, in row-major order.
    fn for_each_outer(&self, axis: usize, mut visit: impl FnMut(&[usize], isize)) {
        let sizes = &self.sizes[..axis];
        if sizes.contains(&0) {
            return;
        }
        let mut index = crate::sizes::Sizes::from_elem(0, axis);
        let mut offset = self.offset;
        loop {
            visit(&index, offset);
            let mut axis = axis;
            loop {
                let Some(next) = axis.checked_sub(1) else { return };
                axis = next;
                index[axis] += 1;
                offset += self.strides[axis];
                if index[axis] < sizes[axis] {
                    break;
                }
                offset -= self.strides[axis] * sizes[axis] as isize;
                index[axis] = 0;
            }
        }
    }
}

/// The elements of `x` at the indices that the maps of its axes give; `fill` where there is none. There are no maps for a
/// result without elements: they may not fit into memory.
#[track_caller]
pub fn rearranged<T: Element>(
    x: ErasedView<'_, T>,
    sizes: &[usize],
    maps: &dyn Fn() -> Vec<IndexMap>,
    fill: T,
) -> Storage<T> {
    if sizes.contains(&0) {
        return Storage::zeros(0);
    }
    assemble(sizes, &Program::rearrange(x, &maps(), &Fill(fill)))
}

/// The elements of `x` at the indices that a map gives along one axis.
#[track_caller]
pub fn rearranged_along<T: Element>(
    x: ErasedView<'_, T>,
    sizes: &[usize],
    axis: usize,
    map: &dyn Fn() -> IndexMap,
) -> Storage<T> {
    let maps = || {
        let mut maps: Vec<IndexMap> = x.sizes.iter().map(|&size| IndexMap::whole(size)).collect();
        maps[axis] = map();
        maps
    };
    rearranged(x, sizes, &maps, T::ZERO)
}
