//! Operations by indices, and those that order elements, compiled for each element type.

use crate::instances::instances;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

pub use crate::kernel::count::*;
pub use crate::kernel::gather::*;
pub use crate::kernel::sort::*;

macro_rules! indexing {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {$(
        $(#[$cfg])*
        indexing!(@$class $T);
        $(#[$cfg])*
        instances!(
            take::<$T>, take_along::<$T>, scatter::<$T>, index_copy::<$T>, one_hot::<$T>, nonzero::<$T>,
            sort::<$T>, arg_order::<$T>, searchsorted::<$T>, groups::<$T>, groups_along::<$T>, isin::<$T>,
        );
    )*};
    (@boolean $T:ident) => {};
    (@float $T:ident) => {
        instances!(
            scatter_combine::<$T>, index_add::<$T>, diff::<$T>, histogram::<$T>, quantile::<$T>,
        );
    };
    (@half $T:ident) => { indexing!(@float $T); };
    (@signed $T:ident) => {
        instances!(
            scatter_combine::<$T>, index_add::<$T>, diff::<$T>, histogram::<$T>, resolve::<$T>,
            bincount::<$T>,
        );
    };
    (@unsigned $T:ident) => { indexing!(@signed $T); };
}

for_each_element!(indexing);
