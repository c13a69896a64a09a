//! `cond`, `switch` and `while_loop`: branches, and a loop whose number of steps is known when the program runs, which are one
//! step of a program.

use std::sync::Arc;

use tensor_array::array::history::AnyArray;
use tensor_array::array::recording::Recordable;
use tensor_array::array::trace::is_tracing;
use tensor_array::array::trace::loops::{self, Body};

use super::{SAME_STATE, arrays_of, has_traced, same_tensors, with_arrays};
use crate::module::Module;
use crate::tensor::Tensor;

/// One of two functions of some operands: `then` where the condition is true, `otherwise` where it is false. JAX's `lax.cond`.
///
/// In a function that is traced it is one step, of which one function runs: which one is known when the program does. Its
/// gradient is a branch as well. Elsewhere it is a plain `if`. The results of both have the same shapes: their type says so,
/// but for the sizes of named axes. Fields of results that are no tensors are those of `otherwise`.
///
/// # Panics
///
/// If the results of both differ in their sizes or in the names of their tensors, in a program. As in JAX, both functions are
/// called while tracing. Operations on constants alone are computed then: one that fails, such as a division of integers by 0,
/// panics even if the program never takes that function. Operations on inputs run only where the function is taken.
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
    branch(&condition.to_any(), operands, &[&otherwise, &then])
}

/// One of several functions of some operands, as an index selects: the first where it is 0. JAX's `lax.switch`.
///
/// An index below 0 selects the first function, one that is too large the last, as in JAX.
///
/// In a function that is traced it is one step, of which one function runs: which one is known when the program does. Its
/// gradient is a branch as well. Elsewhere it is a plain call. The results of all functions have the same shapes: their type
/// says so, but for the sizes of named axes. Fields of results that are no tensors are those of the first function.
///
/// # Panics
///
/// If there is no function, or if two results differ in their sizes or in the names of their tensors, in a program. All functions
/// are called where they are traced, as those of [`cond`].
///
/// ```
/// use tensor_core::trace::{switch, trace};
/// use tensor_core::{Tensor, shape, tensor};
///
/// let inputs = (Tensor::<shape![], i64>::scalar(1), tensor![1.0, 4.0]);
/// let program = trace(&inputs, |(index, x)| {
///     switch(index, x, &[&|x| x.clone(), &|x| x.sqrt(), &|x| x.square()])
/// });
/// assert_eq!(program.run(&inputs)?, tensor![1.0, 2.0]);
/// let beyond = (Tensor::scalar(7), tensor![1.0, 4.0]);
/// assert_eq!(program.run(&beyond)?, tensor![1.0, 16.0]);
/// # Ok::<(), tensor_core::trace::InputError>(())
/// ```
#[doc(alias = "lax.switch")]
#[doc(alias = "case")]
#[track_caller]
pub fn switch<X, Y>(index: &Tensor<(), i64>, operands: &X, functions: &[&dyn Fn(&X) -> Y]) -> Y
where
    X: Module + Clone,
    Y: Module + Clone,
{
    assert!(!functions.is_empty(), "`switch` has no function: it needs one or more");
    if !has_traced(index) {
        let last = functions.len() as i64 - 1;
        return functions[index.item().clamp(0, last) as usize](operands);
    }
    branch(&index.to_any(), operands, functions)
}

/// The results of the function that a traced index selects.
#[track_caller]
fn branch<X: Module + Clone, Y: Module + Clone>(
    index: &AnyArray,
    operands: &X,
    functions: &[&dyn Fn(&X) -> Y],
) -> Y {
    let mut inputs = arrays_of(operands);
    let count = inputs.len();
    if inputs.is_empty() {
        // A body has an input.
        inputs.push(index.clone());
    }
    let types: Vec<_> = inputs.iter().map(AnyArray::ty).collect();
    let (mut bodies, mut first): (Vec<Arc<Body>>, Option<Y>) = (Vec::new(), None);
    for function in functions {
        let traced = Body::trace(&types, 0, |inputs| {
            let results = function(&with_arrays(operands, &inputs[..count]));
            let first = first.get_or_insert_with(|| results.clone());
            same_tensors(first, &results, "the functions of a branch return the same tensors")?;
            Ok::<_, String>((arrays_of(&results), ()))
        });
        match traced {
            Ok((body, ())) => bodies.push(body),
            Err(message) => panic!("{message}"),
        }
    }
    let results = loops::branch(index, &bodies, &inputs);
    with_arrays(&first.expect("there is a function"), &results)
}

/// Replaces a state by a function of it while a condition of it holds. JAX's `lax.while_loop`.
///
/// In a function that is traced it is one step, whose condition and body are traced once; how often the body runs is known
/// when the program does. Elsewhere it is a plain loop. [`Cost`](super::Cost) counts one call of each;
/// [`Cost::while_loops`](super::Cost::while_loops) is the number of such loops.
///
/// In a program it has no gradient, as in JAX: the states of all calls would be kept, and their number is not known. To ask for
/// one is a panic that names this call; [`scan`](super::scan()) has gradients. Elsewhere the gradient is that of the operations
/// of all calls.
///
/// The state has the same shapes before and after a call: its type says so, but for the sizes of named axes. Fields of it that
/// are no tensors are those after the one call that is traced.
///
/// # Panics
///
/// If the state changes its sizes or the names of its tensors, in a program.
///
/// ```
/// use tensor_core::trace::{trace, while_loop};
/// use tensor_core::{Tensor, shape};
///
/// // Heron's method, until the root does not change.
/// let root = trace(&Tensor::<shape![]>::scalar(2.0), |x| {
///     let state = (x.clone(), Tensor::<shape![]>::zeros());
///     while_loop(&state, |(root, before)| root.not_equal(before), |(root, _)| {
///         ((root + x / root) * 0.5, root.clone())
///     })
///     .0
/// });
/// assert_eq!(root.run(&Tensor::scalar(9.0))?.item(), 3.0);
/// assert_eq!(root.num_steps(), 1);
/// # Ok::<(), tensor_core::trace::InputError>(())
/// ```
#[doc(alias = "lax.while_loop")]
#[doc(alias = "fori_loop")]
#[track_caller]
pub fn while_loop<S: Module + Clone>(
    state: &S,
    condition: impl Fn(&S) -> Tensor<(), bool>,
    body: impl Fn(&S) -> S,
) -> S {
    let states = arrays_of(state);
    if is_tracing() && !states.is_empty() {
        let types: Vec<_> = states.iter().map(AnyArray::ty).collect();
        let Ok((test, ())) = Body::trace(&types, 0, |inputs| {
            let holds = condition(&with_arrays(state, inputs));
            Ok::<_, core::convert::Infallible>((vec![holds.to_any()], ()))
        });
        let traced = Body::trace(&types, states.len(), |inputs| {
            let next = body(&with_arrays(state, inputs));
            same_tensors(state, &next, SAME_STATE)?;
            Ok::<_, String>((arrays_of(&next), next))
        });
        let (step, last) = match traced {
            Ok(traced) => traced,
            Err(message) => panic!("{message}"),
        };
        return with_arrays(&last, &loops::while_loop(&test, &step, &states));
    }
    let mut state = state.clone();
    while condition(&state).item() {
        state = body(&state);
    }
    state
}
