//! Views of a part of a tensor, and moves of elements along axes.

operation_rows! {
    /// The operations of this file.
    SLICING {}
}
