//! A question to the types that the compiler answers by an error.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::shown_at;
use crate::parse::show_shape::Asked;

/// The value or nothing, with the question beside it, so that the rest of the program is checked.
///
/// The error is shown at the whole call of the macro, because no other token is as long as the
/// expression.
pub fn show(asked: &Asked) -> TokenStream {
    let span = Span::call_site();
    let show = Ident::new("show", span);
    let private = quote!(::tensor_core::__private);
    match asked {
        Asked::Type(asked) => quote! {
            if false { #private::asked::<#asked>().#show(#private::never()); }
        },
        Asked::Value(value) => {
            let kept = Ident::new("__shown", shown_at(span));
            quote_spanned! {span=>
                match #value {
                    #kept => if true { #kept } else {
                        #private::asked_of(&#kept).#show(#private::never());
                        loop {}
                    },
                }
            }
        }
    }
}
