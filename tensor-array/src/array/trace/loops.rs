//! Loops and branches of programs: bodies that are traced once. A scan runs its body for each element along an axis, a
//! `while` loop while a condition holds, a branch one of several bodies.

mod branch;
mod while_loop;

use core::any::Any;
use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use smallvec::smallvec;
use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::layout::graph::with_recording;
use tensor_kernels::layout::is_traced;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;
use tensor_kernels::sizes::Sizes;

use super::program::Graph;
use super::stablehlo::builder::{Builder, Tensor};
use super::stablehlo::outputs;
use super::value::{Constant, Cost, Value};
use super::{Call, Scope, results_of, with_rule, within};
use crate::array::dynamic::DynTensor;
use crate::array::gradients::operations::fits;
use crate::array::gradients::{add, sum_of_items};
use crate::array::history::{
    AnyArray, Backward, CallBackward, ElementType, Gradients, NodeOperand, Recorded, Saves,
};

pub use branch::branch;
pub use while_loop::while_loop;

/// Runs a block on an array whose element type is known at run time.
macro_rules! for_element {
    ([$array:ident $x:ident $T:ident $then:block] $($(#[$meta:meta])* $E:ident: $class:ident $other:ident;)+) => {
        'found: {
            $($(#[$meta])* {
                type $T = $E;
                if let Some($x) = $array.get::<DynTensor<$E>>() {
                    break 'found ($then);
                }
            })+
            unreachable!("all element types are in the table")
        }
    };
}

/// The elements at an index of the first axis.
fn item(array: &AnyArray, index: usize) -> AnyArray {
    for_each_element!(for_element[array x T {
        let part: DynTensor<T> = fits(x.slice_axis(0, index..index + 1));
        AnyArray::new(fits(part.reshape(&array.sizes()[1..])))
    }])
}

/// Arrays of the same type along a new first axis.
pub fn stacked(arrays: &[AnyArray]) -> AnyArray {
    let first = &arrays[0];
    for_each_element!(for_element[first x T {
        let _: &DynTensor<T> = x;
        let arrays = arrays.iter().map(|array| {
            array.get::<DynTensor<T>>().expect("one element type")
        });
        AnyArray::new(fits(DynTensor::stack(arrays, 0)))
    }])
}

/// The body of a loop or branch: a function of states and of an item of each list, which returns the next states and results.
pub struct Body {
    graph: Arc<Graph>,
    /// The number of states, which are its first inputs and outputs.
    states: usize,
    outputs: Vec<Value>,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a body of {} steps", self.graph.num_steps())
    }
}

impl Body {
    /// Calls a function of states and items of these types, whose first outputs are the next states.
    ///
    /// # Errors
    ///
    /// That of the function.
    ///
    /// # Panics
    ///
    /// If a state that the function returns has other sizes or another element type.
    #[track_caller]
    pub fn trace<R, E>(
        types: &[(Sizes, &'static ElementType)],
        states: usize,
        function: impl FnOnce(&[AnyArray]) -> Result<(Vec<AnyArray>, R), E>,
    ) -> Result<(Arc<Self>, R), E> {
        let (scope, inputs) = Graph::inputs(types, true);
        let (outputs, rest) = scope.enter(|| with_recording(true, || function(&inputs)))?;
        let body = Self::of(&scope, &inputs, outputs, states);
        let values = body.outputs[..states].iter();
        for (number, (output, (sizes, element))) in values.zip(types).enumerate() {
            assert!(
                (&output.sizes, output.element) == (sizes, element),
                "the body of a loop changes the type of state {number} from {} {sizes:?} to {} {:?}",
                element.name,
                output.element.name,
                output.sizes
            );
        }
        Ok((Arc::new(body), rest))
    }

    /// The body that computes these outputs of a scope from its inputs.
    #[track_caller]
    fn of(
        scope: &Arc<Scope>,
        inputs: &[AnyArray],
        mut outputs: Vec<AnyArray>,
        states: usize,
    ) -> Self {
        for output in &mut outputs {
            *output = within(scope, output);
        }
        let values = outputs.iter().map(Value::of).collect();
        let graph = Arc::new(Graph::of(scope.clone(), inputs.to_vec(), outputs));
        Self { graph, states, outputs: values }
    }

    /// The outputs that have a gradient.
    fn differentiable(&self) -> impl Iterator<Item = usize> {
        (0..self.outputs.len()).filter(|&output| self.graph.has_gradient(output))
    }

    /// The values of the results of a loop with this number of items: the last states, and all results in lists.
    fn results(&self, len: usize) -> Vec<Value> {
        let result = |(number, output): (usize, &Value)| match number < self.states {
            true => output.clone(),
            false => output.times(len),
        };
        self.outputs.iter().enumerate().map(result).collect()
    }
}

/// The type of the items of a list, the elements along its first axis.
pub fn item_type(list: &AnyArray) -> (Sizes, &'static ElementType) {
    (Sizes::from_slice(&list.sizes()[1..]), list.element())
}

/// A list of this number of items, which are zeros of the type of an array.
pub fn zeros(len: usize, like: &AnyArray) -> AnyArray {
    Value::of(like).times(len).zeros()
}

/// The turns of a loop over lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// The number of items.
    pub len: usize,
    /// Whether the last item is the first.
    pub reverse: bool,
    /// The axis of a mesh over whose devices the items are split, one for each: of a loop without states.
    pub across: Option<MeshAxis>,
}

/// An axis of a mesh of devices.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshAxis {
    /// The mesh, as an operation of StableHLO text.
    pub mesh: Arc<str>,
    /// The name of the axis.
    pub axis: Arc<str>,
}

/// The loop over the items of lists, the elements along their first axes.
#[derive(Debug)]
struct Loop {
    body: Arc<Body>,
    turns: Turns,
}

/// Runs a body for each item of lists, the elements along their first axes: the last states, and the results of all items in
/// lists.
///
/// # Panics
///
/// If the states or lists do not have the types of the body; where no operand is traced, if an index is out of range, or an
/// integer is divided by 0.
#[track_caller]
pub fn scan(
    body: &Arc<Body>,
    turns: Turns,
    states: &[AnyArray],
    lists: &[AnyArray],
) -> Vec<AnyArray> {
    let captures = body.graph.captured();
    let operands = [states, lists, captures].concat();
    if turns.len == 0 {
        let values = body.results(0);
        let empty = values[body.states..].iter().map(Value::zeros);
        let result = |(output, result)| match body.graph.has_gradient(output) {
            true => with_rule(result, || NoTurns { output, states: body.states }.into(), &operands),
            false => result,
        };
        return states.iter().cloned().chain(empty).enumerate().map(result).collect();
    }
    called(Arc::new(Loop { body: body.clone(), turns }), &operands)
}

/// The results of a call: steps of a program if an operand is traced, else computed at once.
///
/// # Panics
///
/// If they are computed, and an index is out of range, or an integer is divided by 0.
#[track_caller]
fn called(call: Arc<dyn Call>, operands: &[AnyArray]) -> Vec<AnyArray> {
    if operands.iter().any(|operand| is_traced(operand.layout())) {
        return results_of(&call, operands, true);
    }
    unwrap_or_panic(call.run(operands))
}

/// The rule of an output of a loop without items, which depends on what the loop reads as if there were some: a state has the
/// gradient of the last one, and the gradient of all else is 0.
struct NoTurns {
    output: usize,
    states: usize,
}

impl Backward for NoTurns {
    fn saves(&self) -> Saves {
        Saves::NOTHING
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        let mut gradients = smallvec![None; at.node.operands.len()];
        if self.output < self.states {
            gradients[self.output] = Some(gradient.clone());
        }
        gradients
    }
}

/// For each operand whether it is a float whose gradient is required.
fn wanted(at: &Recorded<'_>, operands: &[AnyArray]) -> Vec<bool> {
    let is_wanted =
        |(position, of): (usize, &AnyArray)| of.element().is_float && at.wants(position);
    operands.iter().enumerate().map(is_wanted).collect()
}

impl Call for Loop {
    fn name(&self) -> &'static str {
        "scan"
    }

    fn results(&self) -> Vec<Value> {
        self.body.results(self.turns.len)
    }

    fn cost(&self) -> Cost {
        self.body.graph.cost_of_body().times(self.turns.len as u64)
    }

    fn large_constants(&self) -> Vec<Constant> {
        self.body.graph.large_constants_of_body()
    }

    fn run(&self, operands: &[AnyArray]) -> Result<Vec<AnyArray>, String> {
        let Body { graph, states: count, outputs, .. } = &*self.body;
        let (inputs, captures) = operands.split_at(graph.inputs.len());
        let (states, lists) = inputs.split_at(*count);
        let mut states = states.to_vec();
        let mut results: Vec<Vec<AnyArray>> = vec![Vec::new(); outputs.len() - count];
        let Turns { len, reverse, .. } = self.turns;
        for step in 0..len {
            let index = if reverse { len - 1 - step } else { step };
            let items = lists.iter().map(|list| item(list, index));
            let inputs: Vec<AnyArray> = states.into_iter().chain(items).collect();
            let mut found = graph.call(&inputs, captures)?;
            for (results, result) in results.iter_mut().zip(found.split_off(*count)) {
                results.push(result);
            }
            states = found;
        }
        if reverse {
            results.iter_mut().for_each(|results| results.reverse());
        }
        let lists = results.iter().map(|list| stacked(list));
        Ok(states.into_iter().chain(lists).collect())
    }

    /// A `while`, whose values are the number of the step, the states, the lists of results, and what it reads; across the
    /// devices of a mesh the computation of each of them.
    fn lower(&self, builder: &mut Builder, operands: &[Tensor]) -> Vec<Tensor> {
        let Body { graph, states, .. } = &*self.body;
        let values = self.results();
        if let Some(MeshAxis { mesh, axis }) = &self.turns.across
            && builder.splits(mesh, axis)
        {
            let step = |builder: &mut Builder, items: Vec<Tensor>, captures: &[Tensor]| {
                outputs(builder, graph, items, Some(captures))
            };
            return builder.on_each_device(axis, operands, graph.inputs.len(), &values, step);
        }
        let (inputs, captures) = operands.split_at(graph.inputs.len());
        let (first, lists) = inputs.split_at(*states);
        let mut carried = vec![builder.number(0.0, &[], "i64")];
        carried.extend_from_slice(first);
        for of in &values[*states..] {
            carried.push(builder.number(0.0, &of.sizes, of.element.name));
        }
        let read = carried.len();
        carried.extend_from_slice(lists);
        carried.extend_from_slice(captures);
        let last = self.turns.len as f64;
        let condition = |builder: &mut Builder, values: &[Tensor]| {
            let end = builder.number(last, &[], "i64");
            vec![builder.compare(&values[0], &end, "LT")]
        };
        let step = |builder: &mut Builder, values: &[Tensor]| {
            let one = builder.number(1.0, &[], "i64");
            let index = match self.turns.reverse {
                false => values[0].clone(),
                true => {
                    let end = builder.number(last - 1.0, &[], "i64");
                    builder.binary("subtract", &end, &values[0])
                }
            };
            let (of_lists, of_captures) = values[read..].split_at(lists.len());
            let mut inputs = values[1..=*states].to_vec();
            inputs.extend(of_lists.iter().map(|list| builder.item(list, &index)));
            let found = outputs(builder, graph, inputs, Some(of_captures));
            let mut next = vec![builder.binary("add", &values[0], &one)];
            next.extend_from_slice(&found[..*states]);
            for (list, result) in values[1 + states..read].iter().zip(&found[*states..]) {
                next.push(builder.with_item(list, result, &index));
            }
            next.extend_from_slice(&values[read..]);
            next
        };
        let results = builder.while_loop(&carried, condition, step);
        results[1..read].to_vec()
    }

    /// Whether the body has the results of another one of the same function, before those that only its gradient reads.
    fn extends(&self, other: &dyn Call) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            self.turns == other.turns && self.body.graph.extends(&other.body.graph)
        })
    }
}

impl CallBackward for Loop {
    /// A loop from the last step to the first, which carries the gradients of the states, and the sums of those of what the body
    /// captures. It reads values of each step, which are further results of the loop. Across devices, the gradients of what
    /// the body captures are results, which are added after the loop.
    fn backward(&self, at: &Recorded<'_>, given: &[(usize, AnyArray)]) -> Gradients {
        let Self { body, turns } = self;
        let (graph, count) = (&body.graph, body.states);
        let operands = at.operands();
        let mut wanted = wanted(at, &operands);
        let (inputs, captures) = operands.split_at(graph.inputs.len());
        let is_given = |output: usize| given.iter().find(|(number, _)| *number == output);
        // No other states are carried: zeros times an infinite slope would not be zeros.
        wanted[..count]
            .copy_from_slice(&graph.states_of(count, given.iter().map(|(output, _)| *output)));
        let is_seed = |&output: &usize| match output < count {
            true => wanted[output],
            false => is_given(output).is_some(),
        };
        let seeds: Vec<usize> = body.differentiable().filter(is_seed).collect();
        let program = graph.backward_program(&seeds, &wanted);

        // What the gradient reads of each step: items of lists, and results, of which some are further ones.
        let (scope, of_body, outputs) = graph.arrays();
        let (of_lists, mut outputs) = (inputs.len() - count, outputs.to_vec());
        let position = |(input, kept): &(Option<usize>, AnyArray)| match input {
            Some(input) if *input >= count => input - count,
            _ => {
                let of = NodeOperand::of(kept);
                let is_it = |output: &AnyArray| NodeOperand::of(output).is(&of);
                let found = outputs[count..].iter().position(is_it);
                of_lists
                    + found.unwrap_or_else(|| {
                        outputs.push(kept.clone());
                        outputs.len() - 1 - count
                    })
            }
        };
        let positions: Vec<usize> = program.kept.iter().map(position).collect();
        let extended = Arc::new(Body::of(scope, of_body, outputs, count));
        let of_extended = graph.captures_of(&extended.graph, captures);
        let results = called(
            Arc::new(Self { body: extended, turns: turns.clone() }),
            &[inputs, &of_extended].concat(),
        );
        let all = [&inputs[count..], &results[count..]].concat();
        let mut items: Vec<AnyArray> = positions.iter().map(|&of| all[of].clone()).collect();
        let kept = items.len();
        let gradient = |output: usize| is_given(output).map(|(_, gradient)| gradient.clone());
        items
            .extend(seeds.iter().filter(|&&seed| seed >= count).filter_map(|&seed| gradient(seed)));

        let numbers = |range: Range<usize>| range.filter(|&number| wanted[number]);
        let (states, lists) = (numbers(0..count), numbers(count..inputs.len()));
        let of_captures = numbers(inputs.len()..operands.len());
        let is_carried = turns.across.is_none();
        let zeros = |number: usize| Value::of(&operands[number]).zeros();
        let carried: Vec<AnyArray> = states
            .clone()
            .map(|state| gradient(state).unwrap_or_else(|| zeros(state)))
            .chain(of_captures.clone().filter(|_| is_carried).map(zeros))
            .collect();
        let types: Vec<_> =
            carried.iter().map(AnyArray::ty).chain(items.iter().map(item_type)).collect();
        let backward = Body::trace(&types, carried.len(), |inputs| {
            let (carried, items) = inputs.split_at(carried.len());
            let (kept, mut results) = (&items[..kept], items[kept..].iter());
            let of_state = |seed| states.clone().position(|state| state == seed);
            let seeds: Vec<AnyArray> = seeds
                .iter()
                .map(|&seed| match seed < count {
                    true => carried[of_state(seed).expect("a float")].clone(),
                    false => results.next().expect("a list for each").clone(),
                })
                .collect();
            let mut found = program.call(graph, kept, captures, &seeds)?;
            let mut found = |number: usize| found[number].take();
            let mut outputs: Vec<AnyArray> =
                states.clone().map(|state| found(state).unwrap_or_else(|| zeros(state))).collect();
            let mut sums = carried[outputs.len()..].iter();
            for capture in of_captures.clone() {
                outputs.push(match (found(capture), sums.next()) {
                    (Some(gradient), Some(sum)) => add(sum.clone(), &gradient),
                    (Some(gradient), None) => gradient,
                    (None, sum) => sum.cloned().unwrap_or_else(|| zeros(capture)),
                });
            }
            for list in lists.clone() {
                let (sizes, element) = item_type(&operands[list]);
                let zeros = || Value { sizes, element }.zeros();
                outputs.push(found(list).unwrap_or_else(zeros));
            }
            Ok::<_, String>((outputs, ()))
        });
        let (backward, ()) = backward.expect("the indices are those of the loop");
        let turns = Turns { reverse: !turns.reverse, ..turns.clone() };
        let found = scan(&backward, turns, &carried, &items);
        let mut gradients: Gradients = smallvec![None; operands.len()];
        for (position, gradient) in states.chain(of_captures).chain(lists).zip(found) {
            let is_sum = is_carried || position < inputs.len();
            gradients[position] = Some(if is_sum { gradient } else { sum_of_items(&gradient) });
        }
        gradients
    }
}
