//! Every case as a program, with its gradients: the bits of the program are those of the call, and the program has a
//! translation to StableHLO.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Once;

use half::{bf16, f16};
use tensor_core::trace::{Program, element_bytes, trace, try_trace};
use tensor_core::{DynTensor, Element};
use tensor_xla::Options;

use crate::case::{Case, Operands, Output, Real};
use crate::{compute, found};

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
pub type Tensors<T> = (Vec<DynTensor<T>>, Vec<DynTensor<i64>>, Vec<DynTensor<bool>>);

/// The pairs of elements that are not close, with their indices, if there are any or if one has more elements.
fn differences<T: Copy + Debug>(
    found: &[T],
    direct: &[T],
    is_close: impl Fn(T, T) -> bool,
) -> Option<String> {
    let pairs = found.iter().zip(direct).enumerate();
    let others: Vec<_> =
        pairs.filter(|(_, (found, direct))| !is_close(**found, **direct)).collect();
    (!others.is_empty() || found.len() != direct.len())
        .then(|| format!("(index, (found, direct)): {others:?}"))
}

/// Compares the bytes of results with results: floats up to 1e-5, of the largest element where sums of large numbers cancel.
/// All that is not finite is the same where sums overflow.
pub fn compare_bytes(
    found: &[Vec<u8>],
    direct: &Tensors<f32>,
    [overflows, cancels]: [bool; 2],
    mut fail: impl FnMut(String),
) {
    for (number, (found, direct_bytes)) in found.iter().zip(&element_bytes(direct)).enumerate() {
        let Some(direct) = direct.0.get(number) else {
            if found != direct_bytes {
                fail(format!("result {number}: {found:?}, not {direct_bytes:?}"));
            }
            continue;
        };
        let number_of = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("4 bytes"));
        let found: Vec<f32> = found.chunks_exact(4).map(number_of).collect();
        let direct = direct.to_vec();
        let finite = direct.iter().map(|x| x.abs()).filter(|x| cancels && x.is_finite());
        let largest = finite.fold(1.0, f32::max);
        let is_close = |found: f32, direct: f32| {
            found == direct
                || found.is_nan() && direct.is_nan()
                || overflows && !found.is_finite() && !direct.is_finite()
                || (found - direct).abs() <= 1e-5 * direct.abs().max(largest)
        };
        if let Some(differences) = differences(&found, &direct, is_close) {
            fail(format!("result {number}, {differences}"));
        }
    }
}

/// The results of a case for these operands, with the gradients of all floats.
pub fn results<T: Real>(
    case: &Case,
    (floats, integers, masks): &Tensors<T>,
) -> Result<Tensors<T>, String> {
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
        let gradients = match loss.is_tracked() {
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

/// Calls a function that may panic; the error is where it did.
fn caught<R>(function: impl FnOnce() -> R) -> Result<R, String> {
    thread_local! {
        static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        set_hook(Box::new(|info| {
            let location = info.location().expect("a location").to_string();
            eprintln!("a panic at {location}: {}", info.payload_as_str().unwrap_or_default());
            PANIC.set(location);
        }));
    });
    catch_unwind(AssertUnwindSafe(function)).map_err(|_| PANIC.take())
}

/// The program of a case; `None` where it cannot be traced.
pub fn program<T: Real>(
    case: &Case,
    inputs: &Tensors<T>,
) -> Option<Program<Tensors<T>, Tensors<T>>> {
    // Other elements than those that the program runs on.
    let traced = (zeros(&inputs.0), zeros(&inputs.1), zeros(&inputs.2));
    let traced = caught(|| try_trace(&traced, |inputs| results(case, inputs)));
    Some(traced.ok()?.unwrap_or_else(|error| panic!("{}: {error}", case.name())))
}

#[test]
fn every_operation_is_traced_and_translated() {
    let mut not_traced = BTreeSet::new();
    let mut wrong = Vec::new();
    Case::read().iter().for_each(|case| {
        let Operands { floats, integers, masks, .. } = Operands::<f32>::new(case);
        let inputs: Tensors<f32> = (floats, integers, masks);
        let direct = results(case, &inputs).expect("results of a case");
        let Some(program) = program(case, &inputs) else {
            not_traced.insert(case.op.clone());
            return;
        };
        let found = program.run(&inputs).expect("inputs of the same sizes");
        let (found, direct) = (element_bytes(&found), element_bytes(&direct));
        let gradients = if OTHER_GRADIENTS.contains(&&case.op[..]) { case.floats.len() } else { 0 };
        let compared = found.len() - gradients;
        if found.len() != direct.len() || found[..compared] != direct[..compared] {
            wrong.push(case.name());
        }
        program.to_stablehlo();
    });
    assert!(wrong.is_empty(), "other bits than those of a call: {wrong:#?}");
    assert_eq!(not_traced, NOT_TRACED.map(str::to_owned).into());
}

/// Operations some of whose gradients are 0 on a plugin that takes a subnormal factor for 0, where it is multiplied by NaN.
const SUBNORMAL_GRADIENTS: [&str; 1] = ["pow"];

/// Compares the results of these cases on a plugin with those of calls, up to an error relative to the result or to 1.
fn compare_on_a_plugin<T: Real>(cases: &[Case], error: f64) {
    let Some(engine) = found::engine(&Options::new()) else { return };
    let mut wrong = Vec::new();
    cases.iter().for_each(|case| {
        let Operands { floats, integers, masks, .. } = Operands::<T>::new(case);
        // Plugins for CPUs take a subnormal number for 0.
        let normal = |x: T| if x.abs() < T::MIN_POSITIVE { x.mul(T::ZERO) } else { x };
        let floats = floats.iter().map(|x| x.map(normal)).collect();
        let inputs = (floats, integers, masks);
        let Some(program) = program(case, &inputs) else { return };
        let direct = results(case, &inputs).expect("results of a case");
        let found = engine.compile_program(program).and_then(|program| program.call(&inputs));
        let mut fail = |message: String| wrong.push(format!("{}: {message}", case.name()));
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                fail(error.to_string());
                return;
            }
        };
        if found.1 != direct.1 || found.2 != direct.2 {
            fail(format!("{:?} {:?}, not {:?} {:?}", found.1, found.2, direct.1, direct.2));
        }
        let left_out = if SUBNORMAL_GRADIENTS.contains(&&case.op[..]) { 2 } else { 0 };
        let compared = found.0.len() - left_out;
        let is_close = |found: f64, direct: f64| {
            found == direct
                || found.is_nan() && direct.is_nan()
                || (found - direct).abs() <= error * direct.abs().max(1.0)
        };
        for (number, (found, direct)) in found.0.iter().zip(&direct.0).enumerate().take(compared) {
            let (found, direct) = (found.cast::<f64>().to_vec(), direct.cast::<f64>().to_vec());
            if let Some(differences) = differences(&found, &direct, is_close) {
                fail(format!("result {number}, {differences}"));
            }
        }
    });
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_program_gives_on_a_plugin_what_the_call_gives() {
    compare_on_a_plugin::<f32>(&Case::read(), 1e-5);
}

/// The first case of each operation, which has few special values.
#[test]
fn programs_of_16_bit_floats_give_on_a_plugin_what_the_calls_give() {
    let mut seen = BTreeSet::new();
    let first: Vec<Case> =
        Case::read().into_iter().filter(|case| seen.insert(case.op.clone())).collect();
    compare_on_a_plugin::<f16>(&first, 1e-2);
    compare_on_a_plugin::<bf16>(&first, 1e-1);
}

#[test]
fn every_operation_refuses_a_tensor_that_was_kept_where_it_is_called() {
    let mut wrong = BTreeSet::new();
    for case in &Case::read() {
        let operands = Operands::<f32>::new(case);
        let has_elements = |x: &[usize]| !x.contains(&0);
        let floats = operands.floats.iter().all(|x| has_elements(x.sizes()));
        if !floats || !operands.integers.iter().all(|x| has_elements(x.sizes())) {
            continue;
        }
        let mut kept = None;
        let inputs = (operands.floats, operands.integers, operands.masks);
        trace(&inputs, |(floats, integers, masks)| {
            let (floats, integers, masks) = (floats.clone(), integers.clone(), masks.clone());
            kept = Some(Operands { case, floats, integers, masks });
        });
        let kept = kept.expect("the function was called");
        match caught(|| compute(&kept).map(drop)) {
            // A view, or a result that has no elements.
            Ok(Ok(())) => {}
            Ok(Err(error)) => panic!("{}: {error}", case.name()),
            Err(at) if at.starts_with("tests/sweep/") => {}
            Err(at) => drop(wrong.insert(format!("{} at {at}", case.op))),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
