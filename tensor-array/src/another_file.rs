//! A separate file for one token: see `tensor-array-macros/src/bounds.rs`.

/// Passes an item with bounds on, after a token of this file.
#[doc(hidden)]
#[macro_export]
macro_rules! __with_token_of_another_file {
    ($($item:tt)*) => {
        $crate::__private::locate_bounds! { here $($item)* }
    };
}
