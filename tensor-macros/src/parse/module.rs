//! The item below `#[derive(Module)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Fields, LitStr, Result, Token, Type};

/// A struct or an enum.
pub struct Item {
    pub name: Ident,
    pub generics: syn::Generics,
    pub body: Body,
}

pub enum Body {
    Struct(Fields),
    Enum(Vec<(Ident, Fields)>),
}

/// The options `#[module(…)]` of a field.
#[derive(Default)]
pub struct Options {
    pub skip: Option<Span>,
    pub buffer: Option<Span>,
    pub rename: Option<LitStr>,
}

/// Parses the item.
///
/// # Errors
///
/// At the word `union`, or where the item is no Rust.
pub fn item(item: TokenStream) -> Result<Item> {
    let DeriveInput { ident: name, generics, data, .. } = syn::parse2(item)?;
    let body = match data {
        Data::Struct(data) => Body::Struct(data.fields),
        Data::Enum(data) => Body::Enum(
            data.variants.into_iter().map(|variant| (variant.ident, variant.fields)).collect(),
        ),
        Data::Union(data) => {
            return Err(Error::new(
                data.union_token.span(),
                "a union is no module: nothing says which of its fields holds the parameters; \
                 write a struct or an enum",
            ));
        }
    };
    Ok(Item { name, generics, body })
}

/// Parses the options of a field.
///
/// # Errors
///
/// At a word that is none of them.
pub fn options(attributes: &[Attribute]) -> Result<Options> {
    let mut options = Options::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("module")) {
        attribute.parse_nested_meta(|meta| {
            let span = meta.path.span();
            if meta.path.is_ident("skip") {
                options.skip = Some(span);
            } else if meta.path.is_ident("buffer") {
                options.buffer = Some(span);
            } else if meta.path.is_ident("rename") {
                meta.input.parse::<Token![=]>()?;
                options.rename = Some(meta.input.parse()?);
            } else {
                return Err(Error::new(
                    span,
                    "a field has `#[module(skip)]`, `#[module(buffer)]` or \
                     `#[module(rename = \"name\")]`",
                ));
            }
            Ok(())
        })?;
    }
    Ok(options)
}

/// Removes parentheses and groups around a type.
pub fn inner(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Paren(ty) => &ty.elem,
            Type::Group(ty) => &ty.elem,
            _ => return ty,
        };
    }
}
