//! Generates the types of options, and the methods that set them.

/// Generates options as types. Those of pooling have one value that is known at run time, which `Debug` prints with its
/// name: whether a mean excludes its padding.
///
/// The rows of the first block are constructors, with type parameters in brackets. Those of the second block are methods
/// that replace the type parameters in its head by those in the row; numbers in angle brackets are constants of a method.
/// Further blocks have `named` and, of pooling, `count_include_pad`.
macro_rules! options {
    (
        $(#[$of_options:meta])*
        pub struct $Options:ident<$($P:ident $(= $Default:ty)?),*>($Value:ty $(as $value:ident)?);

        impl [$($Start:ty),*]
        $($(#[$of_new:meta])* pub fn $new:ident $(<$($N:ident),*>)? => [$($New:ty),*];)*

        impl<$($Q:ident),*> [$($Before:ty),*]
        $(
            $(#[$of_method:meta])*
            pub fn $method:ident $(<$($M:ident),*>: $Number:ident)? => [$($After:ty),* $(,)?];
        )*

        impl<$($Unnamed:ident),*>
        $(#[$of_named:meta])*
        pub fn named<$($Name:ident),*> => [$($Named:ty),*];

        $($(#[$of_counts:meta])* pub fn count_include_pad;)?
    ) => {
        $(#[$of_options])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $Options<$($P $(= $Default)?),*>(
            ::core::marker::PhantomData<($($P,)*)>,
            pub(super) $Value,
        );

        impl<$($P),*> ::core::fmt::Debug for $Options<$($P),*> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(stringify!($Options))
                    $(.field(stringify!($value), &self.1))?
                    .finish()
            }
        }

        impl<$($P),*> Default for $Options<$($P),*> {
            fn default() -> Self {
                Self(::core::marker::PhantomData, <$Value>::default())
            }
        }

        #[::tensor_array_macros::bounds_without_source]
        impl $Options<$($Start),*> {$(
            $(#[$of_new])*
            pub fn $new$(<$(const $N: usize),*>)?() -> $Options<$($New),*>
            where
                $($(NumberTable: StepNumber<$N>,)*)?
            {
                $Options::default()
            }
        )*}

        #[::tensor_array_macros::bounds_without_source]
        impl<$($Q),*> $Options<$($Before),*> {$(
            $(#[$of_method])*
            pub fn $method$(<$(const $M: usize),*>)?(self) -> $Options<$($After),*>
            where
                $($(NumberTable: $Number<$M>,)*)?
            {
                $Options(::core::marker::PhantomData, self.1)
            }
        )*}

        impl<$($Unnamed),*> $Options<$($Unnamed),*> {
            $(#[$of_named])*
            pub fn named<$($Name: $crate::Axis),*>(self) -> $Options<$($Named),*> {
                $Options(::core::marker::PhantomData, self.1)
            }

            $(
                $(#[$of_counts])*
                pub fn count_include_pad(self, counts: bool) -> Self {
                    Self(self.0, !counts)
                }
            )?
        }
    };
}

pub(super) use options;
