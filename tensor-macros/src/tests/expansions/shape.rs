// shape![]
type Expansion = ();

// shape![2, 1, 2048]
type Expansion = (
    (((), ::tensor_core::Dim<2>), ::tensor_core::One),
    ::tensor_core::Dim<2048>,
);

// shape![Lead.., Batch, 28 * 28]
type Expansion = ((Lead, Batch), ::tensor_core::Dim<784>);

// shape![{VOCAB}]
type Expansion = (
    (),
    <::tensor_core::__private::Table<
        {
            let __size: usize = VOCAB;
            ::core::assert!(
                __size <= 999999999, "an axis has at most 999999999 elements"
            );
            true
        },
    > as ::tensor_core::__private::Constant<
        {
            let __size: usize = VOCAB;
            __size / 1_000_000 * 1_000_000
        },
        {
            let __size: usize = VOCAB;
            __size / 1_000 % 1_000 * 1_000
        },
        {
            let __size: usize = VOCAB;
            __size % 1_000
        },
    >>::Size,
);

// shape!(Batch(n), self.rows, 3)
fn expansion() {
    let _ = { ((((), Batch(n)), self.rows), ::tensor_core::Dim::<3>) };
}
