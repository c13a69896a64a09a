//! Every case in a program that is traced: the results have the bits of the operations themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use tensor_core::trace::{Program, element_bytes, try_trace};
use tensor_xla::Options;

use crate::computed::Run;
use crate::corpus::Case;
use crate::operands::{self, Array, Inputs};
use crate::{compute, found, left_out};

/// Operations that cannot be traced: the sizes of their results depend on elements.
const NEVER: &[&str] = &["compress", "unique"];

/// A program of a case, with the inputs and the results of the case.
struct Traced {
    program: Program<Inputs, Vec<Array>>,
    inputs: Inputs,
    direct: Vec<Array>,
}

/// The program of a case; `None` where the case is refused or left out, an error where it cannot be traced.
fn traced(case: &Case) -> Option<Result<Traced, String>> {
    let inputs = operands::inputs(&case.inputs);
    let Ok(Some(direct)) = compute(case, &inputs) else { return None };
    let zeros: Inputs = inputs.iter().map(|(name, x)| (name.clone(), x.zeros())).collect();
    let program = catch_unwind(AssertUnwindSafe(|| {
        try_trace(&zeros, |traced| match compute(case, traced) {
            Ok(outputs) => Ok(outputs.expect("a known operation")),
            Err(error) => Err(error.to_string()),
        })
    }));
    Some(match program {
        Ok(program) => program.map(|program| Traced { program, inputs, direct }),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
            Err(panic.downcast_ref::<String>().cloned().or(text).unwrap_or_default())
        }
    })
}

/// Calls a function for each case that is computed, without the messages of panics.
fn each(mut then: impl FnMut(&Case, &mut Run, Option<Result<Traced, String>>)) -> Run {
    /// Tests that call this wait for each other: there is one hook for panics.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    let cases = Case::all();
    let mut run = Run::new(cases.clone());
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for case in cases.iter().filter(|case| case.ok && left_out(case).is_none()) {
        run.start(&case.id);
        let program = traced(case);
        then(case, &mut run, program);
    }
    std::panic::set_hook(hook);
    run
}

#[test]
fn every_case_can_be_traced() {
    let mut failed = BTreeMap::<_, BTreeSet<String>>::new();
    let mut wrong = Vec::new();
    let mut traced = 0;
    each(|case, run, program| {
        match program {
            None => {}
            Some(Err(reason)) => {
                failed.entry(case.op.clone()).or_default().insert(reason);
            }
            Some(Ok(Traced { program, inputs, direct })) => {
                let found = program.run(&inputs).unwrap();
                traced += 1;
                if element_bytes(&found) != element_bytes(&direct) {
                    wrong.push(format!("{} ({})", case.id, case.op));
                }
            }
        }
        run.skip();
    });
    println!("{traced} cases traced");
    assert!(wrong.is_empty(), "other bits: {wrong:#?}");
    let names: BTreeSet<&str> = failed.keys().map(String::as_str).collect();
    assert_eq!(names, NEVER.iter().copied().collect(), "{failed:#?}");
}

#[test]
fn every_program_runs_on_a_plugin() {
    let Some(engine) = found::engine(&Options::new()) else { return };
    let mut wrong = Vec::new();
    let mut compared = 0;
    let run = each(|case, run, program| {
        let Some(Ok(Traced { program, inputs, .. })) = program else { return run.skip() };
        match engine.compile_program(program).and_then(|program| program.call(&inputs)) {
            Ok(found) => {
                compared += 1;
                for array in found {
                    run.compare(array.sizes(), array.dtype(), array.numbers());
                }
            }
            Err(error) => {
                wrong.push(format!("{} ({}): {error}", case.id, case.op));
                run.skip();
            }
        }
    });
    println!("{compared} cases compared");
    wrong.extend(run.finish().1);
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
