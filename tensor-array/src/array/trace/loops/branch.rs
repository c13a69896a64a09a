//! Branches: one of several bodies, as an index or a truth value selects.

use std::sync::Arc;

use smallvec::smallvec;

use super::{Body, wanted};
use crate::array::dynamic::DynTensor;
use crate::array::history::{AnyArray, CallBackward, ElementType, Gradients, Recorded};
use crate::array::trace::stablehlo::builder::{Builder, Tensor};
use crate::array::trace::stablehlo::outputs;
use crate::array::trace::value::{Constant, Cost, Value};
use crate::array::trace::{Call, results_of};

/// Bodies without states, whose results have the same types. The operands are the index, the inputs, and what each body
/// captures.
#[derive(Clone, Debug)]
struct Branch {
    /// Whether the index is a `bool`.
    is_condition: bool,
    bodies: Vec<Arc<Body>>,
}

/// The results of the body with an index, an `i64` without axes: the first body where it is negative, the last where it is too
/// large. A `bool` selects the first of two bodies where it is false, the second where it is true.
///
/// # Panics
///
/// If there is no body, if the inputs do not have the types of the bodies, or if the results of two bodies differ in type.
#[track_caller]
pub fn branch(index: &AnyArray, bodies: &[Arc<Body>], inputs: &[AnyArray]) -> Vec<AnyArray> {
    let first = bodies.first().expect("a branch has a function");
    let is_condition = index.element() == ElementType::of::<bool>();
    let name = |number: usize| match (is_condition, number) {
        (true, 0) => "where the condition is false".to_owned(),
        (true, _) => "where it is true".to_owned(),
        (false, _) => format!("in function {number}"),
    };
    for (number, body) in bodies.iter().enumerate() {
        for (result, (one, other)) in first.outputs.iter().zip(&body.outputs).enumerate() {
            assert!(
                one == other,
                "result {result} of a branch is {} {:?} {}, and {} {:?} {}",
                one.element.name,
                one.sizes,
                name(0),
                other.element.name,
                other.sizes,
                name(number)
            );
        }
        let counts = (first.outputs.len(), body.outputs.len());
        assert!(
            counts.0 == counts.1,
            "a branch has {} results {}, and {} {}",
            counts.0,
            name(0),
            counts.1,
            name(number)
        );
    }
    let captures = bodies.iter().flat_map(|body| body.graph.captured());
    let operands: Vec<AnyArray> =
        [index].into_iter().chain(inputs).chain(captures).cloned().collect();
    let call: Arc<dyn Call> = Arc::new(Branch { is_condition, bodies: bodies.to_vec() });
    results_of(&call, &operands, true)
}

impl Branch {
    /// The number of inputs of each body.
    fn inputs(&self) -> usize {
        self.bodies[0].graph.inputs.len()
    }

    /// The position of the first operand that a body captures.
    fn first_capture(&self, body: usize) -> usize {
        let before = self.bodies[..body].iter().map(|body| body.graph.captured().len());
        1 + self.inputs() + before.sum::<usize>()
    }

    /// The operands of a body: the inputs, and what it captures.
    fn operands<'a, X>(&self, body: usize, operands: &'a [X]) -> (&'a [X], &'a [X]) {
        let first = self.first_capture(body);
        let captured = self.bodies[body].graph.captured().len();
        (&operands[1..=self.inputs()], &operands[first..first + captured])
    }
}

impl Call for Branch {
    fn name(&self) -> &'static str {
        if self.is_condition { "cond" } else { "switch" }
    }

    fn results(&self) -> Vec<Value> {
        self.bodies[0].outputs.clone()
    }

    /// That of the dearest body.
    fn cost(&self) -> Cost {
        self.bodies.iter().map(|body| body.graph.cost_of_body()).fold(Cost::default(), Cost::or)
    }

    fn large_constants(&self) -> Vec<Constant> {
        self.bodies.iter().flat_map(|body| body.graph.large_constants_of_body()).collect()
    }

    fn run(&self, operands: &[AnyArray]) -> Result<Vec<AnyArray>, String> {
        let body = match operands[0].get::<DynTensor<bool>>() {
            Some(condition) => usize::from(condition[[]]),
            None => {
                let index = operands[0].get::<DynTensor<i64>>().expect("an index");
                index[[]].clamp(0, self.bodies.len() as i64 - 1) as usize
            }
        };
        let (inputs, captures) = self.operands(body, operands);
        self.bodies[body].graph.call(inputs, captures)
    }

    /// An `if`, or a `case`, whose index is not larger than 32 bits.
    fn lower(&self, builder: &mut Builder, operands: &[Tensor]) -> Vec<Tensor> {
        let of_body = |number: usize| {
            move |builder: &mut Builder, _: &[Tensor]| {
                let (inputs, captures) = self.operands(number, operands);
                outputs(builder, &self.bodies[number].graph, inputs.to_vec(), Some(captures))
            }
        };
        let (index, count) = (&operands[0], self.bodies.len());
        if self.is_condition {
            // The function of `true` is first.
            return builder.branch("if", index, (0..count).rev().map(of_body));
        }
        let (first, last) =
            (builder.number(0.0, &[], "i64"), builder.number(count as f64 - 1.0, &[], "i64"));
        let index = builder.binary("maximum", index, &first);
        let index = builder.binary("minimum", &index, &last);
        let index = builder.convert(&index, "i32");
        builder.branch("case", &index, (0..count).map(of_body))
    }
}

impl CallBackward for Branch {
    /// A branch of the gradients of each body.
    fn backward(&self, at: &Recorded<'_>, given: &[(usize, AnyArray)]) -> Gradients {
        let operands = at.operands();
        let is_wanted = wanted(at, &operands);
        let floats: Vec<usize> = (1..operands.len()).filter(|&of| is_wanted[of]).collect();
        let count = self.inputs();
        let of_results = given.iter().map(|(_, gradient)| gradient.clone());
        let inputs: Vec<AnyArray> = operands[1..=count].iter().cloned().chain(of_results).collect();
        let types: Vec<_> = inputs.iter().map(AnyArray::ty).collect();
        let backward = |number: usize| {
            let graph = &self.bodies[number].graph;
            let (_, captures) = self.operands(number, &operands);
            let (of_inputs, of_captures) = self.operands(number, &is_wanted);
            // The operands that the body reads.
            let first = self.first_capture(number);
            let positions: Vec<usize> = (1..=count).chain(first..first + captures.len()).collect();
            let (outputs, gradients): (Vec<usize>, Vec<usize>) = (given.iter().zip(count..))
                .filter(|((output, _), _)| graph.has_gradient(*output))
                .map(|((output, _), position)| (*output, position))
                .unzip();
            let program = graph.gradient_program(&outputs, &[of_inputs, of_captures].concat());
            let traced = Body::trace(&types, 0, |inputs| {
                let seeds: Vec<AnyArray> =
                    gradients.iter().map(|&position| inputs[position].clone()).collect();
                let mut found = program.call(graph, &inputs[..count], captures, &seeds)?;
                let results = floats.iter().map(|of| {
                    let read = positions.iter().position(|position| position == of);
                    let zeros = || Value::of(&operands[*of]).zeros();
                    read.and_then(|read| found[read].take()).unwrap_or_else(zeros)
                });
                Ok::<_, String>((results.collect(), ()))
            });
            traced.expect("the indices are those of the branch").0
        };
        let bodies: Vec<Arc<Body>> = (0..self.bodies.len()).map(backward).collect();
        let found = branch(&operands[0], &bodies, &inputs);
        let mut gradients: Gradients = smallvec![None; operands.len()];
        for (&position, gradient) in floats.iter().zip(found) {
            gradients[position] = Some(gradient);
        }
        gradients
    }
}
