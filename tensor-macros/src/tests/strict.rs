//! `#[strict]`, `strictly!` and `relaxed!`: what they refuse, and where what they write is shown.

use proc_macro2::{Span, TokenStream};

use super::spans::{all_idents, text_at};
use super::{errors, refuses, spelled, tokens};
use crate::pipeline::{relaxed, strict, strictly};

/// The attribute without a word.
fn one_side(item: TokenStream) -> TokenStream {
    strict(TokenStream::new(), item)
}

#[test]
fn an_unknown_mode_is_one_error_beside_the_item() {
    let expected = "expected `#[strict]`: one side may stretch, `#[strict(rank)]`: only axes of \
                    size `One` may, `#[strict(same)]`: none may, or `#[strict(off)]`: both may";
    for argument in ["both", "same, off", "1", "\"same\"", "same = 1"] {
        let expanded = strict(tokens(argument), tokens("fn f() { a + b }"));
        let found = errors(argument, expanded.clone());
        assert_eq!(found.len(), 1, "{argument}");
        assert_eq!(found[0].message, expected);
        assert_eq!(found[0].at, argument);
        assert!(spelled(expanded).ends_with("fn f ( ) { a + b } "), "the item stays as it is");
    }
}

#[test]
fn an_item_without_operations_is_one_error() {
    for item in ["struct S;", "const N: usize = 1;", "use a::b;", "mod m;", "type T = S;"] {
        let found = errors(item, one_side(tokens(item)));
        assert_eq!(found.len(), 1, "{item}");
        assert!(found[0].message.starts_with("`#[strict]` is for a function"), "{item}");
    }
}

#[test]
fn what_is_no_expression_is_one_error() {
    let ends = "the expression ends before this: write `strictly!(a - b)`";
    refuses(strictly, "a - b, c", ",", ends);
    refuses(strictly, "a - b; c", ";", ends);
    refuses(strictly, "a b", "b", ends);
    refuses(
        strictly,
        "off: a - b",
        "off",
        "expected an expression, or `rank:` or `same:` and an expression: \
         write `strictly!(a - b)`, `strictly!(rank: a - b)` or `strictly!(same: a - b)`",
    );
    refuses(
        relaxed,
        "same: a - b",
        "same",
        "expected an expression alone: write `relaxed!(a - b)`",
    );
    for nothing in [strictly, relaxed] {
        let found = errors("", nothing(TokenStream::new()));
        assert_eq!(found.len(), 1);
        assert!(found[0].message.starts_with("expected an expression: write `"));
    }
}

#[test]
fn what_is_no_operation_stays_as_it_is() {
    for source in [
        "a",
        "a == b",
        "a && b",
        "2.0 * a",
        "a - 1",
        "a as f32 + b",
        "-1 - a",
        "a.max(b)",
        "a.clamp(b)",
        "a.maximum(0.0)",
        "f(a, b)",
        "select(a, b)",
        "a += b",
        "[0; A + B]",
        "[0; { A + B }]",
        "f::<{ A + B }>()",
        "x.sum_axis::<-1>()",
        "f::<-1, WithoutAxis<S, -2>, { N - 1 }>(|x: T<-3>| x)",
        "const { A + B }",
        "dbg!(a + b)",
        "quote!(a + b)",
        "tensor![a + b]",
        "relaxed!(a + b)",
        "matches!(a, 1 | 2)",
        "println!(\"{a} + {b}\")",
        "|a: [u8; N + 1]| a",
        "match a { 1 | 2 => b, _ => c }",
    ] {
        assert_eq!(spelled(strictly(tokens(source))), spelled(tokens(source)));
    }
    for item in [
        "const fn f() -> usize { A + B }",
        "fn f<const N: usize = { A + B }>(x: KeepDims<S, -1>) -> WithoutAxis<S, -1> where S: T<-1> {}",
        "mod m { const N: usize = A + B; static S: usize = A + B; enum E { A = 1 << N } }",
        "impl A { const N: usize = A + B; const fn f() -> usize { A + B } type T = [u8; A + B]; }",
        "trait T { const N: usize = A + B; fn open(&self); }",
        "mod m { #[strict(off)] fn f() { a + b } #[tensor_core::strict] impl S { fn f() { a + b } } }",
        "impl A { #[strict(same)] fn f(&self) { a + b } }",
    ] {
        assert_eq!(spelled(one_side(tokens(item))), spelled(tokens(item)));
    }
}

#[test]
fn the_question_is_shown_at_the_operator() {
    for (source, at) in [
        ("&x + &y", "+"),
        ("f(x) << g(y)", "<"),
        ("x.less(&y)", "less"),
        ("xs[0].clamp(&low, high)", "clamp"),
        ("a::select(&mask, x, y)", "select"),
    ] {
        let expanded = strictly(tokens(source));
        assert_eq!(all_idents(&expanded, "check").len(), 1, "{source}");
        for name in ["check", "never", "shape", "side"] {
            let shown: Vec<_> = all_idents(&expanded, name);
            let is_there = |span: &Span| text_at(source, *span).starts_with(at);
            assert!(shown.iter().all(is_there), "`{name}` in `{source}`");
        }
    }
}

#[test]
fn variables_are_shown_where_their_operands_begin() {
    let source = "(a * b).relu() / f(x)[0].exp()";
    let expanded = strictly(tokens(source));
    let at = |name| -> Vec<_> {
        all_idents(&expanded, name).into_iter().map(|span| span.start().column).collect()
    };
    assert!(at("__left").iter().all(|&column| column == 0));
    assert!(at("__right").iter().all(|&column| column == 17));
}

#[test]
fn long_sums_expand_fast() {
    let source = vec!["x.exp()"; 500].join(" + ");
    let start = std::time::Instant::now();
    let expanded = strictly(tokens(&source));
    assert_eq!(all_idents(&expanded, "check").len(), 499);
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
}
