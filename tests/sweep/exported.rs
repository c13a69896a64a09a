//! Every case as an ONNX model, run by onnxruntime: its results are those of the call, with gradients.

use std::fs;
use std::path::Path;
use std::process::Command;

use tensor_core::DynTensor;
use tensor_core::trace::element_bytes;

use crate::case::{Case, Operands};
use crate::traced::{Tensors, program, results};

/// Operations whose results differ where elements are NaN: runtimes of ONNX pass over them.
const WITHOUT_NAN: [&str; 4] = ["max_pool1d", "max_pool2d", "scatter_max", "scatter_min"];

/// Operations whose sums overflow in another order.
const OVERFLOWS: [&str; 2] = ["matmul", "einsum"];

/// Models whose results have no elements, which onnxruntime does not start.
const WITHOUT_ELEMENTS: [&str; 1] = ["iter_axis"];

/// `tools/onnx_run.py` runs the models; without the packages that it needs, the test is skipped, unless `ONNX_REQUIRED` is set.
#[test]
fn every_program_gives_in_onnxruntime_what_the_call_gives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = std::env::var("ONNX_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let is_there = Command::new(&python).args(["-c", "import onnx, onnxruntime"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        assert!(
            std::env::var_os("ONNX_REQUIRED").is_none(),
            "onnx and onnxruntime cannot be imported"
        );
        eprintln!("skipped: exported models are run by onnxruntime where it is installed");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported");
    let _ = fs::remove_dir_all(&folder);
    let (mut wrong, mut cases) = (Vec::new(), Vec::new());
    for (number, case) in Case::read().into_iter().enumerate() {
        let Operands { floats, integers, masks, .. } = Operands::<f32>::new(&case);
        let has_nan = floats.iter().any(|x| x.iter().any(|x| x.is_nan()));
        if has_nan && WITHOUT_NAN.contains(&&case.op[..]) {
            continue;
        }
        let inputs: Tensors<f32> = (floats, integers, masks);
        let Some(program) = program(&case, &inputs) else { continue };
        let model = match tensor_onnx::export(&program.to_stablehlo(), &[], &[]) {
            Ok(model) => model,
            Err(error) => {
                wrong.push(format!("{}: {error}", case.name()));
                continue;
            }
        };
        let folder = folder.join(number.to_string());
        fs::create_dir_all(&folder).expect("a folder");
        model.save(folder.join("model.onnx")).expect("a file");
        for (number, bytes) in element_bytes(&inputs).iter().enumerate() {
            fs::write(folder.join(format!("in.{number}")), bytes).expect("a file");
        }
        cases.push((case, inputs, folder));
    }
    let script = root.join("tools/onnx_run.py");
    let ran = Command::new(&python).arg(script).arg(&folder).status();
    assert!(ran.expect("python starts").success());
    for (case, inputs, folder) in cases {
        let mut fail = |message: String| wrong.push(format!("{}: {message}", case.name()));
        let direct = results(&case, &inputs).expect("results of a case");
        if let Ok(error) = fs::read_to_string(folder.join("error")) {
            let is_known = WITHOUT_ELEMENTS.contains(&&case.op[..]);
            if !is_known || element_bytes(&direct).iter().any(|bytes| !bytes.is_empty()) {
                fail(error);
            }
            continue;
        }
        let overflows = OVERFLOWS.contains(&&case.op[..]);
        let floats = direct
            .0
            .iter()
            .map(Some)
            .chain(direct.1.iter().map(|_| None))
            .chain(direct.2.iter().map(|_| None));
        for (number, (bytes, float)) in element_bytes(&direct).iter().zip(floats).enumerate() {
            let found = fs::read(folder.join(format!("out.{number}"))).expect("an output");
            let Some(float) = float else {
                if found != *bytes {
                    fail(format!("result {number}: {found:?}, not {bytes:?}"));
                }
                continue;
            };
            let found: Vec<f32> = found
                .chunks_exact(4)
                .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
                .collect();
            let expected: Vec<f32> = DynTensor::to_vec(float);
            let is_close = |found: f32, direct: f32| {
                found == direct
                    || found.is_nan() && direct.is_nan()
                    || overflows && !found.is_finite() && !direct.is_finite()
                    || (found - direct).abs() <= 1e-5 * direct.abs().max(1.0)
            };
            let pairs = found.iter().zip(&expected).enumerate();
            let others: Vec<_> =
                pairs.filter(|(_, (found, direct))| !is_close(**found, **direct)).collect();
            if !others.is_empty() || found.len() != expected.len() {
                fail(format!("result {number}, (index, (found, direct)): {others:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
