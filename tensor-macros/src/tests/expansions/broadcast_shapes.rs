// broadcast_shapes![]
type Expansion = ();

// broadcast_shapes![A]
type Expansion = A;

// broadcast_shapes![A, [4, 1], B<C>, [3]]
type Expansion = ::tensor_core::broadcast::Broadcasted<
    ::tensor_core::broadcast::Broadcasted<
        A,
        (((), ::tensor_core::Dim<4>), ::tensor_core::One),
    >,
    ::tensor_core::broadcast::Broadcasted<B<C>, ((), ::tensor_core::Dim<3>)>,
>;
