//! The gradients of the corpus: `grad.json`, and every case of an operation against differences.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Deserialize;
use serde_json::{Map, Value};
use tensor_core::DynTensor;
use tensor_core::module::{Module, Path, Visitor, VisitorMut};
use tensor_core::trace::try_trace;
use tensor_xla::Options;

use crate::computed::Run;
use crate::corpus::{Case, Data, Tolerance, read};
use crate::operands::{GIVEN, Output, traced};
use crate::{compute, found, left_out};

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

/// A tensor of the corpus, whatever its elements.
#[derive(Clone, Debug)]
enum Any {
    Float(DynTensor<f64>),
    Integer(DynTensor<i64>),
    Mask(DynTensor<bool>),
}

fn float(value: &Value) -> f64 {
    match value.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().expect("a number"),
    }
}

impl Any {
    fn new(data: &Data) -> Self {
        let (sizes, values) = (&data.shape, data.data.iter());
        match data.dtype.as_str() {
            "i64" => {
                let elements = values.map(|value| value.as_i64().expect("an integer")).collect();
                Self::Integer(DynTensor::from_vec(sizes, elements).unwrap())
            }
            "bool" => {
                let elements = values.map(|value| value.as_bool().expect("a bool")).collect();
                Self::Mask(DynTensor::from_vec(sizes, elements).unwrap())
            }
            _ => Self::Float(DynTensor::from_vec(sizes, values.map(float).collect()).unwrap()),
        }
    }

    fn sizes(&self) -> &[usize] {
        match self {
            Self::Float(x) => x.sizes(),
            Self::Integer(x) => x.sizes(),
            Self::Mask(x) => x.sizes(),
        }
    }

    fn dtype(&self) -> &'static str {
        match self {
            Self::Float(_) => "f64",
            Self::Integer(_) => "i64",
            Self::Mask(_) => "bool",
        }
    }

    fn boxed(&self) -> Box<dyn std::any::Any> {
        match self {
            Self::Float(x) => Box::new(x.clone()),
            Self::Integer(x) => Box::new(x.clone()),
            Self::Mask(x) => Box::new(x.clone()),
        }
    }

    fn of(output: Output) -> Option<Self> {
        let tensor = output.tensor;
        let tensor = match tensor.downcast() {
            Ok(tensor) => return Some(Self::Float(*tensor)),
            Err(tensor) => tensor,
        };
        match tensor.downcast() {
            Ok(tensor) => Some(Self::Integer(*tensor)),
            Err(tensor) => Some(Self::Mask(*tensor.downcast().ok()?)),
        }
    }
}

impl Module for Any {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        match self {
            Self::Float(x) => x.visit(path, visitor),
            Self::Integer(x) => x.visit(path, visitor),
            Self::Mask(x) => x.visit(path, visitor),
        }
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        match self {
            Self::Float(x) => x.visit_mut(path, visitor),
            Self::Integer(x) => x.visit_mut(path, visitor),
            Self::Mask(x) => x.visit_mut(path, visitor),
        }
    }
}

/// The result of an operation.
fn computed(
    op: &str,
    attrs: &Map<String, Value>,
    operands: &[(String, Any)],
) -> Result<Vec<Output>, String> {
    let data = |(name, tensor): &(String, Any)| Data {
        name: name.clone(),
        shape: tensor.sizes().to_vec(),
        dtype: tensor.dtype().to_owned(),
        data: Vec::new(),
    };
    let case = Case {
        id: op.to_owned(),
        op: op.to_owned(),
        attrs: attrs.clone(),
        inputs: operands.iter().map(data).collect(),
        ok: true,
        fail: None,
        output: None,
        outputs: None,
        tol: None,
        common_dtype: None,
    };
    let given = operands.iter().map(|(name, tensor)| (name.clone(), tensor.boxed()));
    let given: HashMap<_, _> = given.collect();
    GIVEN.set(given);
    let run = Run::new(Vec::new());
    let results = compute(&case, &run);
    GIVEN.take();
    match results {
        Ok(Some(results)) => Ok(results),
        Ok(None) => Err(format!("nobody knows the operation {op}")),
        Err(error) => Err(format!("{op}: {error}")),
    }
}

fn close(got: f64, want: f64, tol: Tolerance) -> bool {
    (got.is_nan() && want.is_nan())
        || got == want
        || (got - want).abs() <= tol.atol + tol.rtol * want.abs()
}

/// The difference between a tensor and numbers.
fn differences(name: &str, got: &DynTensor<f64>, want: &Data, tol: Tolerance) -> Option<String> {
    let wanted: Vec<f64> = want.data.iter().map(float).collect();
    let got_elements = got.to_vec();
    if got.sizes() != want.shape {
        return Some(format!("{name} has sizes {:?}, not {:?}", got.sizes(), want.shape));
    }
    let same = got_elements.iter().zip(&wanted).all(|(&got, &want)| close(got, want, tol));
    (!same).then(|| format!("{name} is\n  {got_elements:?}, not\n  {wanted:?}"))
}

/// The output of the program of a case, the loss, and its gradients.
fn results(case: &Gradient, inputs: &[Any]) -> Result<Vec<DynTensor<f64>>, String> {
    let mut known: HashMap<String, Any> = HashMap::new();
    for (input, tensor) in case.inputs.iter().zip(inputs) {
        let mut tensor = tensor.clone();
        if let Any::Float(x) = &mut tensor
            && !case.no_grad.contains(&input.name)
        {
            *x = x.requires_grad();
        }
        known.insert(input.name.clone(), tensor);
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
        let results = computed(&step.op, &step.attrs, &operands)?;
        let result = results.into_iter().next().and_then(Any::of).ok_or("no result")?;
        let out = step.out.as_array().map_or(&step.out, |outs| &outs[0]);
        known.insert(out.as_str().unwrap().to_owned(), result);
    }
    let Any::Float(output) = &known[&case.output.name] else { return Err("no floats".to_owned()) };
    let loss = match &case.weights {
        Some(weights) => {
            let elements = weights.data.iter().map(float).collect();
            let weights = DynTensor::from_vec(&weights.shape, elements).unwrap();
            (output * &weights).unwrap().sum()
        }
        None => output.sum(),
    };
    let variables: Vec<DynTensor<f64>> = case
        .grads
        .iter()
        .map(|grad| match &known[&grad.name] {
            Any::Float(x) => x.clone(),
            _ => panic!("{}: a gradient of integers", case.id),
        })
        .collect();
    if !loss.is_tracked() {
        return Err("the loss is not tracked".to_owned());
    }
    let gradients = loss.gradients(&variables.iter().collect::<Vec<_>>());
    Ok([output.clone(), loss].into_iter().chain(gradients).collect())
}

/// Compares the results of a case with those of the corpus.
fn compare(case: &Gradient, results: &[DynTensor<f64>]) -> Result<(), String> {
    let [output, loss, gradients @ ..] = results else { return Err("no loss".to_owned()) };
    let mut wrong = Vec::from_iter(differences("the output", output, &case.output, case.tol));
    let value = loss.item().unwrap();
    if !close(value, float(&case.loss), case.tol) {
        wrong.push(format!("the loss is {value}, not {}", case.loss));
    }
    for (gradient, want) in gradients.iter().zip(&case.grads) {
        wrong.extend(differences(&format!("d{}", want.name), gradient, want, case.tol));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Computes all cases by a function, and compares them with the corpus.
fn check(compute: impl Fn(&Gradient, Vec<Any>) -> Result<Vec<DynTensor<f64>>, String>) {
    let cases: Vec<Gradient> = read("grad.json");
    let mut wrong = Vec::new();
    for case in &cases {
        let inputs = case.inputs.iter().map(Any::new).collect();
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
        let program = try_trace(&inputs, |inputs| traced(|| results(case, inputs)))?;
        let program = engine.compile_program(program).map_err(|error| error.to_string())?;
        program.call(&inputs).map_err(|error| error.to_string())
    });
}

/// Operations whose results are constants, or where the corpus sits at a point without a derivative.
fn without_gradient(case: &Case) -> bool {
    matches!(
        case.op.as_str(),
        "argmax"
            | "argmin"
            | "argsort"
            | "equal"
            | "not_equal"
            | "less"
            | "less_equal"
            | "greater"
            | "greater_equal"
            | "is_nan"
            | "is_inf"
            | "is_finite"
            | "isnan"
            | "isinf"
            | "floor"
            | "ceil"
            | "round"
            | "trunc"
            | "sign"
            | "one_hot"
            | "nonzero"
            | "hardmax"
            | "floor_divide"
            | "logical_not"
            | "logical_and"
            | "logical_or"
            | "logical_xor"
            | "cast"
            | "and"
            | "or"
            | "xor"
            | "not"
            | "unique"
    )
}

#[test]
fn every_operation_agrees_with_differences() {
    let (mut checked, mut wrong, mut left) = (BTreeMap::<String, usize>::new(), Vec::new(), 0);
    for case in Case::all() {
        let floats = case.inputs.iter().any(|input| input.dtype.starts_with('f'));
        let small = case.inputs.iter().all(|input| input.data.len() <= 64);
        if !case.ok || !floats || !small || left_out(&case).is_some() || without_gradient(&case) {
            continue;
        }
        let attempt = catch_unwind(|| against_differences(&case));
        match attempt.unwrap_or_else(|_| Err("a panic".to_owned())) {
            Ok(true) => *checked.entry(case.op.clone()).or_default() += 1,
            Ok(false) => left += 1,
            Err(error) => wrong.push(format!("{} ({}): {error}", case.id, case.op)),
        }
    }
    println!("{left} left out, checked: {checked:?}");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The sum of all float results times weights that differ.
fn loss(results: Vec<Output>) -> Option<DynTensor<f64>> {
    let mut sum: Option<DynTensor<f64>> = None;
    for result in results {
        let Some(Any::Float(x)) = Any::of(result) else { continue };
        let weights = (0..x.len()).map(|place| 0.5 + ((place * 7) % 11) as f64 * 0.25).collect();
        let weights = DynTensor::from_vec(x.sizes(), weights).ok()?;
        let term = (&x * &weights).ok()?.sum();
        sum = Some(match sum {
            Some(sum) => (&sum + &term).ok()?,
            None => term,
        });
    }
    sum
}

/// Whether the gradient was compared; not where the value is not finite or the point is an edge.
fn against_differences(case: &Case) -> Result<bool, String> {
    let operands: Vec<(String, Any)> = case
        .inputs
        .iter()
        .map(|input| {
            let mut input = input.clone();
            if input.dtype.starts_with('f') {
                input.dtype = "f64".to_owned();
            }
            (input.name.clone(), Any::new(&input))
        })
        .collect();
    let all_known = operands
        .iter()
        .zip(&case.inputs)
        .all(|((_, tensor), input)| tensor.dtype() == input.dtype || input.dtype.starts_with('f'));
    if !all_known {
        return Ok(false);
    }
    let value = |operands: &[(String, Any)]| -> Option<f64> {
        let results = computed(&case.op, &case.attrs, operands).ok()?;
        loss(results)?.item().ok()
    };
    match value(&operands) {
        Some(value) if value.abs() < 1e8 => {}
        _ => return Ok(false),
    }
    let mut compared = false;
    for place in 0..operands.len() {
        let Any::Float(x) = operands[place].1.clone() else { continue };
        let variable = x.requires_grad();
        let mut recorded = operands.clone();
        recorded[place].1 = Any::Float(variable.clone());
        let results = computed(&case.op, &case.attrs, &recorded)?;
        if results.iter().all(|result| result.sizes.contains(&0)) {
            continue;
        }
        let Some(loss) = loss(results) else { continue };
        if !loss.is_tracked() {
            if x.is_empty() {
                continue;
            }
            return Err(format!("{} is not tracked", operands[place].0));
        }
        let gradient = loss.gradients(&[&variable]).remove(0).to_vec();
        let elements = x.to_vec();
        for (element, &got) in gradient.iter().enumerate() {
            let step = 1e-6 * elements[element].abs().max(1.0);
            let at = |sign: f64| {
                let mut moved = elements.clone();
                moved[element] += sign * step;
                let mut operands = operands.clone();
                operands[place].1 = Any::Float(DynTensor::from_vec(x.sizes(), moved).unwrap());
                value(&operands)
            };
            let (Some(below), Some(here), Some(above)) = (at(-1.0), at(0.0), at(1.0)) else {
                continue;
            };
            let (left, right) = ((here - below) / step, (above - here) / step);
            let scale = left.abs().max(right.abs()).max(1.0);
            // An edge: the slopes on both sides differ.
            if !left.is_finite() || !right.is_finite() || (left - right).abs() > 1e-2 * scale {
                continue;
            }
            compared = true;
            let want = (left + right) / 2.0;
            if (got - want).abs() > 2e-4 * scale {
                return Err(format!("d{}[{element}] is {got}, not {want}", operands[place].0));
            }
        }
    }
    Ok(compared)
}
