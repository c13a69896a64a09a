//! Elements found among others: `searchsorted`, `isin`.

use core::marker::PhantomData;

use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::indexing;

use super::prelude::*;

operation_rows! {
    topic "In order" {
        searchsorted: 2 "Element" "searchsorted" "searchsorted" "";
        searchsorted_right: 2 "Element" "searchsorted" "searchsorted" "";
        isin: 2 "Element" "isin" "isin" "";
    }
}

/// The index of each value, the second operand, among sorted elements.
#[derive(Debug)]
struct Search<T> {
    after_equal: bool,
    of: PhantomData<T>,
}

primitive!(Search<T> where T: Element, |_| "searchsorted", |_, x, _| count(x[0]) * count(x[1]), |search, to| {
    let after_equal = search.after_equal;
    to.composed::<(T, T), i64>(|(x, values)| unwrap_or_panic(x.counted_before(values, after_equal)))
});

evaluate!(
    Search<T> => (x: T, values: T) -> i64 where T: Element,
    |search, _| indexing::searchsorted(x.as_view(), values.as_view(), search.after_equal),
);

/// Whether each element is one of others, the second operand.
#[derive(Debug)]
struct IsIn<T>(PhantomData<T>);

primitive!(IsIn<T> where T: Element, |_| "isin", |_, x, _| count(x[0]) * count(x[1]), |_, to| {
    to.composed::<(T, T), bool>(|(x, others)| unwrap_or_panic(x.is_any_of(others)))
});

evaluate!(
    IsIn<T> => (x: T, others: T) -> bool where T: Element,
    |isin, _| indexing::isin(x.as_view(), others.as_view()),
);

impl<T: Element> DynTensor<T> {
    /// For each value the number of elements before it, by comparisons of all values with all elements: `[n], [..s] → [..s]`.
    #[track_caller]
    fn counted_before(
        &self,
        values: &Self,
        after_equal: bool,
    ) -> Result<DynTensor<i64>, ShapeError> {
        let values = values.unsqueeze(-1)?;
        let comes_before = match after_equal {
            false => self.precedes(&values)?,
            true => values.precedes(self)?.not(),
        };
        comes_before.cast::<i64>().sum_axis(-1)
    }

    /// Where elements are less than others, of which NaN is the largest: `[..l], [..r] → [..(l ⊕ r)]`.
    #[track_caller]
    fn precedes(&self, other: &Self) -> Result<DynTensor<bool>, ShapeError> {
        let is_less = self.less(other)?;
        if !T::IS_FLOAT {
            return Ok(is_less);
        }
        let only_other_is_nan = (self.equal(self)? & other.not_equal(other)?)?;
        is_less | only_other_is_nan
    }

    /// Whether each element is one of others, by comparisons of all elements with all others.
    #[track_caller]
    fn is_any_of(&self, others: &Self) -> Result<DynTensor<bool>, ShapeError> {
        self.unsqueeze(-1)?.equal(&others.reshape(&[others.len()])?)?.any_axis(-1)
    }

    #[track_caller]
    fn searched(&self, values: &Self, after_equal: bool) -> Result<DynTensor<i64>, ShapeError> {
        if self.rank() != 1 {
            return Err(ShapeError::AxisCount { expected: 1, sizes: self.sizes.to_vec() });
        }
        let search = Search { after_equal, of: PhantomData };
        Ok(apply::<(T, T), _>(search, (self, values), values.sizes.clone()))
    }
}

/// # Searches
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// For each value the index at which it would be inserted into these elements, which are in ascending order,
    /// before equal ones: `[n], [..s] → [..s]`. StableHLO compares every value with every element.
    /// Errors: [`ShapeError::AxisCount`] if these elements have not one axis.
    /// ```
    /// let sorted = DynTensor::from(tensor![0, 1, 1, 2]);
    /// assert_eq!(sorted.searchsorted(&tensor![1, 5].into())?, tensor![1, 4].into());
    /// ```
    #[doc(alias = "bucketize")]
    pub fn searchsorted(&self, values: &Self) -> Result<DynTensor<i64>, ShapeError> {
        self.searched(values, false)
    }

    /// For each value the index at which it would be inserted into these elements, which are in ascending order,
    /// after equal ones, as `side="right"`: `[n], [..s] → [..s]`.
    /// Errors: [`ShapeError::AxisCount`] if these elements have not one axis.
    /// ```
    /// let sorted = DynTensor::from(tensor![0, 1, 1, 2]);
    /// assert_eq!(sorted.searchsorted_right(&tensor![1, 5].into())?, tensor![3, 4].into());
    /// ```
    #[doc(alias = "bucketize")]
    pub fn searchsorted_right(&self, values: &Self) -> Result<DynTensor<i64>, ShapeError> {
        self.searched(values, true)
    }

    /// Whether each element is one of `others`, `[..s], [..r] → [..s]`. NaN is never. StableHLO compares all
    /// elements with all others.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3]);
    /// assert_eq!(x.isin(&tensor![4, 2].into()), tensor![false, true, false].into());
    /// ```
    #[doc(alias = "in1d")]
    pub fn isin(&self, others: &Self) -> DynTensor<bool> {
        apply::<(T, T), _>(IsIn(PhantomData), (self, others), self.sizes.clone())
    }
}
