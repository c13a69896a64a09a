//! Kernels of closures: an inner loop over packed rows, compiled where the closure is.

use core::mem::MaybeUninit;

use super::isa_fns::{IsaFns, with_best_isa};
use crate::element::{Element, Isa};
use crate::ops::{Block, BlockOperand, CallPolicy, InnerLoop, Kernel, Params};

/// The elements that a closure is given at a time where an operand repeats one, or is to be replaced.
const CHUNK: usize = 256;

/// One row of one operand.
struct Row<'a, T> {
    first: *const T,
    is_splat: bool,
    /// Elements that are not read where they are.
    copies: &'a mut [MaybeUninit<T>; CHUNK],
}

impl<'a, T: Copy> Row<'a, T> {
    /// A row of an operand, whose elements are copied if the results take their place.
    ///
    /// # Safety
    ///
    /// The operand has the row, as [`InnerLoop`] says.
    #[inline(always)]
    unsafe fn new(
        operand: &BlockOperand,
        plane: usize,
        row: usize,
        columns: usize,
        copies: &'a mut [MaybeUninit<T>; CHUNK],
    ) -> Self {
        let offset = plane * operand.strides[1] + row * operand.strides[0];
        // SAFETY: the row is there, as the caller promises.
        let first = unsafe { operand.first.cast::<T>().add(offset) };
        if operand.is_splat {
            // SAFETY: as above, there is one element.
            copies[..columns.min(CHUNK)].fill(MaybeUninit::new(unsafe { *first }));
        }
        Self { first, is_splat: operand.is_splat, copies }
    }

    /// `len` elements from `start` on.
    ///
    /// # Safety
    ///
    /// The row has them; `len` is at most [`CHUNK`].
    #[inline(always)]
    unsafe fn chunk(&mut self, start: usize, len: usize, is_replaced: bool) -> &[T] {
        if self.is_splat {
            // SAFETY: copies are written for all columns that a chunk may have.
            return unsafe { self.copies[..len].assume_init_ref() };
        }
        // SAFETY: the row has the elements, as the caller promises, and nobody writes them while they
        // are copied.
        let elements = unsafe { core::slice::from_raw_parts(self.first.add(start), len) };
        if is_replaced { self.copies[..len].write_copy_of_slice(elements) } else { elements }
    }
}

/// Stamps out the kernel of a closure of some operands.
macro_rules! closures {
    ($($module:ident<$n:literal>($($x:ident: $T:ident @ $k:tt),+);)+) => {$(
        /// Closures of this number of operands.
        pub(crate) mod $module {
            use super::*;

            /// The kernel that calls `f` once for each result, in their order, on the caller's thread,
            /// and its parameters, which are valid as long as `f` is.
            #[inline]
            pub(crate) fn sequential<$($T: Element,)+ O: Element, F>(f: &F) -> (Kernel<$n>, Params)
            where
                F: Fn(Isa, $($T),+) -> O,
            {
                kernel::<$($T,)+ O, F>(f, CallPolicy::Sequential)
            }

            /// The kernel that calls `f` in any order, on any thread, and its parameters, which are
            /// valid as long as `f` is.
            #[cfg(test)]
            pub(crate) fn parallel<$($T: Element,)+ O: Element, F>(f: &F) -> (Kernel<$n>, Params)
            where
                F: Fn(Isa, $($T),+) -> O + Sync,
            {
                kernel::<$($T,)+ O, F>(f, CallPolicy::Costly)
            }

            fn kernel<$($T: Element,)+ O: Element, F>(
                f: &F,
                policy: CallPolicy,
            ) -> (Kernel<$n>, Params)
            where
                F: Fn(Isa, $($T),+) -> O,
            {
                // It chooses the instruction set itself.
                let inner = IsaFns::baseline_only(inner::<$($T,)+ O, F> as InnerLoop<$n>);
                let kernel = Kernel::new::<O>(inner, [$(size_of::<$T>()),+], policy);
                (kernel, core::ptr::from_ref(f).cast())
            }

            /// # Safety
            ///
            /// As [`InnerLoop`] says.
            unsafe fn inner<$($T: Element,)+ O: Element, F>(
                _: &Kernel<$n>,
                params: Params,
                block: &Block<$n>,
            ) where
                F: Fn(Isa, $($T),+) -> O,
            {
                /// Separate function: its `&mut` parameter gives `noalias`.
                #[inline(always)]
                fn chunk<$($T: Copy,)+ O>(
                    out: &mut [MaybeUninit<O>],
                    $($x: &[$T],)+
                    f: impl Fn($($T),+) -> O,
                ) {
                    let len = out.len();
                    $(let $x = &$x[..len];)+
                    for index in 0..len {
                        out[index].write(f($($x[index]),+));
                    }
                }

                // SAFETY: the parameters are a pointer to the closure.
                let f = unsafe { &*params.cast::<F>() };
                let [planes, rows, columns] = block.sizes;
                with_best_isa(
                    #[inline(always)]
                    |isa| {
                        $(let mut $x = [const { MaybeUninit::<$T>::uninit() }; CHUNK];)+
                        for row in 0..planes * rows {
                            let (plane, row_of_plane) = (row / rows, row % rows);
                            let out = block.out.cast::<O>().wrapping_add(row * columns);
                            let is_replaced = false
                                $(|| core::ptr::eq(block.operands[$k].first, block.out))+;
                            // SAFETY: the operands have the row.
                            $(let mut $x = unsafe {
                                Row::<$T>::new(&block.operands[$k], plane, row_of_plane, columns, &mut $x)
                            };)+
                            // Large chunks, unless some of the elements are to be copied.
                            let copies = is_replaced $(|| $x.is_splat)+;
                            let step = if copies { CHUNK } else { columns };
                            let mut start = 0;
                            while start < columns {
                                let len = step.min(columns - start);
                                // SAFETY: the row has the elements; where the results take their
                                // place, they were copied.
                                unsafe {
                                    $(let $x = $x.chunk(start, len, is_replaced);)+
                                    let out = out.add(start).cast::<MaybeUninit<O>>();
                                    let out = core::slice::from_raw_parts_mut(out, len);
                                    chunk(
                                        out,
                                        $($x,)+
                                        #[inline(always)]
                                        |$($x),+| f(isa, $($x),+),
                                    );
                                }
                                start += len;
                            }
                        }
                    },
                );
            }
        }
    )+};
}

closures! {
    of_one<1>(a: A @ 0);
    of_two<2>(a: A @ 0, b: B @ 1);
    of_three<3>(a: A @ 0, b: B @ 1, c: C @ 2);
    of_four<4>(a: A @ 0, b: B @ 1, c: C @ 2, d: D @ 3);
}

/// Stamps out what makes a closure of elements one that also takes the instruction set. Functions that
/// know no shape: the closures, and what calls them, are the same for all shapes.
macro_rules! ordered {
    ($($name:ident($($x:ident: $T:ident),+);)+) => {$(
        pub(crate) fn $name<$($T,)+ O>(f: impl Fn($($T),+) -> O) -> impl Fn(Isa, $($T),+) -> O {
            #[inline(always)]
            move |_, $($x),+| f($($x),+)
        }
    )+};
}

ordered! {
    ordered1(a: A);
    ordered2(a: A, b: B);
    ordered3(a: A, b: B, c: C);
    ordered4(a: A, b: B, c: C, d: D);
}
