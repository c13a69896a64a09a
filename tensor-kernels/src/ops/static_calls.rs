//! The arguments and results of [`static_calls`](crate::static_calls).

use crate::layout::Layout;
use crate::plan::StaticPlan;
use crate::storage::RawBuffer;

/// The sizes of an element-wise operation: a constant where they are static.
pub struct ElementwiseCall<'a, const N: usize> {
    /// Those of the result.
    pub sizes: &'a [usize],
    /// Those of each operand.
    pub operands: [&'a [usize]; N],
    /// The number of elements, where it is static and all have the same sizes.
    pub contiguous: Option<usize>,
    /// The plan, where sizes are static and differ.
    pub plan: Option<StaticPlan<N>>,
}

impl<'a, const N: usize> ElementwiseCall<'a, N> {
    /// The call for sizes that are known only at run time.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(sizes: &'a [usize], operands: [&'a [usize]; N]) -> Self {
        Self { sizes, operands, contiguous: None, plan: None }
    }
}

/// The sizes of a product: a constant where they are static.
pub struct ProductCall<'a> {
    /// `m`, `k` and `n`, if they are static and it is one of matrices or vectors.
    pub mkn: Option<[usize; 3]>,
    /// Those of the result.
    pub sizes: &'a [usize],
    /// The sizes of both operands.
    pub operands: [&'a [usize]; 2],
}

/// Results in newly allocated memory, and their layout: two registers.
pub type RawResults = (RawBuffer, Layout);
