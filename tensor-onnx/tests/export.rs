//! Programs as ONNX models: names, refusals, and damaged text.

use tensor_onnx::export;

/// A module whose function `main` has these arguments, operations and results.
fn module(arguments: &str, body: &str) -> String {
    format!(
        "module {{\n  func.func public @main({arguments}) -> (tensor<2xf32>) {{\n{body}\n  }}\n}}\n"
    )
}

#[test]
fn what_the_program_stretches_is_stretched_by_the_operators() {
    let text = module(
        "%arg0: tensor<2xf32>, %arg1: tensor<2xf32> {jax.arg_info = \"x\"}",
        "    %0 = \"stablehlo.constant\"() {value = dense<0x40000000> : tensor<f32>} : () -> tensor<f32>
    %1 = \"stablehlo.broadcast_in_dim\"(%0) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2xf32>
    %2 = \"stablehlo.multiply\"(%arg0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %3 = \"stablehlo.add\"(%2, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %3 : tensor<2xf32>",
    );
    let model = export(&text, &["x", "y"], &["sum"]).unwrap();
    assert_eq!(model.operators(), ["Mul", "Add"]);
    assert_eq!((model.inputs(), model.outputs()), (vec!["x", "y"], vec!["sum"]));
}

#[test]
fn names_are_unique() {
    let text = module(
        "%arg0: tensor<2xf32>, %arg1: tensor<2xf32>",
        "    return %arg0, %arg0 : tensor<2xf32>, tensor<2xf32>",
    );
    let model = export(&text, &["x", "x"], &["x"]).unwrap();
    assert_eq!(model.inputs(), ["x", "x_1"]);
    let outputs = model.outputs();
    assert_eq!(outputs.len(), 2);
    assert!(outputs[0] == "x_out" && outputs[1] != "x_out", "{outputs:?}");
    assert_eq!(model.operators(), ["Identity", "Identity"]);
}

#[test]
fn all_operations_that_onnx_lacks_are_named_at_once() {
    let text = module(
        "%arg0: tensor<2xf32>",
        "    %0 = \"stablehlo.cholesky\"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = \"stablehlo.cholesky\"(%0) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = \"stablehlo.fft\"(%1) : (tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>",
    );
    let error = export(&text, &[], &[]).unwrap_err().to_string();
    assert_eq!(
        error,
        "the program cannot be written as an ONNX model:\n  cholesky: ONNX has no such operator\n  fft: ONNX has no such operator"
    );
}

#[test]
fn damaged_text_is_an_error() {
    let body = "    %0 = \"stablehlo.exponential\"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>";
    let text = module("%arg0: tensor<2xf32>", body);
    assert!(export(&text, &[], &[]).is_ok());
    for end in 0..text.trim_end().len() - "}\n}".len() {
        assert!(export(&text[..end], &[], &[]).is_err(), "{}", &text[..end]);
    }
    for (wrong, right, message) in [
        (
            "stablehlo.exponential %arg0",
            "\"stablehlo.exponential\"(%arg0)",
            "is the text in the generic form?",
        ),
        ("(%unknown)", "(%arg0)", "the text has no value `%unknown`"),
        ("tensor<?xf32>", "tensor<2xf32>", "is not the type of a tensor of static sizes"),
        ("tensor<2xf8E4M3>", "tensor<2xf32>", "elements of `tensor<2xf8E4M3>`"),
    ] {
        let error = export(&text.replace(right, wrong), &[], &[]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
