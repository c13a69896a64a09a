//! Every case as an ONNX model, run by onnxruntime: its results are those of the call, with gradients.

use tensor_core::trace::element_bytes;

use crate::case::{Case, Operands};
use crate::runtime;
use crate::traced::{Tensors, program, results};

/// Operations whose results differ where elements are NaN: runtimes of ONNX pass over them.
const WITHOUT_NAN: [&str; 4] = ["max_pool1d", "max_pool2d", "scatter_max", "scatter_min"];

/// Operations whose sums overflow in another order.
const OVERFLOWS: [&str; 2] = ["matmul", "einsum"];

/// Models whose results have no elements, which onnxruntime does not start.
const WITHOUT_ELEMENTS: [&str; 1] = ["iter_axis"];

#[test]
fn every_program_gives_in_onnxruntime_what_the_call_gives() {
    let (mut wrong, mut cases, mut models) = (Vec::new(), Vec::new(), Vec::new());
    for case in Case::read() {
        let Operands { floats, integers, masks, .. } = Operands::<f32>::new(&case);
        let has_nan = floats.iter().any(|x| x.iter().any(|x| x.is_nan()));
        if has_nan && WITHOUT_NAN.contains(&&case.op[..]) {
            continue;
        }
        let inputs: Tensors<f32> = (floats, integers, masks);
        let Some(program) = program(&case, &inputs) else { continue };
        match tensor_onnx::export(&program.to_stablehlo(), &[], &[]) {
            Ok(model) => {
                models.push((model, element_bytes(&inputs)));
                cases.push((case, inputs));
            }
            Err(error) => wrong.push(format!("{}: {error}", case.name())),
        }
    }
    let Some(found) = runtime::run("sweep", &models) else { return };
    for ((case, inputs), found) in cases.iter().zip(found) {
        let mut fail = |message: String| wrong.push(format!("{}: {message}", case.name()));
        let direct = results(case, inputs).expect("results of a case");
        let bytes = element_bytes(&direct);
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let is_empty = bytes.iter().all(Vec::is_empty);
                if !(is_empty && WITHOUT_ELEMENTS.contains(&&case.op[..])) {
                    fail(error);
                }
                continue;
            }
        };
        let overflows = OVERFLOWS.contains(&&case.op[..]);
        let is_close = |found: f32, direct: f32| {
            found == direct
                || found.is_nan() && direct.is_nan()
                || overflows && !found.is_finite() && !direct.is_finite()
                || (found - direct).abs() <= 1e-5 * direct.abs().max(1.0)
        };
        for (number, (found, direct_bytes)) in found.iter().zip(&bytes).enumerate() {
            let Some(direct) = direct.0.get(number) else {
                if found != direct_bytes {
                    fail(format!("result {number}: {found:?}, not {direct_bytes:?}"));
                }
                continue;
            };
            let number_of = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("4 bytes"));
            let found: Vec<f32> = found.chunks_exact(4).map(number_of).collect();
            let direct = direct.to_vec();
            let pairs = found.iter().zip(&direct).enumerate();
            let others: Vec<_> =
                pairs.filter(|(_, (found, direct))| !is_close(**found, **direct)).collect();
            if !others.is_empty() || found.len() != direct.len() {
                fail(format!("result {number}, (index, (found, direct)): {others:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
