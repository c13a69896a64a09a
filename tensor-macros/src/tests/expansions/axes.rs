// axes![]
type Expansion = ();

// axes![0, -1, 2]
type Expansion = (
    (((), ::tensor_core::Position<0>), ::tensor_core::Position<-1>),
    ::tensor_core::Position<2>,
);
