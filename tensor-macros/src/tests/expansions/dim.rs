// dim![768]
type Expansion = ::tensor_core::Dim<768>;

// dim![1]
type Expansion = ::tensor_core::One;

// dim!(1_002_003)
fn expansion() {
    let _ = { ::tensor_core::Dim::<1000000, 2000, 3> };
}

// dim![{ HEADS * 64 }]
type Expansion = <::tensor_core::__private::Table<
    {
        let __size: usize = HEADS * 64;
        ::core::assert!(__size <= 999999999, "an axis has at most 999999999 elements");
        true
    },
> as ::tensor_core::__private::Constant<
    {
        let __size: usize = HEADS * 64;
        __size / 1_000_000 * 1_000_000
    },
    {
        let __size: usize = HEADS * 64;
        __size / 1_000 % 1_000 * 1_000
    },
    {
        let __size: usize = HEADS * 64;
        __size % 1_000
    },
>>::Size;
