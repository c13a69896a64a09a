//! `slice!`.

use super::{expands, refuses};
use crate::pipeline::slice;

#[test]
fn parts_of_the_first_axes_are_a_list_from_the_first_on() {
    expands(slice, "", "((), ())");
    expands(slice, "..", "((::tensor_core::slicing::WholeAxis, ()), ())");
    expands(
        slice,
        "1.., 2..10; 3",
        "((
            (
                ::tensor_core::slicing::RangeAlong::<0, 1>,
                ::tensor_core::slicing::StartingAt::<1>,
                (::tensor_core::slicing::TrimmedLen, ::tensor_core::One)
            ),
            ((
                ::tensor_core::slicing::RangeAlong::<1, 3>,
                ::tensor_core::slicing::Between::<2, 10>,
                (
                    ::tensor_core::slicing::FixedLen,
                    ::tensor_core::Dim::<10>,
                    ::tensor_core::Dim::<3>
                )
            ), ())
        ), ())",
    );
}

#[test]
fn parts_of_the_last_axes_are_a_list_that_ends_with_the_last() {
    expands(
        slice,
        "..., ..-2; 2, -1",
        "((), (
            ((), (
                ::tensor_core::slicing::RangeAlong::<-2, 2>,
                ::tensor_core::slicing::Between::<0, -2>,
                (
                    ::tensor_core::slicing::SteppedLen,
                    ::tensor_core::Dim::<2>,
                    ::tensor_core::One,
                    ::tensor_core::Dim::<2>
                )
            )),
            (::tensor_core::slicing::IndexAlong::<-1, -1>, (), ::tensor_core::One)
        ))",
    );
}

#[test]
fn what_the_run_decides_is_an_expression() {
    expands(slice, "Rows(i..j; 2)", "((::tensor_core::slicing::named::<Rows>(i..j, 2), ()), ())");
    expands(slice, "i..", "((::tensor_core::slicing::unnamed(i.., 1), ()), ())");
    for index in ["i", "(i + 1)", "(0)", "self.row", "rows(x)", "x[0]", "N"] {
        let expected = format!(
            "((::tensor_core::slicing::RunTimeIndex(
                {{ let __index: usize = {index}; __index }}
            ), ()), ())"
        );
        expands(slice, index, &expected);
    }
}

#[test]
fn a_part_that_cannot_be_is_one_error() {
    let reversed = "this slice ends before it starts: the smaller bound is written first, \
        also with a negative step, `2..6; -1`";
    refuses(slice, "5..2", "5..2", reversed);
    refuses(slice, "..., -2..-5", "-2..-5", reversed);
    refuses(slice, "-1..-1, 9..3; -1", "9..3; -1", reversed);
    let sides = "a slice that starts from the end of an axis ends there as well: \
        count its end from the end, or its start from the front";
    refuses(slice, "-3..5", "-3..5", sides);
    refuses(slice, "..; 0", "0", "a step is at least 1, or at most -1");
    refuses(slice, "..; {N}", "{N}", "a step is a number: write `; 2`");
    refuses(slice, "..;", ";", "a step is missing here: write `; 2`, or remove the `;`");
    let range = "a step belongs to a range: write `start..end; step`, or `..; step`";
    refuses(slice, "3; 2", "2", range);
    let rest = "`...` is written once: it is all axes that are not named";
    refuses(slice, "..., 1, ...", "...", rest);
    let front = "`-0` is 0, the front of the axis; its end is left out: `1..`";
    refuses(slice, "1..-0", "-0", front);
    let missing = "a part of the slice is missing before this comma: write it, or remove the comma";
    refuses(slice, "..,,1", ",", missing);
    let end = "an inclusive range has an end: write `start..=end`, or `start..`";
    refuses(slice, "1..=", "1..=", end);
    let part = "expected a part of a slice: a range such as `1..-1`, an index such as `0`, or `..`";
    refuses(slice, "1.., let", "let", part);
    refuses(slice, ": , 1..", ":", part);
    refuses(slice, "1.5..", "1.5", "a size is an integer: write `1`, not `1.5`");
}
