//! The item below `#[derive(Module)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprAssign, Fields, LitStr, Result, Token, Type,
    WherePredicate, parenthesized,
};

/// A struct or an enum.
pub struct Item {
    pub name: Ident,
    pub generics: syn::Generics,
    /// The bounds that the attribute of the item adds to the impls.
    pub bound: Vec<WherePredicate>,
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
    /// The value of the field in a model that is made from a file.
    pub value: Option<Expr>,
    /// Assignments to fields of the field, in a model that is made from a file.
    pub set: Vec<ExprAssign>,
}

/// Parses the item.
///
/// # Errors
///
/// At the word `union`, or where the item is no Rust.
pub fn item(item: TokenStream) -> Result<Item> {
    let DeriveInput { ident: name, generics, data, attrs, .. } = syn::parse2(item)?;
    let bound = bound(&attrs)?;
    let body = match data {
        Data::Struct(data) => Body::Struct(data.fields),
        Data::Enum(data) => Body::Enum(
            data.variants.into_iter().map(|variant| (variant.ident, variant.fields)).collect(),
        ),
        Data::Union(data) => {
            return Err(Error::new(
                data.union_token.span(),
                "a union cannot be a module: which of its fields is in use is not known; \
                 write a struct or an enum",
            ));
        }
    };
    Ok(Item { name, generics, bound, body })
}

/// Parses the option of the item, `#[module(bound(Options: Default))]`.
fn bound(attributes: &[Attribute]) -> Result<Vec<WherePredicate>> {
    let mut bound = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("module")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("bound") {
                let message = "a module has `#[module(bound(M: Default))]`; other options are those of fields";
                return Err(Error::new(meta.path.span(), message));
            }
            let content;
            parenthesized!(content in meta.input);
            bound.extend(Punctuated::<_, Token![,]>::parse_terminated(&content)?);
            Ok(())
        })?;
    }
    Ok(bound)
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
            } else if meta.path.is_ident("value") {
                meta.input.parse::<Token![=]>()?;
                options.value = Some(meta.input.parse()?);
            } else if meta.path.is_ident("set") {
                let content;
                parenthesized!(content in meta.input);
                options.set.extend(Punctuated::<_, Token![,]>::parse_terminated(&content)?);
            } else {
                return Err(Error::new(
                    span,
                    "a field has `#[module(skip)]`, `#[module(buffer)]`, \
                     `#[module(rename = \"name\")]`, `#[module(value = …)]` or \
                     `#[module(set(…))]`",
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
