//! The parameters of operations along an axis.

/// The parameters of an operation along an axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AxisParams {
    /// What is subtracted from the number of elements that a variance is divided by.
    pub(crate) correction: usize,
    /// What is added to a variance.
    pub(crate) epsilon: f64,
    /// Whether a cumulative operation leaves the element itself out,
    pub(crate) exclusive: bool,
    /// and whether it begins at the end.
    pub(crate) reverse: bool,
}
