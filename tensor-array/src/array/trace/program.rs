//! Programs: the steps that compute outputs from inputs.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{Op, Step, StepFn};
use crate::array::history::{AnyArray, ElementType, Node, NodeOperand, with_recording};
use crate::array::layout::{Layout, Strides, layout_of, num_elements};
use crate::sizes::Sizes;

/// The steps of a program, in an order in which each follows its operands.
///
/// Values are numbered: first the inputs, then the results of the steps.
pub struct Graph {
    pub(crate) inputs: Vec<Value>,
    pub(crate) steps: Vec<Calculation>,
    pub(crate) outputs: Vec<Argument>,
    /// For each step the values that no later step reads.
    unused: Vec<Vec<usize>>,
}

/// The sizes and the element type of a value.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) sizes: Sizes,
    pub(crate) element: &'static ElementType,
}

/// A step of a program.
pub(crate) struct Calculation {
    pub(crate) op: Op,
    pub(crate) operands: Vec<Argument>,
    pub(crate) result: Value,
    is_gradient: bool,
    run: StepFn,
}

/// A step as a picture shows it.
pub struct DrawnStep {
    /// The name of the operation.
    pub name: &'static str,
    /// Its operands.
    pub operands: Vec<DrawnOperand>,
    /// Whether it is part of a backward pass.
    pub is_gradient: bool,
}

/// An operand of a step or an output, as a picture shows it.
pub enum DrawnOperand {
    /// The value with this number, and the shape that is read.
    Value(usize, String),
    /// A number, or the shape of a constant.
    Constant(String),
}

/// An operand of a step.
#[derive(Clone)]
pub(crate) enum Argument {
    /// A value, or a view of it: its sizes, and the offset and strides within the elements of the value.
    Value {
        number: usize,
        sizes: Sizes,
        view: Option<(usize, Strides)>,
    },
    Constant(AnyArray),
}

impl Argument {
    /// The argument as text.
    fn shown(&self) -> String {
        match self {
            Self::Value { number, view: None, .. } => format!("%{number}"),
            Self::Value { number, sizes, view: Some(_) } => format!("%{number} as {sizes:?}"),
            Self::Constant(array) => match array.as_scalar() {
                Some(number) => number,
                None => format!("constant {:?}", array.sizes()),
            },
        }
    }

    fn drawn(&self) -> DrawnOperand {
        match self {
            Self::Value { number, sizes, .. } => DrawnOperand::Value(*number, format!("{sizes:?}")),
            Self::Constant(_) => DrawnOperand::Constant(self.shown()),
        }
    }

    fn sizes(&self) -> &[usize] {
        match self {
            Self::Value { sizes, .. } => sizes,
            Self::Constant(array) => array.sizes(),
        }
    }

    /// The number of the value, unless this is a constant.
    pub(crate) fn number(&self) -> Option<usize> {
        match self {
            Self::Value { number, .. } => Some(*number),
            Self::Constant(_) => None,
        }
    }
}

impl Graph {
    /// The program that computes these outputs from inputs, which are arrays of [`input`](super::input) in their
    /// order.
    pub fn new(inputs: &[AnyArray], outputs: &[AnyArray]) -> Self {
        // Operands have smaller numbers than results.
        let mut nodes = BTreeMap::new();
        let mut left: Vec<Arc<Node>> = outputs.iter().filter_map(traced_node).collect();
        while let Some(node) = left.pop() {
            if nodes.insert(node.number, node.clone()).is_none() {
                let of = node.operands.iter().filter_map(|operand| operand.node.clone());
                left.extend(of.filter(|node| node.step.is_some()));
            }
        }
        let mut graph = Self {
            inputs: inputs.iter().map(value_of).collect(),
            steps: Vec::new(),
            outputs: Vec::new(),
            unused: Vec::new(),
        };
        let mut numbers = HashMap::new();
        for (number, node) in &nodes {
            let step = node.step.as_deref().and_then(Step::of).expect("a node of a program");
            if let Op::Input(position) = step.op {
                numbers.insert(*number, position);
                continue;
            }
            let of = node.operands.iter().zip(&step.constants);
            let operands = of.map(|(operand, constant)| match constant {
                Some(constant) => Argument::Constant(constant.clone()),
                None => argument(operand, &numbers),
            });
            let result = Value { sizes: node.sizes.clone(), element: step.element };
            let (op, is_gradient, run) = (step.op.clone(), step.is_gradient, step.run.clone());
            let operands = operands.collect();
            graph.steps.push(Calculation { op, operands, result, is_gradient, run });
            numbers.insert(*number, graph.inputs.len() + graph.steps.len() - 1);
        }
        graph.outputs = outputs
            .iter()
            .map(|output| match traced_node(output) {
                Some(_) => argument(&NodeOperand::of(output), &numbers),
                None => Argument::Constant(output.clone().forget()),
            })
            .collect();
        graph.unused = graph.last_uses();
        graph
    }

    /// The number of steps.
    pub fn num_steps(&self) -> usize {
        self.steps.len()
    }

    /// A list of the inputs, the steps and the outputs, in which `%` and a number name a value.
    pub fn listing(&self, inputs: &[String]) -> String {
        let mut text = String::from("inputs:\n");
        for (number, input) in inputs.iter().enumerate() {
            text += format!("  %{number}: {input}").trim_end();
            text += "\n";
        }
        text += "steps:\n";
        for (number, step) in (self.inputs.len()..).zip(&self.steps) {
            let operands: Vec<String> = step.operands.iter().map(Argument::shown).collect();
            let (name, result) = (step.op.name(), &step.result);
            let (operands, element) = (operands.join(", "), result.element.name);
            text += &format!("  %{number} = {name}({operands}): {element} {:?}\n", result.sizes);
        }
        text += "outputs:\n";
        for output in &self.outputs {
            text += &format!("  {}\n", output.shown());
        }
        text
    }

    /// The steps as a picture shows them.
    pub fn drawn_steps(&self) -> impl Iterator<Item = DrawnStep> {
        self.steps.iter().map(|step| DrawnStep {
            name: step.op.name(),
            operands: step.operands.iter().map(Argument::drawn).collect(),
            is_gradient: step.is_gradient,
        })
    }

    /// The outputs as a picture shows them.
    pub fn drawn_outputs(&self) -> impl Iterator<Item = DrawnOperand> {
        self.outputs.iter().map(Argument::drawn)
    }

    /// What running the program costs.
    pub fn cost(&self) -> Cost {
        let mut cost = Cost::default();
        let mut kept: u64 = self.inputs.iter().map(Value::bytes).sum();
        cost.peak_bytes = kept;
        for (step, unused) in self.steps.iter().zip(&self.unused) {
            let operands: Vec<&[usize]> = step.operands.iter().map(Argument::sizes).collect();
            cost.operations += step.op.operations(&operands, &step.result.sizes);
            let read = step.operands.iter().map(|operand| self.bytes_of(operand)).sum::<u64>();
            cost.bytes += read + step.result.bytes();
            kept += step.result.bytes();
            cost.peak_bytes = cost.peak_bytes.max(kept);
            kept -= unused.iter().map(|&number| self.value(number).bytes()).sum::<u64>();
        }
        cost
    }

    fn value(&self, number: usize) -> &Value {
        match number.checked_sub(self.inputs.len()) {
            Some(step) => &self.steps[step].result,
            None => &self.inputs[number],
        }
    }

    /// The bytes that a step reads.
    fn bytes_of(&self, argument: &Argument) -> u64 {
        let element = match argument {
            Argument::Value { number, .. } => self.value(*number).element,
            Argument::Constant(array) => array.element(),
        };
        (num_elements(argument.sizes()) * element.bytes) as u64
    }

    /// Computes the outputs with the kernels of this crate. The inputs have the sizes and element types of the
    /// program.
    pub fn run(&self, inputs: Vec<AnyArray>) -> Vec<AnyArray> {
        with_recording(false, || {
            let mut values: Vec<Option<AnyArray>> =
                inputs.into_iter().map(|input| Some(input.forget().contiguous())).collect();
            for (step, unused) in self.steps.iter().zip(&self.unused) {
                let operands: Vec<AnyArray> =
                    step.operands.iter().map(|operand| read(operand, &values)).collect();
                let result = (step.run)(&operands);
                drop(operands);
                values.push(Some(result.contiguous()));
                for &number in unused {
                    values[number] = None;
                }
            }
            self.outputs.iter().map(|output| read(output, &values)).collect()
        })
    }

    /// For each step the values that no later step reads.
    fn last_uses(&self) -> Vec<Vec<usize>> {
        let mut last = HashMap::new();
        for (position, step) in self.steps.iter().enumerate() {
            for number in step.operands.iter().filter_map(Argument::number) {
                last.insert(number, position);
            }
        }
        for number in self.outputs.iter().filter_map(Argument::number) {
            last.remove(&number);
        }
        let mut uses = vec![Vec::new(); self.steps.len()];
        for (number, position) in last {
            uses[position].push(number);
        }
        uses
    }
}

impl Value {
    fn bytes(&self) -> u64 {
        (num_elements(&self.sizes) * self.element.bytes) as u64
    }
}

/// What running a program costs, by its shapes.
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::{Tensor, shape};
///
/// let inputs = (Tensor::<shape![64, 256]>::zeros(), Tensor::<shape![256, 10]>::zeros());
/// let cost = trace(&inputs, |(x, weight)| x.matmul(weight).relu()).cost();
/// // 64 · 10 sums of 256 products, and a maximum for each of them.
/// assert_eq!(cost.operations, 2 * 64 * 256 * 10 + 64 * 10);
/// // Both inputs are read, the product is written and read, and the result is written.
/// assert_eq!(cost.bytes, 4 * (64 * 256 + 256 * 10 + 3 * 64 * 10));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// Arithmetic operations: a multiplication and an addition for each term of products and convolutions; otherwise one
    /// for each element that an element-wise operation writes, or a reduction reads. Moving elements counts none.
    pub operations: u64,
    /// The bytes of elements that the steps read and write, if each reads all its operands from memory.
    pub bytes: u64,
    /// The most bytes of elements that exist at one time, inputs included: a value is freed after the last step that
    /// reads it.
    pub peak_bytes: u64,
}

/// The node of an array that is traced.
fn traced_node(array: &AnyArray) -> Option<Arc<Node>> {
    array.node().filter(|node| node.step.is_some())
}

fn value_of(array: &AnyArray) -> Value {
    Value { sizes: array.sizes().into(), element: array.element() }
}

fn argument(operand: &NodeOperand, numbers: &HashMap<u64, usize>) -> Argument {
    let node = operand.node.as_ref().expect("it is traced");
    let view = operand.view.as_deref().cloned();
    Argument::Value { number: numbers[&node.number], sizes: operand.sizes.clone(), view }
}

/// The array of an argument.
fn read(argument: &Argument, values: &[Option<AnyArray>]) -> AnyArray {
    match argument {
        Argument::Constant(array) => array.clone(),
        Argument::Value { number, sizes, view } => {
            let value = values[*number].as_ref().expect("it is used here");
            let layout = match view {
                Some((offset, strides)) => layout_of(sizes, *offset, strides.clone(), None),
                None => Layout::ROW_MAJOR,
            };
            value.viewed(sizes.clone(), layout)
        }
    }
}
