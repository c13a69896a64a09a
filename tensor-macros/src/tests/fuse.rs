//! `fuse!`: which operations it finds, what it refuses, and where what it writes is shown.

use proc_macro2::TokenStream;

use super::spans::{all_idents, text_at};
use super::{errors, refuses, tokens};
use crate::check::fuse::{Pass, pass};
use crate::parse::strict::expression;
use crate::pipeline::{fuse, strict, strictly};

/// The pass, its operands and its numbers as they were written.
fn found(source: &str) -> (Vec<String>, Vec<String>) {
    let written = expression(tokens(source), "").expect("an expression");
    let Ok(Ok(Pass { operands, numbers, .. })) = pass(written) else {
        panic!("`{source}` is no pass");
    };
    let spelled = |expressions: Vec<syn::Expr>| {
        expressions.iter().map(|found| quote::quote!(#found).to_string()).collect()
    };
    (spelled(operands), spelled(numbers))
}

#[test]
fn what_is_no_operation_is_an_operand() {
    for (source, operands, numbers) in [
        ("x + y", "x y", ""),
        ("&x * 2.0 - -1", "x", "2.0 - 1"),
        ("x * x + &x * (x)", "x", ""),
        ("self.x / &self.x + self.y", "self . x self . y", ""),
        ("xs[0] + xs[0]", "xs [0] xs [0]", ""),
        ("f(a + b) + x.mean_axis::<0>()", "f (a + b) x . mean_axis :: < 0 > ()", ""),
        ("!(a.less(b)) & true", "a b", "true"),
        ("select(a.greater(0), &b, c)", "a b c", "0"),
        ("tensor_core::select(a, b, c)", "a b c", ""),
        ("a.clamp(&b * 2.0, 3.0)", "a b", "2.0 3.0"),
        ("a.cast::<f32>() + n as f32", "a n as f32", ""),
        ("a.exp(1) + b.exp::<f32>()", "a . exp (1) b . exp :: < f32 > ()", ""),
        ("-*x + if c { a } else { b }", "* x if c { a } else { b }", ""),
        ("x + \"text\"", "x \"text\"", ""),
        ("-x.powi(2) % 3", "x", "2 3"),
    ] {
        let (found, found_numbers) = found(source);
        assert_eq!(found.join(" "), operands, "the operands of `{source}`");
        assert_eq!(found_numbers.join(" "), numbers, "the numbers of `{source}`");
    }
}

#[test]
fn names_from_several_places_are_compared_by_the_compiler() {
    // As a macro passes them on: the first token comes from a later position of the source.
    let [behind, in_front] = ["x + self.y", "x * self.y"].map(tokens);
    let written = expression(quote::quote!((#in_front) / (#behind)), "").expect("an expression");
    let Ok(Ok(Pass { operands, same, .. })) = pass(written) else { panic!("this is a pass") };
    assert_eq!(operands.len(), 3, "a function has one `self`");
    let same: Vec<Vec<usize>> =
        same.iter().map(|group| group.iter().map(|(operand, _)| *operand).collect()).collect();
    assert_eq!(same, [[0, 2]]);
}

#[test]
fn where_nothing_is_fused_is_one_error() {
    let nothing = "nothing to fuse: expected operations on tensors, such as `fuse!(x * w + b)`";
    refuses(fuse, "x", "x", nothing);
    refuses(fuse, "((x))", "x", nothing);
    refuses(fuse, "7", "7", nothing);
    refuses(fuse, "f(x + y)", "f(x + y)", nothing);
    refuses(
        fuse,
        "(x + y).sum()",
        "sum",
        "`sum` is no element-wise method of tensors: fuse the operand in front of it, \
         `fuse!(…).sum(…)`",
    );
    refuses(fuse, "x + y, z", ",", "the expression ends before this: write `fuse!(x * w + b)`");
    refuses(fuse, "off: x", "off", "expected an expression alone: write `fuse!(x * w + b)`");
    let found = errors("", fuse(TokenStream::new()));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "expected an expression: write `fuse!(x * w + b)`");
}

#[test]
fn a_call_with_too_many_arguments_is_left_to_the_compiler() {
    let expanded = fuse(tokens("x.exp(1)"));
    assert_eq!(super::spelled(expanded), super::spelled(tokens("x.exp(1)")));
}

#[test]
fn operations_keep_their_places_in_both_expressions() {
    let source = "(a * b).maximum(2.0) / f(x)[0].exp()";
    let expanded = fuse(tokens(source));
    for name in ["maximum", "exp"] {
        let shown = all_idents(&expanded, name);
        assert_eq!(shown.len(), 2, "over tensors and over elements");
        assert!(shown.iter().all(|span| text_at(source, *span).starts_with(name)));
    }
    for (variable, at) in [("__x0", "a "), ("__x1", "b)"), ("__k0", "2.0"), ("__x2", "f(x)")] {
        let shown = all_idents(&expanded, variable);
        assert!(shown.iter().all(|span| text_at(source, *span).starts_with(at)), "{variable}");
    }
}

#[test]
fn strict_code_asks_about_the_operations_within() {
    for (source, rule) in [
        ("fuse!(x - y)", "one_side2"),
        ("rank: fuse!(x - y)", "rank2"),
        ("same: fuse!(x - y)", "same2"),
    ] {
        // `strictly!` passes the mode to `fuse!`, whose expansion has the checks.
        let told = strictly(tokens(source)).to_string();
        let (_, argument) = told.split_once("!").expect("a call of the macro");
        let argument = argument.trim().trim_start_matches('(').trim_end_matches(')');
        let asked = fuse(tokens(argument));
        assert_eq!(all_idents(&asked, rule).len(), 1, "{told}");
    }
    let expanded = strict(TokenStream::new(), tokens("fn f() { fuse!(x + y.sum()) }")).to_string();
    assert!(expanded.contains("strict :") || expanded.contains("strict:"), "{expanded}");
    // A `fuse!` with its own mode is unchanged.
    assert!(!strictly(tokens("fuse!(same: x - y)")).to_string().contains("strict"));
}

/// The methods in a file of the table of operations.
fn rows(file: &str) -> Vec<String> {
    let path = format!("{}/../tensor-kernels/src/ops/{file}", env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(path).expect("the file is there");
    let row =
        |line: &str| Some(line.trim().strip_prefix("method ")?.split_once(": ")?.0.to_owned());
    table.lines().filter_map(row).collect()
}

/// The methods of the table, and those with arguments of special kinds, are those that `fuse!`
/// knows.
#[test]
fn the_methods_are_those_of_the_table() {
    let mut methods = [rows("unary.rs"), rows("binary.rs"), vec![]];
    assert!(methods[0].len() > 30 && methods[1].len() > 10, "{methods:?}");
    for (arguments, name) in [(0, "cast"), (1, "powi"), (2, "clamp")] {
        methods[arguments].push(name.to_owned());
    }
    let lists = methods.each_mut().map(|names| {
        names.sort();
        let names: String = names.iter().map(|name| format!("        \"{name}\",\n")).collect();
        format!("    &[\n{names}    ],\n")
    });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/check/methods.rs");
    let found = std::fs::read_to_string(path).expect("the file is there");
    let (head, _) = found.split_once("= [\n").expect("a list");
    let expected = format!("{head}= [\n{}];\n", lists.concat());
    if std::env::var_os("BLESS").is_some_and(|value| value != "0") {
        std::fs::write(path, expected).expect("a writable file");
    } else {
        let same = found == expected;
        assert!(same, "the table has other methods: `.ci/bless macros`");
    }
}
