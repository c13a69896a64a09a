//! `show_shape!`: an expansion whose compile error names the shape.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::mixed_site_at;
use crate::parse::show_shape::Request;

/// The value, or `()`, next to the failing call, so that the rest of the program is checked.
///
/// The error is shown at the whole macro call, as no single token spans the expression.
pub fn show(request: &Request) -> TokenStream {
    let span = Span::call_site();
    let show = Ident::new("show", span);
    let private = quote!(::tensor_core::__private);
    match request {
        Request::Type(request) => quote! {
            if false { #private::type_to_show::<#request>().#show().proof(#private::never()); }
        },
        Request::Value(value) => {
            let kept = Ident::new("__shown", mixed_site_at(span));
            // In parentheses, because it may be `Point { x, y }`.
            quote_spanned! {span=>
                match (#value) {
                    #kept => if true { #kept } else {
                        #private::type_of_value(&#kept).#show().proof(#private::never());
                        loop {}
                    },
                }
            }
        }
    }
}
