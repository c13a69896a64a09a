//! Operations on windows: convolution, pooling, interpolation.

operation_rows! {
    /// The operations of this file.
    WINDOWS {}
}
