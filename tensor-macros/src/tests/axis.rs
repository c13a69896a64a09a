//! `axis!`.

use super::{errors, expands, refuses, spelled, tokens};
use crate::pipeline::axis;

/// The digits of the 32-bit FNV-1a hash of a name, as Python computes them.
fn number_of(name: &str) -> &'static str {
    match name {
        "Batch" => "14, 11, 15, 14, 6, 2, 9, 11",
        "Hidden" => "3, 12, 2, 13, 15, 14, 5, 9",
        "Single" => "15, 1, 7, 7, 6, 5, 0, 9",
        _ => panic!("no number of {name}"),
    }
}

/// The items of `axis!(Batch)`.
fn run_time(head: &str, visibility: &str, name: &str) -> String {
    format!(
        "{head}
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::fmt::Debug,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
            ::core::hash::Hash,
        )]
        {visibility} struct {name}(#[doc = \" The size.\"] {visibility} usize);

        ::tensor_core::__named_axis! {{
            {name},
            ::core::option::Option::None,
            |__axis| __axis.0,
            |__size| ::core::option::Option::Some({name}(__size))
        }}

        impl<__Needs> ::tensor_core::slicing::IndexedAxis<__Needs> for {name} {{
            type Fits = ::tensor_core::arithmetic::RunTimeSize;
        }}

        impl ::tensor_core::align::NumberedAxis for {name} {{
            type Number = ::tensor_core::align::Number<{number}>;
        }}",
        number = number_of(name),
    )
}

/// The items of `axis!(Hidden = 768)`.
fn known(head: &str, visibility: &str, name: &str, number: &str, size: &str) -> String {
    format!(
        "{head}
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::fmt::Debug,
            ::core::default::Default,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
            ::core::hash::Hash,
        )]
        {visibility} struct {name};

        ::tensor_core::__named_axis! {{
            {name},
            ::core::option::Option::Some({number}),
            |__axis| {number},
            |__size| if __size == {number} {{
                ::core::option::Option::Some({name})
            }} else {{
                ::core::option::Option::None
            }}
        }}

        impl ::tensor_core::StaticAxis for {name} {{
            const VALUE: Self = {name};
            type Size = {size};
        }}

        impl ::tensor_core::align::NumberedAxis for {name} {{
            type Number = ::tensor_core::align::Number<{hash}>;
        }}",
        hash = number_of(name),
    )
}

#[test]
fn an_axis_of_unknown_size_is_a_struct_that_holds_it() {
    let docs = "#[doc = \" The axis `Batch`, whose size is known when the program runs.\"]";
    expands(axis, "Batch", &run_time(docs, "", "Batch"));
    expands(axis, "pub(crate) Batch,", &run_time(docs, "pub(crate)", "Batch"));
}

#[test]
fn an_axis_of_known_size_is_a_struct_without_fields() {
    let docs = "#[doc = \" The axis `Hidden`, of size 768.\"]";
    let size = "::tensor_core::Dim::<768>";
    expands(axis, "Hidden = 768", &known(docs, "", "Hidden", "768", size));
    expands(axis, "pub Hidden = 3 * 256", &known(docs, "pub", "Hidden", "768", size));
    let docs = "#[doc = \" The axis `Single`, of size 1.\"]";
    expands(axis, "Single = {1}", &known(docs, "", "Single", "1", "::tensor_core::One"));
}

#[test]
fn a_constant_size_is_computed_once() {
    let docs = "#[doc = \" The axis `Hidden`, of a static size.\"]";
    let size = "<::tensor_core::__private::Table::<
        {
            let __size: usize = Hidden::__SIZE;
            ::core::assert!(__size <= 999999999, \"an axis has at most 999999999 elements\");
            true
        }
    > as ::tensor_core::__private::Constant<
        { let __size: usize = Hidden::__SIZE; __size / 1_000_000 * 1_000_000 },
        { let __size: usize = Hidden::__SIZE; __size / 1_000 % 1_000 * 1_000 },
        { let __size: usize = Hidden::__SIZE; __size % 1_000 }
    >>::Size";
    for (source, expression) in [
        ("Hidden = 64 * HEADS", "64 * HEADS"),
        ("Hidden = HEADS", "HEADS"),
        ("Hidden = (HEADS)", "(HEADS)"),
        ("Hidden = {64 * HEADS}", "64 * HEADS"),
        ("Hidden = size_of::<(A, B)>()", "size_of::<(A, B)>()"),
    ] {
        let once = format!(
            "struct Hidden;
            impl Hidden {{
                #[allow(arithmetic_overflow, unconditional_panic)]
                const __SIZE: usize = {expression};
            }}"
        );
        let items = known(docs, "", "Hidden", "Hidden::__SIZE", size);
        expands(axis, source, &items.replacen("struct Hidden;", &once, 1));
    }
}

#[test]
fn attributes_are_kept_and_documentation_replaces_ours() {
    let head = "#[doc = \" Mine.\"] #[allow(dead_code)]";
    expands(
        axis,
        "#[doc = \" Mine.\"] #[allow(dead_code)] pub Batch",
        &run_time(head, "pub", "Batch"),
    );
}

#[test]
fn a_condition_concerns_every_item() {
    let conditional =
        |source: &str| spelled(axis(tokens(source))).matches("# [ cfg ( unix ) ] ").count();
    assert_eq!(conditional("#[cfg(unix)] Batch"), 4);
    assert_eq!(conditional("#[cfg(unix)] Hidden = 768"), 4);
    assert_eq!(conditional("#[cfg(unix)] Hidden = {HEADS}"), 5);
}

#[test]
fn several_axes_are_declared_at_once() {
    let one_by_one = format!("{}{}", axis(tokens("pub Batch")), axis(tokens("Hidden = 768")));
    expands(axis, "pub Batch, Hidden = 768", &one_by_one);
}

#[test]
fn a_mistaken_name_is_one_error() {
    let expected = "expected the name of an axis: `axis!(Batch)`, or `axis!(Hidden = 768)` for one of known size";
    refuses(axis, "3", "3", expected);
    refuses(axis, "= 3", "=", expected);
    refuses(axis, "pub 3", "3", expected);
    refuses(axis, "Hidden = 2, 3", "3", expected);
    let typed = |name| format!("an axis is a type, and is named like one: write `{name}`");
    refuses(axis, "batch", "batch", &typed("Batch"));
    refuses(axis, "batch_size = 3", "batch_size", &typed("BatchSize"));
    refuses(axis, "_Batch", "_Batch", &typed("Batch"));
    refuses(axis, "__", "__", &typed("Batch"));
    let word = |word| {
        format!("`{word}` is a word of the language: name the axis as a type, `axis!(Batch)`")
    };
    refuses(axis, "type", "type", &word("type"));
    refuses(axis, "_", "_", &word("_"));
    refuses(axis, "Self = 3", "Self", &word("Self"));
    refuses(
        axis,
        "",
        "",
        "name the axis: `axis!(Batch)`, or `axis!(Hidden = 768)` for one of known size",
    );
}

#[test]
fn a_misnamed_axis_is_declared_all_the_same() {
    let expanded = spelled(axis(tokens("batch")));
    assert!(expanded.contains("struct batch"), "{expanded}");
    assert!(expanded.contains("non_camel_case_types"), "{expanded}");
}

#[test]
fn an_axis_declared_twice_is_one_error() {
    let message = "axis `Batch` is declared twice: give one of them another name";
    refuses(axis, "Batch, Batch", "Batch", message);
    refuses(axis, "Batch, Seq, Batch = 3", "Batch", message);
}

#[test]
fn a_mistaken_size_is_one_error_and_declares_the_axis() {
    for (size, at, message) in [
        ("-3", "-3", "a size cannot be negative: write `3`"),
        ("2.5", "2.5", "a size is an integer: write `2`, not `2.5`"),
        ("{-3}", "-3", "a size cannot be negative: write `3`"),
        (
            "1_000_000_000",
            "1_000_000_000",
            "size 1000000000 is out of range: an axis has at most 999999999 elements; use two axes whose sizes multiply to it",
        ),
        ("'a'", "'a'", "expected the size of an axis, such as `768`, not a character"),
        ("3u8", "3u8", "a size has no type suffix other than `usize`: write `3`"),
        ("0 / 0", "/", "`0 / 0` divides by zero: write a divisor that is at least 1"),
        ("{}", "{}", "a size is missing between the braces"),
        ("3 4", "4", "missing comma: write `, 4`"),
        ("N *", "*", "unexpected end of input, expected an expression"),
        ("", "=", "the size of the axis is missing after `=`"),
    ] {
        let source = format!("Hidden = {size}");
        refuses(axis, &source, at, message);
        let expanded = spelled(axis(tokens(&source)));
        assert!(expanded.contains("struct Hidden ;"), "{expanded}");
        assert!(
            expanded.contains("type Size = < : : tensor_core : : __private : : Table : : < {"),
            "{expanded}"
        );
    }
}

#[test]
fn anything_else_after_the_name_is_one_error() {
    refuses(
        axis,
        "Batch(3)",
        "(3)",
        "an axis is declared without a value, `axis!(Batch)`, and gets its size where it is used: `Batch(32)`",
    );
    refuses(axis, "Batch 3", "3", "the size of a named axis follows `=`: write `Batch = 3`");
    refuses(axis, "Batch Seq", "Seq", "missing comma: write `, Seq`");
    let alone = "expected `Batch` alone, or `Batch = 768` for an axis of known size";
    refuses(axis, "Batch: 3", ":", alone);
    refuses(axis, "Batch<T>", "<", alone);
    let missing =
        "the name of an axis is missing before this comma: write one, or remove the comma";
    refuses(axis, "Batch,, Seq", ",", missing);
    refuses(axis, ",", ",", missing);
}

#[test]
fn one_mistaken_axis_leaves_the_others() {
    let source = "Batch, 3, Seq";
    let expanded = axis(tokens(source));
    assert_eq!(errors(source, expanded.clone()).len(), 1);
    let expanded = spelled(expanded);
    assert!(expanded.contains("struct Batch") && expanded.contains("struct Seq"), "{expanded}");
}
