// broadcast_shapes![]
type Expansion = ();

// broadcast_shapes![A]
type Expansion = A;

// broadcast_shapes![A, [4, 1], B<C>, [3]]
type Expansion = <<A as ::tensor_core::broadcast::ElementWise<
    (((), ::tensor_core::Dim<4>), ::tensor_core::One),
>>::Output as ::tensor_core::broadcast::ElementWise<
    <B<C> as ::tensor_core::broadcast::ElementWise<((), ::tensor_core::Dim<3>)>>::Output,
>>::Output;
