//! Each macro on tokens: what it expands to, and where and how it refuses.

mod axes;
mod axis;
mod broadcast;
mod einsum;
mod expansions;
mod fuse;
mod limits;
mod module;
mod other_names;
mod rearrange;
mod root;
mod shape;
mod shapes;
mod slice;
mod spans;
mod strict;
mod tensor;
#[cfg(feature = "weights")]
mod weights;

use core::fmt::Write;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A macro without the compiler.
type Macro = fn(TokenStream) -> TokenStream;

fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap_or_else(|error| panic!("`{source}` is not made of tokens: {error}"))
}

/// The tokens with a space after each, so that equal tokens are equal text.
fn spelled(tokens: TokenStream) -> String {
    let spell = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ("( ", ") "),
                Delimiter::Bracket => ("[ ", "] "),
                Delimiter::Brace => ("{ ", "} "),
                Delimiter::None => ("", ""),
            };
            format!("{open}{}{close}", spelled(group.stream()))
        }
        token => format!("{token} "),
    };
    tokens.into_iter().map(spell).collect()
}

/// Checks that the macro expands to these tokens, however they are spaced.
#[track_caller]
fn expands(expand: Macro, source: &str, expected: &str) {
    let expanded = spelled(expand(tokens(source)));
    assert_eq!(expanded, spelled(tokens(expected)), "the expansion of `{source}`");
}

/// Checks that the expansion holds this one error and no other, shown at the source text `at`.
#[track_caller]
fn refuses(expand: Macro, source: &str, at: &str, message: &str) {
    let found = errors(source, expand(tokens(source)));
    let expected = Refusal { at: at.to_owned(), message: message.to_owned() };
    assert_eq!(found, [expected], "the errors of `{source}`");
}

/// An error in an expansion: the source text that it is shown at, and its message.
#[derive(Debug, PartialEq)]
struct Refusal {
    at: String,
    message: String,
}

/// All errors in an expansion, wherever they are in it.
fn errors(source: &str, expanded: TokenStream) -> Vec<Refusal> {
    let mut errors = Vec::new();
    let tokens: Vec<TokenTree> = expanded.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match (token, tokens.get(index + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Group(message)))
                if name == "compile_error" =>
            {
                let text = syn::parse2::<syn::LitStr>(message.stream()).expect("a message");
                let (start, end) = (name.span().start(), message.span().end());
                let is_shown = start.line == 1 && end.line == 1 && start.column <= end.column;
                let at = is_shown.then(|| source.get(start.column..end.column)).flatten();
                let at = at.unwrap_or("").to_owned();
                let text = text.value();
                let (message, _) = coded(&text);
                errors.push(Refusal { at, message: message.to_owned() });
            }
            (TokenTree::Group(group), _) => errors.extend(self::errors(source, group.stream())),
            _ => {}
        }
    }
    errors
}

/// The text of an error, and the code of its entry in the error index, at its end.
fn coded(message: &str) -> (&str, &str) {
    let parts = message.strip_suffix(']').and_then(|message| message.rsplit_once(" [T"));
    parts.unwrap_or_else(|| panic!("no code ends the message `{message}`"))
}

/// `elements` numbers in rows of `columns`.
fn large(elements: usize, columns: usize) -> String {
    (0..elements / columns).fold(String::new(), |mut rows, row| {
        let numbers: Vec<String> = (0..columns).map(|c| (row * columns + c).to_string()).collect();
        write!(rows, "[{}], ", numbers.join(", ")).expect("a string has room");
        rows
    })
}
