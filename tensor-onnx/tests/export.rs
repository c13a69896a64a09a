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

/// A loop of ten steps, and a branch of two functions, which read values around them.
#[test]
fn loops_and_branches_are_graphs_of_operators() {
    let text = module(
        "%arg0: tensor<2xf32>, %arg1: tensor<i32>",
        "    %0 = \"stablehlo.constant\"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %9:2 = \"stablehlo.while\"(%0, %arg0) ({ ^bb0(%1: tensor<i64>, %2: tensor<2xf32>):
    %3 = \"stablehlo.constant\"() {value = dense<10> : tensor<i64>} : () -> tensor<i64>
    %4 = \"stablehlo.compare\"(%1, %3) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
    \"stablehlo.return\"(%4) : (tensor<i1>) -> () }, { ^bb0(%5: tensor<i64>, %6: tensor<2xf32>):
    %7 = \"stablehlo.constant\"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %8 = \"stablehlo.add\"(%5, %7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %10 = \"stablehlo.exponential\"(%6) : (tensor<2xf32>) -> tensor<2xf32>
    \"stablehlo.return\"(%8, %10) : (tensor<i64>, tensor<2xf32>) -> () }) : (tensor<i64>, tensor<2xf32>) -> (tensor<i64>, tensor<2xf32>)
    %13:1 = \"stablehlo.case\"(%arg1) ({
    %11 = \"stablehlo.negate\"(%9#1) : (tensor<2xf32>) -> tensor<2xf32>
    \"stablehlo.return\"(%11) : (tensor<2xf32>) -> () }, {
    %12 = \"stablehlo.abs\"(%9#1) : (tensor<2xf32>) -> tensor<2xf32>
    \"stablehlo.return\"(%12) : (tensor<2xf32>) -> () }) : (tensor<i32>) -> (tensor<2xf32>)
    return %13#0 : tensor<2xf32>",
    );
    let model = export(&text, &["x", "index"], &["y"]).unwrap();
    assert_eq!(model.operators(), ["Loop", "Add", "Exp", "Identity", "Equal", "If", "Neg", "Abs"]);
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
fn a_result_of_another_type_is_an_error() {
    let text = module(
        "%arg0: tensor<2x3xf32>",
        "    %0 = \"stablehlo.transpose\"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>",
    );
    let error = export(&text, &[], &[]).unwrap_err().to_string();
    assert!(error.ends_with("\n  transpose: its result is f32 [2, 3], not f32 [3, 2]"), "{error}");
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
