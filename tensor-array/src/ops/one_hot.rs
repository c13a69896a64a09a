//! One-hot encoding: `one_hot`.

use core::marker::PhantomData;
use tensor_kernels::indexing;

use super::positions::positions;
use super::prelude::*;

operation_rows! {
    topic "By indices" {
        one_hot: 1 "Integer" "" "nn.functional.one_hot" "compare";
    }
}

/// A new last axis with 1 at each position, and 0 elsewhere.
#[derive(Debug)]
struct OneHot<O>(PhantomData<O>);

primitive!(OneHot<O> where O: Element, |_| "one_hot", |_, _, _| 0, |_, to| {
    let axis = to.sizes.len() - 1;
    let axes: Vec<usize> = (0..axis).collect();
    let positions = to.builder.broadcast_in(&to.x[0], &axes, to.sizes);
    let numbers = to.builder.iota(to.sizes, axis);
    let hot = to.builder.compare(&positions, &numbers, "EQ");
    to.builder.convert(&hot, to.element)
});

evaluate!(
    OneHot<O> => (positions: i64) -> O where O: Element,
    |_, sizes| indexing::one_hot(positions.row_major().as_slice(), sizes[sizes.len() - 1]),
);

/// # One-hot encoding
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// One-hot encoding: a new last axis with 1 at each index and 0 elsewhere, `[..s] → [..s, depth]`.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range, where negative ones
    /// count from the end, [`IndexingError::InvalidShape`] if the result does not fit into memory.
    /// ```
    /// let one_hot = DynTensor::from(tensor![1, -1]).one_hot::<i32>(3)?;
    /// assert_eq!(one_hot, tensor![[0, 1, 0], [0, 0, 1]].into());
    /// ```
    pub fn one_hot<O: Element>(&self, depth: usize) -> Result<DynTensor<O>, IndexingError>
    where
        T: Integer,
    {
        let mut sizes: Sizes = self.sizes.clone();
        sizes.push(depth);
        fits_into_memory::<O>(&sizes)?;
        let positions = positions(self, self.rank(), depth)?;
        Ok(apply::<(i64,), _>(OneHot::<O>(PhantomData), (&positions,), sizes))
    }
}
