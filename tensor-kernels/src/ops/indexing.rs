//! The parameters of operations by indices, and of those that order elements.
/// How the indices of an operation are paired with the elements along an axis.
#[derive(Clone, Copy, Debug)]
pub struct Along<'a> {
    /// The axis.
    pub axis: usize,
    /// How many indices there are along it.
    pub len: usize,
    /// The elements that they mean, each below the size of the axis, in row-major order.
    pub indices: &'a [i64],
}

/// How a scattered value is combined with the element at its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    Add,
    Mul,
    Max,
    Min,
}

impl Combine {
    /// The name of the operation that scatters so.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "scatter_add",
            Self::Mul => "scatter_mul",
            Self::Max => "scatter_max",
            Self::Min => "scatter_min",
        }
    }
}

/// The first of equal elements, the number of the value that each element has, and how often there is
/// each value, in ascending order: of elements, or of slices along an axis.
#[derive(Debug)]
pub struct Groups {
    pub first: Vec<i64>,
    pub inverse: Vec<i64>,
    pub counts: Vec<i64>,
}

/// How a quantile between two elements is made of them: NumPy's `method`.
///
/// ```
/// use tensor_core::{QuantileMethod, tensor};
///
/// let x = tensor![1.0, 2.0, 4.0, 8.0];
/// assert_eq!(x.quantile_with(0.5, QuantileMethod::Interpolate).item(), 3.0);
/// assert_eq!(x.quantile_with(0.5, QuantileMethod::Lower).item(), 2.0);
/// assert_eq!(x.quantile_with(0.5, QuantileMethod::Higher).item(), 4.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuantileMethod {
    /// In proportion to how near they are.
    #[default]
    #[doc(alias = "linear")]
    Interpolate,
    /// The smaller one.
    Lower,
    /// The larger one.
    Higher,
    /// The nearer one; of two that are as near, that with the even number.
    Nearest,
    /// Their mean.
    Midpoint,
}
