//! The location that the compiler shows as a method's definition: the example call in its attribute.
//!
//! For a mistake such as `x.mean_axis(0)`, the compiler shows the line with the method's name. With
//! `#[usage(x.mean_axis::<0>())]`, this line is the correct call.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::tokens::{is_punct, is_word};

/// Gives the name and the first parameter of the function the spans of those in the example call.
///
/// `usage` is the call; after a semicolon may follow a token whose macro expansion the spans are
/// resolved in, so that the compiler does not list the macros through which the call went. A second
/// token states that a macro got the name from elsewhere: the name then gets the span of the first argument.
pub fn located(usage: TokenStream, item: TokenStream) -> TokenStream {
    let mut usage = ungrouped(usage);
    let expansion =
        usage.iter().position(|token| is_punct(token, ';')).map(|at| usage.split_off(at));
    let elsewhere = expansion.as_ref().is_some_and(|tokens| tokens.len() > 2);
    let expansion = expansion.and_then(|tokens| tokens.get(1).map(TokenTree::span));
    let located = |token: &TokenTree| match expansion {
        Some(expansion) => token.span().resolved_at(expansion),
        None => token.span(),
    };

    let mut tokens = ungrouped(item);
    let Some(at) = name_of_function(&tokens) else { return tokens.into_iter().collect() };
    let name = tokens[at].to_string();
    let Some(call) = usage.iter().position(|token| is_word(token, &name)) else {
        return format!("compile_error!(\"the example does not call `{name}`\");").parse().unwrap();
    };
    tokens[at].set_span(located(&usage[call]));
    // After the name come `::<` and the first argument.
    let argument = usage.iter().skip(call + 4).find(|token| !is_punct(token, '-'));
    if let Some(argument) = argument {
        let parameter = if elsewhere { Some(at..at + 3) } else { constant(&tokens, at) };
        for token in &mut tokens[parameter.unwrap_or(at..at)] {
            token.set_span(located(argument));
        }
    }
    tokens.into_iter().collect()
}

/// The index of the name after `fn`.
fn name_of_function(tokens: &[TokenTree]) -> Option<usize> {
    tokens.iter().position(|token| is_word(token, "fn")).map(|at| at + 1)
}

/// The indices of `const AXIS: isize`, if that follows the name and `<`.
fn constant(tokens: &[TokenTree], name: usize) -> Option<core::ops::Range<usize>> {
    is_word(tokens.get(name + 2)?, "const").then_some(name + 2..name + 6)
}

/// Removes the groups without delimiters that declarative macros produce.
fn ungrouped(tokens: TokenStream) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                all.extend(ungrouped(group.stream()));
            }
            token => all.push(token),
        }
    }
    all
}
