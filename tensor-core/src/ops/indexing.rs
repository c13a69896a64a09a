//! Operations by indices, and those that order elements.

operation_rows! {
    /// The operations of this file.
    INDEXING {}
}
