//! Names and values that a user wrote keep their spans, so that editors and error messages point at
//! them.

use proc_macro2::{Span, TokenStream, TokenTree};

use super::{Macro, tokens};
use crate::pipeline;

/// Every token, from within groups too.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let flat = |token| match token {
        TokenTree::Group(group) => flat(group.stream()),
        token => vec![token],
    };
    tokens.into_iter().flat_map(flat).collect()
}

/// Where the names `name` are shown.
pub fn all_idents(tokens: &TokenStream, name: &str) -> Vec<Span> {
    let named = |token: TokenTree| match token {
        TokenTree::Ident(ident) if ident == name => Some(ident.span()),
        _ => None,
    };
    flat(tokens.clone()).into_iter().filter_map(named).collect()
}

/// The source text from the span of a token on.
pub fn text_at(source: &str, span: Span) -> &str {
    assert_eq!(span.start().line, 1, "the token is shown nowhere in the source");
    let start = source.char_indices().nth(span.start().column).map_or(source.len(), |(at, _)| at);
    &source[start..]
}

/// Checks that each of these parts of the source keeps its span in the expansion.
#[track_caller]
fn keeps(expand: Macro, source: &str, parts: &[&str]) {
    let expanded = flat(expand(tokens(source)));
    for part in parts {
        let at = source.find(part).expect("a part of the source");
        let column = source[..at].chars().count();
        let is_there =
            |token: &TokenTree| token.to_string() == *part && token.span().start().column == column;
        assert!(expanded.iter().any(is_there), "`{part}` of `{source}` lost its place");
    }
}

#[test]
fn names_and_values_of_the_user_keep_their_places() {
    keeps(pipeline::shape, "Lead.., Batch, self.rows, 768", &["Lead", "Batch", "rows", "768"]);
    keeps(pipeline::shape, "{2 * VOCAB}, model::Hidden", &["VOCAB", "model", "Hidden"]);
    keeps(pipeline::dim, "I", &["I"]);
    keeps(pipeline::axis, "pub Hidden = {SIZE}, Batch", &["Hidden", "SIZE", "Batch"]);
    keeps(pipeline::axes, "0, -1, 2", &["0", "2"]);
    keeps(pipeline::broadcast_shapes, "A, [4, N], B<C>", &["A", "4", "N", "B", "C"]);
    keeps(pipeline::tensor, "[a, b.c()], [-1.5, 2]", &["a", "b", "c", "1.5", "2"]);
    keeps(pipeline::tensor, "value; Batch(n), 28", &["value", "Batch", "n", "28"]);
    keeps(pipeline::relaxed, "x - y", &["x", "-", "y"]);
    keeps(pipeline::fuse, "&x * 2 - f(y)", &["*", "2", "-", "f", "y"]);
    keeps(pipeline::show_shape, "x.relu()", &["x", "relu"]);
    keeps(pipeline::show_shape, "type Logits<Lead>", &["Logits", "Lead"]);
    for source in ["same: &x.y - f(z)", "same: x.y.minimum(f(z))", "same: x[y] += z"] {
        let parts: Vec<_> = ["x", "y", "z", "-", "minimum", "f"].into();
        let parts: Vec<_> = parts.into_iter().filter(|part| source.contains(part)).collect();
        keeps(pipeline::strictly, source, &parts);
    }
    let strict: Macro = |item| pipeline::strict(TokenStream::new(), item);
    keeps(
        strict,
        "fn loss(a: &A) -> B { let c = a * g(&d); c }",
        &["loss", "a", "A", "B", "c", "*", "g"],
    );
}
