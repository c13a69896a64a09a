//! Expands the macros in the types of an item, before other attributes see it.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// Expands the argument of a macro.
pub type Pipeline = fn(TokenStream) -> TokenStream;

/// The item with the macros expanded for which `pipeline` returns one by their name, followed by constants.
///
/// `derive` also refuses macros within the constants of a type, such as the check of a size. Such an
/// expression becomes a constant next to the item.
pub fn item(
    written: TokenStream,
    name: &Ident,
    pipeline: fn(&str) -> Option<Pipeline>,
) -> TokenStream {
    let (constants, used) = (TokenStream::new(), Vec::new());
    let mut expansion = Expansion { name, pipeline, constants, count: 0, used };
    let item = expansion.expanded(written);
    let Expansion { constants, used, .. } = expansion;
    // Without this, rustc would report the imports of the macros as unused.
    quote!(#item #constants const _: () = { #(#[allow(unused_imports)] use #used as _;)* };)
}

struct Expansion<'a> {
    /// The name of the item.
    name: &'a Ident,
    /// The pipeline of the macro of a name.
    pipeline: fn(&str) -> Option<Pipeline>,
    constants: TokenStream,
    count: usize,
    /// The macros that are called without a path, each once.
    used: Vec<TokenTree>,
}

impl Expansion<'_> {
    /// Expands the macros in the tokens.
    fn expanded(&mut self, written: TokenStream) -> TokenStream {
        let mut expanded: Vec<TokenTree> = Vec::new();
        let mut tokens = written.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let called = match &token {
                TokenTree::Ident(name) if tokens.peek().is_some_and(is_exclamation_mark) => {
                    (self.pipeline)(&name.to_string())
                }
                _ => None,
            };
            match (called, token) {
                (Some(expand), name) => {
                    let mark = tokens.next();
                    match tokens.next() {
                        Some(TokenTree::Group(group))
                            if is_ours(&mut expanded, &name, &mut self.used) =>
                        {
                            // An entry may contain a macro call: `shape![dim!(2), 3]`.
                            let types = self.expanded(expand(group.stream()));
                            expanded.extend(self.without_macros(types));
                        }
                        argument => {
                            expanded.push(name);
                            expanded.extend(mark);
                            expanded.extend(argument);
                        }
                    }
                }
                (None, TokenTree::Group(group)) => {
                    let inner = self.expanded(group.stream());
                    expanded.push(like(&group, inner));
                }
                (None, token) => expanded.push(token),
            }
        }
        expanded.into_iter().collect()
    }

    /// Replaces each size that calls a macro by a constant.
    fn without_macros(&mut self, types: TokenStream) -> TokenStream {
        // The type of the constant depends on whose parameter it is: `bool` for `Table`, otherwise `usize`.
        let mut of_table = false;
        let types = types.into_iter().map(|token| match token {
            TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
                let inner = self.without_macros(group.stream());
                like(&group, inner)
            }
            TokenTree::Group(group) if calls_a_macro(group.stream()) => {
                let constant = format_ident!("__{}_SIZE_{}", self.name, self.count);
                self.count += 1;
                let kind = if of_table { quote!(bool) } else { quote!(usize) };
                self.constants.extend(quote! {
                    #[doc(hidden)]
                    #[allow(non_upper_case_globals)]
                    const #constant: #kind = #group;
                });
                like(&group, quote!(#constant))
            }
            TokenTree::Ident(name) => {
                of_table = name == "Table";
                name.into()
            }
            token => token,
        });
        types.collect()
    }
}

/// The group with its tokens replaced.
fn like(group: &Group, tokens: TokenStream) -> TokenTree {
    let mut other = Group::new(group.delimiter(), tokens);
    other.set_span(group.span());
    other.into()
}

fn is_exclamation_mark(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '!')
}

/// Whether the tokens contain a call `name!(…)`.
fn calls_a_macro(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_call = |three: &[TokenTree]| matches!(three, [TokenTree::Ident(_), mark, TokenTree::Group(_)] if is_exclamation_mark(mark));
    tokens.windows(3).any(is_call)
        || tokens
            .iter()
            .any(|token| matches!(token, TokenTree::Group(group) if calls_a_macro(group.stream())))
}

/// Whether the macro is called by its name alone, which is then added to `used`, or with `tensor_core::`,
/// which is then removed.
fn is_ours(before: &mut Vec<TokenTree>, name: &TokenTree, used: &mut Vec<TokenTree>) -> bool {
    let is_colon = |place: usize| {
        let token = before.len().checked_sub(place).map(|at| &before[at]);
        matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
    };
    if !(is_colon(1) && is_colon(2)) {
        if used.iter().all(|other| other.to_string() != name.to_string()) {
            used.push(name.clone());
        }
        return true;
    }
    let length = if is_colon(4) && is_colon(5) { 5 } else { 3 };
    let start = before.len().checked_sub(3).map(|at| &before[at]);
    let is_ours = start.is_some_and(|start| start.to_string() == "tensor_core");
    if is_ours {
        before.truncate(before.len() - length);
    }
    is_ours
}
