//! Every case as an ONNX model, run by onnxruntime: its results are those of the call, with gradients.

use tensor_core::trace::element_bytes;

use crate::case::{Case, Operands};
use crate::runtime;
use crate::traced::{Tensors, compare_bytes, program, results};

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
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let is_empty = element_bytes(&direct).iter().all(Vec::is_empty);
                if !(is_empty && WITHOUT_ELEMENTS.contains(&&case.op[..])) {
                    fail(error);
                }
                continue;
            }
        };
        let overflows = OVERFLOWS.contains(&&case.op[..]);
        compare_bytes(&found, &direct, [overflows, false], fail);
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
