//! Kernels of closures: an inner loop over packed rows, compiled where the closure is.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::function::Function;
use super::isa_fns::{IsaFns, with_best_isa};
use crate::element::{Element, Isa};
use crate::ops::{Block, BlockOperand, CallPolicy, InnerLoop, Kernel, Params};

/// The number of elements passed to a closure at a time if an operand is a splat, or is overwritten.
const CHUNK: usize = 256;

/// One row of one operand.
struct OperandRow<'a, T> {
    first: *const T,
    is_splat: bool,
    /// Copies of the elements, for a splat or a row that the results overwrite.
    copies: &'a mut [MaybeUninit<T>; CHUNK],
}

impl<'a, T: Copy> OperandRow<'a, T> {
    /// A row of an operand; its elements are copied if the operand is a splat.
    ///
    /// # Safety
    ///
    /// The operand has this row, as [`InnerLoop`] requires.
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

    /// `len` elements, starting at `start`; copies of them if `is_replaced`.
    ///
    /// # Safety
    ///
    /// The row has these elements; `len` is at most [`CHUNK`].
    #[inline(always)]
    unsafe fn chunk(&mut self, start: usize, len: usize, is_replaced: bool) -> &[T] {
        if self.is_splat {
            // SAFETY: `new` has initialised the first `min(columns, CHUNK)` copies, and no chunk is longer.
            return unsafe { self.copies[..len].assume_init_ref() };
        }
        // SAFETY: the row has the elements, as the caller promises, and they are not written while they
        // are copied.
        let elements = unsafe { core::slice::from_raw_parts(self.first.add(start), len) };
        if is_replaced { self.copies[..len].write_copy_of_slice(elements) } else { elements }
    }
}

/// The kernel of a closure with `N` operands, whose types are those of the tuple `X`, and with results of type `O`.
pub struct Closure<'f, X, O, const N: usize> {
    kernel: Kernel<N>,
    params: Params,
    types: PhantomData<(&'f (), fn(X) -> O)>,
}

impl<X, O, const N: usize> Closure<'_, X, O, N> {
    /// The closure as a function of elements.
    #[inline]
    pub fn function(&self) -> Function<'_, X, O, N> {
        // SAFETY: the inner loop calls the closure with elements of these types, and the parameters point to the closure,
        // which is borrowed for longer.
        unsafe { Function::new(&self.kernel, self.params) }
    }
}

/// Generates the kernels of closures with a given number of operands.
macro_rules! closures {
    ($($module:ident<$n:literal>($($x:ident: $T:ident @ $k:tt),+);)+) => {$(
        /// Kernels of closures with this number of operands.
        pub mod $module {
            use super::*;

            /// The kernel that calls `f` once for each result, in row-major order, on the caller's thread.
            #[inline]
            pub fn sequential<$($T: Element,)+ O: Element, F>(f: &F) -> Closure<'_, ($($T,)+), O, $n>
            where
                F: Fn(Isa, $($T),+) -> O,
            {
                kernel::<$($T,)+ O, F>(f, CallPolicy::Sequential)
            }

            /// The kernel that calls `f` in any order, on any thread.
            #[cfg(test)]
            pub(crate) fn parallel<$($T: Element,)+ O: Element, F>(
                f: &F,
            ) -> Closure<'_, ($($T,)+), O, $n>
            where
                F: Fn(Isa, $($T),+) -> O + Sync,
            {
                kernel::<$($T,)+ O, F>(f, CallPolicy::Costly)
            }

            fn kernel<$($T: Element,)+ O: Element, F>(
                f: &F,
                policy: CallPolicy,
            ) -> Closure<'_, ($($T,)+), O, $n>
            where
                F: Fn(Isa, $($T),+) -> O,
            {
                // The inner loop chooses the instruction set itself.
                let inner = IsaFns::baseline_only(inner::<$($T,)+ O, F> as InnerLoop<$n>);
                let kernel = Kernel::new::<O>(inner, [$(size_of::<$T>()),+], policy);
                Closure { kernel, params: core::ptr::from_ref(f).cast(), types: PhantomData }
            }

            /// # Safety
            ///
            /// As [`InnerLoop`] requires.
            unsafe fn inner<$($T: Element,)+ O: Element, F>(
                _: &Kernel<$n>,
                params: Params,
                block: &Block<$n>,
            ) where
                F: Fn(Isa, $($T),+) -> O,
            {
                /// A separate function: its `&mut` parameter gives `noalias`.
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

                // SAFETY: the parameters of this kernel are a pointer to the closure.
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
                            // SAFETY: the operands have this row.
                            $(let mut $x = unsafe {
                                OperandRow::<$T>::new(&block.operands[$k], plane, row_of_plane, columns, &mut $x)
                            };)+
                            // Chunks are large, unless some elements have to be copied.
                            let copies = is_replaced $(|| $x.is_splat)+;
                            let step = if copies { CHUNK } else { columns };
                            let mut start = 0;
                            while start < columns {
                                let len = step.min(columns - start);
                                // SAFETY: the row has the elements; if the results overwrite
                                // them, they were copied.
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

/// Generates functions that turn a closure of elements into one that also takes the instruction set. They
/// do not depend on shapes: the closures and their callers are the same for all shapes.
macro_rules! ordered {
    ($($name:ident($($x:ident: $T:ident),+);)+) => {$(
        /// The closure that also takes the instruction set.
        pub fn $name<$($T,)+ O>(f: impl Fn($($T),+) -> O) -> impl Fn(Isa, $($T),+) -> O {
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
