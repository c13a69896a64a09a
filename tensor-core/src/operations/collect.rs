//! Results in new memory, or over old ones: the kernel, once for every operation and every types of
//! elements.
//!
//! Nothing here knows a shape, and neither may the closures that are passed in. A closure written
//! within a function that knows shapes is another one for every shape, and so would be the loops.

use core::mem::MaybeUninit;

use crate::element::Element;
use crate::kernel::elementwise::{each1, each2, each3, each4};
use crate::kernel::vectors::in_vectors;
use crate::layout::AnyView;
use crate::plan::{Loops, Plan};
use crate::storage::Storage;

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
pub(crate) fn map_any<A: Element, O: Element>(a: AnyView<'_, A>, f: impl Fn(A) -> O) -> Storage<O> {
    let len = a.sizes.iter().product();
    match a.layout {
        None => collect_slice(&a.elements[..len], f),
        Some(_) => collect1(&loops!(None, a.sizes, a), len, a.elements, f),
    }
}

/// `f` of every pair of elements, in new memory.
#[inline(never)]
pub(crate) fn zip2_any<A: Element, B: Element, O: Element>(
    plan: &Option<Plan<2>>,
    sizes: &[usize],
    a: AnyView<'_, A>,
    b: AnyView<'_, B>,
    f: impl Fn(A, B) -> O,
) -> Storage<O> {
    let loops = loops!(plan, sizes, a, b);
    collect2(&loops, sizes.iter().product(), a.elements, b.elements, f)
}

/// `f` of every three elements, in new memory.
#[inline(never)]
pub(crate) fn zip3_any<A: Element, B: Element, C: Element, O: Element>(
    plan: &Option<Plan<3>>,
    sizes: &[usize],
    (a, b, c): (AnyView<'_, A>, AnyView<'_, B>, AnyView<'_, C>),
    f: impl Fn(A, B, C) -> O,
) -> Storage<O> {
    let loops = loops!(plan, sizes, a, b, c);
    let elements = (a.elements, b.elements, c.elements);
    collect3(&loops, sizes.iter().product(), elements, f)
}

/// `f` of every four elements, in new memory.
#[inline(never)]
pub(crate) fn zip4_any<A: Element, B: Element, C: Element, D: Element, O: Element>(
    plan: &Option<Plan<4>>,
    sizes: &[usize],
    (a, b, c, d): (AnyView<'_, A>, AnyView<'_, B>, AnyView<'_, C>, AnyView<'_, D>),
    f: impl Fn(A, B, C, D) -> O,
) -> Storage<O> {
    let loops = loops!(plan, sizes, a, b, c, d);
    let elements = (a.elements, b.elements, c.elements, d.elements);
    collect4(&loops, sizes.iter().product(), elements, f)
}

/// Writes `f(target, operand)` into a target in one piece, if nobody else reads it.
#[inline(never)]
pub(crate) fn update_any<A: Element, B: Element>(
    target: &mut Storage<A>,
    plan: &Option<Plan<1>>,
    sizes: &[usize],
    b: AnyView<'_, B>,
    f: impl Fn(A, B) -> A,
) -> bool {
    let Some(elements) = target.get_mut() else { return false };
    let loops = loops!(plan, sizes, b);
    update_with(&loops, &mut elements[..sizes.iter().product()], b.elements, f);
    true
}

/// `f` of every element of a slice, in new memory.
#[inline]
pub(crate) fn collect_slice<A: Element, O: Element>(
    elements: &[A],
    f: impl Fn(A) -> O,
) -> Storage<O> {
    let fill = |results: &mut [MaybeUninit<O>]| {
        in_vectors(
            #[inline(always)]
            || {
                for (result, &element) in results.iter_mut().zip(elements) {
                    result.write(f(element));
                }
            },
        );
    };
    // SAFETY: there are as many results as elements, and `fill` writes one for each.
    unsafe { Storage::build(elements.len(), fill) }
}

/// The results of an operation on one operand, in new memory.
#[inline]
pub(crate) fn collect1<A: Element, O: Element>(
    loops: &Loops<'_, 1>,
    len: usize,
    a: &[A],
    f: impl Fn(A) -> O,
) -> Storage<O> {
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(len, |results| {
            each1(
                loops,
                results,
                a,
                #[inline(always)]
                |result, a| {
                    result.write(f(a));
                },
            );
        })
    }
}

/// The results of an operation on two operands, in new memory.
#[inline]
pub(crate) fn collect2<A: Element, B: Element, O: Element>(
    loops: &Loops<'_, 2>,
    len: usize,
    a: &[A],
    b: &[B],
    f: impl Fn(A, B) -> O,
) -> Storage<O> {
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(len, |results| {
            each2(
                loops,
                results,
                a,
                b,
                #[inline(always)]
                |result, a, b| {
                    result.write(f(a, b));
                },
            );
        })
    }
}

/// The results of an operation on three operands, in new memory.
#[inline]
pub(crate) fn collect3<A: Element, B: Element, C: Element, O: Element>(
    loops: &Loops<'_, 3>,
    len: usize,
    (a, b, c): (&[A], &[B], &[C]),
    f: impl Fn(A, B, C) -> O,
) -> Storage<O> {
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(len, |results| {
            each3(
                loops,
                results,
                a,
                b,
                c,
                #[inline(always)]
                |result, a, b, c| {
                    result.write(f(a, b, c));
                },
            );
        })
    }
}

/// The results of an operation on four operands, in new memory.
#[inline]
pub(crate) fn collect4<A: Element, B: Element, C: Element, D: Element, O: Element>(
    loops: &Loops<'_, 4>,
    len: usize,
    (a, b, c, d): (&[A], &[B], &[C], &[D]),
    f: impl Fn(A, B, C, D) -> O,
) -> Storage<O> {
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(len, |results| {
            each4(
                loops,
                results,
                a,
                b,
                c,
                d,
                #[inline(always)]
                |result, a, b, c, d| {
                    result.write(f(a, b, c, d));
                },
            );
        })
    }
}

/// Replaces every element by `f` of it.
#[inline(never)]
pub(crate) fn update_slice<T: Element>(elements: &mut [T], f: impl Fn(T) -> T) {
    in_vectors(
        #[inline(always)]
        || {
            for element in elements {
                *element = f(*element);
            }
        },
    );
}

/// Replaces every element of the target by `f` of it and the operand.
#[inline]
pub(crate) fn update_with<A: Element, B: Element>(
    loops: &Loops<'_, 1>,
    target: &mut [A],
    operand: &[B],
    f: impl Fn(A, B) -> A,
) {
    each1(
        loops,
        target,
        operand,
        #[inline(always)]
        |a, b| *a = f(*a, b),
    );
}

/// `f` with its sides swapped.
pub(crate) fn flipped<A, B, O>(f: impl Fn(A, B) -> O) -> impl Fn(B, A) -> O {
    move |b, a| f(a, b)
}
