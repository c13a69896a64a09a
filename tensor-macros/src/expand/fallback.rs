//! Fallback expansions, which carry the errors.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use syn::{Error, LitStr};

/// An entry of the error index, which messages name at their end.
#[derive(Clone, Copy)]
pub enum Entry {
    /// `shape!`, `dim!` and `broadcast_shapes!` cannot be read.
    Shape,
    /// `axis!` cannot be read.
    NamedAxis,
    /// `axes!` cannot be read.
    Axes,
    /// `tensor!` cannot be read.
    Tensor,
    /// `#[strict]`, `strictly!` and `relaxed!` cannot be read.
    Strict,
    /// `show_shape!` cannot be read.
    ShowShape,
    /// `fuse!` cannot be read.
    Fuse,
    /// `#[shapes]` cannot be read.
    Shapes,
    /// `einsum!` cannot be read.
    Einsum,
    /// `slice!` cannot be read.
    Slice,
    /// `#[derive(Module)]` cannot be read.
    Module,
    /// `rearrange!` cannot be read.
    Rearrange,
    /// `weights!` cannot be read, or its file cannot.
    #[cfg(feature = "weights")]
    Weights,
}

impl Entry {
    fn code(self) -> &'static str {
        match self {
            Self::Shape => "T703",
            Self::NamedAxis => "T704",
            Self::Axes => "T705",
            Self::Tensor => "T706",
            Self::Strict => "T707",
            Self::ShowShape => "T708",
            Self::Fuse => "T709",
            Self::Shapes => "T710",
            Self::Einsum => "T711",
            Self::Slice => "T712",
            Self::Module => "T713",
            Self::Rearrange => "T714",
            #[cfg(feature = "weights")]
            Self::Weights => "T715",
        }
    }
}

/// The error as a type and an expression.
///
/// The size of the axis is the error itself, so rustc treats every type that contains it as already
/// reported. `compile_error!` in type position would become `()` and cause further errors. A tuple with
/// this axis would be compared axis by axis with the expected type.
pub fn axis(err: &Error, entry: Entry) -> TokenStream {
    let errors = item(err, entry);
    quote!(::tensor_core::Dim::<{ #errors }>)
}

/// The error as the size of a named axis, which the compiler looks up where the axis is declared.
pub fn size_of_axis(err: &Error, entry: Entry) -> TokenStream {
    let errors = item(err, entry);
    quote!(<::tensor_core::__private::Table::<{ #errors }> as ::tensor_core::__private::Constant<0, 0, 0>>::Size)
}

/// The error as an expression.
pub fn expression(err: &Error, entry: Entry) -> TokenStream {
    let errors = item(err, entry);
    quote!({ #errors })
}

/// The item as written, after the error about its attribute.
pub fn beside(err: &Error, entry: Entry, written: &TokenStream) -> TokenStream {
    let errors = item(err, entry);
    quote!(#errors #written)
}

/// The error as an item.
pub fn item(err: &Error, entry: Entry) -> TokenStream {
    with_code(err.to_compile_error(), entry.code())
}

/// The errors, with the code appended to their messages.
fn with_code(errors: TokenStream, code: &str) -> TokenStream {
    let named = errors.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let mut named = Group::new(group.delimiter(), with_code(group.stream(), code));
            named.set_span(group.span());
            named.into()
        }
        TokenTree::Literal(literal) => match syn::parse_str::<LitStr>(&literal.to_string()) {
            Ok(message) => {
                let mut named =
                    proc_macro2::Literal::string(&format!("{} [{code}]", message.value()));
                named.set_span(literal.span());
                named.into()
            }
            Err(_) => literal.into(),
        },
        token => token,
    });
    named.collect()
}
