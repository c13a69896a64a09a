//! Joins of tensors, and results of other sizes from the same elements.

operation_rows! {
    /// The operations of this file.
    JOINING {}
}
