//! Texts that are no programs are refused, and none makes the reader panic.

use std::panic::catch_unwind;

use tensor_embed::{EmbedOptions, embed};

/// A program of one operation, with arguments of these types.
fn program(arguments: &str, results: &str, operation: &str) -> String {
    let arguments: Vec<String> = arguments
        .split_terminator(", ")
        .enumerate()
        .map(|(number, ty)| format!("%arg{number}: tensor<{ty}>"))
        .collect();
    format!(
        "module {{\n  func.func public @main({}) -> ({results}) {{\n    %0 = {operation} : () -> {results}\n    \
         return %0 : {results}\n  }}\n}}",
        arguments.join(", ")
    )
}

fn refusal(text: &str) -> String {
    let result = catch_unwind(|| embed(text, &EmbedOptions::new()));
    match result.unwrap_or_else(|_| panic!("it panics: {text}")) {
        Ok(_) => panic!("it is written: {text}"),
        Err(error) => {
            error.to_string().lines().skip(1).map(str::trim).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The region that returns an operation on two scalars.
fn region(element: &str, operation: &str, result: &str) -> String {
    format!(
        "({{ ^bb0(%a: tensor<{element}>, %b: tensor<{element}>): %c = {operation}(%a, %b) {{comparison_direction = \
         #stablehlo<comparison_direction LT>}} : () -> tensor<{result}> \"stablehlo.return\"(%c) : () -> () }})"
    )
}

#[test]
fn operations_that_do_not_fit_their_operands_are_refused() {
    let less = region("f32", "\"stablehlo.compare\"", "i1");
    let sum = region("f32", "\"stablehlo.add\"", "f32");
    let sum_of_f64 = region("f64", "\"stablehlo.add\"", "f64");
    let cases = [
        ("f32", "f32", format!("\"sort\"(%arg0) {less} {{dimension = 0 : i64}}"), "sort: `dimension` = [0] of 0 axes"),
        ("4xf32", "4xf32", format!("\"sort\"(%arg0) {less} {{dimension = 3 : i64}}"), "sort: `dimension` = [3] of 1 axes"),
        ("4xf32", "4xf32", format!("\"sort\"(%arg0) {sum} {{dimension = 0 : i64}}"), "sort: a region of other results"),
        ("", "4xf32", "\"iota\"() {iota_dimension = 5 : i64}".to_owned(), "iota: `iota_dimension` = [5] of 1 axes"),
        ("4xf32", "4xf32", "\"transpose\"(%arg0) {permutation = array<i64: 7>}".to_owned(), "transpose: `permutation` = [7] of 1 axes"),
        ("2x3xf32", "2x2xf32", "\"transpose\"(%arg0) {permutation = array<i64: 0, 0>}".to_owned(), "transpose: `permutation` = [0, 0] of 2 axes"),
        ("4xf32", "5xf32", "\"reshape\"(%arg0)".to_owned(), "reshape: f32 [5] has not the elements of f32 [4]"),
        ("4xf32", "4xi32", "\"reshape\"(%arg0)".to_owned(), "reshape: its result is i32 [4], not f32 [4]"),
        ("4xf32", "4xf32", "\"slice\"(%arg0) {start_indices = array<i64: 2>, limit_indices = array<i64: 6>, strides = array<i64: 1>}".to_owned(), "slice: from 2 to 6 in steps of 1 along an axis of 4 elements"),
        ("4xf32", "4xf32", "\"slice\"(%arg0) {start_indices = array<i64: -1>, limit_indices = array<i64: 3>, strides = array<i64: 1>}".to_owned(), "slice: `start_indices` has a negative number"),
        ("4xf32", "4xf32", "\"slice\"(%arg0) {start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 0>}".to_owned(), "slice: from 0 to 4 in steps of 0 along an axis of 4 elements"),
        ("4xf32, 2xf32", "4xf32", "\"add\"(%arg0, %arg1)".to_owned(), "add: its operand is f32 [2], not f32 [4]"),
        ("4xf32, 4xi32", "4xf32", "\"add\"(%arg0, %arg1)".to_owned(), "add: of `f32` and `i32`"),
        ("4xf32", "4xi32", "\"negate\"(%arg0)".to_owned(), "negate: its result is i32 [4], not f32 [4]"),
        ("4xf32", "3xf64", "\"convert\"(%arg0)".to_owned(), "convert: its operand is f32 [4], not f32 [3]"),
        ("3xf32", "2x4xf32", "\"broadcast_in_dim\"(%arg0) {broadcast_dimensions = array<i64: 1>}".to_owned(), "broadcast_in_dim: its result is f32 [2, 4], not f32 [2, 3]"),
        ("3xf32", "2x3xf32", "\"broadcast_in_dim\"(%arg0) {broadcast_dimensions = array<i64: 4>}".to_owned(), "broadcast_in_dim: `broadcast_dimensions` = [4] of 2 axes"),
        ("3xf32", "3xf32", "\"reverse\"(%arg0) {dimensions = array<i64: 2>}".to_owned(), "reverse: `dimensions` = [2] of 1 axes"),
        ("3xf32, 2xf32", "6xf32", "\"concatenate\"(%arg0, %arg1) {dimension = 0 : i64}".to_owned(), "concatenate: its result is f32 [6], not f32 [5]"),
        ("3xf32, 2xf32", "5xf32", "\"concatenate\"(%arg0, %arg1) {dimension = 2 : i64}".to_owned(), "concatenate: `dimension` = [2] of 1 axes"),
        ("3xf32, f32", "9xf32", "\"pad\"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}".to_owned(), "pad: its result is f32 [9], not f32 [5]"),
        ("3xf32, f32", "5xf32", "\"pad\"(%arg0, %arg1) {edge_padding_low = array<i64: 9223372036854775807>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}".to_owned(), "pad: `edge_padding_low` has a number beyond 2^32"),
        ("2x3xf32, 4x2xf32", "2x2xf32", "\"dot_general\"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}".to_owned(), "dot_general: of f32 [2, 3] and f32 [4, 2]"),
        ("2x3xf32, 3x2xf32", "2x3xf32", "\"dot_general\"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}".to_owned(), "dot_general: its result is f32 [2, 3], not f32 [2, 2]"),
        ("2x3xf32, 3x2xf32", "2x2xf32", "\"dot_general\"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [0]>}".to_owned(), "dot_general: `dot_dimension_numbers` = [4] of 2 axes"),
        ("2x3xf32, f32", "3xf32", format!("\"reduce\"(%arg0, %arg1) {sum} {{dimensions = array<i64: 2>}}"), "reduce: `dimensions` = [2] of 2 axes"),
        ("2x3xf32, f32", "2xf32", format!("\"reduce\"(%arg0, %arg1) {sum} {{dimensions = array<i64: 0>}}"), "reduce: its result is f32 [2], not f32 [3]"),
        ("2x3xf32, f32", "3xf32", format!("\"reduce\"(%arg0, %arg1) {sum_of_f64} {{dimensions = array<i64: 0>}}"), "reduce: a region of other operands"),
        ("4xf32, f32", "4xf32", format!("\"reduce_window\"(%arg0, %arg1) {sum} {{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}}"), "reduce_window: 4 windows along axis 0, not 3"),
        ("4xf32, f32", "4xf32", format!("\"reduce_window\"(%arg0, %arg1) {sum} {{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}}"), "reduce_window: a window without elements, or with steps of 0"),
        ("4xf32, 2xi64", "2xf32", "\"gather\"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 9>}".to_owned(), "gather: [9] of [4]"),
        ("4xf32, 2xi64", "2xf32", "\"gather\"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [3], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}".to_owned(), "gather: `collapsed_slice_dims` = [3] of 1 axes"),
        ("4xf32, 2xi64", "3xf32", "\"gather\"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}".to_owned(), "gather: its result is f32 [3], not f32 [2]"),
        ("4xf32, 2xi64, 3xf32", "4xf32", format!("\"scatter\"(%arg0, %arg1, %arg2) {sum} {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}"), "scatter: its update is f32 [3], not f32 [2]"),
        ("4xf32, i64, i64", "2xf32", "\"dynamic_slice\"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2>}".to_owned(), "dynamic_slice: `the start` has 2 numbers for 1 axes"),
        ("4xf32, i64", "5xf32", "\"dynamic_slice\"(%arg0, %arg1) {slice_sizes = array<i64: 5>}".to_owned(), "dynamic_slice: [5] of [4]"),
        ("4xf32, 5xf32, i64", "4xf32", "\"dynamic_update_slice\"(%arg0, %arg1, %arg2)".to_owned(), "dynamic_update_slice: [5] of [4]"),
        ("1x1x4xf32, 1x1x5xf32", "1x1x1xf32", "\"convolution\"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, window_strides = array<i64: 1>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}".to_owned(), "convolution: its result is f32 [1, 1, 1], not f32 [1, 1, 0]"),
        ("1x1x4xf32, 1x1x2xf32", "1x1x3xf32", "\"convolution\"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b]x[o]->[b]>, window_strides = array<i64: 1>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}".to_owned(), "convolution: its axes"),
        ("1x3x4xf32, 1x1x2xf32", "1x1x3xf32", "\"convolution\"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, window_strides = array<i64: 1>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, feature_group_count = 0 : i64, batch_group_count = 1 : i64}".to_owned(), "convolution: 0 and 1 groups of [1, 3, 4] and [1, 1, 2]"),
        ("", "4xf32", "\"constant\"() {value = dense<\"0x0000803F0000803F\"> : tensor<4xf32>}".to_owned(), "constant: 8 bytes for f32 [4]"),
        ("4xi1, 4xf32", "4xf32", "\"select\"(%arg0, %arg1, %arg1, %arg1)".to_owned(), "select: there is no Rust for it"),
        ("4xf32, 4xf32", "4xf32", "\"if\"(%arg0) ({ \"stablehlo.return\"(%arg1) : () -> () }, { \"stablehlo.return\"(%arg1) : () -> () })".to_owned(), "if: its condition is f32 [4], not bool []"),
        ("i1, 4xf32", "3xf32", "\"if\"(%arg0) ({ \"stablehlo.return\"(%arg1) : () -> () }, { \"stablehlo.return\"(%arg1) : () -> () })".to_owned(), "if: its region's result is f32 [4], not f32 [3]"),
        ("i32, 4xf32", "4xf32", "\"case\"(%arg0)".to_owned(), "case: it has nothing to choose from"),
        ("i1, 4xf32", "4xf32", "\"case\"(%arg0) ({ \"stablehlo.return\"(%arg1) : () -> () }, { \"stablehlo.return\"(%arg1) : () -> () })".to_owned(), "case: it has nothing to choose from"),
        ("4xf32", "4xf32", "\"while\"(%arg0) ({ \"stablehlo.return\"() : () -> () }, { \"stablehlo.return\"() : () -> () })".to_owned(), "while: it has 0 region's arguments, not 1"),
        ("99999999999x99999999999xf32", "4xf32", "\"negate\"(%arg0)".to_owned(), "`tensor<99999999999x99999999999xf32>` has more elements than there are addresses"),
        ("99999999999xf32", "4xf32", "\"negate\"(%arg0)".to_owned(), "f32 [99999999999] has more elements than 2^32"),
        ("4xf32", "99999999999xf32", "\"negate\"(%arg0)".to_owned(), "negate: f32 [99999999999] has more elements than 2^32"),
    ];
    let mut wrong = Vec::new();
    for (arguments, result, operation, expected) in cases {
        let operation = operation.replacen('"', "\"stablehlo.", 1);
        let found = refusal(&program(arguments, &format!("tensor<{result}>"), &operation));
        if found != expected {
            wrong.push(format!("{operation}\n  expected: {expected}\n  found: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A reader that follows deep regions would overflow its stack.
#[test]
fn deep_regions_are_refused() {
    let depth = 10_000;
    let open = (0..depth).map(|number| format!("%{number} = \"stablehlo.if\"(%arg0) ({{\n"));
    let text = format!(
        "module {{\n  func.func public @main(%arg0: tensor<i1>) -> (tensor<i1>) {{\n{}{}  }}\n}}",
        open.collect::<String>(),
        "}) : () -> tensor<i1>\n".repeat(depth)
    );
    assert_eq!(refusal(&text), "regions are nested 100 deep");
}

/// Each number of texts that are programs, replaced by others: what is not refused is written, and nothing panics.
#[test]
fn texts_with_other_numbers_do_not_panic() {
    let sum = region("f32", "\"stablehlo.add\"", "f32");
    let texts = [
        program(
            "2x3xf32",
            "tensor<3x2xf32>",
            "\"stablehlo.transpose\"(%arg0) {permutation = array<i64: 1, 0>}",
        ),
        program(
            "2x3xf32, 3x2xf32",
            "tensor<2x2xf32>",
            "\"stablehlo.dot_general\"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}",
        ),
        program(
            "2x3xf32, f32",
            "tensor<4x5xf32>",
            "\"stablehlo.pad\"(%arg0, %arg1) {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}",
        ),
        program(
            "2x3xf32",
            "tensor<2x2xf32>",
            "\"stablehlo.slice\"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 2>}",
        ),
        program(
            "4xf32, 2xi64",
            "tensor<2xf32>",
            "\"stablehlo.gather\"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}",
        ),
        program(
            "4xf32, 2xi64, 2xf32",
            "tensor<4xf32>",
            &format!(
                "\"stablehlo.scatter\"(%arg0, %arg1, %arg2) {sum} {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}"
            ),
        ),
        program(
            "2x3xf32",
            "tensor<2x4xf32>",
            "\"stablehlo.concatenate\"(%arg0, %arg0) {dimension = 1 : i64}",
        )
        .replace("2x4x", "2x6x"),
        program(
            "1x2x4x4xf32, 2x2x3x3xf32",
            "tensor<1x2x4x4xf32>",
            "\"stablehlo.convolution\"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, window_strides = array<i64: 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}",
        ),
        program(
            "4xf32, i64",
            "tensor<2xf32>",
            "\"stablehlo.dynamic_slice\"(%arg0, %arg1) {slice_sizes = array<i64: 2>}",
        ),
        program("", "tensor<2x3xi64>", "\"stablehlo.iota\"() {iota_dimension = 1 : i64}"),
        program(
            "3xf32",
            "tensor<2x3xf32>",
            "\"stablehlo.broadcast_in_dim\"(%arg0) {broadcast_dimensions = array<i64: 1>}",
        ),
    ];
    let (mut count, mut written) = (0, 0);
    for text in texts {
        assert!(embed(&text, &EmbedOptions::new()).is_ok(), "{text}: {}", refusal(&text));
        let mut at = 0;
        while let Some(start) =
            text[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start)
        {
            let len = text[start..].find(|c: char| !c.is_ascii_digit()).unwrap();
            for other in ["0", "1", "2", "7", "-1", "4294967295", "18446744073709551615", ""] {
                let changed = format!("{}{other}{}", &text[..start], &text[start + len..]);
                let result = catch_unwind(|| embed(&changed, &EmbedOptions::new()));
                count += 1;
                written += usize::from(result.unwrap_or_else(|_| panic!("{changed}")).is_ok());
            }
            at = start + len;
        }
    }
    assert!(count > 1000 && written > 100, "{written} of {count}");
}
