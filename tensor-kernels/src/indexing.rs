//! Indexing and ordering kernels for each element type: what typed code and `DynTensor` call.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use crate::kernel::{count, gather, sort};
use crate::layout::ErasedView;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::elements::{for_each_element, generic_calls};
use crate::ops::{
    Along, Combine, ElementIndexing, FloatIndexing, Groups, IntegerIndexing, NumberIndexing,
    QuantileMethod,
};
use crate::sizes::index_error::IndexError;
use crate::storage::Storage;

macro_rules! indexing {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {$(
        $(#[$cfg])*
        impl ElementIndexing for $T {
            generic_calls! {
                fn take(x: ErasedView<'_, Self>, axis: usize, indices: &[i64]) -> Storage<Self> = gather;
                fn take_along(x: ErasedView<'_, Self>, along: Along<'_>) -> Storage<Self> = gather;
                fn scatter(x: ErasedView<'_, Self>, along: Along<'_>, values: ErasedView<'_, Self>) -> Storage<Self>
                    = gather;
                fn index_copy(x: ErasedView<'_, Self>, axis: usize, indices: &[i64], values: ErasedView<'_, Self>)
                    -> Storage<Self> = gather;
                fn one_hot(indices: &[i64], depth: usize) -> Storage<Self> = gather;
                fn nonzero(x: ErasedView<'_, Self>) -> Vec<i64> = gather;
                fn sort(x: ErasedView<'_, Self>, axis: usize, descending: bool) -> Storage<Self> = sort;
                fn arg_order(x: ErasedView<'_, Self>, axis: usize, k: usize, descending: bool) -> Storage<i64>
                    = sort;
                fn searchsorted(sorted: ErasedView<'_, Self>, values: ErasedView<'_, Self>, or_equal: bool)
                    -> Storage<i64> = sort;
                fn groups(x: ErasedView<'_, Self>) -> Groups = sort;
                fn groups_along(x: ErasedView<'_, Self>, axis: usize) -> Groups = sort;
                fn isin(x: ErasedView<'_, Self>, others: ErasedView<'_, Self>) -> Storage<bool> = sort;
            }
        }

        $(#[$cfg])*
        const _: () = { indexing!(@$class $T); };
    )*};
    (@boolean $T:ident) => {};
    (@float $T:ident) => { indexing!(@number $T); indexing!(@floating $T); };
    (@half $T:ident) => { indexing!(@number $T); indexing!(@floating $T); };
    (@signed $T:ident) => { indexing!(@number $T); indexing!(@integer $T); };
    (@unsigned $T:ident) => { indexing!(@number $T); indexing!(@integer $T); };
    (@number $T:ident) => {
        impl NumberIndexing for $T {
            generic_calls! {
                fn scatter_combine(
                    x: ErasedView<'_, Self>, along: Along<'_>, values: ErasedView<'_, Self>, combine: Combine
                ) -> Storage<Self> = gather;
                fn index_add(x: ErasedView<'_, Self>, axis: usize, indices: &[i64], values: ErasedView<'_, Self>)
                    -> Storage<Self> = gather;
                fn diff(x: ErasedView<'_, Self>, axis: usize) -> Storage<Self> = gather;
                fn histogram(x: ErasedView<'_, Self>, bins: usize, range: (f64, f64)) -> Storage<i64> = count;
            }
        }
    };
    (@floating $T:ident) => {
        impl FloatIndexing for $T {
            generic_calls! {
                fn quantile(x: ErasedView<'_, Self>, axis: usize, q: f64, method: QuantileMethod)
                    -> Storage<Self> = sort;
            }
        }
    };
    (@integer $T:ident) => {
        impl IntegerIndexing for $T {
            generic_calls! {
                fn resolve(indices: ErasedView<'_, Self>, axis: usize, size: usize)
                    -> Result<Storage<i64>, IndexError> = count;
                fn bincount(x: ErasedView<'_, Self>, bins: usize) -> Result<Storage<i64>, IndexError> = count;
            }
        }
    };
}

for_each_element!(indexing);
