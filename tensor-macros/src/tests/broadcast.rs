//! `broadcast_shapes!`.

use super::{errors, expands, refuses, tokens};
use crate::pipeline::broadcast_shapes;

#[test]
fn shapes_are_joined_in_pairs() {
    expands(broadcast_shapes, "", "()");
    expands(broadcast_shapes, "A", "A");
    expands(broadcast_shapes, "A, B,", "::tensor_core::broadcast::Broadcasted<A, B>");
    expands(
        broadcast_shapes,
        "A, B<X, Y>, [2, 1]",
        "::tensor_core::broadcast::Broadcasted<
            A,
            ::tensor_core::broadcast::Broadcasted<
                B<X, Y>,
                (((), ::tensor_core::Dim::<2>), ::tensor_core::One)
            >
        >",
    );
    expands(broadcast_shapes, "[]", "()");
    expands(broadcast_shapes, "[Lead.., 3]", "(Lead, ::tensor_core::Dim::<3>)");
}

#[test]
fn a_hundred_shapes_stay_shallow() {
    let operands: Vec<String> = (0..100).map(|index| format!("S{index}")).collect();
    let expanded = broadcast_shapes(tokens(&operands.join(", "))).to_string();
    let mut depth = 0_i32;
    let mut deepest = 0;
    for letter in expanded.chars() {
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        deepest = deepest.max(depth);
    }
    // One for each halving.
    assert_eq!(deepest, 7);
    assert_eq!(expanded.matches("Broadcasted").count(), 99);
    assert!(operands.iter().all(|operand| expanded.contains(operand)));
}

#[test]
fn a_mistaken_operand_is_one_error() {
    let expected = "expected a shape: the type of one, such as `S`, or its sizes in brackets, such as `[2, 1]`";
    for source in ["3", "A B", "Lead..", "..", "-1"] {
        refuses(broadcast_shapes, source, source, expected);
        refuses(broadcast_shapes, &format!("S, {source}, [2]"), source, expected);
    }
    let missing = "a shape is missing before this comma: write one, or remove the comma";
    refuses(broadcast_shapes, "A,,B", ",", missing);
    refuses(broadcast_shapes, ",", ",", missing);
    refuses(broadcast_shapes, "[2] [3]", "[3]", "missing comma before this");
    refuses(broadcast_shapes, "A, [2, -3]", "-3", "a size cannot be negative: write `3`");
}

#[test]
fn the_first_mistaken_operand_is_the_one_error() {
    let source = "[-3], A, [2.5]";
    assert_eq!(errors(source, broadcast_shapes(tokens(source))).len(), 1);
}
