//! `show_shape!`: an expansion whose compile error names the shape.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::mixed_site_at;
use crate::parse::show_shape::Asked;

/// The value, or `()`, next to the failing call, so that the rest of the program is checked.
///
/// The error is shown at the whole macro call, as no single token spans the expression.
pub fn show(asked: &Asked) -> TokenStream {
    let span = Span::call_site();
    let show = Ident::new("show", span);
    let private = quote!(::tensor_core::__private);
    match asked {
        Asked::Type(asked) => quote! {
            if false { #private::asked::<#asked>().#show().proof(#private::never()); }
        },
        Asked::Value(value) => {
            let kept = Ident::new("__shown", mixed_site_at(span));
            // In parentheses, because it may be `Point { x, y }`.
            quote_spanned! {span=>
                match (#value) {
                    #kept => if true { #kept } else {
                        #private::asked_of(&#kept).#show().proof(#private::never());
                        loop {}
                    },
                }
            }
        }
    }
}
