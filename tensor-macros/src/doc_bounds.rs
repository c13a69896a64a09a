//! Signatures as the documentation shows them.
//!
//! Methods name an output of a trait before the bound, `<T as Float>::Checked: Sized, T: Float`, so that
//! messages are about the user's call. A reader needs the bound alone. Documentation is built from
//! signatures without such lines; programs never are, so no message depends on this.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// The tokens of an item without the `…: Sized` of its `where` clauses.
pub fn without_sized(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "where" => {
                let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
                let mut clause = Vec::new();
                while let Some(token) = tokens.next_if(|token| !is_body(token)) {
                    clause.push(token);
                }
                let mut bounds = predicates(clause);
                bounds.retain(|bound| !bound.is_empty() && !is_sized(bound));
                if !bounds.is_empty() {
                    kept.push(TokenTree::Ident(word));
                    kept.extend(bounds.into_iter().flatten());
                }
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let mut inner = Group::new(Delimiter::Brace, without_sized(group.stream()));
                inner.set_span(group.span());
                kept.push(TokenTree::Group(inner));
            }
            token => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

/// The predicates of a `where` clause, each with the comma that ends it.
fn predicates(clause: Vec<TokenTree>) -> Vec<Vec<TokenTree>> {
    let mut predicates = vec![Vec::new()];
    let mut depth = 0;
    let mut after_minus = false;
    for token in clause {
        let mut ends = false;
        if let TokenTree::Punct(punct) = &token {
            match punct.as_char() {
                '<' => depth += 1,
                '>' if !after_minus => depth -= 1,
                ',' => ends = depth == 0,
                _ => {}
            }
            after_minus = punct.as_char() == '-' && punct.spacing() == Spacing::Joint;
        }
        let last = predicates.len() - 1;
        predicates[last].push(token);
        if ends {
            predicates.push(Vec::new());
        }
    }
    predicates
}

/// Whether a predicate asks for `Sized` and nothing else.
fn is_sized(predicate: &[TokenTree]) -> bool {
    let words: Vec<String> = predicate.iter().map(ToString::to_string).collect();
    let words = match &words[..] {
        [words @ .., comma] if comma == "," => words,
        words => words,
    };
    matches!(words, [.., colon, sized] if colon == ":" && sized == "Sized")
}

#[cfg(test)]
mod tests {
    use super::without_sized;

    #[test]
    fn only_sized_goes() {
        let item = "fn f<T>(x: T) -> Vec<T> where <T as Float>::Checked: Sized, R<A, B>: Rhs<S>, \
                    <S as HasRank<1>>::Checked: Sized, F: Fn(T) -> T, T: Float { g() }";
        let shown =
            "fn f<T>(x: T) -> Vec<T> where R<A, B>: Rhs<S>, F: Fn(T) -> T, T: Float { g() }";
        let tokens = |text: &str| text.parse::<proc_macro2::TokenStream>().unwrap();
        assert_eq!(without_sized(tokens(item)).to_string(), tokens(shown).to_string());

        let item = "impl<S> X<S> { fn f() where S: Sized, { g() } fn h() {} }";
        let shown = "impl<S> X<S> { fn f() { g() } fn h() {} }";
        assert_eq!(without_sized(tokens(item)).to_string(), tokens(shown).to_string());
    }
}
