//! Every case in a program that is traced: the results have the bits of the operations themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use tensor_core::DynTensor;
use tensor_core::module::{Module, Path, Visitor, VisitorMut};
use tensor_core::trace::{Program, element_bytes, try_trace};
use tensor_xla::Options;

use crate::computed::Run;
use crate::corpus::Case;
use crate::operands::{self, GIVEN, Output};
use crate::{compute, found, left_out};

/// Operations that cannot be traced: the sizes of their results depend on elements.
const NEVER: &[&str] = &["compress", "unique"];

macro_rules! arrays {
    ($($name:literal $Variant:ident $T:ident;)*) => {
        /// A tensor of any element type of the corpus.
        #[derive(Clone)]
        enum Array {
            $($Variant(DynTensor<$T>),)*
        }

        impl Array {
            fn of_input(dtype: &str, name: &str, run: &Run) -> Self {
                match dtype {
                    $($name => Self::$Variant(run.dynamic(name)),)*
                    other => panic!("elements of type {other}"),
                }
            }

            /// Zeros of the same sizes.
            fn zeros(&self) -> Self {
                match self {
                    $(Self::$Variant(x) => {
                        Self::$Variant(DynTensor::full(x.sizes(), $T::default()))
                    })*
                }
            }

            fn of_output(output: &Output) -> Self {
                $(if let Some(x) = output.tensor.downcast_ref::<DynTensor<$T>>() {
                    return Self::$Variant(x.clone());
                })*
                panic!("results of type {}", output.dtype)
            }

            fn into_output(self) -> Output {
                match self {
                    $(Self::$Variant(x) => x.into(),)*
                }
            }

            fn give(&self, name: &str) {
                let tensor: Box<dyn std::any::Any> = match self {
                    $(Self::$Variant(x) => Box::new(x.clone()),)*
                };
                GIVEN.with_borrow_mut(|given| given.insert(name.to_owned(), tensor));
            }
        }

        impl Module for Array {
            fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
                match self {
                    $(Self::$Variant(x) => x.visit(path, visitor),)*
                }
            }

            fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
                match self {
                    $(Self::$Variant(x) => x.visit_mut(path, visitor),)*
                }
            }
        }
    };
}

arrays! {
    "f32" F32 f32;
    "f64" F64 f64;
    "i64" I64 i64;
    "i32" I32 i32;
    "u8" U8 u8;
    "bool" Bool bool;
}

/// A program of a case, with the inputs and the results of the case.
struct Traced {
    program: Program<Vec<Array>, Vec<Array>>,
    inputs: Vec<Array>,
    direct: Vec<Array>,
}

/// The program of a case; `None` where the case is refused or left out, an error where it cannot be traced.
fn traced(case: &Case, run: &Run) -> Option<Result<Traced, String>> {
    let direct = match compute(case, run) {
        Ok(Some(outputs)) => outputs,
        _ => return None,
    };
    let direct: Vec<Array> = direct.iter().map(Array::of_output).collect();
    let inputs: Vec<Array> =
        case.inputs.iter().map(|input| Array::of_input(&input.dtype, &input.name, run)).collect();
    let zeros: Vec<Array> = inputs.iter().map(Array::zeros).collect();
    let program = catch_unwind(AssertUnwindSafe(|| {
        try_trace(&zeros, |traced: &Vec<Array>| {
            for (input, traced) in case.inputs.iter().zip(traced) {
                traced.give(&input.name);
            }
            let outputs = operands::traced(|| compute(case, run));
            let outputs = outputs.map_err(|error| error.to_string())?;
            Ok::<Vec<Array>, String>(outputs.unwrap().iter().map(Array::of_output).collect())
        })
    }));
    GIVEN.take();
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
        let program = traced(case, &run);
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
                    let Output { sizes, dtype, numbers, .. } = array.into_output();
                    run.compare_output(&sizes, dtype, numbers);
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
