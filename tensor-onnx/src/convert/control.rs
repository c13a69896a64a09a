//! Branches and loops, whose bodies are graphs that read the values of the graph around them.
//!
//! Source: `If`, `Loop` and `Scan` of ONNX's `Operators.md`.

use super::{LARGEST_SIZE, Stop, Writer};
use crate::element::Element;
use crate::function::{Loop, Origin, State, Value};
use crate::lower::axis_from_front;
use crate::proto::{Graph, Node};
use crate::reason::{Reason, Reasoned, reason};
use crate::sym::Sym;

/// The most steps of a loop without results of each that is a `scan`, over a tensor of their numbers.
const MOST_NUMBERED: i64 = 1 << 20;

/// Whether an operator has graphs.
pub fn is_control(operator: &str) -> bool {
    matches!(operator, "If" | "Loop" | "Scan")
}

/// The graph of a node.
fn graph_of<'n, 'a>(node: &'n Node<'a>, name: &str) -> Reasoned<&'n Graph<'a>> {
    let graph = node.attribute(name).and_then(|attribute| attribute.graph.as_ref());
    graph.ok_or_else(|| format!("no `{name}`").into())
}

/// The name of the variable for an output.
fn hint<'a>(node: &Node<'a>, output: usize) -> &'a str {
    node.outputs.get(output).copied().unwrap_or_default()
}

/// A truth value, if it is known.
fn known_bit(value: &Value<'_>) -> Option<bool> {
    match value.known.as_ref()?.numbers()?[..] {
        [bit] => Some(bit != 0.0),
        _ => None,
    }
}

/// The reason of what depends on values that are known only at run time.
fn at_run_time<'a>(why: String, values: &[Option<&Value<'a>>], instead: &str) -> Stop {
    let sources = values.iter().flatten().flat_map(|value| value.sources.iter().copied());
    Reason::at_run_time(why, sources, instead).into()
}

impl<'a> Writer<'a, '_> {
    /// The results of a node with graphs.
    pub(super) fn control(
        &mut self,
        node: &Node<'a>,
        inputs: Vec<Option<Value<'a>>>,
    ) -> Result<Vec<Value<'a>>, Stop> {
        match node.operator {
            "If" => self.branch(node, inputs.into_iter().next().flatten()),
            "Loop" => self.repeat(node, inputs),
            _ => self.scan(node, inputs),
        }
    }

    /// The results of a graph within another one, whose inputs have these values. Its names are known in it alone.
    fn within(&mut self, graph: &Graph<'a>, inputs: &[Value<'a>]) -> Result<Vec<Value<'a>>, Stop> {
        if graph.sparse > 0 {
            return Err(Reason::from("a graph with sparse initializers").into());
        }
        let outer = self.defined.len();
        let sources = self.f.sources.clone();
        for (input, value) in graph.inputs.iter().zip(inputs) {
            // Old exporters give a number of a loop, which has no axes, one.
            let rank = input.axes.as_ref().map(Vec::len);
            let is_turned = value.rank() == 0 && rank == Some(1);
            let dims = if is_turned { vec![Sym::from(1_usize)] } else { value.dims.clone() };
            let value = self.f.reshape(input.name, value, &dims)?;
            self.define(input.name, Some(value))?;
        }
        self.initializers(graph)?;
        self.nodes(&graph.nodes)?;
        let results = self.outputs(graph)?;
        for name in self.defined.drain(outer..) {
            self.values.remove(name);
        }
        self.f.sources = sources;
        // A node of the graph is refused.
        let results = results.ok_or_else(|| Reason::new("", ""))?;
        self.f.sources.extend(results.iter().flat_map(|value| value.sources.iter().copied()));
        Ok(results)
    }

    /// The one element of a value, without axes.
    fn single(&mut self, what: &str, value: &Value<'a>, element: Element) -> Reasoned<Value<'a>> {
        if value.element != element || value.count().and_then(|count| count.number()) != Some(1) {
            let ty = self.f.tensor(value.element, &value.dims);
            return reason(format!("{what} of type `{ty}`"));
        }
        self.f.reshape(what, value, &[])
    }

    /// A parameter of a body.
    fn parameter(&mut self, name: &str, element: Element, dims: &[Sym]) -> Value<'a> {
        let mut value = self.f.input(name, element, dims.to_vec()).1;
        value.sources.clone_from(&self.f.sources);
        value
    }

    /// The branch that a known condition selects, or both.
    fn branch(
        &mut self,
        node: &Node<'a>,
        condition: Option<Value<'a>>,
    ) -> Result<Vec<Value<'a>>, Stop> {
        let condition = condition.ok_or_else(|| Reason::from("it lacks input 0"))?;
        if let Some(bit) = known_bit(&condition) {
            let name = if bit { "then_branch" } else { "else_branch" };
            return self.within(graph_of(node, name)?, &[]);
        }
        let refused = |problem: String| {
            let why = format!("a condition that is known only at run time, and {problem}");
            at_run_time(why, &[Some(&condition)], "export the model with one branch")
        };
        let single = self.single("condition", &condition, Element::Bool)?;
        let mut first: Option<Vec<Value<'a>>> = None;
        let (mut blocks, mut is_written) = (Vec::new(), true);
        for name in ["then_branch", "else_branch"] {
            let body = self.f.begin();
            let mut results = match self.within(graph_of(node, name)?, &[]) {
                Err(Stop::Refused(_)) => {
                    is_written = false;
                    Vec::new()
                }
                results => results?,
            };
            let like = first.get_or_insert_with(|| results.clone());
            if is_written && like.len() != results.len() {
                return Err(refused("branches with different numbers of results".to_owned()));
            }
            for (index, (result, like)) in results.iter_mut().zip(like).enumerate() {
                let what = format!("output {index} of the branches has two types");
                let same = self.f.with_type_of(like, result, &what);
                *result = same.map_err(|reason| refused(reason.why))?;
            }
            blocks.push(self.f.end_branch(body, &results)?);
        }
        match <[String; 2]>::try_from(blocks) {
            Ok(blocks) if is_written => {
                let like = first.unwrap_or_default().into_iter().enumerate();
                let like: Vec<_> = like.map(|(index, value)| (hint(node, index), value)).collect();
                Ok(self.f.cond(&single, blocks, &like)?)
            }
            _ => Err(refused("a branch that is refused".to_owned())),
        }
    }

    /// A loop that counts its steps, or that ends where a condition does not hold.
    fn repeat(
        &mut self,
        node: &Node<'a>,
        inputs: Vec<Option<Value<'a>>>,
    ) -> Result<Vec<Value<'a>>, Stop> {
        let graph = graph_of(node, "body")?;
        let mut inputs = inputs.into_iter();
        let (limit, holds) = (inputs.next().flatten(), inputs.next().flatten());
        let starts = inputs.collect::<Option<Vec<_>>>();
        let starts = starts.ok_or_else(|| Reason::from("a state without a value"))?;
        let count = starts.len();
        let (of_body, outputs) = (graph.inputs.len(), graph.outputs.len());
        if of_body != count + 2 || outputs <= count {
            let why =
                format!("{count} states, and a body of {of_body} inputs and {outputs} outputs");
            return Err(Reason::from(why).into());
        }
        let limit = limit.map(|limit| self.single("a number of steps", &limit, Element::I64));
        let mut limit = limit.transpose()?;
        let holds = holds.map(|holds| self.single("a condition", &holds, Element::Bool));
        let mut holds = holds.transpose()?;
        let is_skipped = holds.as_ref().and_then(known_bit) == Some(false);
        if is_skipped {
            limit = Some(self.f.scalar(Element::I64, 0.0));
        }
        if is_skipped || holds.as_ref().and_then(known_bit) == Some(true) {
            holds = None;
        }

        let body = self.f.begin();
        let step = self.parameter("step", Element::I64, &[]);
        let step = self.f.noted(step, Origin::Step);
        // Where the body runs, the condition holds.
        let mut parameters = vec![step.clone(), self.f.scalar(Element::Bool, 1.0)];
        for (input, start) in graph.inputs[2..].iter().zip(&starts) {
            parameters.push(self.parameter(input.name, start.element, &start.dims));
        }
        let results = self.within(graph, &parameters)?;
        let goes_on = self.single("a condition", &results[0], Element::Bool)?;
        let states = self.states(node, &starts, &parameters[2..], &results[1..=count])?;
        let lists: Vec<_> = results[1 + count..].iter().cloned().enumerate().collect();
        let lists = lists.into_iter().map(|(index, value)| (hint(node, count + index), value));
        let results: Vec<_> = lists.collect();

        // Unlike the specification, and as in onnxruntime, a loop without a condition ends where its body's condition is false.
        let is_counted = holds.is_none() && (is_skipped || known_bit(&goes_on) == Some(true));
        let number = limit.as_ref().and_then(|limit| limit.known.as_ref()?.as_ints()?.pop());
        let number = match number.as_ref().and_then(Sym::number) {
            Some(number) => Some(Sym::from(number.max(0))),
            None => number,
        };
        let is_short = |number: &Sym| {
            let most = if results.is_empty() { MOST_NUMBERED } else { LARGEST_SIZE as i64 };
            number.number().is_none_or(|number| number <= most)
        };
        if let Some(len) = number.clone().filter(|len| is_counted && is_short(len)) {
            let items = vec![(step, None)];
            let of = Loop { states, items, len, results, is_reverse: false };
            return Ok(self.f.scan(body, of)?);
        }
        if !results.is_empty() {
            let why = match number.as_ref().and_then(Sym::number) {
                Some(number) if is_counted => {
                    format!("results of {number} steps, which fit into no memory")
                }
                _ => "results of each step, whose number is known only at run time".to_owned(),
            };
            let values = [limit.as_ref(), holds.as_ref()];
            return Err(at_run_time(why, &values, "export the model with a number of steps"));
        }
        // What exporters write for no limit.
        let is_endless = number.as_ref().and_then(Sym::number) == Some(i64::MAX);
        let limit = limit.filter(|_| !is_endless);
        let holds = match is_counted {
            true => None,
            false => Some((holds.unwrap_or_else(|| self.f.scalar(Element::Bool, 1.0)), goes_on)),
        };
        Ok(self.f.while_loop(body, &states, &step, limit.as_ref(), holds)?)
    }

    /// The states of a loop, whose types do not change.
    fn states(
        &mut self,
        node: &Node<'a>,
        starts: &[Value<'a>],
        before: &[Value<'a>],
        next: &[Value<'a>],
    ) -> Reasoned<Vec<State<'a>>> {
        let all = starts.iter().zip(before).zip(next).enumerate();
        all.map(|(index, ((start, before), next))| {
            let what = format!("state {index} before and after a step");
            let next = self.f.with_type_of(start, next, &what)?;
            let (start, before) = (start.clone(), before.clone());
            Ok(State { hint: hint(node, index), start, before, next })
        })
        .collect()
    }

    /// A loop over the items of tensors.
    fn scan(
        &mut self,
        node: &Node<'a>,
        inputs: Vec<Option<Value<'a>>>,
    ) -> Result<Vec<Value<'a>>, Stop> {
        if self.opset("") < 9 {
            return Err(Reason::new(
                "`Scan` of opset 8, whose items are along the second axis",
                "`onnx.version_converter` converts the model",
            )
            .into());
        }
        let graph = graph_of(node, "body")?;
        let inputs = inputs.into_iter().collect::<Option<Vec<_>>>();
        let inputs = inputs.ok_or_else(|| Reason::from("an input without a value"))?;
        let items = usize::try_from(node.int("num_scan_inputs", 0)).unwrap_or(0);
        let count = inputs.len().checked_sub(items).filter(|_| items > 0);
        let outputs = graph.outputs.len();
        let Some(count) =
            count.filter(|&count| graph.inputs.len() == inputs.len() && outputs >= count)
        else {
            let (of_body, inputs) = (graph.inputs.len(), inputs.len());
            let why = format!(
                "{inputs} inputs, of which {items} have items, and a body of {of_body} inputs and {outputs} outputs"
            );
            return Err(Reason::from(why).into());
        };
        let (starts, tensors) = inputs.split_at(count);
        let of = |name: &str, index: usize| {
            node.ints(name).and_then(|ints| ints.get(index)).copied().unwrap_or(0)
        };
        let is_reverse = of("scan_input_directions", 0) != 0;
        let (mut lists, mut len) = (Vec::new(), None);
        for (index, tensor) in tensors.iter().enumerate() {
            let axis = axis_from_front(of("scan_input_axes", index), tensor.rank())?;
            let mut order: Vec<usize> = (0..tensor.rank()).collect();
            order.remove(axis);
            order.insert(0, axis);
            let mut list = self.f.permute("items", tensor, &order)?;
            if is_reverse != (of("scan_input_directions", index) != 0) {
                list = self.f.flip("items", &list, &[0])?;
            }
            let len = len.get_or_insert_with(|| list.dims[0].clone());
            if list.dims[0] != *len {
                if list.dims[0].number().is_some() && len.number().is_some() {
                    return Err(Reason::from("tensors with different numbers of items").into());
                }
                list = self.f.renamed("items", &list, 0, len)?;
            }
            lists.push(list);
        }
        let Some(len) = len else { return Err(Reason::from("no items").into()) };

        let body = self.f.begin();
        let types = starts.iter().map(|start| (start.element, &start.dims[..]));
        let types = types.chain(lists.iter().map(|list| (list.element, &list.dims[1..])));
        let mut parameters = Vec::new();
        for (input, (element, dims)) in graph.inputs.iter().zip(types) {
            parameters.push(self.parameter(input.name, element, dims));
        }
        let results = self.within(graph, &parameters)?;
        let states = self.states(node, starts, &parameters[..count], &results[..count])?;
        let items =
            parameters.split_off(count).into_iter().zip(lists.into_iter().map(Some)).collect();
        let results = results[count..].iter().cloned().enumerate();
        let results = results.map(|(index, value)| (hint(node, count + index), value)).collect();
        let of_loop = Loop { states, items, len, results, is_reverse };
        let mut found = self.f.scan(body, of_loop)?;
        for (index, list) in found[count..].iter_mut().enumerate() {
            let name = hint(node, count + index);
            if is_reverse != (of("scan_output_directions", index) != 0) {
                *list = self.f.flip(name, list, &[0])?;
            }
            let axis = axis_from_front(of("scan_output_axes", index), list.rank())?;
            let mut order: Vec<usize> = (1..list.rank()).collect();
            order.insert(axis, 0);
            *list = self.f.permute(name, list, &order)?;
        }
        Ok(found)
    }
}
