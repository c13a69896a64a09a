//! Results in new memory, or over old ones: the kernel, once for every operation and every types of
//! elements.
//!
//! Nothing here knows a shape, and neither may the closures that are passed in. A closure written
//! within a function that knows shapes is another one for every shape, and so would be the loops.

use core::mem::MaybeUninit;

use crate::array::kernel::elementwise::{
    Again, Costly, Once, Ordered, each1, each1_shared, each2, each2_shared, each3, each3_shared,
    each4, each4_shared, each5, each5_shared, each6, each6_shared, each7, each7_shared, each8,
    each8_shared,
};
use crate::array::kernel::parallel::{for_each_part, is_shared};
use crate::array::kernel::simd_dispatch::in_vectors;
use crate::array::layout::AnyView;
use crate::array::plan::{Loops, StaticPlan};
use crate::array::storage::{Buffer, Storage};
use crate::element::{Element, Instructions};

/// A function of elements that is called once for each result, in their order, on the caller's thread:
/// a closure of the user.
pub(crate) struct InOrder<F>(pub F);

/// A function of elements that threads may call, in any order, and again for the same elements: its
/// results depend on nothing else. It takes little time.
pub(crate) struct Shared<F>(pub F);

/// As [`Shared`], a function that may take longer.
pub(crate) struct SharedLong<F>(pub F);

/// As [`SharedLong`], a function that also takes what the machine has.
pub(crate) struct SharedWith<F>(pub F);

/// Whether a function takes what the machine has, which the kernel knows.
pub(crate) trait TakesInstructions {
    const TAKES_INSTRUCTIONS: bool;
}

impl<F> TakesInstructions for InOrder<F> {
    const TAKES_INSTRUCTIONS: bool = false;
}

impl<F> TakesInstructions for Shared<F> {
    const TAKES_INSTRUCTIONS: bool = false;
}

impl<F> TakesInstructions for SharedLong<F> {
    const TAKES_INSTRUCTIONS: bool = false;
}

impl<F> TakesInstructions for SharedWith<F> {
    const TAKES_INSTRUCTIONS: bool = true;
}

/// A function of the elements of some operands, and how to run the kernel with it.
macro_rules! work {
    ($Work:ident<$n:literal>: $each:ident, $shared:ident; $($x:ident: $T:ident),+) => {
        #[allow(clippy::too_many_arguments, reason = "one for each operand")]
        pub(crate) trait $Work<$($T: Element,)+ O: Element>: TakesInstructions {
            fn of(&self, instructions: Instructions, $($x: $T),+) -> O;

            /// Writes all results.
            fn write(&self, loops: &Loops<'_, $n>, out: &mut [MaybeUninit<O>], $($x: &[$T]),+);
        }

        work!(InOrder(): $each::<Ordered>, $Work<$n>; $($x: $T),+);
        work!(Shared(): $shared::<Again>, $Work<$n>; $($x: $T),+; Sync);
        work!(SharedLong(): $shared::<Costly>, $Work<$n>; $($x: $T),+; Sync);
        work!(SharedWith(has: Instructions): $shared::<Costly>, $Work<$n>; $($x: $T),+; Sync);
    };
    (
        $Order:ident($($has:ident: $Has:ident)?): $each:ident::<$Calls:ident>, $Work:ident<$n:literal>;
        $($x:ident: $T:ident),+ $(; $Sync:ident)?
    ) => {
        impl<$($T: Element,)+ O: Element, Function> $Work<$($T,)+ O> for $Order<Function>
        where
            Function: Fn($($Has,)? $($T),+) -> O $(+ $Sync)?,
        {
            #[inline(always)]
            fn of(&self, _instructions: Instructions, $($x: $T),+) -> O {
                $(let $has = _instructions;)?
                self.0($($has,)? $($x),+)
            }

            #[inline(always)]
            fn write(&self, loops: &Loops<'_, $n>, out: &mut [MaybeUninit<O>], $($x: &[$T]),+) {
                $each::<$Calls, _, $($T),+>(
                    loops,
                    out,
                    $($x,)+
                    #[inline(always)]
                    |instructions, result, $($x),+| {
                        result.write(self.of(instructions, $($x),+));
                    },
                );
            }
        }
    };
}

work!(Work1<1>: each1, each1_shared; a: A);
work!(Work2<2>: each2, each2_shared; a: A, b: B);
work!(Work3<3>: each3, each3_shared; a: A, b: B, c: C);
work!(Work4<4>: each4, each4_shared; a: A, b: B, c: C, d: D);
work!(Work5<5>: each5, each5_shared; a: A, b: B, c: C, d: D, e: E);
work!(Work6<6>: each6, each6_shared; a: A, b: B, c: C, d: D, e: E, f: F);
work!(Work7<7>: each7, each7_shared; a: A, b: B, c: C, d: D, e: E, f: F, g: G);
work!(Work8<8>: each8, each8_shared; a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H);

/// [`Work1`] where the elements lie in one piece.
pub(crate) trait WorkOnSlice<A: Element, O: Element>: Work1<A, O> {
    fn write_slice(&self, elements: &[A], out: &mut [MaybeUninit<O>]);
    fn update_slice(&self, elements: &mut [A])
    where
        Self: Work1<A, A>;
}

/// [`Work2`] where both operands have the sizes of the result and lie in one piece.
pub(crate) trait WorkOnSlices<A: Element, B: Element, O: Element>: Work2<A, B, O> {
    fn write_slices(&self, a: &[A], b: &[B], out: &mut [MaybeUninit<O>]);
}

impl<A: Element, B: Element, O: Element, F> WorkOnSlices<A, B, O> for InOrder<F>
where
    Self: Work2<A, B, O>,
{
    #[inline(always)]
    fn write_slices(&self, a: &[A], b: &[B], out: &mut [MaybeUninit<O>]) {
        write_slices(a, b, out, self);
    }
}

/// A function of two elements whose results take the place of one side.
pub(crate) trait Update<T: Element, X: Element> {
    fn update(&self, loops: &Loops<'_, 1>, target: &mut [T], operand: &[X]);
}

/// The left side becomes the result.
pub(crate) struct ToLeft<'a, F>(pub &'a F);

/// The right side becomes the result.
pub(crate) struct ToRight<'a, F>(pub &'a F);

impl<A: Element, O: Element, F> WorkOnSlice<A, O> for InOrder<F>
where
    Self: Work1<A, O>,
{
    #[inline(always)]
    fn write_slice(&self, elements: &[A], out: &mut [MaybeUninit<O>]) {
        write_slice(elements, out, self);
    }

    #[inline(always)]
    fn update_slice(&self, elements: &mut [A])
    where
        Self: Work1<A, A>,
    {
        update_slice(elements, self);
    }
}

macro_rules! shared_work_on_slices {
    ($($Order:ident)*) => {$(
        impl<A: Element, O: Element, F: Sync> WorkOnSlice<A, O> for $Order<F>
        where
            Self: Work1<A, O>,
        {
            #[inline(always)]
            fn write_slice(&self, elements: &[A], out: &mut [MaybeUninit<O>]) {
                for_each_part(out, 1, |start, out| {
                    write_slice(&elements[start..][..out.len()], out, self)
                });
            }

            #[inline(always)]
            fn update_slice(&self, elements: &mut [A])
            where
                Self: Work1<A, A>,
            {
                for_each_part(elements, 1, |_, elements| update_slice(elements, self));
            }
        }

        impl<A: Element, B: Element, O: Element, F: Sync> WorkOnSlices<A, B, O> for $Order<F>
        where
            Self: Work2<A, B, O>,
        {
            #[inline(always)]
            fn write_slices(&self, a: &[A], b: &[B], out: &mut [MaybeUninit<O>]) {
                if !is_shared(size_of_val(out)) {
                    return write_slices(a, b, out, self);
                }
                for_each_part(out, 1, |start, out| {
                    write_slices(&a[start..][..out.len()], &b[start..][..out.len()], out, self)
                });
            }
        }
    )*};
}

shared_work_on_slices!(Shared SharedLong SharedWith);

/// Writes `f` of every pair of elements of two slices.
#[inline(always)]
fn write_slices<A: Element, B: Element, O: Element>(
    a: &[A],
    b: &[B],
    out: &mut [MaybeUninit<O>],
    f: &impl Work2<A, B, O>,
) {
    /// A function of its own, so that the compiler knows that `out` is apart from the operands.
    #[inline(always)]
    fn write<A: Element, B: Element, O: Element>(
        out: &mut [MaybeUninit<O>],
        a: &[A],
        b: &[B],
        instructions: Instructions,
        f: &impl Work2<A, B, O>,
    ) {
        let len = out.len();
        let (a, b) = (&a[..len], &b[..len]);
        for index in 0..len {
            out[index].write(f.of(instructions, a[index], b[index]));
        }
    }
    in_vectors(
        #[inline(always)]
        |instructions| write(out, a, b, instructions, f),
    );
}

/// The results of an operation on two operands of the same sizes that lie in one piece, in new
/// memory, for more elements than a value holds. Small tensors are much of the time on their way to
/// the loop, so it is short; and what it gives fits into a register, because to write a [`Storage`] and
/// to move it takes a tenth of the time of a thousand elements.
#[inline(never)]
pub(crate) fn zip2_slices<A: Element, B: Element, O: Element>(
    len: usize,
    a: &[A],
    b: &[B],
    work: impl WorkOnSlices<A, B, O>,
) -> Buffer<O> {
    // SAFETY: every result is written.
    unsafe { Buffer::build(len, |out| work.write_slices(a, b, out)) }
}

macro_rules! updates {
    ($($Order:ident: $each:ident::<$Calls:ident> $($Sync:ident)?;)*) => {$(
        impl<A, B, F> Update<A, B> for ToLeft<'_, $Order<F>>
        where
            A: Element,
            B: Element,
            F: Fn(A, B) -> A $(+ $Sync)?,
        {
            #[inline(always)]
            fn update(&self, loops: &Loops<'_, 1>, target: &mut [A], operand: &[B]) {
                $each::<$Calls, _, _>(
                    loops,
                    target,
                    operand,
                    #[inline(always)]
                    |_, a, b| *a = self.0.0(*a, b),
                );
            }
        }

        impl<A, B, F> Update<B, A> for ToRight<'_, $Order<F>>
        where
            A: Element,
            B: Element,
            F: Fn(A, B) -> B $(+ $Sync)?,
        {
            #[inline(always)]
            fn update(&self, loops: &Loops<'_, 1>, target: &mut [B], operand: &[A]) {
                $each::<$Calls, _, _>(
                    loops,
                    target,
                    operand,
                    #[inline(always)]
                    |_, b, a| *b = self.0.0(a, *b),
                );
            }
        }
    )*};
}

updates! {
    InOrder: each1::<Ordered>;
    Shared: each1_shared::<Once> Sync;
}

/// Writes `f` of every element of a slice.
#[inline(never)]
fn write_slice<A: Element, O: Element>(
    elements: &[A],
    out: &mut [MaybeUninit<O>],
    f: &impl Work1<A, O>,
) {
    in_vectors(
        #[inline(always)]
        |instructions| {
            for (result, &element) in out.iter_mut().zip(elements) {
                result.write(f.of(instructions, element));
            }
        },
    );
}

/// Replaces every element by `f` of it.
#[inline(never)]
fn update_slice<T: Element>(elements: &mut [T], f: &impl Work1<T, T>) {
    in_vectors(
        #[inline(always)]
        |instructions| {
            for element in elements {
                *element = f.of(instructions, *element);
            }
        },
    );
}

/// The loops over a result: the constant plan where it holds, else computed from the strides.
macro_rules! loops {
    ($plan:expr, $sizes:expr, $($x:ident),+) => {
        match $plan {
            Some(plan) if $($x.layout.is_none())&&+ => Loops::constant(plan),
            _ => {
                let rank = $sizes.len();
                let strides = [$(&$x.strides_along(rank)[..]),+];
                Loops::of_strides($sizes, strides, [$($x.offset()),+])
            }
        }
    };
}

/// `f` of every element, in new memory.
#[inline(never)]
pub(crate) fn map_any<A: Element, O: Element>(
    a: AnyView<'_, A>,
    f: impl WorkOnSlice<A, O>,
) -> Storage<O> {
    let len = a.sizes.iter().product();
    let fill = |out: &mut [MaybeUninit<O>]| match a.layout {
        None => f.write_slice(&a.elements[..len], out),
        Some(_) => f.write(&loops!(None, a.sizes, a), out, a.elements),
    };
    // SAFETY: both write every result.
    unsafe { Storage::build(len, fill) }
}

macro_rules! zips {
    ($(
        $(#[$doc:meta])*
        $name:ident, $large:ident<$n:literal>: $Work:ident, $collect:ident; $($x:ident: $T:ident),+;
    )*) => {$(
        $(#[$doc])*
        #[inline(never)]
        pub(crate) fn $name<$($T: Element,)+ O: Element>(
            plan: &Option<StaticPlan<$n>>,
            sizes: &[usize],
            ($($x,)+): ($(AnyView<'_, $T>,)+),
            work: impl $Work<$($T,)+ O>,
        ) -> Storage<O> {
            let loops = loops!(plan, sizes, $($x),+);
            $collect(&loops, loops.len(), ($($x.elements,)+), work)
        }

        $(#[$doc])*
        ///
        /// It is called where they are known to be more than a value holds: what it gives fits into a
        /// register.
        #[inline(never)]
        pub(crate) fn $large<$($T: Element,)+ O: Element>(
            plan: &Option<StaticPlan<$n>>,
            sizes: &[usize],
            ($($x,)+): ($(AnyView<'_, $T>,)+),
            work: impl $Work<$($T,)+ O>,
        ) -> Buffer<O> {
            let loops = loops!(plan, sizes, $($x),+);
            // SAFETY: the kernel writes every result.
            unsafe { Buffer::build(loops.len(), |out| work.write(&loops, out, $($x.elements),+)) }
        }

        $(#[$doc])*
        #[inline]
        pub(crate) fn $collect<$($T: Element,)+ O: Element>(
            loops: &Loops<'_, $n>,
            len: usize,
            ($($x,)+): ($(&[$T],)+),
            work: impl $Work<$($T,)+ O>,
        ) -> Storage<O> {
            // SAFETY: the kernel writes every result.
            unsafe { Storage::build(len, |out| work.write(loops, out, $($x),+)) }
        }
    )*};
}

zips! {
    /// The results of an operation on one operand, in new memory.
    zip1_any, zip1_large<1>: Work1, collect1; a: A;
    /// The results of an operation on two operands, in new memory.
    zip2_any, zip2_large<2>: Work2, collect2; a: A, b: B;
    /// The results of an operation on three operands, in new memory.
    zip3_any, zip3_large<3>: Work3, collect3; a: A, b: B, c: C;
    /// The results of an operation on four operands, in new memory.
    zip4_any, zip4_large<4>: Work4, collect4; a: A, b: B, c: C, d: D;
    /// The results of an operation on five operands, in new memory.
    zip5_any, zip5_large<5>: Work5, collect5; a: A, b: B, c: C, d: D, e: E;
    /// The results of an operation on six operands, in new memory.
    zip6_any, zip6_large<6>: Work6, collect6; a: A, b: B, c: C, d: D, e: E, f: F;
    /// The results of an operation on seven operands, in new memory.
    zip7_any, zip7_large<7>: Work7, collect7; a: A, b: B, c: C, d: D, e: E, f: F, g: G;
    /// The results of an operation on eight operands, in new memory.
    zip8_any, zip8_large<8>: Work8, collect8; a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H;
}

/// Writes `f(target, operand)` into a target in one piece, if nobody else reads it.
#[inline(never)]
pub(crate) fn update_any<A: Element, B: Element>(
    target: &mut Storage<A>,
    plan: &Option<StaticPlan<1>>,
    sizes: &[usize],
    b: AnyView<'_, B>,
    f: impl Update<A, B>,
) -> bool {
    let Some(elements) = target.get_mut() else { return false };
    let loops = loops!(plan, sizes, b);
    f.update(&loops, &mut elements[..sizes.iter().product()], b.elements);
    true
}
