//! Operations by indices, and those that order elements.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use crate::layout::ErasedView;
use crate::sizes::index_error::IndexError;
use crate::storage::Storage;

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

/// Moves and order of the elements of a type: concrete functions, compiled in this crate.
///
/// A supertrait of `Element`: none of its items is a method, so that none is ambiguous in users' code.
/// Indices count from 0, and are in range.
#[doc(hidden)]
pub trait ElementIndexing: Sized + 'static {
    /// The elements at some indices of an axis, `[..a, n, ..b] → [..a, k, ..b]`.
    fn take(x: ErasedView<'_, Self>, axis: usize, indices: &[i64]) -> Storage<Self>;
    /// One element for each index, `[..a, n, ..b], [..a, k, ..b] → [..a, k, ..b]`.
    fn take_along(x: ErasedView<'_, Self>, along: Along<'_>) -> Storage<Self>;
    /// A copy with values in place of elements.
    fn scatter(
        x: ErasedView<'_, Self>,
        along: Along<'_>,
        values: ErasedView<'_, Self>,
    ) -> Storage<Self>;
    /// A copy with rows of values in place of those at some indices of an axis.
    fn index_copy(
        x: ErasedView<'_, Self>,
        axis: usize,
        indices: &[i64],
        values: ErasedView<'_, Self>,
    ) -> Storage<Self>;
    /// 1 at each index, else 0, `[n] → [n, depth]`.
    fn one_hot(indices: &[i64], depth: usize) -> Storage<Self>;
    /// Where elements are not 0, counted in row-major order.
    fn nonzero(x: ErasedView<'_, Self>) -> Vec<i64>;
    /// The elements along an axis in order.
    fn sort(x: ErasedView<'_, Self>, axis: usize, descending: bool) -> Storage<Self>;
    /// The indices of the first `k` elements along an axis, in order: each ascending or descending,
    /// equal elements in their order.
    fn arg_order(x: ErasedView<'_, Self>, axis: usize, k: usize, descending: bool) -> Storage<i64>;
    /// For each value how many sorted elements are less, or less or equal.
    fn searchsorted(
        sorted: ErasedView<'_, Self>,
        values: ErasedView<'_, Self>,
        or_equal: bool,
    ) -> Storage<i64>;
    /// Equal elements.
    fn groups(x: ErasedView<'_, Self>) -> Groups;
    /// Equal slices along an axis.
    fn groups_along(x: ErasedView<'_, Self>, axis: usize) -> Groups;
    /// Whether each element is one of others.
    fn isin(x: ErasedView<'_, Self>, others: ErasedView<'_, Self>) -> Storage<bool>;
}

/// The same for numbers.
#[doc(hidden)]
pub trait NumberIndexing: Sized + 'static {
    /// A copy with values combined with elements.
    fn scatter_combine(
        x: ErasedView<'_, Self>,
        along: Along<'_>,
        values: ErasedView<'_, Self>,
        combine: Combine,
    ) -> Storage<Self>;
    /// A copy with rows of values added to those at some indices of an axis.
    fn index_add(
        x: ErasedView<'_, Self>,
        axis: usize,
        indices: &[i64],
        values: ErasedView<'_, Self>,
    ) -> Storage<Self>;
    /// Each element along an axis less the one before it.
    fn diff(x: ErasedView<'_, Self>, axis: usize) -> Storage<Self>;
    /// The number of elements in each of `bins` equal parts of a range.
    fn histogram(x: ErasedView<'_, Self>, bins: usize, range: (f64, f64)) -> Storage<i64>;
}

/// The same for floats.
#[doc(hidden)]
pub trait FloatIndexing: Sized + 'static {
    /// The quantiles along an axis.
    fn quantile(
        x: ErasedView<'_, Self>,
        axis: usize,
        q: f64,
        method: QuantileMethod,
    ) -> Storage<Self>;
}

/// The same for integers.
#[doc(hidden)]
pub trait IntegerIndexing: Sized + 'static {
    /// The elements of an axis that indices mean, negative ones from its end.
    fn resolve(
        indices: ErasedView<'_, Self>,
        axis: usize,
        size: usize,
    ) -> Result<Storage<i64>, IndexError>;
    /// How often there is each number below `bins`.
    fn bincount(x: ErasedView<'_, Self>, bins: usize) -> Result<Storage<i64>, IndexError>;
}
