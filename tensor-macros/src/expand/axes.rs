//! Axis indices: `(((), ::tensor_core::AxisIndex::<0>), ::tensor_core::AxisIndex::<-1>)`.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::mixed_site_at;
use crate::check::axes::Axes;

/// The list as nested tuples.
pub fn axes(axes: &Axes) -> TokenStream {
    let lead = if axes.others { quote!(::tensor_core::slicing::UnlistedAxes) } else { quote!(()) };
    axes.named.iter().fold(lead, |lead, axis| {
        let span = mixed_site_at(axis.written.span());
        let sign = (axis.number < 0).then(|| quote_spanned!(span=> -));
        let mut number = Literal::u64_unsuffixed(axis.number.unsigned_abs());
        number.set_span(span);
        quote_spanned!(span=> (#lead, ::tensor_core::AxisIndex::<#sign #number>))
    })
}
