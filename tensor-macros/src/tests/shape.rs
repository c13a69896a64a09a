//! `shape!` and `dim!`.

use super::{errors, expands, refuses, spelled, tokens};
use crate::pipeline::{dim, shape, tensor};
use crate::{check, expand, parse};

#[test]
fn a_shape_is_nested_pairs_that_are_types_and_values() {
    expands(shape, "", "()");
    expands(shape, "2", "((), ::tensor_core::Dim::<2>)");
    expands(shape, "2, 3", "(((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<3>)");
    expands(shape, "2, 3,", "(((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<3>)");
}

#[test]
fn a_size_is_one_part_below_10_000_and_the_sum_of_its_parts_above() {
    let sizes = [
        ("0", "::tensor_core::Dim::<0>"),
        ("1", "::tensor_core::One"),
        ("2", "::tensor_core::Dim::<2>"),
        ("999", "::tensor_core::Dim::<999>"),
        ("1000", "::tensor_core::Dim::<1000>"),
        ("1001", "::tensor_core::Dim::<1001>"),
        ("2048", "::tensor_core::Dim::<2048>"),
        ("9999", "::tensor_core::Dim::<9999>"),
        ("10000", "::tensor_core::Dim::<10000>"),
        ("10001", "::tensor_core::Dim::<10000, 1>"),
        ("999999", "::tensor_core::Dim::<999000, 999>"),
        ("1000000", "::tensor_core::Dim::<1000000>"),
        ("1000001", "::tensor_core::Dim::<1000000, 1>"),
        ("5048000", "::tensor_core::Dim::<5000000, 48000>"),
        ("123456789", "::tensor_core::Dim::<123000000, 456000, 789>"),
        ("999_999_999", "::tensor_core::Dim::<999000000, 999000, 999>"),
    ];
    for (size, expected) in sizes {
        expands(dim, size, expected);
        expands(shape, size, &format!("((), {expected})"));
    }
}

#[test]
fn literals_have_every_form_of_rust() {
    for source in ["48", "4_8", "0x30", "0o60", "0b11_0000", "48usize", "0x3_0usize"] {
        expands(dim, source, "::tensor_core::Dim::<48>");
    }
}

#[test]
fn arithmetic_is_computed_with_the_precedence_of_rust() {
    let sizes = [
        ("28 * 28", 784),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("20 - 3 - 4", 13),
        ("7 / 2", 3),
        ("640 / 4 / 2", 80),
        ("17 % 5 * 2", 4),
        ("((64 - 4) + 2 * 1) / 2 + 1", 32),
        ("1_000_000 * 1_000_000 / 10_000_000_000", 100),
        ("{28 * 28}", 784),
        ("{(2)}", 2),
    ];
    for (source, size) in sizes {
        expands(dim, source, &format!("::tensor_core::Dim::<{size}>"));
    }
    expands(shape, "2 * 2, 3 - 2", "(((), ::tensor_core::Dim::<4>), ::tensor_core::One)");
}

#[test]
fn types_are_passed_through() {
    let types = [
        "Batch",
        "I",
        "Self",
        "model::Hidden",
        "::model::Hidden",
        "crate::Hidden",
        "Alias<T>",
        "Alias<A, B>",
        "Alias::<{ N }, fn(A) -> B>",
        "<T as Trait<A, B>>::Axis",
        "T::Axis",
        "_",
        "axis_of!(T)",
    ];
    for written in types {
        expands(dim, written, written);
        expands(shape, written, &format!("((), {written})"));
        expands(
            shape,
            &format!("{written}, 3"),
            &format!("(((), {written}), ::tensor_core::Dim::<3>)"),
        );
    }
}

#[test]
fn values_are_passed_through() {
    for written in
        ["Batch(n)", "Batch(a, b)", "model::Batch(1 < 2)", "self.batch", "x.0", "f(x)?.y[0]"]
    {
        expands(dim, written, written);
        expands(shape, written, &format!("((), {written})"));
    }
}

#[test]
fn leading_axes_stand_in_front() {
    expands(shape, "Lead..", "Lead");
    expands(shape, "Lead.., Batch, 50257", "((Lead, Batch), ::tensor_core::Dim::<50000, 257>)");
    expands(
        shape,
        "<T as Model>::Lead<A, B>.., 2",
        "(<T as Model>::Lead<A, B>, ::tensor_core::Dim::<2>)",
    );
    expands(shape, "x.shape().., 2", "(x.shape(), ::tensor_core::Dim::<2>)");
    expands(shape, "x.0.., 2", "(x.0, ::tensor_core::Dim::<2>)");
    expands(shape, "(A, B).., 2", "((A, B), ::tensor_core::Dim::<2>)");
}

/// The expansion of `{…}`, which has the expression once in each part.
fn constant(expression: &str) -> String {
    format!(
        "<::tensor_core::__private::Table::<
            {{
                let __size: usize = {expression};
                ::core::assert!(__size <= 999999999, \"an axis has at most 999999999 elements\");
                true
            }}
        > as ::tensor_core::__private::Constant<
            {{ let __size: usize = {expression}; __size / 1_000_000 * 1_000_000 }},
            {{ let __size: usize = {expression}; __size / 1_000 % 1_000 * 1_000 }},
            {{ let __size: usize = {expression}; __size % 1_000 }}
        >>::Size"
    )
}

#[test]
fn constants_are_computed_by_the_compiler_and_are_types_and_values() {
    for expression in ["VOCAB", "2 * HEADS", "size_of::<(A, B)>()", "if A < B { 1 } else { 2 }"] {
        let constant = constant(expression);
        expands(dim, &format!("{{{expression}}}"), &constant);
        expands(
            shape,
            &format!("{{{expression}}}, 3"),
            &format!("(((), {constant}), ::tensor_core::Dim::<3>)"),
        );
        expands(
            shape,
            &format!("Batch(n), {{{expression}}}"),
            &format!("(((), Batch(n)), {constant})"),
        );
    }
}

#[test]
fn a_mistaken_size_is_one_error_at_the_token() {
    let cases = [
        ("-3", "-3", "a size cannot be negative: write `3`"),
        ("{-3}", "-3", "a size cannot be negative: write `3`"),
        ("4 * -2", "-2", "a size cannot be negative: write `2`"),
        (
            "-1",
            "-1",
            "a size cannot be negative: write the size, or a named axis such as `Batch`, where NumPy has `-1`",
        ),
        ("-(3)", "-", "a size cannot be negative: remove the minus sign"),
        ("2.5", "2.5", "a size is an integer: write `2`, not `2.5`"),
        ("2 * 2.5", "2.5", "a size is an integer: write `2`, not `2.5`"),
        ("1e3", "1e3", "a size is an integer: write `1000`, not `1e3`"),
        ("2f32", "2f32", "a size has no type suffix other than `usize`: write `2`"),
        (
            "\"3\"",
            "\"3\"",
            "expected the size of an axis, such as `768`, not a string; a named axis is declared by `axis!(Batch)` and written without quotes",
        ),
        (
            "b\"3\"",
            "b\"3\"",
            "expected the size of an axis, such as `768`, not a string; a named axis is declared by `axis!(Batch)` and written without quotes",
        ),
        ("'3'", "'3'", "expected the size of an axis, such as `768`, not a character"),
        ("b'3'", "b'3'", "expected the size of an axis, such as `768`, not a character"),
        ("true", "true", "expected the size of an axis, such as `768`, not a bool"),
        ("3u32", "3u32", "a size has no type suffix other than `usize`: write `3`"),
        ("0x10i64", "0x10i64", "a size has no type suffix other than `usize`: write `16`"),
        ("2 - 3", "-", "`2 - 3` is negative: write a difference that is at least 0"),
        ("(2 - 3) + 4", "-", "`2 - 3` is negative: write a difference that is at least 0"),
        ("4 / 0", "/", "`4 / 0` divides by zero: write a divisor that is at least 1"),
        ("4 % (1 - 1)", "%", "`4 % 0` divides by zero: write a divisor that is at least 1"),
        ("{}", "{}", "a size is missing between the braces"),
        (
            "()",
            "()",
            "expected the size or the name of an axis, not a shape: the axes of a shape go in front, as `Lead..`",
        ),
        ("2 * ()", "()", "a number is missing between these parentheses"),
        ("2 +", "+", "a number is missing after this operator"),
        ("* 2", "*", "expected a number before `*`"),
        ("2 ** 3", "*", "expected a number before `*`"),
        ("N * 2", "N * 2", "a size with constants is written in braces: `{N * 2}`"),
        ("2 * N", "2 * N", "a size with constants is written in braces: `{2 * N}`"),
        (
            "(N + 1) * 2",
            "(N + 1) * 2",
            "a size with constants is written in braces: `{(N + 1) * 2}`",
        ),
        ("N as usize", "N as usize", "a size with constants is written in braces: `{N as usize}`"),
        (
            "{N} * 2",
            "{N} * 2",
            "the whole size goes into one pair of braces: `{constant expression}`",
        ),
        (
            "2 << 3",
            "<",
            "a size is made of numbers, `+`, `-`, `*`, `/`, `%` and parentheses; write anything else in braces: `{constant}`",
        ),
        ("&3", "&", "expected the size or the name of an axis, such as `768` or `Batch`"),
        ("::", ":", "expected the size or the name of an axis, such as `768` or `Batch`"),
        ("Axis<3", "<", "this `<` has no `>`"),
        (
            "[2, 3]",
            "[2, 3]",
            "the axes of a shape are one list, without inner brackets: write `shape![2, 3]`",
        ),
    ];
    for (source, at, message) in cases {
        refuses(shape, source, at, message);
        refuses(dim, source, at, message);
        refuses(shape, &format!("2, {source}, Batch"), at, message);
    }
}

#[test]
fn a_size_out_of_range_is_one_error() {
    let message = |size: &str| {
        format!(
            "size {size} is out of range: an axis has at most 999999999 elements; use two axes whose sizes multiply to it"
        )
    };
    let huge = "99999999999999999999999999";
    refuses(shape, "1_000_000_000", "1_000_000_000", &message("1000000000"));
    refuses(shape, "2, 500_000_000 * 2", "500_000_000 * 2", &message("1000000000"));
    refuses(
        shape,
        "0xFFFF_FFFF_FFFF_FFFF",
        "0xFFFF_FFFF_FFFF_FFFF",
        &message("18446744073709551615"),
    );
    refuses(shape, &format!("3, {huge}"), huge, &message(huge));
    refuses(
        shape,
        "10_000_000_000 * 10_000_000_000",
        "*",
        "`10000000000 * 10000000000` is out of range: an axis has at most 999999999 elements",
    );
}

#[test]
fn misplaced_dots_are_one_error() {
    let in_front = "leading axes come first: write `Lead..` first, then the other axes";
    refuses(shape, "2, Lead..", "Lead..", in_front);
    refuses(shape, "2, Lead.., 3", "Lead..", in_front);
    refuses(
        shape,
        "Lead.., More..",
        "More..",
        "a shape has one list of leading axes, and it already begins with `Lead..`: write the other axes one by one",
    );
    let after = "leading axes are written with the dots after the name: `Lead..`";
    refuses(shape, "..Lead, 2", "..Lead", after);
    refuses(shape, "2, ..Lead", "..Lead", after);
    let name = "name the shape that the leading axes come from: `Lead..`";
    refuses(shape, "..", "..", name);
    let two = "leading axes are written with two dots: `Lead..`";
    refuses(shape, "Lead...", "Lead...", two);
    refuses(shape, "Lead..=3", "Lead..=3", two);
    refuses(shape, "Lead., 2", ".", two);
    let number = "a number is one axis: write it without the dots, or `Lead..` for all axes of the shape `Lead`";
    refuses(shape, "2..", "2..", number);
    refuses(shape, "Lead.., 2..", "2..", number);
    let range = "an axis has one size, not a range of sizes: write one number";
    for source in ["2..3", "2..=3", "..3", "{N}..", "{N}..3"] {
        refuses(shape, source, source, range);
    }
}

#[test]
fn a_wrong_comma_is_one_error() {
    let missing_axis = "an axis is missing before this comma: write its size, or remove the comma";
    for source in ["2,,3", ",2", ",", "2, 3,,", "Lead..,,2"] {
        refuses(shape, source, ",", missing_axis);
    }
    refuses(shape, "2 3", "3", "missing comma: write `, 3`");
    refuses(shape, "2, Batch 3", "3", "missing comma: write `, 3`");
    refuses(shape, "Batch Seq", "Seq", "missing comma: write `, Seq`");
    refuses(shape, "Lead.. Batch", "Batch", "missing comma: write `, Batch`");
    refuses(shape, "{N} 3", "3", "missing comma: write `, 3`");
    refuses(shape, "Batch(2) 3", "3", "missing comma: write `, 3`");
    refuses(shape, "(2 3)", "3", "missing comma: write `, 3`");
    refuses(shape, "2; 3", ";", "expected a comma, found `;`");
    refuses(shape, "Batch; 3", ";", "expected a comma, found `;`");
    refuses(shape, "{N}; 3", ";", "expected a comma, found `;`");
}

#[test]
fn two_mistakes_are_two_errors() {
    let source = "-3, 2, 2.5";
    let found = errors(source, shape(tokens(source)));
    let at: Vec<&str> = found.iter().map(|error| &error.at[..]).collect();
    assert_eq!(at, ["-3", "2.5"]);
}

#[test]
fn a_mistaken_shape_is_an_axis_that_is_the_error() {
    let expected = "::tensor_core::Dim::<{
        ::core::compile_error! { \"a size cannot be negative: write `3` [T703]\" }
    }>";
    expands(shape, "2, -3", expected);
    expands(dim, "-3", expected);
}

#[test]
fn dim_takes_one_axis() {
    refuses(dim, "", "", "`dim!` takes the size of one axis, such as `dim!(768)`");
    let several = "`dim!` is one axis: several axes are a shape, `shape![2, 3]`";
    refuses(dim, "2, 3", "3", several);
    refuses(dim, "2, Batch, 4", "Batch", several);
    refuses(
        dim,
        "Lead..",
        "Lead..",
        "`dim!` is one axis: leading axes go into `shape![Lead.., …]`",
    );
    expands(dim, "2,", "::tensor_core::Dim::<2>");
}

/// The tokens that `macro_rules!` passes for `$size:expr` and the like: invisible groups.
mod from_macro_rules {
    use proc_macro2::{Delimiter, Group, TokenTree};

    use super::*;

    #[track_caller]
    fn check(before: &str, variable: &str, after: &str, expected: &str) {
        let variable = TokenTree::from(Group::new(Delimiter::None, tokens(variable)));
        let source = tokens(before).into_iter().chain([variable]).chain(tokens(after));
        assert_eq!(spelled(shape(source.collect())), spelled(tokens(expected)));
    }

    #[test]
    fn sizes_are_computed() {
        check("", "28", "", "((), ::tensor_core::Dim::<28>)");
        check("", "1 + 2", "* 2", "((), ::tensor_core::Dim::<6>)");
        check("2 *", "1 + 2", "", "((), ::tensor_core::Dim::<6>)");
        check("", "{1 + 2}", "", "((), ::tensor_core::Dim::<3>)");
    }

    #[test]
    fn names_are_passed_through() {
        check("", "Batch", ", 3", "(((), Batch), ::tensor_core::Dim::<3>)");
        check("", "Batch(n)", "", "((), Batch(n))");
    }
}

#[test]
fn plain_sizes_expand_as_all_others_do() {
    for source in ["", "3", "2, 3", "2, 3,", "0, 1, 2048, 999999999", "1, 1000000"] {
        let staged = check::shape::shape(parse::shape::entries(tokens(source))).expect("a shape");
        let staged = spelled(expand::shape::shape(&staged));
        let plain = expand::shape::literal_sizes(&tokens(source)).map(spelled);
        assert_eq!(plain, Some(staged), "the expansion of `{source}`");
    }
    for source in ["1000000000", "2 3", ",", "2,, 3", "-2", "2 * 3", "1_000", "2u8", "2.0", "N"] {
        assert!(expand::shape::literal_sizes(&tokens(source)).is_none(), "`{source}` is plain");
    }
}

#[test]
fn a_shape_that_no_memory_holds_is_one_error() {
    refuses(
        shape,
        "16777216, 1048576, 1048576",
        "16777216, 1048576, 1048576",
        "a tensor of this shape does not fit into memory: 16777216 × 1048576 × 1048576 elements are more than `isize::MAX`",
    );
    // A size of 0, or one that the macro does not know, may be 0.
    for sizes in ["16777216, 0, 1048576, 1048576", "{MILLION}, 999999999, 999999999, 999999999"] {
        assert!(errors(sizes, shape(tokens(sizes))).is_empty(), "{sizes}");
    }
    for sizes in ["Batch, 999999999, 999999999, 999999999", "L.., 999999999, 999999999, 999999999"]
    {
        assert!(errors(sizes, shape(tokens(sizes))).is_empty(), "{sizes}");
    }
    let largest = "524288, 524288, 524288, 63";
    assert!(errors(largest, shape(tokens(largest))).is_empty());
    let larger = "524288, 524288, 524288, 64";
    assert_eq!(errors(larger, shape(tokens(larger))).len(), 1);
}

#[test]
fn a_word_of_the_language_is_no_axis() {
    let message = |word: &str| {
        format!(
            "`{word}` is a word of the language: expected the size or the name of an axis, such as \
             `768` or `Batch`"
        )
    };
    for word in ["for", "await", "type", "as", "let", "match", "dyn", "abstract"] {
        refuses(shape, &format!("2, {word}"), word, &message(word));
        refuses(shape, &format!("{word}.., 2"), word, &message(word));
        refuses(shape, &format!("axes::{word}, 2"), word, &message(word));
        refuses(dim, word, word, &message(word));
        refuses(tensor, &format!("0; {word}"), word, &message(word));
    }
    for path in ["r#for", "self::Batch", "Self", "crate::Batch", "super::Batch", "_", "x.await"] {
        assert!(errors(path, shape(tokens(path))).is_empty(), "{path}");
    }
}
