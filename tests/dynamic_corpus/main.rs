//! The conformance corpus through [`DynTensor`]: every case of `values.json` and `ops.json` is computed
//! by its methods, or refused with an error, and the shapes of the other files broadcast, or do not.

#[path = "../computed/mod.rs"]
mod computed;
#[path = "../corpus/mod.rs"]
mod corpus;
mod elementwise;
#[path = "../../tensor-xla/tests/plugin/found.rs"]
mod found;
mod gradients;
mod indexing;
mod joining;
mod moves;
mod operands;
mod products;
mod reductions;
mod shapes;
mod slicing;
mod traced;
mod windows;

use std::collections::BTreeMap;
use std::error::Error;

use computed::{Run, Written};
use corpus::Case;
use operands::{Array, Inputs, Operands};
use tensor_core::Float;
use tensor_core::element::{Bits, Number, Signed};

/// The results of a case; `None` if no module here knows the operation for these elements.
type Results = Result<Option<Vec<Array>>, Box<dyn Error>>;

/// Cases that are not computed, and why.
fn left_out(case: &Case) -> Option<&'static str> {
    match case.op.as_str() {
        "expand" if case.list("shape").is_some_and(|sizes| sizes.iter().any(|&size| size < 0)) => {
            Some("sizes are not negative: -1 is not written")
        }
        "unsqueeze" if !case.ok && case.list("axes").is_some_and(|axes| axes.len() > 1) => {
            Some("axes are added one at a time, so that none is added twice")
        }
        _ => joining::left_out(case).or_else(|| windows::left_out(case)),
    }
}

/// Operations of every element type.
fn elements<T: Written>(x: &Operands<'_, T>) -> Results {
    for compute in [joining::elements, slicing::elements, moves::elements, indexing::elements] {
        if let Some(results) = compute(x)? {
            return Ok(Some(results));
        }
    }
    elementwise::elements(x)
}

fn numbers<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    for compute in [
        elementwise::numbers,
        reductions::numbers,
        products::numbers,
        indexing::numbers,
        windows::numbers,
    ] {
        if let Some(results) = compute(x)? {
            return Ok(Some(results));
        }
    }
    elements(x)
}

fn signed<T: Written + Number + Signed>(x: &Operands<'_, T>) -> Results {
    match elementwise::signed(x)? {
        Some(results) => Ok(Some(results)),
        None => numbers(x),
    }
}

fn integers<T: Written + Number + Bits>(x: &Operands<'_, T>) -> Results {
    match elementwise::bits(x)? {
        Some(results) => Ok(Some(results)),
        None => numbers(x),
    }
}

fn floats<T: Written + Float + Signed>(x: &Operands<'_, T>) -> Results {
    for compute in [
        elementwise::floats,
        reductions::floats,
        products::floats,
        indexing::floats,
        windows::floats,
    ] {
        if let Some(results) = compute(x)? {
            return Ok(Some(results));
        }
    }
    signed(x)
}

fn booleans(x: &Operands<'_, bool>) -> Results {
    for compute in [elementwise::bits, reductions::booleans] {
        if let Some(results) = compute(x)? {
            return Ok(Some(results));
        }
    }
    elements(x)
}

/// Computes a case by the element type of its main operand.
fn compute(case: &Case, inputs: &Inputs) -> Results {
    let names = ["x", "a", "x0", "q", "weight"];
    let main = names.iter().find_map(|name| case.input(name)).unwrap_or(&case.inputs[0]);
    match main.dtype.as_str() {
        "f32" => floats(&Operands::<f32>::new(case, inputs)),
        "f64" => floats(&Operands::<f64>::new(case, inputs)),
        "i64" => match elementwise::signed(&Operands::<i64>::new(case, inputs))? {
            Some(results) => Ok(Some(results)),
            None => integers(&Operands::<i64>::new(case, inputs)),
        },
        "i32" => match elementwise::signed(&Operands::<i32>::new(case, inputs))? {
            Some(results) => Ok(Some(results)),
            None => integers(&Operands::<i32>::new(case, inputs)),
        },
        "u8" => integers(&Operands::<u8>::new(case, inputs)),
        "bool" => booleans(&Operands::<bool>::new(case, inputs)),
        other => panic!("{}: elements of type {other}", case.id),
    }
}

#[test]
fn every_case_is_computed_refused_or_left_out_for_a_reason() {
    let cases = Case::all();
    let mut run = Run::new(cases.clone());
    let mut reasons = BTreeMap::<_, usize>::new();
    let mut unknown = BTreeMap::<_, Vec<_>>::new();
    let mut wrong = Vec::new();
    let (mut computed, mut refused) = (0, 0);
    for case in &cases {
        if let Some(reason) = left_out(case) {
            *reasons.entry(reason).or_default() += 1;
            continue;
        }
        run.start(&case.id);
        match (case.ok, compute(case, &operands::inputs(&case.inputs))) {
            (_, Ok(None)) => {
                run.skip();
                unknown.entry(&case.op).or_default().push(&case.id);
            }
            (true, Ok(Some(results))) => {
                for result in results {
                    run.compare(result.sizes(), result.dtype(), result.numbers());
                }
                computed += 1;
            }
            (true, Err(error)) => {
                run.skip();
                wrong.push(format!("{} ({}) is refused: {error}", case.id, case.op));
            }
            (false, Ok(Some(results))) => {
                run.skip();
                wrong.push(format!(
                    "{} ({}) is accepted: {:?}",
                    case.id,
                    case.op,
                    results.iter().map(Array::sizes).collect::<Vec<_>>()
                ));
            }
            (false, Err(error)) => {
                run.skip();
                refused += 1;
                assert!(error.to_string().len() > 20, "{}: {error}", case.id);
            }
        }
    }
    let (_, failures) = run.finish();
    wrong.extend(failures);
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    for (reason, count) in reasons {
        println!("{count:4} left out: {reason}");
    }
    println!("{computed:4} computed, {refused} refused");
    assert!(unknown.is_empty(), "operations that no module here knows: {unknown:#?}");
}
