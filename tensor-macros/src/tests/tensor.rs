//! `tensor!`.

use std::time::{Duration, Instant};

use super::{errors, expands, large, refuses, tokens};
use crate::pipeline::tensor;

#[test]
fn elements_are_one_array_in_row_major_order() {
    expands(
        tensor,
        "[1, 2, 3], [4, 5, 6]",
        "::tensor_core::__private::tensor::<
            (((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<3>), _, 6
        >([1, 2, 3, 4, 5, 6])",
    );
    expands(
        tensor,
        "[[1, 2]], [[3, 4]], [[5, 6]],",
        "::tensor_core::__private::tensor::<
            ((((), ::tensor_core::Dim::<3>), ::tensor_core::One), ::tensor_core::Dim::<2>), _, 6
        >([1, 2, 3, 4, 5, 6])",
    );
    expands(
        tensor,
        "1.0",
        "::tensor_core::__private::tensor::<((), ::tensor_core::One), _, 1>([1.0])",
    );
}

#[test]
fn axes_may_be_empty() {
    expands(
        tensor,
        "",
        "::tensor_core::__private::tensor::<((), ::tensor_core::Dim::<0>), _, 0>([])",
    );
    expands(
        tensor,
        "[], [],",
        "::tensor_core::__private::tensor::<
            (((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<0>), _, 0
        >([])",
    );
}

#[test]
fn elements_are_any_expressions() {
    for element in [
        "-1.5",
        "x",
        "f::<A, B>(x, y)",
        "a < b",
        "if a { b } else { c }",
        "x[0]",
        "[1, 2].len()",
        "([1, 2])",
        "([1, 2])[0]",
        "vec![1, 2].len()",
        "|x, y| x + y",
        "x as Alias<A, B>",
        "{ let x = 1; x }",
        "return",
    ] {
        expands(
            tensor,
            &format!("{element}, {element}"),
            &format!(
                "::tensor_core::__private::tensor::<((), ::tensor_core::Dim::<2>), _, 2>(
                    [{element}, {element}]
                )"
            ),
        );
    }
}

#[test]
fn one_value_is_repeated_over_a_shape() {
    expands(tensor, "0.5;", "::tensor_core::Tensor::full_shaped((), 0.5)");
    expands(
        tensor,
        "f(x); 2, 3",
        "::tensor_core::Tensor::full_shaped((((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<3>), f(x))",
    );
    expands(
        tensor,
        "true; lead.., Batch(n), 1",
        "::tensor_core::Tensor::full_shaped(((lead, Batch(n)), ::tensor_core::One), true)",
    );
}

#[test]
fn a_ragged_row_is_one_error_with_both_lengths() {
    refuses(tensor, "[1, 2, 3], [4, 5]", "[4, 5]", "this row has 2 elements, but row 0 has 3");
    refuses(tensor, "[1, 2], [3]", "[3]", "this row has 1 element, but row 0 has 2");
    refuses(tensor, "[1], []", "[]", "this row has 0 elements, but row 0 has 1");
    refuses(tensor, "[], [1]", "[1]", "this row has 1 element, but row 0 has 0");
    refuses(
        tensor,
        "[[1, 2], [3, 4]], [[5, 6], [7]]",
        "[7]",
        "this row has 1 element, but row [0, 0] has 2",
    );
    refuses(
        tensor,
        "[[1, 2], [3, 4]], [[5, 6]]",
        "[[5, 6]]",
        "this row has 1 element, but row 0 has 2",
    );
    refuses(tensor, "[1, 2], [3], [4]", "[3]", "this row has 1 element, but row 0 has 2");
}

#[test]
fn rows_among_elements_are_one_error() {
    refuses(
        tensor,
        "1, [2, 3]",
        "[2, 3]",
        "this is a row of 2 elements, but entry 0 is a single element: rows and elements do not mix",
    );
    refuses(
        tensor,
        "[1], [[2]]",
        "[2]",
        "this is a row of 1 element, but entry [0, 0] is a single element: rows and elements do not mix",
    );
    refuses(
        tensor,
        "[1, 2], 3 + 4",
        "3 + 4",
        "this is a single element, but entry 0 is a row of 2 elements: rows and elements do not mix",
    );
    refuses(
        tensor,
        "[[1]], [2]",
        "2",
        "this is a single element, but entry [0, 0] is a row of 1 element: rows and elements do not mix",
    );
}

#[test]
fn a_missing_element_is_one_error() {
    let message = "an element is missing before this comma: write it, or remove the comma";
    for source in ["1, , 2", "[1, , 2]", ", 1", ",", "[1, 2], , [3, 4]", "[1, 2,,], [3, 4]"] {
        refuses(tensor, source, ",", message);
    }
    refuses(tensor, "1 2", "2", "missing comma: write `, 2`");
    refuses(tensor, "[1, 2] [3, 4]", "[3, 4]", "missing comma before this");
    refuses(tensor, "[1 2]", "2", "missing comma: write `, 2`");
    // Rust would read the second row as an index.
    refuses(tensor, "[1, 2][0]", "[0]", "missing comma before this");
}

#[test]
fn an_incomplete_element_is_one_error() {
    for (source, at) in [("1 +", "+"), ("[1, 2], [3, 4 *]", "*"), ("x., 1", ",")] {
        let found = errors(source, tensor(tokens(source)));
        assert_eq!(found.len(), 1, "{source}: {found:?}");
        assert_eq!(found[0].at, at, "{source}");
    }
}

#[test]
fn a_mistaken_repeat_is_one_error() {
    refuses(tensor, "; 2", ";", "the value is missing before `;`: write `tensor![0.5; 2, 3]`");
    refuses(tensor, "1, 2; 3", ",", "the repeat form takes one value: write `tensor![0.5; 2, 3]`");
    refuses(
        tensor,
        "[0; 3], [1; 3]",
        ";",
        "a row cannot repeat a value: repeat it for the whole tensor, `tensor![0.5; 2, 3]`, or write the row out",
    );
    for row in ["[1; 2]", "[1, 2]", "[]"] {
        refuses(
            tensor,
            &format!("{row}; 3"),
            row,
            "a row is not an element: write one value and the whole shape, `tensor![0.5; 2, 3]`",
        );
    }
    refuses(tensor, "0.5; 2; 3", ";", "expected a comma, found `;`");
    refuses(tensor, "0.5; 2, -3", "-3", "a size cannot be negative: write `3`");
    refuses(
        tensor,
        "0.5; 2, Lead..",
        "Lead..",
        "leading axes come first: write `Lead..` first, then the other axes",
    );
}

#[test]
fn large_literals_expand_fast() {
    let source = tokens(&large(10_000, 100));
    let start = Instant::now();
    let expanded = tensor(source);
    let elapsed = start.elapsed();
    assert!(errors("", expanded).is_empty());
    assert!(elapsed < Duration::from_secs(2), "took {elapsed:?}");
}

#[test]
fn a_literal_has_at_most_100_axes() {
    let rows = |axes: usize| format!("{}1{}", "[".repeat(axes - 1), "]".repeat(axes - 1));
    assert!(errors("", tensor(tokens(&rows(100)))).is_empty());
    let message = "a literal has at most 100 axes: this row is one more; write the elements as one row \
                   and reshape it";
    refuses(tensor, &rows(101), "[1]", message);
}
