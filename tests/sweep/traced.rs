//! Every case as a program, with its gradients: the bits of the program are those of the call, and the program has a
//! translation to StableHLO.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use tensor_core::trace::{Program, element_bytes, try_trace};
use tensor_core::{DynTensor, Element};

use crate::case::{Case, Operands, Output};
use crate::compute;

/// Operations that cannot be traced, because their results have sizes that depend on elements.
const NOT_TRACED: [&str; 8] = [
    "compress",
    "flatnonzero",
    "masked_select",
    "nonzero",
    "unique",
    "unique_axis",
    "unique_counts",
    "unique_inverse",
];

/// Operations whose gradients are not bit-identical in a program: that of a product is a quotient where the elements
/// are known to have one, and that of `diff` is of two slices.
const OTHER_GRADIENTS: [&str; 2] = ["diff", "prod"];

/// Operands or results: floats, integers and masks.
type Tensors = (Vec<DynTensor<f32>>, Vec<DynTensor<i64>>, Vec<DynTensor<bool>>);

/// The results of a case for these operands, with the gradients of all floats.
fn results(case: &Case, (floats, integers, masks): &Tensors) -> Result<Tensors, String> {
    let floats: Vec<_> = floats.iter().map(DynTensor::requires_grad).collect();
    let (integers, masks) = (integers.clone(), masks.clone());
    let operands = Operands { case, floats, integers, masks };
    let mut results = Tensors::default();
    for result in compute(&operands).map_err(|error| error.to_string())? {
        match result {
            Output::Float(x) => results.0.push(x),
            Output::Integer(x) => results.1.push(x),
            Output::Mask(x) => results.2.push(x),
        }
    }
    let losses = results.0.iter().map(|x| x.square().sum());
    if let Some(loss) = losses.reduce(|a, b| (&a + &b).expect("two numbers")) {
        let variables: Vec<_> = operands.floats.iter().collect();
        let gradients = match loss.is_recorded() {
            true => loss.gradients(&variables),
            false => variables.iter().map(|x| DynTensor::zeros(x.sizes())).collect(),
        };
        results.0 = results.0.iter().map(DynTensor::detach).chain(gradients).collect();
    }
    Ok(results)
}

fn zeros<T: Element + Default>(tensors: &[DynTensor<T>]) -> Vec<DynTensor<T>> {
    tensors.iter().map(|x| DynTensor::full(x.sizes(), T::default())).collect()
}

/// The program of a case; `None` where it cannot be traced.
fn program(case: &Case, inputs: &Tensors) -> Option<Program<Tensors, Tensors>> {
    // Other elements than those that the program runs on.
    let traced = (zeros(&inputs.0), zeros(&inputs.1), zeros(&inputs.2));
    let traced = AssertUnwindSafe(|| try_trace(&traced, |inputs| results(case, inputs)));
    Some(catch_unwind(traced).ok()?.unwrap_or_else(|error| panic!("{}: {error}", case.name())))
}

#[test]
fn every_operation_is_traced_and_translated() {
    let mut not_traced = BTreeSet::new();
    let mut wrong = Vec::new();
    let cases = Case::read();
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    for case in &cases {
        let Operands { floats, integers, masks, .. } = Operands::<f32>::new(case);
        let inputs = (floats, integers, masks);
        let direct = results(case, &inputs).expect("results of a case");
        let Some(program) = program(case, &inputs) else {
            not_traced.insert(case.op.as_str());
            continue;
        };
        let found = program.run(&inputs).expect("inputs of the same sizes");
        let (found, direct) = (element_bytes(&found), element_bytes(&direct));
        let gradients = if OTHER_GRADIENTS.contains(&&case.op[..]) { case.floats.len() } else { 0 };
        let compared = found.len() - gradients;
        if found.len() != direct.len() || found[..compared] != direct[..compared] {
            wrong.push(case.name());
        }
        program.to_stablehlo();
    }
    set_hook(hook);
    assert!(wrong.is_empty(), "other bits than those of a call: {wrong:#?}");
    assert_eq!(not_traced, BTreeSet::from(NOT_TRACED));
}
