//! `weights!`: a constant that compares the tensors of a file with those of a model.

use quote::{quote, quote_spanned};
use tensor_files::{Record, escaped, fingerprint};

use proc_macro2::TokenStream;

use crate::check::weights::Weights;

/// The constant, and the files in which rustc tracks changes.
pub fn weights(weights: &Weights) -> TokenStream {
    let Weights { model, file, span, tensors, tracked } = weights;
    let hash = fingerprint(tensors.iter().map(|(name, record)| (&name[..], record)));
    let stored = tensors.iter().map(|(name, record)| {
        let Record { element, sizes, .. } = record;
        let (shown, described) = (escaped(name), escaped(&record.described()));
        quote! {
            ::tensor_core::__private::StoredTensor {
                name: #name, element: #element, sizes: &[#(#sizes),*], shown: [#shown, #described],
            }
        }
    });
    let tracked = tracked.iter().filter_map(|path| path.to_str());
    let shown = escaped(file);
    // With the span of the path, which is that of the error.
    let checked = quote_spanned! {*span=>
        ::tensor_core::__private::checked_weights::<#model, _>(
            #shown, #hash, &[#(#stored),*], ::tensor_core::__private::FactsOf::<#model>::TREE,
        )
    };
    quote! {{
        #(const _: &[u8] = ::core::include_bytes!(#tracked);)*
        #[allow(long_running_const_eval)]
        const WEIGHTS: ::tensor_core::module::CheckedWeights<#model> = {
            #[allow(unused_imports)]
            use ::tensor_core::__private::FactsOrUnknown as _;
            #checked
        };
        WEIGHTS
    }}
}
