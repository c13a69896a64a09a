//! Loops and branches of programs: bodies that are traced once. A scan runs its body for each element along an axis, a
//! `while` loop while a condition holds, a branch one of several bodies.

mod branch;
mod while_loop;

use core::fmt;
use std::sync::{Arc, OnceLock};

use smallvec::smallvec;
use tensor_kernels::layout::graph::with_recording;
use tensor_kernels::layout::is_traced;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;
use tensor_kernels::sizes::Sizes;

use super::program::{Graph, Value, value_of};
use super::stablehlo::builder::{Builder, Tensor};
use super::stablehlo::outputs;
use super::{LoweredStep, Primitive, Scope, StepError, StepFn, step_of_arrays, within};
use crate::array::dynamic::DynTensor;
use crate::array::gradients::operations::fits;
use crate::array::gradients::{add, zeros_like};
use crate::array::history::{AnyArray, Backward, ElementType, Gradients, Recorded, Saves};

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

/// Elements of a row, in other sizes.
fn part(row: &AnyArray, start: usize, sizes: &[usize]) -> AnyArray {
    let len: usize = sizes.iter().product();
    for_each_element!(for_element[row x T {
        let part: DynTensor<T> = fits(fits(x.slice_axis(0, start..start + len)).reshape(sizes));
        AnyArray::new(part)
    }])
}

/// The elements at an index of the first axis.
fn item(array: &AnyArray, index: usize) -> AnyArray {
    for_each_element!(for_element[array x T {
        let part: DynTensor<T> = fits(x.slice_axis(0, index..index + 1));
        AnyArray::new(fits(part.reshape(&array.sizes()[1..])))
    }])
}

/// Arrays of the same element type in one row.
fn row(arrays: &[AnyArray]) -> AnyArray {
    let first = &arrays[0];
    for_each_element!(for_element[first x T {
        let _: &DynTensor<T> = x;
        let rows: Vec<DynTensor<T>> = arrays.iter().map(|array| {
            array.get::<DynTensor<T>>().expect("one element type").flatten()
        }).collect();
        AnyArray::new(fits(DynTensor::concat_all(&rows, 0)))
    }])
}

/// Arrays of the same type along a new first axis.
fn stacked(arrays: &[AnyArray]) -> AnyArray {
    let first = &arrays[0];
    for_each_element!(for_element[first x T {
        let _: &DynTensor<T> = x;
        let arrays = arrays.iter().map(|array| {
            array.get::<DynTensor<T>>().expect("one element type")
        });
        AnyArray::new(fits(DynTensor::stack(arrays, 0)))
    }])
}

fn zeros(of: &Value) -> AnyArray {
    (of.element.of_bytes)(&vec![0; of.len() * of.element.bytes], &of.sizes)
}

/// The body of a loop or branch: a function of states and of an item of each list, which returns the next states and results.
pub struct Body {
    graph: Arc<Graph>,
    /// The number of states, which are its first inputs and outputs.
    states: usize,
    outputs: Vec<Value>,
    /// For each type of floats, all outputs of this type in one row.
    rows: Vec<(&'static ElementType, Arc<Graph>)>,
    /// [`with_states_before`](Self::with_states_before)
    collecting: OnceLock<Arc<Self>>,
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
        let body = Self::of(&scope, inputs, outputs, states);
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
        inputs: Vec<AnyArray>,
        mut outputs: Vec<AnyArray>,
        states: usize,
    ) -> Self {
        let mut rows: Vec<(&'static ElementType, AnyArray)> = Vec::new();
        scope.enter(|| {
            with_recording(true, || {
                for output in &mut outputs {
                    *output = within(scope, &inputs, output);
                }
                for element in
                    outputs.iter().map(AnyArray::element).filter(|element| element.is_float)
                {
                    if rows.iter().all(|(other, _)| *other != element) {
                        rows.push((element, row(&of_type(&outputs, element))));
                    }
                }
            });
        });
        let values = outputs.iter().map(value_of).collect();
        let graph = |outputs| Arc::new(Graph::of(scope.clone(), inputs.clone(), outputs));
        let rows = rows.into_iter().map(|(element, row)| (element, graph(vec![row]))).collect();
        let graph = graph(outputs);
        Self { graph, states, outputs: values, rows, collecting: OnceLock::new() }
    }

    /// The body whose results are those of this one and the states before it. It captures the same.
    fn with_states_before(&self) -> &Arc<Self> {
        self.collecting.get_or_init(|| {
            let (scope, inputs, mut outputs) = self.graph.arrays();
            outputs.extend_from_slice(&inputs[..self.states]);
            Arc::new(Self::of(scope, inputs, outputs, self.states))
        })
    }

    /// Whether one of these arrays, or what the body captures, is traced.
    pub fn reads_traced(&self, states: &[AnyArray], lists: &[AnyArray]) -> bool {
        let all = states.iter().chain(lists).chain(self.graph.captured());
        all.into_iter().any(|array| is_traced(array.layout()))
    }

    /// The values of the results of a loop with this number of items: the last states, and all results in lists.
    fn results(&self, len: usize) -> Vec<Value> {
        let result = |(number, output): (usize, &Value)| match number < self.states {
            true => output.clone(),
            false => Value { sizes: [&[len], &output.sizes[..]].concat().into(), ..output.clone() },
        };
        self.outputs.iter().enumerate().map(result).collect()
    }
}

/// The arrays of an element type.
fn of_type(arrays: &[AnyArray], element: &'static ElementType) -> Vec<AnyArray> {
    arrays.iter().filter(|array| array.element() == element).cloned().collect()
}

/// The loop over the items of lists, the elements along their first axes.
#[derive(Debug)]
struct Loop {
    body: Arc<Body>,
    len: usize,
    /// Whether the last item is the first.
    reverse: bool,
}

/// Runs a body for each item of lists, the elements along their first axes, from the last one on if `reverse`: the last
/// states, and the results of all items in lists.
///
/// # Panics
///
/// If the states or lists do not have the types of the body.
#[track_caller]
pub fn scan(
    body: &Arc<Body>,
    len: usize,
    reverse: bool,
    states: &[AnyArray],
    lists: &[AnyArray],
) -> Vec<AnyArray> {
    let captures = body.graph.captured();
    let operands = [states, lists, captures].concat();
    if len == 0 {
        let results = body.results(len);
        let empty = results[body.states..].iter().map(zeros);
        return states.iter().cloned().chain(empty).collect();
    }
    results_of(Arc::new(Loop { body: body.clone(), len, reverse }), &operands)
}

/// The values of an element type, with their numbers.
fn of_element<'a>(
    values: &'a [Value],
    element: &'static ElementType,
) -> impl Iterator<Item = (usize, &'a Value)> {
    values.iter().enumerate().filter(move |(_, value)| value.element == element)
}

impl Loop {
    /// The body with all results that are needed: one loop is written for the results, and for the states before each step,
    /// which a gradient reads.
    fn lowered(&self) -> &Arc<Body> {
        let mut body = &self.body;
        while let Some(more) = body.collecting.get() {
            body = more;
        }
        body
    }
}

impl Call for Loop {
    fn name(&self) -> &'static str {
        "scan"
    }

    fn results(&self) -> Vec<Value> {
        self.body.results(self.len)
    }

    fn cost(&self) -> u64 {
        self.len as u64 * self.body.graph.cost().operations
    }

    fn run(&self, operands: &[AnyArray]) -> Result<Vec<AnyArray>, String> {
        let Body { graph, states: count, outputs, .. } = &*self.body;
        let (inputs, captures) = operands.split_at(graph.inputs.len());
        let (states, lists) = inputs.split_at(*count);
        let mut states = states.to_vec();
        let mut results: Vec<Vec<AnyArray>> = vec![Vec::new(); outputs.len() - count];
        for step in 0..self.len {
            let index = if self.reverse { self.len - 1 - step } else { step };
            let items = lists.iter().map(|list| item(list, index));
            let inputs: Vec<AnyArray> = states.into_iter().chain(items).collect();
            let mut found = graph.call(&inputs, captures)?;
            for (results, result) in results.iter_mut().zip(found.split_off(*count)) {
                results.push(result);
            }
            states = found;
        }
        if self.reverse {
            results.iter_mut().for_each(|results| results.reverse());
        }
        let lists = results.iter().map(|list| stacked(list));
        Ok(states.into_iter().chain(lists).collect())
    }

    fn address(&self) -> usize {
        Arc::as_ptr(self.lowered()) as usize
    }

    /// A `while`, whose values are the number of the step, the states, the lists of results, and what it reads.
    fn lower(&self, builder: &mut Builder, operands: &[Tensor]) -> Vec<Tensor> {
        let body = self.lowered();
        let Body { graph, states, .. } = &**body;
        let values = body.results(self.len);
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
        let last = self.len as f64;
        let condition = |builder: &mut Builder, values: &[Tensor]| {
            let end = builder.number(last, &[], "i64");
            vec![builder.compare(&values[0], &end, "LT")]
        };
        let step = |builder: &mut Builder, values: &[Tensor]| {
            let one = builder.number(1.0, &[], "i64");
            let index = match self.reverse {
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

    /// A loop that computes the states of all steps again, and one from the last step to the first, which carries the
    /// gradients of the states, and the sums of those of what the body captures.
    fn backward(
        &self,
        operands: &[AnyArray],
        element: &'static ElementType,
        gradient: &AnyArray,
    ) -> Gradients {
        let Self { body, len, reverse } = self;
        let (graph, count) = (&body.graph, body.states);
        let (inputs, captures) = operands.split_at(graph.inputs.len());
        let (states, lists) = inputs.split_at(count);

        // The states before each step.
        let values = self.results();
        let collect =
            Self { body: body.with_states_before().clone(), len: *len, reverse: *reverse };
        let before = results_of(Arc::new(collect), operands).split_off(values.len());

        // The gradients of the last states and of the results.
        let mut start = 0;
        let mut given: Vec<Option<AnyArray>> = vec![None; values.len()];
        for (number, value) in of_element(&values, element) {
            given[number] = Some(part(gradient, start, &value.sizes));
            start += value.len();
        }
        let float_states: Vec<usize> =
            (0..count).filter(|&number| states[number].element().is_float).collect();
        let float_lists: Vec<usize> =
            (0..lists.len()).filter(|&number| lists[number].element().is_float).collect();
        let float_captures: Vec<usize> =
            (0..captures.len()).filter(|&number| captures[number].element().is_float).collect();
        let results: Vec<usize> =
            (count..values.len()).filter(|&number| given[number].is_some()).collect();
        let mut carried: Vec<AnyArray> = Vec::new();
        for &number in &float_states {
            carried.push(given[number].clone().unwrap_or_else(|| zeros_like(&states[number])));
        }
        for &number in &float_captures {
            carried.push(zeros_like(&captures[number]));
        }
        let mut items = [lists, &before[..]].concat();
        items.extend(results.iter().map(|&number| given[number].clone().expect("it is one")));
        let mut types: Vec<_> = carried.iter().map(AnyArray::ty).collect();
        types.extend(
            items.iter().map(|list| (Sizes::from_slice(&list.sizes()[1..]), list.element())),
        );

        let backward = Body::trace(&types, carried.len(), |inputs| {
            let (carried, items) = inputs.split_at(carried.len());
            let (of_states, of_captures) = carried.split_at(float_states.len());
            let (of_lists, rest) = items.split_at(lists.len());
            let (before, of_results) = rest.split_at(count);
            let mut found: Vec<Option<AnyArray>> = vec![None; operands.len()];
            for (element, row_graph) in &body.rows {
                let seeds: Vec<AnyArray> = of_element(&body.outputs, element)
                    .map(|(number, value)| {
                        let position = match number < count {
                            true => float_states.iter().position(|&state| state == number),
                            false => results.iter().position(|&result| result == number),
                        };
                        match (position, number < count) {
                            (Some(position), true) => of_states[position].clone(),
                            (Some(position), false) => of_results[position].clone(),
                            (None, _) => zeros(value),
                        }
                    })
                    .collect();
                let inputs = [before, of_lists].concat();
                let of_row = graph.captures_of(row_graph, captures);
                let gradients = row_graph.gradients(0, &inputs, &of_row, &row(&seeds))?;
                let of_captures = graph.positions_of_captures(row_graph);
                let operands =
                    (0..inputs.len()).chain(of_captures.map(|position| inputs.len() + position));
                for (operand, gradient) in operands.zip(gradients) {
                    found[operand] = match (&found[operand], gradient) {
                        (Some(other), Some(gradient)) => Some(add(gradient, other)),
                        (other, gradient) => gradient.or_else(|| other.clone()),
                    };
                }
            }
            let mut outputs = Vec::new();
            for &number in &float_states {
                outputs.push(found[number].clone().unwrap_or_else(|| zeros_like(&before[number])));
            }
            for (&number, before) in float_captures.iter().zip(of_captures) {
                outputs.push(match &found[graph.inputs.len() + number] {
                    Some(gradient) => add(before.clone(), gradient),
                    None => before.clone(),
                });
            }
            for &number in &float_lists {
                let zeros = || zeros_like(&of_lists[number]);
                outputs.push(found[count + number].clone().unwrap_or_else(zeros));
            }
            Ok::<_, String>((outputs, ()))
        });
        let (backward, ()) = backward.expect("the indices are those of the loop");
        let found = scan(&backward, *len, !*reverse, &carried, &items);
        let mut gradients: Gradients = smallvec![None; operands.len()];
        let positions = float_states
            .iter()
            .copied()
            .chain(float_captures.iter().map(|&number| graph.inputs.len() + number))
            .chain(float_lists.iter().map(|&number| count + number));
        for (position, gradient) in positions.zip(found) {
            gradients[position] = Some(gradient);
        }
        gradients
    }
}

/// A step with several results: a loop or a branch. Those of one element type are one array, as a step has one: see [`Row`].
trait Call: fmt::Debug + Send + Sync {
    /// Its name in a picture or in the text of a program.
    fn name(&self) -> &'static str;

    /// The types of the results.
    fn results(&self) -> Vec<Value>;

    /// The number of arithmetic operations.
    fn cost(&self) -> u64;

    /// The results, by the kernels.
    fn run(&self, operands: &[AnyArray]) -> Result<Vec<AnyArray>, String>;

    /// The results in StableHLO, before others that the same operation has.
    fn lower(&self, builder: &mut Builder, operands: &[Tensor]) -> Vec<Tensor>;

    /// The address of what is lowered: calls with the same one and the same operands are one operation.
    fn address(&self) -> usize;

    /// The gradients of the operands, from that of the row of results of an element type.
    fn backward(
        &self,
        operands: &[AnyArray],
        element: &'static ElementType,
        gradient: &AnyArray,
    ) -> Gradients;
}

/// The results of a call that have this element type, one after the other.
#[derive(Clone, Debug)]
struct Row {
    of: Arc<dyn Call>,
    element: &'static ElementType,
}

/// The results of a call, of which an operand is traced.
#[track_caller]
fn results_of(call: Arc<dyn Call>, operands: &[AnyArray]) -> Vec<AnyArray> {
    let values = call.results();
    let mut results: Vec<Option<AnyArray>> = vec![None; values.len()];
    for (first, &Value { element, .. }) in values.iter().enumerate() {
        if results[first].is_some() {
            continue;
        }
        let total: usize = of_element(&values, element).map(|(_, value)| value.len()).sum();
        let of = Row { of: call.clone(), element };
        let (rule, of_run) = (element.is_float.then(|| of.clone().into()), of.clone());
        let run: StepFn = Arc::new(move |operands| {
            let results = of_run.of.run(operands).map_err(StepError)?;
            Ok(row(&of_type(&results, of_run.element)))
        });
        let row = step_of_arrays(of.into(), element, rule, &[total], operands, run);
        let mut start = 0;
        for (number, value) in of_element(&values, element) {
            results[number] = Some(part(&row, start, &value.sizes));
            start += value.len();
        }
    }
    results.into_iter().map(|result| result.expect("each has an element type")).collect()
}

impl Primitive for Row {
    fn name(&self) -> &'static str {
        self.of.name()
    }

    fn cost(&self, _: &[&[usize]], _: &[usize]) -> u64 {
        // The first row has that of the call.
        if self.of.results()[0].element == self.element { self.of.cost() } else { 0 }
    }

    fn lower(&self, to: &mut LoweredStep<'_>) -> Tensor {
        let names = to.x.iter().map(|x| x.name.clone()).collect();
        let key = (self.of.address(), names);
        let results = match to.builder.calls.get(&key) {
            Some(results) => results.clone(),
            None => {
                let results = self.of.lower(to.builder, to.x);
                to.builder.calls.insert(key, results.clone());
                results
            }
        };
        let rows: Vec<Tensor> = of_element(&self.of.results(), self.element)
            .filter(|(_, value)| value.len() > 0)
            .map(|(number, value)| to.builder.reshape(&results[number], &[value.len()]))
            .collect();
        match &rows[..] {
            [row] => row.clone(),
            rows => to.builder.concat(rows, 0, to.sizes),
        }
    }
}

impl Backward for Row {
    fn saves(&self) -> Saves {
        Saves::OPERANDS
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        let count = at.node.operands.len();
        let operands: Vec<AnyArray> = (0..count).map(|position| at.operand(position)).collect();
        self.of.backward(&operands, self.element, gradient)
    }
}
