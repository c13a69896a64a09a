//! Named axes: a struct, and impls of the axis traits.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::fallback::Entry;
use super::size::{constant, dim};
use super::{fallback, mixed_site_at};
use crate::check::axis::NamedAxis;
use crate::check::size::Size;

/// The items that declare the axis.
pub fn named_axis(axis: &NamedAxis) -> TokenStream {
    let err = axis.misnamed.as_ref();
    let err = err.map(|err| fallback::item(err, Entry::NamedAxis));
    let items = match &axis.size {
        None => run_time(axis),
        Some(Ok(size)) => known(axis, size),
        Some(Err(err)) => known_items(
            axis,
            fallback::size_of_axis(err, Entry::NamedAxis),
            quote!(0),
            TokenStream::new(),
        ),
    };
    quote!(#err #items)
}

/// An axis with a run-time size, which is stored in its value.
fn run_time(axis: &NamedAxis) -> TokenStream {
    let NamedAxis { visibility, name, .. } = axis;
    let (cfg, head) =
        head(axis, || format!(" The axis `{name}`, whose size is known when the program runs."));
    let span = mixed_site_at(name.span());
    let number = number(name);
    // These tokens have the span of the name: messages that show the declaration then do not mention a macro.
    let declaration = quote_spanned! {name.span()=>
        #visibility struct #name(#[doc = " The size."] #visibility usize);
    };
    quote_spanned! {span=>
        #head
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::fmt::Debug,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
            ::core::hash::Hash,
        )]
        #declaration

        #(#cfg)*
        ::tensor_core::__named_axis! {
            #name,
            ::core::option::Option::None,
            |__axis| __axis.0,
            |__size| ::core::option::Option::Some(#name(__size))
        }

        #(#cfg)*
        impl<__Needs> ::tensor_core::slicing::IndexedAxis<__Needs> for #name {
            type Fits = ::tensor_core::arithmetic::RunTimeSize;
        }

        #(#cfg)*
        impl ::tensor_core::align::NumberedAxis for #name {
            type Number = #number;
        }
    }
}

/// An axis with a static size.
fn known(axis: &NamedAxis, size: &Size) -> TokenStream {
    let name = &axis.name;
    match size {
        Size::Number { number, written } => {
            let literal = Literal::u64_unsuffixed(*number);
            known_items(axis, dim(*number, written.span()), quote!(#literal), TokenStream::new())
        }
        // The expression is evaluated once, in its own constant, so that a mistake is reported once;
        // lints are disabled, as they would report it again.
        Size::Constant { expression, written } => {
            let span = mixed_site_at(written.span());
            let once = Ident::new("__SIZE", span);
            let (cfg, _) = attributes(&axis.attributes);
            let size = quote_spanned!(span=> #name::#once);
            let item = quote_spanned! {span=>
                #(#cfg)*
                impl #name {
                    #[allow(arithmetic_overflow, unconditional_panic)]
                    const #once: usize = #expression;
                }
            };
            known_items(axis, constant(&size, written.span()), size, item)
        }
    }
}

/// The items of an axis with a static size: `size` as a type, `value` as a number.
fn known_items(
    axis: &NamedAxis,
    size: TokenStream,
    value: TokenStream,
    more: TokenStream,
) -> TokenStream {
    let NamedAxis { visibility, name, .. } = axis;
    let (cfg, head) = head(axis, || match &axis.size {
        Some(Ok(Size::Number { number, .. })) => {
            format!(" The axis `{name}`, of size {number}.")
        }
        _ => format!(" The axis `{name}`, of a static size."),
    });
    let span = mixed_site_at(name.span());
    let number = number(name);
    let declaration = quote_spanned!(name.span()=> #visibility struct #name;);
    quote_spanned! {span=>
        #head
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::fmt::Debug,
            ::core::default::Default,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
            ::core::hash::Hash,
        )]
        #declaration

        #more

        #(#cfg)*
        ::tensor_core::__named_axis! {
            #name,
            ::core::option::Option::Some(#value),
            |__axis| #value,
            |__size| if __size == #value {
                ::core::option::Option::Some(#name)
            } else {
                ::core::option::Option::None
            }
        }

        #(#cfg)*
        impl ::tensor_core::StaticAxis for #name {
            const VALUE: Self = #name;
            type Size = #size;
        }

        #(#cfg)*
        impl ::tensor_core::align::NumberedAxis for #name {
            type Number = #number;
        }
    }
}

/// The number by which `align_to` finds the axis: the 32-bit FNV-1a hash of its name, in hexadecimal digits.
fn number(name: &Ident) -> TokenStream {
    let hash = name
        .unraw()
        .to_string()
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let digits = (0..8).rev().map(|digit| Literal::u32_unsuffixed((hash >> (4 * digit)) & 0xf));
    let span = mixed_site_at(name.span());
    quote_spanned!(span=> ::tensor_core::align::Number<#(#digits),*>)
}

/// The attributes that all items get, and those that only the struct gets.
fn head(axis: &NamedAxis, docs: impl FnOnce() -> String) -> (Vec<&Attribute>, TokenStream) {
    let (cfg, documented) = attributes(&axis.attributes);
    let all = &axis.attributes;
    let docs = (!documented).then(docs).map(|docs| quote!(#[doc = #docs]));
    let allow = axis.misnamed.is_some().then(|| quote!(#[allow(non_camel_case_types)]));
    (cfg, quote!(#(#all)* #docs #allow))
}

/// The `cfg` attributes, and whether there is documentation.
fn attributes(attributes: &[Attribute]) -> (Vec<&Attribute>, bool) {
    let cfg = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect();
    (cfg, attributes.iter().any(|attribute| attribute.path().is_ident("doc")))
}
