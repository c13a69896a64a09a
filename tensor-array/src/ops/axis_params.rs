//! The parameters of operations along an axis.

/// The parameters of an operation along an axis.
#[derive(Clone, Copy, Debug, Default)]
pub struct AxisParams {
    /// What is subtracted from the number of elements that a variance is divided by.
    pub correction: usize,
    /// What is added to a variance.
    pub epsilon: f64,
    /// Whether a cumulative operation leaves the element itself out.
    pub exclusive: bool,
    /// Whether it begins at the end.
    pub reverse: bool,
}
