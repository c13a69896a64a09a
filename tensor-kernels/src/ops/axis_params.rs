//! The parameters of operations along an axis.

/// The parameters of an operation along an axis.
#[derive(Clone, Copy, Debug, Default)]
pub struct AxisParams {
    /// The correction of a variance: it is divided by the number of elements minus this.
    pub correction: usize,
    /// The epsilon that is added to a variance.
    pub epsilon: f64,
    /// Whether a cumulative operation leaves the element itself out.
    pub exclusive: bool,
    /// Whether it begins at the end.
    pub reverse: bool,
}
