//! Strict code: adds a compile-time check to every operation.
//!
//! `left - right` becomes
//!
//! ```text
//! (match (left, right) {
//!     (__left, __right) => if true { __left - __right } else {
//!         ::tensor_core::__private::one_side2(&__left, &__right)
//!             .check().proof(::tensor_core::__private::never());
//!         loop {}
//!     },
//! })
//! ```
//!
//! and `&x - &y`, whose operands can be duplicated, becomes the `if` alone. Operands are evaluated once,
//! in order, and their temporaries live until the end of the statement, as before. Two computed
//! operands would be moved into the tuple and out of it; if the second one borrows nothing, the
//! `match`es are nested instead, which generates the same machine code as without the check.
//!
//! The check comes after the operation, so that types inferred from the operation are known, and in a
//! branch that is never executed. The check and the variables have the spans of the operator and the
//! operands, so that messages and the location of a panic point there.
//!
//! A long chain such as `a + b + c + …` would be nested as deep as it is long, and rustc overflows its stack
//! at some 300 nested `match`es: it is computed in parts, each in a `let`.

mod chain;
mod operation;

use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Expr, ExprUnary, GenericArgument, ImplItem, Item, Macro, Pat, Token, TraitItem,
    Type, UnOp,
};

use crate::check::strict::{self, Arguments, Mode};
use operation::{OperandSpan, replacement};

/// Adds the checks to all operations of the item.
pub fn item(mut item: Item, mode: Mode) -> TokenStream {
    Strict { mode, replaced: 0 }.visit_inside(&mut item);
    item.into_token_stream()
}

/// Adds the checks to all operations of the expression.
pub fn expression(mut expression: Expr, mode: Mode) -> TokenStream {
    Strict { mode, replaced: 0 }.visit_expr_mut(&mut expression);
    expression.into_token_stream()
}

/// Visits code and replaces each operation.
struct Strict {
    mode: Mode,
    /// Number of replaced operations.
    replaced: usize,
}

impl Strict {
    /// Applies the mode to the item and to everything in it without its own mode.
    fn visit_inside(&mut self, item: &mut Item) {
        match item {
            Item::Fn(function) if function.sig.constness.is_some() => {}
            Item::Const(_) | Item::Static(_) | Item::Enum(_) => {}
            _ => visit_mut::visit_item_mut(self, item),
        }
    }

    /// The arguments of a macro as expressions, with checks added to their operations; `None` if they
    /// are not expressions.
    fn arguments(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let repeat = |input: ParseStream| {
            Ok((input.parse::<Expr>()?, input.parse::<Token![;]>()?, input.parse::<Expr>()?))
        };
        if let Ok(mut list) = list(tokens.clone()) {
            list.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
            return Some(list.into_token_stream());
        }
        let (mut value, semicolon, mut count) = repeat.parse2(tokens).ok()?;
        self.visit_expr_mut(&mut value);
        self.visit_expr_mut(&mut count);
        Some(quote!(#value #semicolon #count))
    }
}

/// Whether this is a negative number such as `-1`.
fn is_number(negative: &ExprUnary) -> bool {
    matches!((&negative.op, &*negative.expr), (UnOp::Neg(_), Expr::Lit(_)))
}

/// Parses expressions separated by commas.
fn list(tokens: TokenStream) -> syn::Result<Punctuated<Expr, Token![,]>> {
    Punctuated::parse_terminated.parse2(tokens)
}

impl VisitMut for Strict {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let mut parts = chain::cut(expression, self.mode);
        if !parts.is_empty() {
            parts.iter_mut().for_each(|part| self.visit_expr_mut(&mut part.value));
            self.visit_expr_mut(expression);
            *expression = chain::joined(&parts, expression);
            return;
        }
        let written = OperandSpan::operands(expression);
        visit_mut::visit_expr_mut(self, expression);
        if let Some(replacement) = replacement(expression, &written, self.mode) {
            *expression = replacement;
            self.replaced += 1;
        }
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        let Some(name) = call.path.segments.last() else { return };
        if name.ident == "fuse" {
            call.tokens = fused(call.tokens.clone(), self.mode);
            self.replaced += 1;
            return;
        }
        let Some(arguments) = strict::arguments_of_macro(&name.ident.to_string()) else { return };
        let (before, written) = (self.replaced, call.tokens.clone());
        let Some(mut rewritten) = self.arguments(written.clone()) else { return };
        if self.replaced == before {
            return;
        }
        // `assert!` shows the condition as written, not its expansion.
        if arguments == Arguments::Shown
            && let Ok(written) = list(written)
            && written.len() == 1
        {
            let comma = (!written.trailing_punct()).then(|| quote!(,));
            let condition = written.first().map(ToTokens::to_token_stream);
            rewritten.extend(quote! {
                #comma "{}", ::core::concat!(
                    "assertion failed: ", ::core::stringify!(#condition)
                )
            });
        }
        call.tokens = rewritten;
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        if !strict::has_its_own_mode(attributes(item)) {
            self.visit_inside(item);
        }
    }

    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        match item {
            ImplItem::Fn(method)
                if method.sig.constness.is_none() && !strict::has_its_own_mode(&method.attrs) =>
            {
                visit_mut::visit_impl_item_fn_mut(self, method);
            }
            _ => {}
        }
    }

    fn visit_trait_item_mut(&mut self, item: &mut TraitItem) {
        match item {
            TraitItem::Fn(method) if !strict::has_its_own_mode(&method.attrs) => {
                visit_mut::visit_trait_item_fn_mut(self, method);
            }
            _ => {}
        }
    }

    // Constants are skipped: no tensor is computed in them.

    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}

    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_type_array_mut(&mut self, array: &mut syn::TypeArray) {
        self.visit_type_mut(&mut array.elem);
    }

    fn visit_const_param_mut(&mut self, _: &mut syn::ConstParam) {}

    fn visit_assoc_const_mut(&mut self, _: &mut syn::AssocConst) {}

    /// Constants are skipped. As an expression, `-1` would be printed as `{ -1 }`, so its tokens are
    /// kept.
    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        match argument {
            GenericArgument::Const(Expr::Unary(number)) if is_number(number) => {
                *argument = GenericArgument::Type(Type::Verbatim(number.to_token_stream()));
            }
            GenericArgument::Const(_) => {}
            _ => visit_mut::visit_generic_argument_mut(self, argument),
        }
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Type(typed) = pattern {
            self.visit_type_mut(&mut typed.ty);
        }
    }

    fn visit_attributes_mut(&mut self, _: &mut Vec<Attribute>) {}
}

/// The argument of `fuse!`, with the mode in front unless it has one.
fn fused(tokens: TokenStream, mode: Mode) -> TokenStream {
    let mut first = tokens.clone().into_iter();
    let is_word = matches!(first.next(), Some(TokenTree::Ident(_)));
    let is_colon = |token: Option<TokenTree>| match token {
        Some(TokenTree::Punct(punct)) => {
            punct.as_char() == ':' && punct.spacing() == Spacing::Alone
        }
        _ => false,
    };
    if tokens.is_empty() || (is_word && is_colon(first.next())) {
        return tokens;
    }
    let word = Ident::new(mode.word(), Span::call_site());
    quote!(#word: #tokens)
}

/// The attributes of an item that holds expressions.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        _ => &[],
    }
}
