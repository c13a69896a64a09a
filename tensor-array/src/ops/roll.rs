//! Elements shifted along an axis: `roll`.

use tensor_kernels::kernel::moves::{rearranged_along, rolled};

use super::prelude::*;

operation_rows! {
    topic "Padding, repeating and moving" {
        roll: 1 "Element" "roll" "roll" "concatenate";
    }
}

/// The elements shifted along an axis by less than its size; those that leave one end enter at the other.
#[derive(Clone, Debug)]
struct Roll {
    axis: usize,
    shift: isize,
}

primitive!(Roll, |_| "roll", |_, _, _| 0, |roll, to| {
    let (axis, x) = (roll.axis, &to.x[0]);
    let (mut first, mut ends) = (vec![0; x.rank()], x.sizes.clone());
    first[axis] = x.sizes[axis] - roll.shift as usize;
    ends[axis] = first[axis];
    let last = to.builder.slice(x, &first, &x.sizes);
    let before = to.builder.slice(x, &vec![0; x.rank()], &ends);
    to.builder.concat(&[last, before], axis, to.sizes)
});

evaluate!(
    Roll => (x: T) -> T where T: Element,
    |roll, sizes| {
        let map = || rolled(sizes[roll.axis], roll.shift);
        rearranged_along(x.as_view(), sizes, roll.axis, &map)
    },
    |roll| roll.clone(),
);

impl GradientRule for Roll {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(fits(gradient.roll(self.axis as isize, -self.shift)))]
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
        // A size above `isize::MAX` is one of a tensor without elements.
        let size = isize::try_from(self.sizes[axis]).unwrap_or(1).max(1);
        let shift = shift.rem_euclid(size);
        Ok(apply::<(T,), _>(Roll { axis, shift }, (self,), self.sizes.clone()))
    }
}
