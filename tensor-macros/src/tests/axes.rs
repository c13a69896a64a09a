//! `axes!`.

use super::{expands, refuses};
use crate::pipeline::axes;

#[test]
fn axes_are_nested_pairs_of_positions() {
    expands(axes, "", "()");
    expands(axes, "1", "((), ::tensor_core::AxisIndex::<1>)");
    expands(
        axes,
        "0, 2, 1,",
        "((((), ::tensor_core::AxisIndex::<0>), ::tensor_core::AxisIndex::<2>), ::tensor_core::AxisIndex::<1>)",
    );
    expands(
        axes,
        "-1, 0x2isize",
        "(((), ::tensor_core::AxisIndex::<-1>), ::tensor_core::AxisIndex::<2>)",
    );
}

#[test]
fn dots_in_front_are_all_other_axes() {
    expands(
        axes,
        "..., -1, -2",
        "((::tensor_core::slicing::UnlistedAxes, ::tensor_core::AxisIndex::<-1>), ::tensor_core::AxisIndex::<-2>)",
    );
    let message = "after `...`, axes are counted from the end: -1 is the last axis";
    refuses(axes, "..., 1, -2", "1", message);
}

#[test]
fn a_number_that_is_no_axis_is_one_error() {
    let expected = "expected the number of an axis, such as `0` for the first or `-1` for the last";
    for source in ["1.5", "\"a\"", "'a'", "N", "{N}", "(1)", "--1", "-", "-N", "..", "-1.5"] {
        refuses(axes, source, source, expected);
        refuses(axes, &format!("3, {source}, 2"), source, expected);
    }
    refuses(axes, "0u8", "0u8", "the number of an axis has no type suffix: write `0`");
    refuses(axes, "99999999999", "99999999999", "no shape has an axis 99999999999");
    let one =
        "the number of an axis is one integer, such as `0` for the first or `-1` for the last";
    refuses(axes, "0 + 1", "+", one);
    refuses(axes, "0..2", ".", one);
}

#[test]
fn an_axis_that_stands_twice_is_one_error() {
    refuses(axes, "0, 0", "0", "axis 0 is listed twice: name each axis once");
    refuses(axes, "-1, 2, -1", "-1", "axis -1 is listed twice: name each axis once");
    refuses(axes, "1, 0x1", "0x1", "axis 1 is listed twice: name each axis once");
    refuses(axes, "0, -0", "-0", "axis 0 is listed twice: name each axis once");
}

#[test]
fn a_wrong_comma_is_one_error() {
    let missing =
        "the number of an axis is missing before this comma: write it, or remove the comma";
    refuses(axes, "0,,1", ",", missing);
    refuses(axes, ",", ",", missing);
    refuses(axes, "0 1", "1", "missing comma: write `, 1`");
}
