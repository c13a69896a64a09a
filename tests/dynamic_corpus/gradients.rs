//! The gradients of the corpus: `grad.json`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Deserialize;
use serde_json::{Map, Value};
use tensor_core::DynTensor;
use tensor_core::trace::try_trace;
use tensor_xla::Options;

use crate::computed::Written;
use crate::corpus::{Case, Data, Tolerance, read};
use crate::operands::{self, Array, Inputs};
use crate::{compute, found};

/// A step of a program.
#[derive(Debug, Deserialize)]
struct Step {
    out: Value,
    op: String,
    args: BTreeMap<String, Value>,
    attrs: Map<String, Value>,
}

/// A case of `grad.json`.
#[derive(Debug, Deserialize)]
struct Gradient {
    id: String,
    program: Vec<Step>,
    inputs: Vec<Data>,
    no_grad: Vec<String>,
    output: Data,
    weights: Option<Weights>,
    loss: Value,
    grads: Vec<Data>,
    tol: Tolerance,
}

#[derive(Debug, Deserialize)]
struct Weights {
    shape: Vec<usize>,
    data: Vec<Value>,
}

/// The first result of a step.
fn computed(step: &Step, operands: Vec<(String, Array)>) -> Result<Array, String> {
    let data = |(name, x): &(String, Array)| Data {
        name: name.clone(),
        shape: x.sizes().to_vec(),
        dtype: x.dtype().to_owned(),
        data: Vec::new(),
    };
    let (op, attrs) = (step.op.clone(), step.attrs.clone());
    let inputs = operands.iter().map(data).collect();
    let case = Case { op, attrs, inputs, ok: true, ..Case::default() };
    let results = compute(&case, &operands.into_iter().collect());
    let results = results.map_err(|error| format!("{}: {error}", step.op))?;
    let result = results.and_then(|results| results.into_iter().next());
    result.ok_or_else(|| format!("{} has no result", step.op))
}

fn close(got: f64, want: f64, tol: Tolerance) -> bool {
    (got.is_nan() && want.is_nan())
        || got == want
        || (got - want).abs() <= tol.atol + tol.rtol * want.abs()
}

/// The difference between a tensor and numbers.
fn differences(name: &str, got: &DynTensor<f64>, want: &Data, tol: Tolerance) -> Option<String> {
    let wanted: Vec<f64> = want.data.iter().map(f64::read).collect();
    let got_elements = got.to_vec();
    if got.sizes() != want.shape {
        return Some(format!("{name} has sizes {:?}, not {:?}", got.sizes(), want.shape));
    }
    let same = got_elements.iter().zip(&wanted).all(|(&got, &want)| close(got, want, tol));
    (!same).then(|| format!("{name} is\n  {got_elements:?}, not\n  {wanted:?}"))
}

/// The output of the program of a case, the loss, and its gradients.
fn results(case: &Gradient, inputs: &Inputs) -> Result<Vec<DynTensor<f64>>, String> {
    let mut known = inputs.clone();
    for (name, x) in &mut known {
        if let Array::F64(x) = x
            && !case.no_grad.contains(name)
        {
            *x = x.requires_grad();
        }
    }
    for step in &case.program {
        let mut operands = Vec::new();
        for (role, name) in &step.args {
            match name {
                Value::Array(names) => {
                    for (number, name) in names.iter().enumerate() {
                        let tensor = known[name.as_str().unwrap()].clone();
                        operands.push((format!("{role}{number}"), tensor));
                    }
                }
                name => operands.push((role.clone(), known[name.as_str().unwrap()].clone())),
            }
        }
        // The main operand comes first.
        operands.sort_by_key(|(role, _)| !matches!(role.as_str(), "x" | "a" | "x0" | "q"));
        let out = step.out.as_array().map_or(&step.out, |outs| &outs[0]);
        known.insert(out.as_str().unwrap().to_owned(), computed(step, operands)?);
    }
    let floats = |name: &str| -> DynTensor<f64> {
        known[name].get().unwrap_or_else(|| panic!("{}: {name} has no floats", case.id))
    };
    let output = floats(&case.output.name);
    let loss = match &case.weights {
        Some(weights) => {
            let elements = weights.data.iter().map(f64::read).collect();
            let weights = DynTensor::from_vec(&weights.shape, elements).unwrap();
            (&output * &weights).unwrap().sum()
        }
        None => output.sum(),
    };
    if !loss.is_tracked() {
        return Err("the loss is not tracked".to_owned());
    }
    let variables: Vec<_> = case.grads.iter().map(|grad| floats(&grad.name)).collect();
    let gradients = loss.gradients(&variables.iter().collect::<Vec<_>>());
    Ok([output, loss].into_iter().chain(gradients).collect())
}

/// Compares the results of a case with those of the corpus.
fn compare(case: &Gradient, results: &[DynTensor<f64>]) -> Result<(), String> {
    let [output, loss, gradients @ ..] = results else { return Err("no loss".to_owned()) };
    let mut wrong = Vec::from_iter(differences("the output", output, &case.output, case.tol));
    let value = loss.item().unwrap();
    if !close(value, f64::read(&case.loss), case.tol) {
        wrong.push(format!("the loss is {value}, not {}", case.loss));
    }
    for (gradient, want) in gradients.iter().zip(&case.grads) {
        wrong.extend(differences(&format!("d{}", want.name), gradient, want, case.tol));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Computes all cases by a function, and compares them with the corpus.
fn check(compute: impl Fn(&Gradient, Inputs) -> Result<Vec<DynTensor<f64>>, String>) {
    let cases: Vec<Gradient> = read("grad.json");
    let mut wrong = Vec::new();
    for case in &cases {
        let inputs = operands::inputs(&case.inputs);
        let checked = catch_unwind(AssertUnwindSafe(|| compare(case, &compute(case, inputs)?)));
        let checked = checked.unwrap_or_else(|_| Err("a panic".to_owned()));
        if let Err(error) = checked {
            wrong.push(format!("{}: {error}", case.id));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} are wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
    assert!(cases.len() > 120);
}

#[test]
fn gradients_are_those_of_the_corpus() {
    check(|case, inputs| results(case, &inputs));
}

#[test]
fn gradients_on_a_plugin_are_those_of_the_corpus() {
    let Some(engine) = found::engine(&Options::new()) else { return };
    check(|case, inputs| {
        let program = try_trace(&inputs, |inputs| results(case, inputs))?;
        let program = engine.compile_program(program).map_err(|error| error.to_string())?;
        program.call(&inputs).map_err(|error| error.to_string())
    });
}
