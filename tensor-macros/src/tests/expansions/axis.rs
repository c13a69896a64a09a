// axis!(Batch)
/// The axis `Batch`, whose size is known when the program runs.
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq,
    ::core::hash::Hash,
)]
struct Batch(
    /// The size.
    usize,
);
::tensor_core::__named_axis! {
    Batch, ::core::option::Option::None, | __axis | __axis.0, | __size |
    ::core::option::Option::Some(Batch(__size))
}
impl<__Needs> ::tensor_core::slicing::IndexedAxis<__Needs> for Batch {
    type Fits = ::tensor_core::arithmetic::RunTimeSize;
}
impl ::tensor_core::align::NumberedAxis for Batch {
    type Number = ::tensor_core::align::Number<14, 11, 15, 14, 6, 2, 9, 11>;
}

// axis!(/// The width.
// pub Hidden = 12 * 64)
/// The width.
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::default::Default,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq,
    ::core::hash::Hash,
)]
pub struct Hidden;
::tensor_core::__named_axis! {
    Hidden, ::core::option::Option::Some(768), | __axis | 768, | __size | if __size ==
    768 { ::core::option::Option::Some(Hidden) } else { ::core::option::Option::None }
}
impl ::tensor_core::StaticAxis for Hidden {
    const VALUE: Self = Hidden;
    type Size = ::tensor_core::Dim<768>;
}
impl ::tensor_core::align::NumberedAxis for Hidden {
    type Number = ::tensor_core::align::Number<3, 12, 2, 13, 15, 14, 5, 9>;
}

// axis!(pub(crate) Vocabulary = {VOCAB})
/// The axis `Vocabulary`, of a static size.
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::default::Default,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq,
    ::core::hash::Hash,
)]
pub(crate) struct Vocabulary;
impl Vocabulary {
    #[allow(arithmetic_overflow, unconditional_panic)]
    const __SIZE: usize = VOCAB;
}
::tensor_core::__named_axis! {
    Vocabulary, ::core::option::Option::Some(Vocabulary::__SIZE), | __axis |
    Vocabulary::__SIZE, | __size | if __size == Vocabulary::__SIZE {
    ::core::option::Option::Some(Vocabulary) } else { ::core::option::Option::None }
}
impl ::tensor_core::StaticAxis for Vocabulary {
    const VALUE: Self = Vocabulary;
    type Size = <::tensor_core::__private::Table<
        {
            let __size: usize = Vocabulary::__SIZE;
            ::core::assert!(
                __size <= 999999999, "an axis has at most 999999999 elements"
            );
            true
        },
    > as ::tensor_core::__private::Constant<
        {
            let __size: usize = Vocabulary::__SIZE;
            __size / 1_000_000 * 1_000_000
        },
        {
            let __size: usize = Vocabulary::__SIZE;
            __size / 1_000 % 1_000 * 1_000
        },
        {
            let __size: usize = Vocabulary::__SIZE;
            __size % 1_000
        },
    >>::Size;
}
impl ::tensor_core::align::NumberedAxis for Vocabulary {
    type Number = ::tensor_core::align::Number<1, 12, 4, 3, 11, 1, 10, 9>;
}
