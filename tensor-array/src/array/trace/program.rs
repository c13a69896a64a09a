//! Programs: the steps that compute outputs from inputs.

use core::ops::Range;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use smallvec::{SmallVec, smallvec};
use tensor_kernels::autocast::with_autocast;
use tensor_kernels::layout::graph::{refuse_kept, with_recording};
use tensor_kernels::layout::{Strides, is_traced, layout_of, num_elements, view_layout};
use tensor_kernels::plan::row_major_strides;
use tensor_kernels::sizes::Sizes;

use super::recording::input;
use super::scope::{are_apart, scope_of, stand_in};
use super::value::Value;
pub use super::value::{Constant, Cost};
use super::{
    Call, Op, Scope, Step, StepError, StepFn, in_backward_pass, results_of, step_of_arrays,
    with_rule,
};
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
    /// The types of all values.
    values: Vec<Value>,
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

impl Traced {
    /// The inputs, and what stands for the captures.
    fn operands(&self) -> impl Iterator<Item = &AnyArray> {
        self.inputs.iter().chain(&self.captures)
    }
}

/// Constants of more bytes are listed: 1 MiB.
const LARGE: u64 = 1 << 20;

/// The program that computes gradients of the inputs and captures of another one from values of it and gradients of outputs.
pub(super) struct GradientProgram {
    graph: Arc<Graph>,
    /// The values that it reads, its first inputs: inputs, with their numbers, and others.
    pub(super) kept: Vec<(Option<usize>, AnyArray)>,
    /// For each input and capture whether an output depends on it: then its gradient is the next output.
    has_gradient: Vec<bool>,
}

impl GradientProgram {
    fn of(
        of: &Graph,
        kept: Vec<(Option<usize>, AnyArray)>,
        seeds: Vec<AnyArray>,
        found: Vec<Option<AnyArray>>,
    ) -> Self {
        let inputs = kept.iter().map(|(_, kept)| kept.clone()).chain(seeds).collect();
        let has_gradient = found.iter().map(Option::is_some).collect();
        let found = found.into_iter().flatten().collect();
        let graph = Arc::new(Graph::of(of.traced.scope.clone(), inputs, found));
        Self { graph, kept, has_gradient }
    }

    /// The gradients of the inputs and captures of a program, from the values that are kept, what it captures, and the gradients
    /// of its outputs.
    ///
    /// # Errors
    ///
    /// As [`Graph::run`].
    #[track_caller]
    pub(super) fn call(
        &self,
        of: &Graph,
        kept: &[AnyArray],
        captures: &[AnyArray],
        gradients: &[AnyArray],
    ) -> Result<Gradients, String> {
        let inputs = [kept, gradients].concat();
        Ok(self.gradients(self.graph.call(&inputs, &of.captures_of(&self.graph, captures))?))
    }

    /// The gradients of the inputs and captures, from those that the program computes.
    fn gradients(&self, found: Vec<AnyArray>) -> Gradients {
        let mut found = found.into_iter();
        self.has_gradient.iter().map(|&has| if has { found.next() } else { None }).collect()
    }
}

/// A step of a program.
pub(crate) struct Calculation {
    pub(crate) op: Op,
    pub(crate) operands: Vec<Argument>,
    /// The types of its results: one, but for calls.
    pub(crate) results: SmallVec<[Value; 1]>,
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
    /// The input, or after all inputs the step, with this number, and the shape that is read.
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

    /// The argument as a picture shows it, with these numbers of boxes for values.
    fn drawn(&self, boxes: &[usize]) -> DrawnOperand {
        match self {
            Self::Value { number, sizes, .. } => {
                DrawnOperand::Value(boxes[*number], format!("{sizes:?}"))
            }
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
        let mut numbers: HashMap<u64, usize> = HashMap::new();
        let mut values: Vec<Value> = Vec::new();
        // The nodes that have a gradient with respect to an input or a capture.
        let mut differentiable = HashSet::new();
        for (number, input) in inputs.iter().enumerate() {
            let node = input.node().expect("an input has a node").number;
            numbers.insert(node, number);
            values.push(Value::of(input));
            if input.element().is_float {
                differentiable.insert(node);
            }
        }
        let roots = outputs.iter().filter_map(|output| node_of(output, &scope)).collect();
        let nodes = nodes_of(roots, &scope, |node| numbers.contains_key(&node.number));
        let calls = Calls::of(&nodes, &scope);
        let (mut steps, mut captures, mut stand_ins) = (Vec::new(), Vec::new(), Vec::new());
        for (number, node) in &nodes {
            let step = step_of(node, &scope).expect("it was found as one");
            let mut of = node.operands.iter().filter_map(|operand| operand.node.as_ref());
            let has_gradient = match step.op {
                // A result without a rule, such as that of `detach`, has no gradient.
                Op::Captured => {
                    let of = step.constants[0].as_ref().and_then(AnyArray::node);
                    let has_rule = of.is_some_and(|of| of.rule.is_some() || of.operands.is_empty());
                    step.element.is_float && has_rule
                }
                _ => node.rule.is_some() && of.any(|node| differentiable.contains(&node.number)),
            };
            if has_gradient {
                differentiable.insert(*number);
            }
            let of_call = match &step.op {
                Op::Input => panic!("an input of the gradients of the program"),
                Op::Result(position) => {
                    let call = node.operands[0].node.as_ref().expect("a result is that of a call");
                    numbers.insert(*number, numbers[&calls.first[&call.number]] + position);
                    continue;
                }
                Op::Call(_) if calls.first[number] != *number => continue,
                Op::Call(_) => Some(&calls.longest[number]),
                _ => None,
            };
            let operands = if let Op::Captured = step.op {
                let array = step.constants[0].clone().expect("the tensor that is captured");
                captures.push(array.clone());
                stand_ins.push(stand_in(node.clone()));
                vec![Argument::Constant(array)]
            } else {
                let of = node.operands.iter().zip(&step.constants);
                let of = of.map(|(operand, constant)| match constant {
                    Some(constant) => Argument::Constant(constant.clone()),
                    None => argument(operand, &numbers),
                });
                of.collect()
            };
            numbers.insert(*number, values.len());
            let results = match of_call {
                Some(call) => call.results().into(),
                None => smallvec![Value { sizes: node.sizes.clone(), element: step.element }],
            };
            values.extend_from_slice(&results);
            let op = of_call.map_or_else(|| step.op.clone(), |call| Op::Call(call.clone()));
            let (is_gradient, run) = (step.is_gradient, step.run.clone());
            steps.push(Calculation { op, operands, results, is_gradient, run });
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
            inputs: values[..inputs.len()].to_vec(),
            steps,
            values,
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
        for (numbers, step) in self.numbered_steps() {
            let operands: Vec<String> = step.operands.iter().map(Argument::shown).collect();
            let (name, operands) = (step.op.name(), operands.join(", "));
            let results: Vec<String> = numbers.map(|number| format!("%{number}")).collect();
            let of = |of: &Value| format!("{} {:?}", of.element.name, of.sizes);
            let types: Vec<String> = step.results.iter().map(of).collect();
            let (results, types) = (results.join(", "), types.join(", "));
            text += &format!("  {results} = {name}({operands}): {types}\n");
        }
        text += "outputs:\n";
        for output in &self.outputs {
            text += &format!("  {}\n", output.shown());
        }
        text
    }

    /// The steps as a picture shows them.
    pub fn drawn_steps(&self) -> impl Iterator<Item = DrawnStep> {
        let boxes = self.boxes();
        self.steps.iter().map(move |step| DrawnStep {
            name: step.op.name(),
            operands: step.operands.iter().map(|operand| operand.drawn(&boxes)).collect(),
            is_gradient: step.is_gradient,
        })
    }

    /// For each value the number of its input or step.
    fn boxes(&self) -> Vec<usize> {
        let steps = (self.inputs.len()..).zip(self.numbered_steps());
        let of_steps = steps.flat_map(|(number, (results, _))| results.map(move |_| number));
        (0..self.inputs.len()).chain(of_steps).collect()
    }

    /// The steps with the numbers of their results among all values.
    fn numbered_steps(&self) -> impl Iterator<Item = (Range<usize>, &Calculation)> {
        let mut next = self.inputs.len();
        self.steps.iter().map(move |step| {
            let first = next;
            next += step.results.len();
            (first..next, step)
        })
    }

    /// The steps but for captures, which compute nothing.
    fn computed(&self) -> impl Iterator<Item = &Calculation> {
        self.steps.iter().filter(|step| !matches!(step.op, Op::Captured))
    }

    /// The outputs as a picture shows them.
    pub fn drawn_outputs(&self) -> impl Iterator<Item = DrawnOperand> {
        let boxes = self.boxes();
        self.outputs.iter().map(move |output| output.drawn(&boxes))
    }

    /// What running the program costs.
    pub fn cost(&self) -> Cost {
        let mut cost = self.cost_of_body();
        cost.constant_bytes += self.captured_constants().map(|of| of.bytes).sum::<u64>();
        cost
    }

    /// What running it once costs as the body of a step, which has what it captures as operands.
    pub(super) fn cost_of_body(&self) -> Cost {
        let mut cost = Cost::default();
        let mut kept: u64 = self.inputs.iter().map(Value::bytes).sum();
        cost.peak_bytes = kept;
        let read = self.computed().flat_map(|step| &step.operands).chain(&self.outputs);
        cost.constant_bytes = read.filter_map(Argument::constant).map(|of| of.bytes).sum();
        let mut bytes: Vec<u64> = self.values.iter().map(Value::bytes).collect();
        for ((results, step), unused) in self.numbered_steps().zip(&self.unused) {
            if let Op::Captured = step.op {
                bytes[results].fill(0);
                continue;
            }
            let operands: Vec<&[usize]> = step.operands.iter().map(Argument::sizes).collect();
            let mut of_step = match &step.op {
                Op::Call(call) => call.cost(),
                op => Cost {
                    operations: op.cost(&operands, &step.results[0].sizes),
                    ..Cost::default()
                },
            };
            let read = step.operands.iter().map(|operand| self.bytes_of(operand)).sum::<u64>();
            let written = bytes[results].iter().sum::<u64>();
            kept += written;
            of_step.bytes = of_step.bytes.saturating_add(read + written);
            of_step.peak_bytes += kept;
            cost = cost.and(of_step);
            kept -= unused.iter().map(|&number| bytes[number]).sum::<u64>();
        }
        cost
    }

    /// The tracked tensors that the function captured, which are constants unless they are traced themselves.
    fn captured_constants(&self) -> impl Iterator<Item = Constant> {
        let captured = self.captures.iter().filter(|array| !is_traced(array.layout()));
        let constants = captured.filter_map(|array| Argument::Constant(array.clone()).constant());
        constants.map(|of| Constant { read_by: Op::Captured.name(), ..of })
    }

    /// The constants of more than 1 MiB, in the order in which they are read, those of loops and branches included.
    pub fn large_constants(&self) -> Vec<Constant> {
        let captured = self.captured_constants().filter(|constant| constant.bytes > LARGE);
        self.large_constants_of_body().into_iter().chain(captured).collect()
    }

    /// Those but for what it captures.
    pub(super) fn large_constants_of_body(&self) -> Vec<Constant> {
        let of_step = |step: &Calculation| {
            let read_by = step.op.name();
            let constants = step.operands.iter().filter_map(Argument::constant);
            let of_call = match &step.op {
                Op::Call(call) => call.large_constants(),
                _ => Vec::new(),
            };
            constants.map(|of| Constant { read_by, ..of }).chain(of_call).collect::<Vec<_>>()
        };
        let of_outputs = self.outputs.iter().filter_map(Argument::constant);
        let all = self.computed().flat_map(of_step).chain(of_outputs);
        all.filter(|constant| constant.bytes > LARGE).collect()
    }

    /// The bytes that a step reads.
    fn bytes_of(&self, argument: &Argument) -> u64 {
        let element = match argument {
            Argument::Value { number, .. } => self.values[*number].element,
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
    pub(super) fn arrays(&self) -> (&Arc<Scope>, &[AnyArray], &[AnyArray]) {
        (&self.traced.scope, &self.traced.inputs, &self.traced.outputs)
    }

    /// What the function captures.
    pub(super) fn captured(&self) -> &[AnyArray] {
        &self.captures
    }

    /// What stands for the captured tensors of a graph of the same scope, of those that stand for this one's. What the rule of a
    /// custom gradient alone captures is as it is.
    pub(super) fn captures_of(&self, other: &Self, captures: &[AnyArray]) -> Vec<AnyArray> {
        let number = |array: &AnyArray| array.node().expect("it is traced").number;
        let captures: HashMap<u64, &AnyArray> =
            self.traced.captures.iter().map(number).zip(captures).collect();
        let of_other = other.traced.captures.iter().map(number).zip(&other.captures);
        of_other.map(|(of, array)| captures.get(&of).map_or(array, |of| *of).clone()).collect()
    }

    /// Whether the first outputs are those of another program of the same inputs.
    pub(super) fn extends(&self, other: &Self) -> bool {
        let (all, first) = (&self.traced.outputs, &other.traced.outputs);
        let is_same = |(one, other)| NodeOperand::of(one).is(&NodeOperand::of(other));
        Arc::ptr_eq(&self.traced.scope, &other.traced.scope)
            && all.len() >= first.len()
            && all.iter().zip(first).all(is_same)
    }

    /// Whether an output has a gradient with respect to an input or a capture.
    pub(super) fn has_gradient(&self, output: usize) -> bool {
        self.has_gradient[output]
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
        let gradient = core::slice::from_ref(gradient);
        self.gradients_of(output).call(self, inputs, captures, gradient)
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
            let results = step.run(&operands)?;
            let results = step.results.iter().zip(results);
            values.extend(results.map(|(value, result)| Some(value.checked(result))));
            for &number in unused {
                values[number] = None;
            }
        }
        Ok(self.outputs.iter().map(|output| read(output, &values)).collect())
    }

    /// The program of the gradients of an output.
    fn gradients_of(&self, output: usize) -> &GradientProgram {
        self.gradients[output].get_or_init(|| {
            let wanted = self.traced.operands().map(|array| array.element().is_float);
            self.gradient_program(&[output], &wanted.collect::<Vec<_>>())
        })
    }

    /// The gradients of outputs, as inputs of the scope, and those of inputs and captures that are computed from them, as far as
    /// they are wanted.
    fn gradient_steps(
        &self,
        outputs: &[usize],
        wanted: &[bool],
    ) -> (Vec<AnyArray>, Vec<Option<AnyArray>>) {
        let Traced { scope, outputs: arrays, .. } = &self.traced;
        let results = outputs.iter().map(|&output| &arrays[output]);
        let seed = |of: &AnyArray| input(scope, of.sizes(), of.element());
        let seeds: Vec<AnyArray> = results.clone().map(seed).collect();
        let of_wanted = self.traced.operands().zip(wanted).filter(|(_, wanted)| **wanted);
        let variables = of_wanted.map(|(array, _)| array.node().expect("it is traced")).collect();
        let results = results.zip(seeds.clone()).collect();
        let found = scope.enter(|| gradients::with_seeds(results, variables, true, true));
        let mut found = found.into_iter();
        let of = |&wanted: &bool| if wanted { found.next().expect("one for each") } else { None };
        (seeds, wanted.iter().map(of).collect())
    }

    /// The program of the gradients of inputs and captures, as far as they are wanted, from those of some outputs and the inputs.
    pub(super) fn gradient_program(&self, outputs: &[usize], wanted: &[bool]) -> GradientProgram {
        let (seeds, found) = self.gradient_steps(outputs, wanted);
        let kept = self.traced.inputs.iter().cloned().enumerate();
        GradientProgram::of(self, kept.map(|(input, of)| (Some(input), of)).collect(), seeds, found)
    }

    /// As [`gradient_program`](Self::gradient_program), but it reads values of this program and computes none of them again. What
    /// it reads may also be functions of these values, if they take no more memory.
    pub(super) fn backward_program(&self, outputs: &[usize], wanted: &[bool]) -> GradientProgram {
        let (seeds, found) = self.gradient_steps(outputs, wanted);
        let Traced { scope, inputs, .. } = &self.traced;
        let number = |array: &AnyArray| array.node().expect("it is traced").number;
        let given: HashSet<u64> = seeds.iter().map(number).collect();
        let roots: Vec<Arc<Node>> =
            found.iter().flatten().filter_map(|found| node_of(found, scope)).collect();
        // The nodes that depend on the gradient of an output, and those that depend on an input and on none of these.
        let (mut of_seeds, mut of_inputs) = (HashSet::new(), HashSet::new());
        for (&number, node) in &nodes_of(roots.clone(), scope, |_| false) {
            let mut of = node.operands.iter().filter_map(|of| Some(of.node.as_ref()?.number));
            let is_input = matches!(op_of(node, scope), Op::Input);
            if given.contains(&number) || of.clone().any(|of| of_seeds.contains(&of)) {
                of_seeds.insert(number);
            } else if is_input || of.any(|of| of_inputs.contains(&of)) {
                of_inputs.insert(number);
            }
        }
        // What a gradient computes anew of values of the program is cheap, but for loops, and for functions of values that are
        // not inputs.
        let first = given.iter().min().copied().unwrap_or(u64::MAX);
        let is_value = |of: &NodeOperand| {
            let step = of.node.as_ref().and_then(|node| step_of(node, scope));
            step.is_some_and(|step| !matches!(step.op, Op::Input))
        };
        let kept = |with_functions: bool| {
            let mut kept = BTreeMap::new();
            nodes_of(roots.clone(), scope, |node| {
                let op = op_of(node, scope);
                let is_function = || op.is_costly() && node.operands.iter().any(is_value);
                let is_kept = of_inputs.contains(&node.number)
                    && (node.number < first
                        || matches!(op, Op::Result(_))
                        || with_functions && is_function());
                if is_kept {
                    kept.insert(node.number, node.clone());
                }
                is_kept
            });
            kept.into_values().map(stand_in).collect::<Vec<AnyArray>>()
        };
        let bytes = |kept: &[AnyArray]| kept.iter().map(|of| Value::of(of).bytes()).sum::<u64>();
        let (of_program, with_functions) = (kept(false), kept(true));
        let is_larger = bytes(&with_functions) > bytes(&of_program);
        let kept = if is_larger { of_program } else { with_functions };
        let input = |kept: &AnyArray| inputs.iter().position(|input| number(input) == number(kept));
        let kept = kept.into_iter().map(|kept| (input(&kept), kept)).collect();
        GradientProgram::of(self, kept, seeds, found)
    }

    /// The states of a loop, which are its first inputs and outputs, `count` of them: for each whether some outputs have a gradient
    /// with respect to it after any number of turns.
    pub(super) fn states_of(
        &self,
        count: usize,
        outputs: impl Iterator<Item = usize>,
    ) -> Vec<bool> {
        let Traced { scope, inputs, outputs: arrays, .. } = &self.traced;
        let number = |state: &AnyArray| state.node().expect("an input has a node").number;
        let states: HashMap<u64, usize> = inputs[..count].iter().map(number).zip(0..).collect();
        let (mut found, mut seen, mut left) = (vec![false; count], HashSet::new(), Vec::new());
        for output in outputs {
            if output < count {
                found[output] = true;
            }
            left.extend(node_of(&arrays[output], scope));
        }
        while let Some(node) = left.pop() {
            if !seen.insert(node.number) {
                continue;
            }
            match states.get(&node.number) {
                Some(&state) if !found[state] && inputs[state].element().is_float => {
                    found[state] = true;
                    left.extend(node_of(&arrays[state], scope));
                }
                None if node.rule.is_some() => {
                    let of = node.operands.iter().filter_map(|operand| operand.node.clone());
                    left.extend(of.filter(|node| step_of(node, scope).is_some()));
                }
                _ => {}
            }
        }
        found
    }

    /// For each step the values that no later step reads.
    fn last_uses(&self) -> Vec<Vec<usize>> {
        let mut last = HashMap::new();
        for (position, (results, step)) in self.numbered_steps().enumerate() {
            // A call may have results that nothing reads.
            for number in step.operands.iter().filter_map(Argument::number).chain(results) {
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
        let program = self.graph.gradients_of(self.output);
        let inputs = (0..self.graph.inputs.len()).map(|position| at.operand(position));
        let found = program.graph.run(inputs.chain([gradient.clone()]).collect());
        program.gradients(found.expect("the indices are those of the program"))
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
        let operands = at.operands();
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

    /// The results of the step: steps of another program, if an operand is traced there.
    fn run(&self, operands: &[AnyArray]) -> Result<SmallVec<[AnyArray; 1]>, String> {
        if operands.iter().any(|operand| is_traced(operand.layout())) {
            let step = || match &self.op {
                Op::Call(call) => results_of(call, operands, false).into(),
                op => {
                    let op = if let Op::Captured = op { Op::Same } else { op.clone() };
                    let Value { sizes, element } = &self.results[0];
                    let run = self.run.clone();
                    smallvec![step_of_arrays(op, element, None, sizes, operands, run)]
                }
            };
            return Ok(if self.is_gradient { in_backward_pass(step) } else { step() });
        }
        let name = |error| format!("{}: {error}", self.op.name());
        self.check_divisor(operands).map_err(name)?;
        // Without the history of a captured tensor: `with_gradients` gives the outputs theirs.
        let result = |array: AnyArray| array.contiguous().forget();
        with_autocast(None, || match &self.op {
            Op::Call(call) => {
                Ok(call.run(operands).map_err(name)?.into_iter().map(result).collect())
            }
            _ => match (self.run)(operands) {
                Ok(found) => Ok(smallvec![result(found)]),
                Err(StepError(error)) => Err(name(error)),
            },
        })
    }
}

/// The step of a node in this scope.
fn step_of<'a>(node: &'a Node, scope: &Arc<Scope>) -> Option<&'a Step> {
    let step = node.step.as_deref().and_then(Step::of)?;
    Arc::ptr_eq(&step.scope, scope).then_some(step)
}

/// What the step of a node in this scope is.
fn op_of<'a>(node: &'a Node, scope: &Arc<Scope>) -> &'a Op {
    &step_of(node, scope).expect("it is a step").op
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

fn argument(operand: &NodeOperand, numbers: &HashMap<u64, usize>) -> Argument {
    let node = operand.node.as_ref().expect("it is traced");
    let view = operand.view.as_deref().cloned();
    Argument::Value { number: numbers[&node.number], sizes: operand.sizes.clone(), view }
}

/// The nodes of a scope that some of its nodes were computed from, those included, up to where a function says; operands have
/// smaller numbers than results.
fn nodes_of(
    mut left: Vec<Arc<Node>>,
    scope: &Arc<Scope>,
    mut is_end: impl FnMut(&Arc<Node>) -> bool,
) -> BTreeMap<u64, Arc<Node>> {
    let mut nodes = BTreeMap::new();
    while let Some(node) = left.pop() {
        if !is_end(&node) && nodes.insert(node.number, node.clone()).is_none() {
            let of = node.operands.iter().filter_map(|operand| operand.node.clone());
            left.extend(of.filter(|node| step_of(node, scope).is_some()));
        }
    }
    nodes
}

/// Calls of which one computes what several do: a loop, and the same loop with the values that its gradient reads.
#[derive(Default)]
struct Calls {
    /// For the node of each call the first one with the same operands whose results are among those of one call.
    first: HashMap<u64, u64>,
    /// For the first ones this call.
    longest: BTreeMap<u64, Arc<dyn Call>>,
}

impl Calls {
    fn of(nodes: &BTreeMap<u64, Arc<Node>>, scope: &Arc<Scope>) -> Self {
        let mut calls = Self::default();
        let step = |number: &u64| step_of(&nodes[number], scope).expect("it is one");
        for (number, node) in nodes {
            let Op::Call(call) = &step(number).op else { continue };
            let constants = &step(number).constants;
            let same = calls.longest.iter_mut().find(|(first, other)| {
                (call.extends(&***other) || other.extends(&**call))
                    && are_same(node, constants, &nodes[first], &step(first).constants)
            });
            match same {
                Some((&first, other)) => {
                    calls.first.insert(*number, first);
                    if call.extends(&**other) {
                        *other = call.clone();
                    }
                }
                None => {
                    calls.first.insert(*number, *number);
                    calls.longest.insert(*number, call.clone());
                }
            }
        }
        calls
    }
}

/// Whether two nodes have the same operands.
fn are_same(
    node: &Node,
    constants: &[Option<AnyArray>],
    other: &Node,
    of_other: &[Option<AnyArray>],
) -> bool {
    let operands = node.operands.iter().zip(&other.operands).zip(constants.iter().zip(of_other));
    node.operands.len() == other.operands.len()
        && operands.into_iter().all(|((one, other), constants)| match constants {
            (Some(a), Some(b)) => {
                let (a, b) = (stored(a), stored(b));
                a.ty() == b.ty() && a.to_le_bytes() == b.to_le_bytes()
            }
            (None, None) => one.is(other),
            _ => false,
        })
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
