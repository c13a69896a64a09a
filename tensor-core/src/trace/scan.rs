//! `scan` and `cond`: a loop over the items of tensors and a branch, which are one step of a program.

use tensor_array::array::history::{AnyArray, ElementType};
use tensor_array::array::recording::Recordable;
use tensor_array::array::trace::is_tracing;
use tensor_array::array::trace::loops::{self, Body};
use tensor_kernels::sizes::Sizes;

use super::{has_traced, replace};
use crate::module::{Module, Path};
use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{AxisOf, HasAxis, ReplaceAxis, Unsqueeze, Unsqueezed, WithoutAxis};
use crate::shape::join::Stacked;
use crate::tensor::{DynTensor, Tensor};
use tensor_kernels::element::Element;

/// Tensors with the same first axis, whose elements [`scan`] takes one after the other: a tensor, or a tuple of these.
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
    message = "`scan` cannot go through `{Self}`",
    note = "it goes along the first axis of a tensor, or of a tuple of tensors with the same first axis"
)]
pub trait Items {
    /// The tensors without their first axis.
    type Item;
    /// The first axis.
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

/// The results of an item, which [`scan`] stacks along a new first axis, `Along`: a tensor, or a tuple of these, `()` for
/// none.
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
pub trait Results<Along> {
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

fn typed<S: Shape, T: Element>(array: &AnyArray) -> Tensor<S, T> {
    Tensor::from_erased(Ok(array.get::<DynTensor<T>>().expect("elements of one type").clone()))
}

impl<S: HasAxis<0>, T: Element> Items for Tensor<S, T> {
    type Item = Tensor<WithoutAxis<S, 0>, T>;
    type Along = AxisOf<S, 0>;

    fn along(&self) -> usize {
        self.sizes()[0]
    }

    fn item(&self, index: usize) -> Self::Item {
        self.iter_axis::<0>().nth(index).expect("an item")
    }

    fn collect(&self, arrays: &mut Vec<AnyArray>) {
        arrays.push(self.to_any());
    }

    fn item_of(&self, arrays: &mut dyn Iterator<Item = AnyArray>) -> Self::Item {
        typed(&arrays.next().expect("one for each tensor"))
    }
}

impl<S: Shape, T: Element, Along> Results<Along> for Tensor<S, T>
where
    S: Unsqueeze<0>,
    Unsqueezed<S, 0>: ReplaceAxis<0, Along>,
{
    type List = Tensor<Stacked<S, 0, Along>, T>;

    fn stack(list: Vec<Self>) -> Self::List {
        Tensor::stack_all::<0, Along>(&list)
    }

    fn collect(&self, arrays: &mut Vec<AnyArray>) {
        arrays.push(self.to_any());
    }

    fn list_of(arrays: &mut dyn Iterator<Item = AnyArray>) -> Self::List {
        typed(&arrays.next().expect("one for each tensor"))
    }
}

impl<Along> Results<Along> for () {
    type List = ();

    fn stack(_: Vec<Self>) {}
    fn collect(&self, _: &mut Vec<AnyArray>) {}
    fn list_of(_: &mut dyn Iterator<Item = AnyArray>) {}
}

macro_rules! tuples {
    ($($First:ident $first:ident $(, $X:ident $x:ident)*;)+) => {$(
        impl<$First: Items $(, $X: Items<Along = $First::Along>)*> Items for ($First, $($X,)*) {
            type Item = ($First::Item, $($X::Item,)*);
            type Along = $First::Along;

            fn along(&self) -> usize {
                let ($first, $($x,)*) = self;
                $(assert_eq!($first.along(), $x.along(), "the first axes of the tensors");)*
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

        impl<Along, $First: Results<Along> $(, $X: Results<Along>)*> Results<Along> for ($First, $($X,)*) {
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
/// from the last item to the first, which computes the states again. Elsewhere it is a plain loop.
///
/// The state has the same shapes before and after a call: its type says so, but for the sizes of named axes.
///
/// # Panics
///
/// If the first axes of the tensors differ, or if the state changes its sizes, in a program.
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

#[track_caller]
fn scan_by<S, X, Y>(
    state: &S,
    items: &X,
    reverse: bool,
    body: &dyn Fn(&S, &X::Item) -> (S, Y),
) -> (S, Y::List)
where
    S: Module + Clone,
    X: Items,
    Y: Results<X::Along>,
{
    let count = items.along();
    if is_tracing() || count == 0 {
        let (states, mut lists) = (arrays_of(state), Vec::new());
        items.collect(&mut lists);
        let item = |list: &AnyArray| (Sizes::from_slice(&list.sizes()[1..]), list.element());
        let whole = |array: &AnyArray| (Sizes::from_slice(array.sizes()), array.element());
        let types: Vec<(Sizes, &'static ElementType)> =
            states.iter().map(whole).chain(lists.iter().map(item)).collect();
        let traced = Body::trace(&types, states.len(), |inputs| {
            let (of_state, of_items) = inputs.split_at(states.len());
            let mut inner = state.clone();
            replace(&mut inner, of_state);
            let item = items.item_of(&mut of_items.iter().cloned());
            let (next, result) = body(&inner, &item);
            let mut outputs = arrays_of(&next);
            assert_eq!(outputs.len(), states.len(), "the number of tensors of the state");
            result.collect(&mut outputs);
            Ok::<_, core::convert::Infallible>((outputs, next))
        });
        let Ok((traced, mut last)) = traced;
        // What depends on no input of a program is computed at once.
        if count == 0 || traced.reads_traced(&states, &lists) {
            let mut results = loops::scan(&traced, count, reverse, &states, &lists);
            let lists = results.split_off(states.len());
            replace(&mut last, &results);
            return (last, Y::list_of(&mut lists.into_iter()));
        }
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

/// One of two functions of some operands: `then` where the condition is true, `otherwise` where it is false. JAX's `lax.cond`.
///
/// In a function that is traced it is one step, of which one function runs: which one is known when the program does. Its
/// gradient is a branch as well. Elsewhere it is a plain `if`. The results of both have the same shapes: their type says so,
/// but for the sizes of named axes.
///
/// # Panics
///
/// If the results of both differ in their sizes, in a program.
///
/// ```
/// use tensor_core::trace::{cond, trace};
/// use tensor_core::tensor;
///
/// let root = trace(&tensor![4.0, -4.0], |x| {
///     cond(&x.less(0.0).any(), x, |x| x.abs().sqrt(), |x| x.sqrt())
/// });
/// assert_eq!(root.run(&tensor![9.0, -16.0])?, tensor![3.0, 4.0]);
/// # Ok::<(), tensor_core::trace::InputError>(())
/// ```
#[doc(alias = "lax.cond")]
#[track_caller]
pub fn cond<X, Y>(
    condition: &Tensor<(), bool>,
    operands: &X,
    then: impl Fn(&X) -> Y,
    otherwise: impl Fn(&X) -> Y,
) -> Y
where
    X: Module + Clone,
    Y: Module + Clone,
{
    if !has_traced(condition) {
        return if condition.item() { then(operands) } else { otherwise(operands) };
    }
    let inputs = arrays_of(operands);
    assert!(!inputs.is_empty(), "a branch has an operand, with a tensor");
    let types: Vec<(Sizes, &'static ElementType)> =
        inputs.iter().map(|array| (Sizes::from_slice(array.sizes()), array.element())).collect();
    let body = |function: &dyn Fn(&X) -> Y| {
        let traced = Body::trace(&types, 0, |inputs| {
            let mut inner = operands.clone();
            replace(&mut inner, inputs);
            let results = function(&inner);
            Ok::<_, core::convert::Infallible>((arrays_of(&results), results))
        });
        let Ok(traced) = traced;
        traced
    };
    let (then, mut results) = body(&then);
    let (otherwise, _) = body(&otherwise);
    replace(&mut results, &loops::cond(&condition.erased(), [&then, &otherwise], &inputs));
    results
}

/// The tensors of a module.
fn arrays_of(module: &dyn Module) -> Vec<AnyArray> {
    let mut arrays = Vec::new();
    module.visit(&Path::ROOT, &mut |_, _, tensor| arrays.push(tensor.to_array()));
    arrays
}
