//! Hides the source of bounds in the compiler's messages.
//!
//! If a bound of a method is not satisfied, rustc prints our message and then the source of the bound, in
//! five lines or more. It omits the source if the span of the bound is empty, and a span that begins in one
//! file and ends in another is empty in the metadata of a crate. So the last token of each bound gets a
//! span of another file. Nothing else depends on spans: without this, messages are only longer.

use std::iter;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::tokens::is_punct;

/// `::tensor_core::__with_token_of_another_file! { item }`, which calls `locate_bounds!`; `crate::…` in `tensor-array`, which
/// has the macro.
pub fn with_token_of_another_file(item: TokenStream) -> TokenStream {
    let word = |name| TokenTree::Ident(Ident::new(name, Span::call_site()));
    let punct = |character, spacing| TokenTree::Punct(Punct::new(character, spacing));
    let colons = || [punct(':', Spacing::Joint), punct(':', Spacing::Alone)];
    let call = [punct('!', Spacing::Alone), Group::new(Delimiter::Brace, item).into()];
    let has_macro = std::env::var("CARGO_PKG_NAME").is_ok_and(|package| package == "tensor-array");
    let root = match has_macro {
        true => vec![word("crate")],
        false => colons().into_iter().chain([word("tensor_core")]).collect(),
    };
    let name = word("__with_token_of_another_file");
    root.into_iter().chain(colons()).chain([name]).chain(call).collect()
}

/// Gives the last token of each bound of the item's functions the span `elsewhere`, which is in another file, and of each
/// constant parameter of its associated types.
pub fn without_source(elsewhere: Span, item: TokenStream) -> TokenStream {
    let mut located = Vec::new();
    let mut in_type = false;
    let mut tokens = item.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "fn" => {
                located.push(TokenTree::Ident(word));
                located.extend(tokens.next());
                if tokens.peek().is_some_and(|token| is_punct(token, '<')) {
                    located.extend(tokens.next());
                    let mut depth = 1;
                    let mut parameters = Vec::new();
                    for token in tokens.by_ref() {
                        depth +=
                            i32::from(is_punct(&token, '<')) - i32::from(is_punct(&token, '>'));
                        if depth == 0 {
                            located.extend(bounds(parameters, elsewhere));
                            located.push(token);
                            break;
                        }
                        parameters.push(token);
                    }
                }
            }
            // `const I: isize` of an associated type: rustc shows the source of a parameter that a call leaves out.
            TokenTree::Ident(word) if word == "const" && in_type => {
                let mut parameter: Vec<_> = iter::once(TokenTree::Ident(word))
                    .chain(iter::from_fn(|| {
                        tokens.next_if(|token| !is_punct(token, '>') && !is_punct(token, ','))
                    }))
                    .collect();
                if let Some(last) = parameter.last_mut() {
                    last.set_span(elsewhere.resolved_at(last.span()));
                }
                located.extend(parameter);
            }
            TokenTree::Ident(word) if word == "type" => {
                in_type = true;
                located.push(TokenTree::Ident(word));
            }
            TokenTree::Ident(word) if word == "where" => {
                in_type = false;
                located.push(TokenTree::Ident(word));
                let mut clause = Vec::new();
                while let Some(token) =
                    tokens.next_if(|token| !is_body(token) && !is_punct(token, ';'))
                {
                    clause.push(token);
                }
                located.extend(bounds(clause, elsewhere));
            }
            token if is_body(&token) => {
                let TokenTree::Group(group) = token else { continue };
                let mut inner =
                    Group::new(Delimiter::Brace, without_source(elsewhere, group.stream()));
                inner.set_span(group.span());
                located.push(TokenTree::Group(inner));
            }
            token => located.push(token),
        }
    }
    located.into_iter().collect()
}

fn is_body(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Relocates each bound in a list of parameters or predicates, separated by commas.
fn bounds(tokens: Vec<TokenTree>, elsewhere: Span) -> Vec<TokenTree> {
    let mut located: Vec<TokenTree> = Vec::new();
    let mut depth = 0;
    let mut in_bounds = false;
    let mut after_colon = false;
    let mut equated = false;
    let last = tokens.len();
    for (at, token) in tokens.into_iter().enumerate() {
        if depth == 0 && (is_punct(&token, ',') || is_punct(&token, '+')) {
            if in_bounds {
                end(&mut located, elsewhere);
            }
            in_bounds &= is_punct(&token, '+');
        }
        let is_colon = is_punct(&token, ':');
        let joint = matches!(&token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
        // In `const N: usize`, the colon is followed by a type, not by a bound.
        let constant = || matches!(&located[..], [.., TokenTree::Ident(word), TokenTree::Ident(_)] if word == "const");
        in_bounds |= depth == 0 && is_colon && !joint && !after_colon && !constant();
        after_colon = is_colon && joint;
        // rustc shows the source of `Output = C` in addition to that of the bound.
        if equated && depth == 1 && (is_punct(&token, ',') || is_punct(&token, '>')) {
            if let Some(last) = located.last_mut() {
                last.set_span(elsewhere.resolved_at(last.span()));
            }
            equated = false;
        }
        equated |= depth == 1 && is_punct(&token, '=');
        depth += i32::from(is_punct(&token, '<'));
        let arrow =
            matches!(located.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '-');
        depth -= i32::from(is_punct(&token, '>') && !arrow);
        located.push(token);
        if at + 1 == last && in_bounds {
            end(&mut located, elsewhere);
        }
    }
    located
}

/// Relocates the last token of a bound. A bound of one token gets `<>`, because rustc would show a span that
/// lies entirely in the other file.
fn end(located: &mut Vec<TokenTree>, elsewhere: Span) {
    match &mut located[..] {
        [.., TokenTree::Punct(punct)] if punct.as_char() == '>' => {
            let span = elsewhere.resolved_at(punct.span());
            // If it were joined to a `>` after it, rustc would make one span of both and split that again.
            *punct = Punct::new('>', Spacing::Alone);
            punct.set_span(span);
        }
        // A lifetime is left as it is.
        [.., TokenTree::Punct(quote), TokenTree::Ident(_)] if quote.as_char() == '\'' => {}
        [.., TokenTree::Ident(name)] if name != "Sized" => {
            let span = elsewhere.resolved_at(name.span());
            for bracket in ['<', '>'] {
                let mut punct = Punct::new(bracket, Spacing::Alone);
                punct.set_span(span);
                located.push(TokenTree::Punct(punct));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::without_source;
    use proc_macro2::{Span, TokenStream};

    #[test]
    fn every_bound_has_a_last_token_to_locate() {
        let item = "impl<S: Shape> X<S> { fn f<R: Operand<T>, const N: usize, Q: ops::A + B>(x: R) -> Y \
                    where R::Shape: Rhs<S>, F: Fn(T) -> T, (T,): Float, A: B<Output = C> + 'a + ?Sized { g() } }";
        let located = "impl<S: Shape> X<S> { fn f<R: Operand<T>, const N: usize, Q: ops::A<> + B<>>(x: R) -> Y \
                    where R::Shape: Rhs<S>, F: Fn(T) -> T<>, (T,): Float<>, A: B<Output = C> + 'a + ?Sized { g() } }";
        let tokens = |text: &str| text.parse::<TokenStream>().unwrap();
        let result = without_source(Span::call_site(), tokens(item));
        let without_spaces = |tokens: TokenStream| tokens.to_string().replace(' ', "");
        assert_eq!(without_spaces(result), without_spaces(tokens(located)));
    }
}
