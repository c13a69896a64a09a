//! Loops whose number of steps is known when the program runs.

use core::panic::Location;
use std::sync::Arc;

use super::{Body, called};
use crate::array::dynamic::DynTensor;
use crate::array::history::{AnyArray, CallBackward, Gradients, Recorded};
use crate::array::trace::Call;
use crate::array::trace::stablehlo::builder::{Builder, Tensor};
use crate::array::trace::stablehlo::outputs;
use crate::array::trace::value::{Constant, Cost, Value};

/// A condition of states, and a body, which returns the next states. The operands are the states, what the condition
/// captures, and what the body captures.
#[derive(Clone, Debug)]
struct While {
    condition: Arc<Body>,
    body: Arc<Body>,
    at: &'static Location<'static>,
}

/// The states after a body has run while a condition of them holds.
///
/// # Panics
///
/// If the states do not have the types of the condition and the body; where no operand is traced, if an index is out of range,
/// or an integer is divided by 0.
#[track_caller]
pub fn while_loop(condition: &Arc<Body>, body: &Arc<Body>, states: &[AnyArray]) -> Vec<AnyArray> {
    let operands = [states, condition.graph.captured(), body.graph.captured()].concat();
    let (condition, body, at) = (condition.clone(), body.clone(), Location::caller());
    called(Arc::new(While { condition, body, at }), &operands)
}

impl While {
    /// The states, and what condition and body capture.
    fn operands<'a, X>(&self, operands: &'a [X]) -> [&'a [X]; 3] {
        let (states, captures) = operands.split_at(self.body.states);
        let (of_condition, of_body) = captures.split_at(self.condition.graph.captured().len());
        [states, of_condition, of_body]
    }
}

impl Call for While {
    fn name(&self) -> &'static str {
        "while_loop"
    }

    fn results(&self) -> Vec<Value> {
        self.body.outputs.clone()
    }

    /// That of one step.
    fn cost(&self) -> Cost {
        let mut one = self.condition.graph.cost_of_body().and(self.body.graph.cost_of_body());
        one.while_loops += 1;
        one
    }

    fn large_constants(&self) -> Vec<Constant> {
        [&self.condition, &self.body].map(|of| of.graph.large_constants_of_body()).concat()
    }

    fn run(&self, operands: &[AnyArray]) -> Result<Vec<AnyArray>, String> {
        let [states, of_condition, of_body] = self.operands(operands);
        let mut states = states.to_vec();
        loop {
            let found = self.condition.graph.call(&states, of_condition)?;
            if !found[0].get::<DynTensor<bool>>().expect("a truth value")[[]] {
                return Ok(states);
            }
            states = self.body.graph.call(&states, of_body)?;
        }
    }

    fn lower(&self, builder: &mut Builder, operands: &[Tensor]) -> Vec<Tensor> {
        let Self { condition, body, .. } = self;
        let condition = |builder: &mut Builder, values: &[Tensor]| {
            let [states, captures, _] = self.operands(values);
            outputs(builder, &condition.graph, states.to_vec(), Some(captures))
        };
        let step = |builder: &mut Builder, values: &[Tensor]| {
            let [states, _, captures] = self.operands(values);
            let mut next = outputs(builder, &body.graph, states.to_vec(), Some(captures));
            next.extend_from_slice(&values[states.len()..]);
            next
        };
        let mut results = builder.while_loop(operands, condition, step);
        results.truncate(body.states);
        results
    }
}

impl CallBackward for While {
    fn backward(&self, _: &Recorded<'_>, _: &[(usize, AnyArray)]) -> Gradients {
        panic!(
            "the `while_loop` at {} has no gradient in a program: its number of steps is not known when the gradient is \
             traced. Use `scan`, whose number of steps is fixed, or `detach` the results of the loop",
            self.at
        )
    }
}
