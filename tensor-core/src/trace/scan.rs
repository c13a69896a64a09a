//! `scan`: a loop over the items of tensors, which is one step of a program.

use tensor_array::array::history::AnyArray;
use tensor_array::array::recording::Recordable;
use tensor_array::array::trace::is_tracing;
use tensor_array::array::trace::loops::{self, Body, Turns};
use tensor_kernels::element::Element;

use super::{SAME_STATE, arrays_of, same_tensors, with_arrays};
use crate::module::Module;
use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{AxisOf, HasAxis, ReplaceAxis, Unsqueeze, Unsqueezed, WithoutAxis};
use crate::shape::join::Stacked;
use crate::tensor::{DynTensor, Tensor};

/// Tensors with the same axis `AXIS`, whose items [`scan_along`] takes one after the other: a tensor, or a tuple of these.
/// [`scan`] goes along the first axis.
///
/// ```
/// use tensor_core::trace::{Items, scan};
/// use tensor_core::{Tensor, dim, shape};
///
/// fn total<X: Items<Item = Tensor<shape![2]>, Along = dim!(3)>>(rows: &X) -> Tensor<shape![2]> {
///     scan(&Tensor::zeros(), rows, |sum, row| (sum + row, ())).0
/// }
///
/// assert_eq!(total(&Tensor::<shape![3, 2]>::ones()), Tensor::full(3.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no items along axis {AXIS}",
    note = "items are the tensors along an axis of a tensor, or of a tuple of up to three tensors with the same axis"
)]
pub trait Items<const AXIS: isize = 0> {
    /// The tensors without this axis.
    type Item;
    /// The axis.
    type Along: Axis;

    #[doc(hidden)]
    fn along(&self) -> usize;
    #[doc(hidden)]
    fn item(&self, index: usize) -> Self::Item;
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "users do not call it")]
    fn collect(&self, arrays: &mut Vec<AnyArray>);
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "users do not call it")]
    fn item_of(&self, arrays: &mut dyn Iterator<Item = AnyArray>) -> Self::Item;
}

/// The results of an item, which [`scan_along`] stacks along a new axis `AXIS`, `Along`: a tensor, or a tuple of these, `()`
/// for none. The new axis of [`scan`] is the first.
///
/// ```
/// use tensor_core::trace::{Results, scan};
/// use tensor_core::{Tensor, dim, shape};
///
/// fn each<Y: Results<dim!(3)>>(rows: &Tensor<shape![3, 2]>, f: impl Fn(&Tensor<shape![2]>) -> Y) -> Y::List {
///     scan(&(), rows, |_, row| ((), f(row))).1
/// }
///
/// let sums: Tensor<shape![3]> = each(&Tensor::ones(), |row| row.sum());
/// assert_eq!(sums.to_vec(), [2.0; 3]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`scan` cannot stack the results `{Self}`",
    note = "the body returns the next state, and a tensor or a tuple of tensors, `()` for none"
)]
pub trait Results<Along, const AXIS: isize = 0> {
    /// The tensors with the new axis.
    type List;

    #[doc(hidden)]
    fn stack(list: Vec<Self>) -> Self::List
    where
        Self: Sized;
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "users do not call it")]
    fn collect(&self, arrays: &mut Vec<AnyArray>);
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "users do not call it")]
    fn list_of(arrays: &mut dyn Iterator<Item = AnyArray>) -> Self::List;
}

/// The next array of an iterator.
fn next<T: Element>(arrays: &mut dyn Iterator<Item = AnyArray>) -> DynTensor<T> {
    let array = arrays.next().expect("one for each tensor");
    array.get::<DynTensor<T>>().expect("elements of one type").clone()
}

impl<S: HasAxis<AXIS>, T: Element, const AXIS: isize> Items<AXIS> for Tensor<S, T> {
    type Item = Tensor<WithoutAxis<S, AXIS>, T>;
    type Along = AxisOf<S, AXIS>;

    fn along(&self) -> usize {
        self.sizes()[S::INDEX]
    }

    fn item(&self, index: usize) -> Self::Item {
        self.iter_axis::<AXIS>().nth(index).expect("an item")
    }

    fn collect(&self, arrays: &mut Vec<AnyArray>) {
        let array = self.erased().move_axis(S::INDEX as isize, 0);
        arrays.push(AnyArray::new(array.expect("an axis of the shape")));
    }

    fn item_of(&self, arrays: &mut dyn Iterator<Item = AnyArray>) -> Self::Item {
        Tensor::from_erased(Ok(next(arrays)))
    }
}

impl<S: Shape, T: Element, Along, const AXIS: isize> Results<Along, AXIS> for Tensor<S, T>
where
    S: Unsqueeze<AXIS>,
    Unsqueezed<S, AXIS>: ReplaceAxis<AXIS, Along>,
{
    type List = Tensor<Stacked<S, AXIS, Along>, T>;

    fn stack(list: Vec<Self>) -> Self::List {
        Tensor::stack_all::<AXIS, Along>(&list)
    }

    fn collect(&self, arrays: &mut Vec<AnyArray>) {
        arrays.push(self.to_any());
    }

    fn list_of(arrays: &mut dyn Iterator<Item = AnyArray>) -> Self::List {
        let index = <Unsqueezed<S, AXIS> as HasAxis<AXIS>>::INDEX;
        Tensor::from_erased(next(arrays).move_axis(0, index as isize))
    }
}

impl<Along, const AXIS: isize> Results<Along, AXIS> for () {
    type List = ();

    fn stack(_: Vec<Self>) {}
    fn collect(&self, _: &mut Vec<AnyArray>) {}
    fn list_of(_: &mut dyn Iterator<Item = AnyArray>) {}
}

macro_rules! tuples {
    ($($First:ident $first:ident $(, $X:ident $x:ident)*;)+) => {$(
        impl<const AXIS: isize, $First: Items<AXIS> $(, $X: Items<AXIS, Along = $First::Along>)*> Items<AXIS> for ($First, $($X,)*) {
            type Item = ($First::Item, $($X::Item,)*);
            type Along = $First::Along;

            fn along(&self) -> usize {
                let ($first, $($x,)*) = self;
                $(assert!(
                    $first.along() == $x.along(),
                    "the tensors that `scan` goes along have sizes {} and {} along axis {AXIS}",
                    $first.along(),
                    $x.along()
                );)*
                $first.along()
            }

            fn item(&self, index: usize) -> Self::Item {
                let ($first, $($x,)*) = self;
                ($first.item(index), $($x.item(index),)*)
            }

            fn collect(&self, arrays: &mut Vec<AnyArray>) {
                let ($first, $($x,)*) = self;
                $first.collect(arrays);
                $($x.collect(arrays);)*
            }

            fn item_of(&self, arrays: &mut dyn Iterator<Item = AnyArray>) -> Self::Item {
                let ($first, $($x,)*) = self;
                ($first.item_of(arrays), $($x.item_of(arrays),)*)
            }
        }

        impl<Along, const AXIS: isize, $First: Results<Along, AXIS> $(, $X: Results<Along, AXIS>)*> Results<Along, AXIS>
            for ($First, $($X,)*)
        {
            type List = ($First::List, $($X::List,)*);

            fn stack(list: Vec<Self>) -> Self::List {
                let mut lists = (Vec::<$First>::new(), $(Vec::<$X>::new(),)*);
                for ($first, $($x,)*) in list {
                    tuples!(@push lists, $first $($x)*);
                }
                let ($first, $($x,)*) = lists;
                ($First::stack($first), $($X::stack($x),)*)
            }

            fn collect(&self, arrays: &mut Vec<AnyArray>) {
                let ($first, $($x,)*) = self;
                $first.collect(arrays);
                $($x.collect(arrays);)*
            }

            fn list_of(arrays: &mut dyn Iterator<Item = AnyArray>) -> Self::List {
                ($First::list_of(arrays), $($X::list_of(arrays),)*)
            }
        }
    )+};
    (@push $lists:ident, $a:ident) => {
        $lists.0.push($a);
    };
    (@push $lists:ident, $a:ident $b:ident) => {
        $lists.0.push($a);
        $lists.1.push($b);
    };
    (@push $lists:ident, $a:ident $b:ident $c:ident) => {
        $lists.0.push($a);
        $lists.1.push($b);
        $lists.2.push($c);
    };
}

tuples! {
    A a;
    A a, B b;
    A a, B b, C c;
}

/// Calls a function for each item along the first axis of tensors, with a state that each call replaces: the last state, and
/// the results of all calls, stacked along this axis. JAX's `lax.scan`.
///
/// In a function that is traced it is one step, whatever the number of items: the body is traced once. Its gradient is a loop
/// from the last item to the first. As in JAX, it reads values that the forward loop stored for each item, and recomputes none
/// of them. Elsewhere it is a plain loop.
///
/// The state has the same shapes before and after a call: its type says so, but for the sizes of named axes. Fields of it that
/// are no tensors are those after the one call that is traced. The body is traced also where there are no items, because the
/// shapes of the results follow from it.
///
/// # Panics
///
/// If the axes of the tensors differ in size, or if the state changes its sizes or the names of its tensors, in a program. If
/// the body reads elements, or draws from a generator that it did not make, where it is traced.
///
/// ```
/// use tensor_core::trace::scan;
/// use tensor_core::tensor;
///
/// let (sum, sums) = scan(&tensor![0.0], &tensor![[1.0], [2.0], [3.0]], |sum, x| {
///     let sum = sum + x;
///     (sum.clone(), sum)
/// });
/// assert_eq!((sum, sums), (tensor![6.0], tensor![[1.0], [3.0], [6.0]]));
/// ```
///
/// A recurrent layer as one step of a program, with its gradient:
///
/// ```
/// use tensor_core::autograd::grad;
/// use tensor_core::trace::{scan, trace};
/// use tensor_core::{Tensor, axis, shape};
///
/// axis!(Time = 100);
/// type Weights = Tensor<shape![8, 8]>;
///
/// fn last(weights: &Weights, words: &Tensor<shape![Time, 8]>) -> Tensor<shape![8]> {
///     scan(&Tensor::zeros(), words, |state, word| ((state.dot(weights) + word).tanh(), ())).0
/// }
///
/// let inputs = (Weights::eye() * 0.5, Tensor::<shape![Time, 8]>::ones());
/// let program = trace(&inputs, |(weights, words)| grad(weights, |weights| last(weights, words).sum()));
/// let slope = grad(&inputs.0, |weights| last(weights, &inputs.1).sum());
/// assert!((program.run(&inputs)? - slope).abs().max().item() < 1e-6);
/// assert!(program.num_steps() < 30);
/// # Ok::<(), tensor_core::trace::InputError>(())
/// ```
#[doc(alias = "lax.scan")]
#[track_caller]
pub fn scan<S, X, Y>(state: &S, items: &X, body: impl Fn(&S, &X::Item) -> (S, Y)) -> (S, Y::List)
where
    S: Module + Clone,
    X: Items,
    Y: Results<X::Along>,
{
    scan_by(state, items, false, &body)
}

/// [`scan`] along any axis, counted from the front or from the end: the items have all axes but this one, and the results of
/// all calls are stacked along a new axis with the same number.
///
/// # Panics
///
/// As [`scan`].
///
/// ```
/// use tensor_core::trace::scan_along;
/// use tensor_core::{Tensor, axis, shape};
///
/// axis!(Batch);
/// axis!(Time = 3);
///
/// // The sum of the words up to each one.
/// let words: Tensor<shape![Batch, Time, 2]> = Tensor::ones_shaped(shape![Batch(5), Time, 2]);
/// let zeros: Tensor<shape![Batch, 2]> = Tensor::zeros_shaped(shape![Batch(5), 2]);
/// let (last, sums) = scan_along::<1, _, _, _>(&zeros, &words, |sum, word| {
///     let sum = sum + word;
///     (sum.clone(), sum)
/// });
/// assert_eq!(sums, words.cumsum::<1>());
/// assert_eq!(last, sums.index::<1>(2));
/// ```
#[doc(alias = "moveaxis")]
#[track_caller]
pub fn scan_along<const AXIS: isize, S, X, Y>(
    state: &S,
    items: &X,
    body: impl Fn(&S, &X::Item) -> (S, Y),
) -> (S, Y::List)
where
    S: Module + Clone,
    X: Items<AXIS>,
    Y: Results<X::Along, AXIS>,
{
    scan_by(state, items, false, &body)
}

/// [`scan`] from the last item to the first; the results are in the order of the items.
///
/// # Panics
///
/// As [`scan`].
///
/// ```
/// use tensor_core::trace::scan_reverse;
/// use tensor_core::tensor;
///
/// let (_, sums) = scan_reverse(&tensor![0.0], &tensor![[1.0], [2.0], [3.0]], |sum, x| {
///     let sum = sum + x;
///     (sum.clone(), sum)
/// });
/// assert_eq!(sums, tensor![[6.0], [5.0], [3.0]]);
/// ```
#[track_caller]
pub fn scan_reverse<S, X, Y>(
    state: &S,
    items: &X,
    body: impl Fn(&S, &X::Item) -> (S, Y),
) -> (S, Y::List)
where
    S: Module + Clone,
    X: Items,
    Y: Results<X::Along>,
{
    scan_by(state, items, true, &body)
}

/// [`scan_along`] from the last item to the first; the results are in the order of the items.
///
/// # Panics
///
/// As [`scan`].
///
/// ```
/// use tensor_core::trace::scan_reverse_along;
/// use tensor_core::tensor;
///
/// let rows = tensor![[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]];
/// let (_, sums) = scan_reverse_along::<-1, _, _, _>(&tensor![0.0, 0.0], &rows, |sum, column| {
///     let sum = sum + column;
///     (sum.clone(), sum)
/// });
/// assert_eq!(sums, tensor![[6.0, 5.0, 3.0], [60.0, 50.0, 30.0]]);
/// ```
#[track_caller]
pub fn scan_reverse_along<const AXIS: isize, S, X, Y>(
    state: &S,
    items: &X,
    body: impl Fn(&S, &X::Item) -> (S, Y),
) -> (S, Y::List)
where
    S: Module + Clone,
    X: Items<AXIS>,
    Y: Results<X::Along, AXIS>,
{
    scan_by(state, items, true, &body)
}

#[track_caller]
fn scan_by<const AXIS: isize, S, X, Y>(
    state: &S,
    items: &X,
    reverse: bool,
    body: &dyn Fn(&S, &X::Item) -> (S, Y),
) -> (S, Y::List)
where
    S: Module + Clone,
    X: Items<AXIS>,
    Y: Results<X::Along, AXIS>,
{
    let count = items.along();
    if is_tracing() || count == 0 {
        let (states, mut lists) = (arrays_of(state), Vec::new());
        items.collect(&mut lists);
        let types: Vec<_> =
            states.iter().map(AnyArray::ty).chain(lists.iter().map(loops::item_type)).collect();
        let traced = Body::trace(&types, states.len(), |inputs| {
            let (of_state, of_items) = inputs.split_at(states.len());
            let item = items.item_of(&mut of_items.iter().cloned());
            let (next, result) = body(&with_arrays(state, of_state), &item);
            let mut outputs = arrays_of(&next);
            same_tensors(state, &next, SAME_STATE)?;
            result.collect(&mut outputs);
            Ok::<_, String>((outputs, next))
        });
        let (traced, last) = match traced {
            Ok(traced) => traced,
            Err(message) => panic!("{message}"),
        };
        let last = if count == 0 { state } else { &last };
        let turns = Turns { len: count, reverse, across: None };
        let mut results = loops::scan(&traced, turns, &states, &lists);
        let lists = results.split_off(states.len());
        return (with_arrays(last, &results), Y::list_of(&mut lists.into_iter()));
    }
    let mut state = state.clone();
    let mut results = Vec::with_capacity(count);
    for step in 0..count {
        let index = if reverse { count - 1 - step } else { step };
        let (next, result) = body(&state, &items.item(index));
        state = next;
        results.push(result);
    }
    if reverse {
        results.reverse();
    }
    (state, Y::stack(results))
}
