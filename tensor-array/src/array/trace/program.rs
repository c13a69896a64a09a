//! Programs: the steps that compute outputs from inputs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use smallvec::smallvec;
use tensor_kernels::autocast::with_autocast;
use tensor_kernels::layout::graph::{refuse_kept, with_recording};
use tensor_kernels::layout::{Strides, is_traced, layout_of, num_elements, view_layout};
use tensor_kernels::plan::row_major_strides;
use tensor_kernels::sizes::Sizes;

use super::recording::input;
use super::scope::{are_apart, scope_of, stand_in};
use super::{Op, Scope, Step, StepError, StepFn, in_backward_pass, step_of_arrays, with_rule};
use crate::array::gradients;
use crate::array::history::{
    AnyArray, Backward, ElementType, Gradients, Node, NodeOperand, Recorded, Saves,
};

/// The steps of a program, in an order in which each follows its operands.
///
/// Values are numbered: first the inputs, then the results of the steps.
pub struct Graph {
    pub(crate) inputs: Vec<Value>,
    pub(crate) steps: Vec<Calculation>,
    pub(crate) outputs: Vec<Argument>,
    /// For each step the values that no later step reads.
    unused: Vec<Vec<usize>>,
    /// What the function captures that has a history.
    captures: Vec<AnyArray>,
    /// For each output whether it has a gradient with respect to an input or a capture.
    has_gradient: Vec<bool>,
    /// The trace, to add the steps of gradients.
    traced: Traced,
    /// For each output the program of its gradients.
    gradients: Vec<OnceLock<GradientProgram>>,
}

/// The arrays of a trace.
struct Traced {
    scope: Arc<Scope>,
    inputs: Vec<AnyArray>,
    /// What stands for the captures.
    captures: Vec<AnyArray>,
    outputs: Vec<AnyArray>,
}

/// The program that computes gradients of inputs and captures from the inputs and the gradient of an output.
struct GradientProgram {
    graph: Arc<Graph>,
    /// For each input and capture whether the output depends on it: then its gradient is the next output.
    has_gradient: Vec<bool>,
}

/// The sizes and the element type of a value.
#[derive(Clone, Debug, PartialEq)]
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

    /// The constant, if it is one.
    fn constant(&self) -> Option<Constant> {
        let Self::Constant(array) = self else { return None };
        let (sizes, element) = (stored(array).sizes().to_vec(), array.element());
        let bytes = (num_elements(&sizes) * element.bytes) as u64;
        Some(Constant { sizes, element: element.name, bytes, read_by: "output" })
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
    /// A new scope with inputs of these sizes and element types, which have no elements.
    #[track_caller]
    pub fn inputs(
        types: &[(Sizes, &'static ElementType)],
        is_body: bool,
    ) -> (Arc<Scope>, Vec<AnyArray>) {
        let scope = Scope::new(is_body);
        let inputs = types.iter().map(|(sizes, element)| input(&scope, sizes, element)).collect();
        (scope, inputs)
    }

    /// Calls a function of the inputs of a scope, and returns the program that computes its outputs, with what else it
    /// returns.
    ///
    /// # Errors
    ///
    /// That of the function.
    ///
    /// # Panics
    ///
    /// If an output is part of another program.
    #[track_caller]
    pub fn trace<R, E>(
        (scope, inputs): (Arc<Scope>, Vec<AnyArray>),
        function: impl FnOnce() -> Result<(Vec<AnyArray>, R), E>,
    ) -> Result<(Arc<Self>, R), E> {
        let (outputs, rest) = scope.enter(|| with_recording(true, function))?;
        Ok((Arc::new(Self::of(scope, inputs, outputs)), rest))
    }

    /// The program that computes these outputs of a scope from its inputs.
    #[track_caller]
    pub(super) fn of(scope: Arc<Scope>, inputs: Vec<AnyArray>, outputs: Vec<AnyArray>) -> Self {
        // Operands have smaller numbers than results.
        let mut nodes = BTreeMap::new();
        let mut left: Vec<Arc<Node>> =
            outputs.iter().filter_map(|output| node_of(output, &scope)).collect();
        while let Some(node) = left.pop() {
            if nodes.insert(node.number, node.clone()).is_none() {
                let of = node.operands.iter().filter_map(|operand| operand.node.clone());
                left.extend(of.filter(|node| step_of(node, &scope).is_some()));
            }
        }
        let mut numbers: HashMap<u64, usize> = HashMap::new();
        for (number, input) in inputs.iter().enumerate() {
            numbers.insert(input.node().expect("an input has a node").number, number);
        }
        let (mut steps, mut captures, mut stand_ins) = (Vec::new(), Vec::new(), Vec::new());
        // The nodes that have a gradient with respect to an input or a capture.
        let mut differentiable = HashSet::new();
        for (number, node) in &nodes {
            let step = step_of(node, &scope).expect("it was found as one");
            let mut of = node.operands.iter().filter_map(|operand| operand.node.as_ref());
            let has_gradient = match step.op {
                Op::Input | Op::Captured => step.element.is_float,
                _ => node.rule.is_some() && of.any(|node| differentiable.contains(&node.number)),
            };
            if has_gradient {
                differentiable.insert(*number);
            }
            if let Op::Input = step.op {
                assert!(numbers.contains_key(number), "an input of the gradients of the program");
                continue;
            }
            let result = Value { sizes: node.sizes.clone(), element: step.element };
            let operands = if let Op::Captured = step.op {
                let array = step.constants[0].clone().expect("the tensor that is captured");
                captures.push(array.clone());
                stand_ins.push(stand_in(node.clone()));
                vec![Argument::Constant(array)]
            } else {
                let of = node.operands.iter().zip(&step.constants);
                of.map(|(operand, constant)| match constant {
                    Some(constant) => Argument::Constant(constant.clone()),
                    None => argument(operand, &numbers),
                })
                .collect()
            };
            let (op, is_gradient, run) = (step.op.clone(), step.is_gradient, step.run.clone());
            steps.push(Calculation { op, operands, result, is_gradient, run });
            numbers.insert(*number, inputs.len() + steps.len() - 1);
        }
        let arguments = outputs.iter().map(|output| match node_of(output, &scope) {
            Some(_) => argument(&NodeOperand::of(output), &numbers),
            None => Argument::Constant(output.clone()),
        });
        let has_gradient = |output| {
            node_of(output, &scope).is_some_and(|node| differentiable.contains(&node.number))
        };
        let has_gradient = outputs.iter().map(has_gradient).collect();
        let mut graph = Self {
            inputs: inputs.iter().map(value_of).collect(),
            steps,
            outputs: arguments.collect(),
            unused: Vec::new(),
            captures,
            has_gradient,
            gradients: outputs.iter().map(|_| OnceLock::new()).collect(),
            traced: Traced { scope, inputs, captures: stand_ins, outputs },
        };
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
        let read = self.steps.iter().flat_map(|step| &step.operands).chain(&self.outputs);
        cost.constant_bytes = read.filter_map(Argument::constant).map(|of| of.bytes).sum();
        for (step, unused) in self.steps.iter().zip(&self.unused) {
            let operands: Vec<&[usize]> = step.operands.iter().map(Argument::sizes).collect();
            cost.operations += step.op.cost(&operands, &step.result.sizes);
            let read = step.operands.iter().map(|operand| self.bytes_of(operand)).sum::<u64>();
            cost.bytes += read + step.result.bytes();
            kept += step.result.bytes();
            cost.peak_bytes = cost.peak_bytes.max(kept);
            kept -= unused.iter().map(|&number| self.value(number).bytes()).sum::<u64>();
        }
        cost
    }

    /// The constants of more than 1 MiB, in the order in which they are read.
    pub fn large_constants(&self) -> Vec<Constant> {
        let of_step = |step: &Calculation| {
            let read_by = step.op.name();
            let constants = step.operands.iter().filter_map(Argument::constant);
            constants.map(|of| Constant { read_by, ..of }).collect::<Vec<_>>()
        };
        let of_outputs = self.outputs.iter().filter_map(Argument::constant);
        let all = self.steps.iter().flat_map(of_step).chain(of_outputs);
        all.filter(|constant| constant.bytes > 1 << 20).collect()
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

    /// Computes the outputs with the kernels of this crate. They are tracked if an input is, or a tensor that the function
    /// captured; they are steps if one of these is traced.
    ///
    /// # Errors
    ///
    /// If an index is out of range, or an integer is divided by 0: a text that says which.
    ///
    /// # Panics
    ///
    /// If the inputs do not have the sizes and element types of the program.
    #[track_caller]
    pub fn run(self: &Arc<Self>, inputs: Vec<AnyArray>) -> Result<Vec<AnyArray>, String> {
        for array in inputs.iter().chain(&self.captures) {
            refuse_kept(array.layout());
        }
        let results = with_recording(false, || self.results(&inputs, None))?;
        Ok(self.with_gradients(inputs, results))
    }

    /// The outputs for these inputs, and for these tensors in place of those that the function captures: steps, if one of
    /// them is traced.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    #[track_caller]
    pub(super) fn call(
        self: &Arc<Self>,
        inputs: &[AnyArray],
        captures: &[AnyArray],
    ) -> Result<Vec<AnyArray>, String> {
        let mut outputs = self.results(inputs, Some(captures))?;
        let operands = [inputs, captures].concat();
        for (output, result) in outputs.iter_mut().enumerate() {
            if self.has_gradient[output] {
                let rule = || CallRule { graph: self.clone(), output }.into();
                *result = with_rule(result.clone(), rule, &operands);
            }
        }
        Ok(outputs)
    }

    /// The scope, the inputs and the outputs of the trace.
    pub(super) fn arrays(&self) -> (&Arc<Scope>, Vec<AnyArray>, Vec<AnyArray>) {
        (&self.traced.scope, self.traced.inputs.clone(), self.traced.outputs.clone())
    }

    /// What the function captures.
    pub(super) fn captured(&self) -> &[AnyArray] {
        &self.captures
    }

    /// What stands for the captured tensors of a graph of the same scope, of those that stand for this one's.
    pub(super) fn captures_of(&self, other: &Self, captures: &[AnyArray]) -> Vec<AnyArray> {
        self.positions_of_captures(other).map(|position| captures[position].clone()).collect()
    }

    /// The positions of the captured tensors of a graph of the same scope among those of this one.
    pub(super) fn positions_of_captures(&self, other: &Self) -> impl Iterator<Item = usize> {
        let numbers = |graph: &Self| -> Vec<u64> {
            let number = |array: &AnyArray| array.node().expect("it is traced").number;
            graph.traced.captures.iter().map(number).collect()
        };
        let all = numbers(self);
        let position = move |number| all.iter().position(|&of_all| of_all == number);
        numbers(other).into_iter().map(move |number| position(number).expect("it is captured"))
    }

    /// The gradients of inputs and of captured tensors, which have these values, from that of an output.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    #[track_caller]
    pub(super) fn gradients(
        &self,
        output: usize,
        inputs: &[AnyArray],
        captures: &[AnyArray],
        gradient: &AnyArray,
    ) -> Result<Gradients, String> {
        if !self.has_gradient[output] {
            return Ok(smallvec![None; inputs.len() + captures.len()]);
        }
        let GradientProgram { graph, has_gradient } = self.gradients_of(output);
        let inputs = [inputs, core::slice::from_ref(gradient)].concat();
        let mut found = graph.call(&inputs, &self.captures_of(graph, captures))?.into_iter();
        Ok(has_gradient.iter().map(|&has| if has { found.next() } else { None }).collect())
    }

    /// Whether one of these inputs or a captured tensor is traced: then the results are steps of a program.
    pub fn reads_traced(&self, inputs: &[AnyArray]) -> bool {
        inputs.iter().chain(&self.captures).any(|array| is_traced(array.layout()))
    }

    /// Outputs that were computed from inputs, tracked if an input is, or a tensor that the function captured.
    #[track_caller]
    pub fn with_gradients(
        self: &Arc<Self>,
        inputs: Vec<AnyArray>,
        mut outputs: Vec<AnyArray>,
    ) -> Vec<AnyArray> {
        let operands: Vec<AnyArray> = inputs.into_iter().chain(self.captures.clone()).collect();
        for (output, result) in outputs.iter_mut().enumerate() {
            if self.has_gradient[output] {
                let rule = || ProgramRule { graph: self.clone(), output }.into();
                *result = with_rule(result.clone(), rule, &operands);
            }
        }
        outputs
    }

    #[track_caller]
    fn results(
        &self,
        inputs: &[AnyArray],
        captures: Option<&[AnyArray]>,
    ) -> Result<Vec<AnyArray>, String> {
        let mut captures = captures.map(|captures| captures.iter());
        assert_eq!(inputs.len(), self.inputs.len(), "the number of inputs");
        let mut values: Vec<Option<AnyArray>> = Vec::new();
        for (input, value) in inputs.iter().zip(&self.inputs) {
            let input = match is_traced(input.layout()) {
                true => input.contiguous(),
                false => input.clone().forget().contiguous(),
            };
            values.push(Some(value.checked(input)));
        }
        for (step, unused) in self.steps.iter().zip(&self.unused) {
            let operands: Vec<AnyArray> = match (&step.op, &mut captures) {
                (Op::Captured, Some(captures)) => {
                    vec![captures.next().expect("one for each that is captured").clone()]
                }
                _ => step.operands.iter().map(|operand| read(operand, &values)).collect(),
            };
            values.push(Some(step.result.checked(step.run(&operands)?)));
            for &number in unused {
                values[number] = None;
            }
        }
        Ok(self.outputs.iter().map(|output| read(output, &values)).collect())
    }

    /// The program of the gradients of an output.
    fn gradients_of(&self, output: usize) -> &GradientProgram {
        let Traced { scope, inputs, captures, outputs } = &self.traced;
        self.gradients[output].get_or_init(|| {
            let result = &outputs[output];
            let gradient = input(scope, result.sizes(), result.element());
            let operands = || inputs.iter().chain(captures);
            let variables = operands().filter(|array| array.element().is_float);
            let variables = variables.map(|array| array.node().expect("it is traced")).collect();
            let found =
                scope.enter(|| gradients::with_seed(result, gradient.clone(), variables, true));
            let mut found = found.into_iter();
            let of = |array: &AnyArray| match array.element().is_float {
                true => found.next().expect("one for each variable"),
                false => None,
            };
            let found: Vec<Option<AnyArray>> = operands().map(of).collect();
            let has_gradient = found.iter().map(Option::is_some).collect();
            let inputs = inputs.iter().cloned().chain([gradient]).collect();
            let found = found.into_iter().flatten().collect();
            let graph = Arc::new(Self::of(scope.clone(), inputs, found));
            GradientProgram { graph, has_gradient }
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

/// The rule of an output of a program, whose operands are the inputs and what the function captured.
struct ProgramRule {
    graph: Arc<Graph>,
    output: usize,
}

impl Backward for ProgramRule {
    fn saves(&self) -> Saves {
        Saves { operands: self.graph.inputs.len(), result: false }
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        let GradientProgram { graph, has_gradient } = self.graph.gradients_of(self.output);
        let inputs = (0..self.graph.inputs.len()).map(|position| at.operand(position));
        let found = graph.run(inputs.chain([gradient.clone()]).collect());
        let mut found = found.expect("the indices are those of the program").into_iter();
        has_gradient.iter().map(|&has| if has { found.next() } else { None }).collect()
    }
}

/// The rule of an output of a [call](Graph::call).
struct CallRule {
    graph: Arc<Graph>,
    output: usize,
}

impl Backward for CallRule {
    fn saves(&self) -> Saves {
        Saves { operands: self.graph.inputs.len() + self.graph.captures.len(), result: false }
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        let count = self.graph.inputs.len() + self.graph.captures.len();
        let operands: Vec<AnyArray> = (0..count).map(|position| at.operand(position)).collect();
        let (inputs, captures) = operands.split_at(self.graph.inputs.len());
        let found = self.graph.gradients(self.output, inputs, captures, gradient);
        found.expect("the indices are those of the call")
    }
}

impl Calculation {
    /// Refuses a division of integers by zero, for which the kernel would panic.
    fn check_divisor(&self, operands: &[AnyArray]) -> Result<(), String> {
        let Some(divisor) = operands.last().filter(|array| !array.element().is_float) else {
            return Ok(());
        };
        let sizes: Vec<&[usize]> = operands.iter().map(AnyArray::sizes).collect();
        let Some(dividend) = self.op.dividend(&sizes) else { return Ok(()) };
        divisor.check_divisor(dividend)
    }

    /// The result of the step: a step of another program, if an operand is traced there.
    fn run(&self, operands: &[AnyArray]) -> Result<AnyArray, String> {
        if operands.iter().any(|operand| is_traced(operand.layout())) {
            let (op, Value { sizes, element }) = (self.op.clone(), &self.result);
            let op = if let Op::Captured = op { Op::Same } else { op };
            let step = || step_of_arrays(op, element, None, sizes, operands, self.run.clone());
            return Ok(if self.is_gradient { in_backward_pass(step) } else { step() });
        }
        self.check_divisor(operands).map_err(|error| format!("{}: {error}", self.op.name()))?;
        let result = with_autocast(None, || (self.run)(operands))
            .map_err(|StepError(error)| format!("{}: {error}", self.op.name()))?;
        // Without the history of a captured tensor: `with_gradients` gives the outputs theirs.
        Ok(result.contiguous().forget())
    }
}

impl Value {
    /// The array, which must have these sizes and this element type.
    #[track_caller]
    fn checked(&self, array: AnyArray) -> AnyArray {
        let (sizes, element) = (array.sizes(), array.element());
        assert_eq!((sizes, element), (&self.sizes[..], self.element), "a value of the program");
        array
    }

    /// The number of elements.
    pub(super) fn len(&self) -> usize {
        num_elements(&self.sizes)
    }

    fn bytes(&self) -> u64 {
        (self.len() * self.element.bytes) as u64
    }
}

/// A large constant of a program, of those that `Program::large_constants` lists.
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::{Tensor, shape};
///
/// let program = trace(&Tensor::<shape![1024]>::ones(), |x| x.dot(&Tensor::<shape![1024, 1024]>::eye()));
/// let constant = &program.large_constants()[0];
/// assert_eq!((constant.element, &constant.sizes[..]), ("f32", &[1024, 1024][..]));
/// assert_eq!(constant.bytes, 4 << 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Constant {
    /// The sizes of the elements that are stored: 1 along an axis that repeats them.
    pub sizes: Vec<usize>,
    /// The element type, as Rust writes it.
    pub element: &'static str,
    /// The bytes of the elements.
    pub bytes: u64,
    /// The name of the step that reads it, as the text of the program has it, or `output`.
    pub read_by: &'static str,
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
    /// The bytes of elements of constants: tensors that the function has made or captured, and that are not computed from its
    /// inputs. `Program::large_constants` lists large ones.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    ///
    /// let (x, table) = (Tensor::<shape![1024]>::ones(), Tensor::<shape![1024, 1024]>::ones());
    /// let captured = trace(&x, |x| x.dot(&table)).cost();
    /// assert_eq!(captured.constant_bytes, 4 << 20);
    /// assert_eq!(trace(&(x, table), |(x, table)| x.dot(table)).cost().constant_bytes, 0);
    /// ```
    pub constant_bytes: u64,
}

/// The step of a node in this scope.
fn step_of<'a>(node: &'a Node, scope: &Arc<Scope>) -> Option<&'a Step> {
    let step = node.step.as_deref().and_then(Step::of)?;
    Arc::ptr_eq(&step.scope, scope).then_some(step)
}

/// The node of an output that is traced in this scope; `None` for a constant, also one that an outer trace computes.
///
/// # Panics
///
/// If the output is traced in an unrelated scope.
#[track_caller]
fn node_of(output: &AnyArray, scope: &Arc<Scope>) -> Option<Arc<Node>> {
    if !is_traced(output.layout()) {
        return None;
    }
    let of_output = scope_of(output.layout());
    if Arc::ptr_eq(&of_output, scope) {
        return output.node();
    }
    if !scope.is_in(&of_output) {
        panic!("{}", are_apart(&of_output, scope));
    }
    None
}

pub(super) fn value_of(array: &AnyArray) -> Value {
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
            let of = value.layout();
            let layout = match view {
                Some((offset, strides)) => view_layout(of, sizes, *offset, strides.clone()),
                None => view_layout(of, sizes, 0, row_major_strides(sizes)),
            };
            value.viewed(sizes.clone(), layout)
        }
    }
}

/// The elements of an array without repetitions: axes along which it is broadcast have size 1.
pub(super) fn stored(array: &AnyArray) -> AnyArray {
    let Some(layout) = array.layout() else { return array.clone() };
    let axes = array.sizes().iter().zip(&layout.strides);
    let size = |(&size, &stride): (&usize, &isize)| if stride == 0 { size.min(1) } else { size };
    let sizes: Sizes = axes.map(size).collect();
    let layout = layout_of(&sizes, layout.offset, layout.strides.clone(), None);
    array.viewed(sizes, layout)
}
