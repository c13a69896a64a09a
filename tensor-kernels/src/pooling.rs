//! Pooling and interpolation, compiled for each element type.

use crate::instances::instances;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

pub use crate::kernel::pool::{
    avg_pooled, avg_unpooled, max_picked, max_pooled, max_unpooled, resized, resized_transposed,
};

macro_rules! pooling {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {$(
        $(#[$cfg])*
        pooling!(@$class $T);
    )*};
    (@boolean $T:ident) => {};
    (@float $T:ident) => {
        instances!(
            max_pooled::<$T>, max_unpooled::<$T>, max_picked::<$T>, avg_pooled::<$T>, avg_unpooled::<$T>,
            resized::<$T>, resized_transposed::<$T>,
        );
    };
    (@half $T:ident) => { pooling!(@float $T); };
    (@$class:ident $T:ident) => { instances!(max_pooled::<$T>); };
}

for_each_element!(pooling);
