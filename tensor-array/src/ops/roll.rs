//! Elements shifted along an axis: `roll`.

use smallvec::smallvec;

use crate::array::apply::{Evaluate, apply};
use crate::array::dynamic::DynTensor;
use crate::array::gradients::operations::fits;
use crate::array::gradients::rule::{At, GradientRule, GradientsOf, rules};
use crate::array::history::Rule;
use crate::array::kernel::moves::{IndexMap, rearranged, rolled};
use crate::array::storage::Storage;
use crate::array::trace::primitive;
use crate::element::{Element, Float};
use crate::sizes::error::ShapeError;

operation_rows! {
    topic "Padding, repeating and moving" {
        roll: 1 "Element" "roll" "roll" "concatenate";
    }
}

/// The elements shifted along an axis; those that leave one end enter at the other.
#[derive(Clone, Debug)]
struct Roll {
    axis: usize,
    shift: isize,
}

primitive!(Roll, |_| "roll", |_, _, _| 0, |roll, to| {
    let (axis, x) = (roll.axis, &to.x[0]);
    let (mut first, mut ends) = (vec![0; x.rank()], x.sizes.clone());
    first[axis] = x.sizes[axis] - roll.shift.rem_euclid(x.sizes[axis] as isize) as usize;
    ends[axis] = first[axis];
    let last = to.builder.slice(x, &first, &x.sizes);
    let before = to.builder.slice(x, &vec![0; x.rank()], &ends);
    to.builder.concat(&[last, before], axis, to.sizes)
});

impl<T: Element> Evaluate<(T,)> for Roll {
    type Output = T;

    #[track_caller]
    fn evaluate(&self, &(x,): &(&DynTensor<T>,), sizes: &[usize]) -> Storage<T> {
        if sizes.contains(&0) {
            return Storage::zeros(0);
        }
        let mut maps: Vec<IndexMap> = sizes.iter().map(|&size| IndexMap::whole(size)).collect();
        maps[self.axis] = rolled(sizes[self.axis], self.shift);
        rearranged(x.as_view(), sizes, &maps, T::ZERO)
    }

    fn rule(&self, _: &(&DynTensor<T>,)) -> Option<Rule> {
        Some(self.clone().into())
    }
}

rules! { Roll: NOTHING; }

impl GradientRule for Roll {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(fits(gradient.roll(self.axis as isize, self.shift.wrapping_neg())))]
    }
}

/// # Shifts
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The elements shifted along an axis by `shift` indices, `[..s] → [..s]`: those shifted past one end reappear
    /// at the other.
    /// Errors: If there is no such axis.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![1, 2, 3, 4]).roll(0, 1)?, tensor![4, 1, 2, 3].into());
    /// ```
    pub fn roll(&self, axis: isize, shift: isize) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        Ok(apply::<(T,), _>(Roll { axis, shift }, (self,), self.sizes.clone()))
    }
}
