// axes![]
type Expansion = ();

// axes![0, -1, 2]
type Expansion = (
    (((), ::tensor_core::AxisIndex<0>), ::tensor_core::AxisIndex<-1>),
    ::tensor_core::AxisIndex<2>,
);
