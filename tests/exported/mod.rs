//! Exported models, run by onnxruntime.

use std::fs;
use std::path::Path;
use std::process::Command;

use tensor_onnx::Exported;

/// A model with the elements of its inputs.
pub type Model = (Exported, Vec<Vec<u8>>);

/// The elements of the outputs of each model, or its error.
///
/// `None` where the Python packages `onnx` and `onnxruntime` are not installed, unless `ONNX_REQUIRED` is set. The variable
/// `ONNX_PYTHON` names another Python than `python3`.
pub fn run(name: &str, models: &[Model]) -> Option<Vec<Result<Vec<Vec<u8>>, String>>> {
    let python = std::env::var("ONNX_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let is_there = Command::new(&python).args(["-c", "import onnx, onnxruntime"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        let is_required = std::env::var_os("ONNX_REQUIRED").is_some();
        assert!(!is_required, "onnx and onnxruntime cannot be imported");
        eprintln!("skipped: onnxruntime, which runs exported models, is not installed");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported").join(name);
    let _ = fs::remove_dir_all(&folder);
    let place = |number: usize| folder.join(number.to_string());
    for (number, (model, inputs)) in models.iter().enumerate() {
        fs::create_dir_all(place(number)).expect("a folder");
        model.save(place(number).join("model.onnx")).expect("a file");
        for (input, bytes) in inputs.iter().enumerate() {
            fs::write(place(number).join(format!("in.{input}")), bytes).expect("a file");
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/onnx_run.py");
    let ran = Command::new(&python).arg(script).arg(&folder).status();
    assert!(ran.expect("python starts").success());
    let outputs = |(number, (model, _)): (usize, &Model)| {
        if let Ok(error) = fs::read_to_string(place(number).join("error")) {
            return Err(error);
        }
        let read =
            |output| fs::read(place(number).join(format!("out.{output}"))).expect("an output");
        Ok((0..model.outputs().len()).map(read).collect())
    };
    Some(models.iter().enumerate().map(outputs).collect())
}
