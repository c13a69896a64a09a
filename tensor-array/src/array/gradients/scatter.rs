//! The gradient of a view: scatter-add of its elements to the elements of the base.

use core::any::Any;

use smallvec::smallvec;

use super::rule::{At, GradientRule, Operands, rules};
use crate::array::dynamic::DynTensor;
use crate::array::layout::{Strides, view_layout};
use crate::array::recording::Outcome;
use crate::array::storage::{Storage, each_from};
use crate::array::trace::{self, Op};
use crate::element::{Float, Number};
use crate::sizes::Sizes;

/// Adds elements to a row of zeros along axes with strides; two may have the same target, as in windows.
pub(super) struct AddStrided {
    offset: usize,
    strides: Strides,
    sizes: Sizes,
}

rules! { AddStrided: NOTHING; }

/// The transpose of a strided scatter-add is the view with these strides.
impl GradientRule for AddStrided {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let row = gradient.contiguous();
        let (of, sizes) = (row.layout.as_deref(), self.sizes.clone());
        let layout = view_layout(of, &sizes, self.offset, self.strides.clone());
        smallvec![Some(DynTensor { sizes, layout, storage: row.storage })]
    }
}

/// Converts `len` sums to elements; shares the memory if they have the same type.
fn narrowed<T: Float>(sums: &Storage<T::Sum>, len: usize) -> Storage<T> {
    match (sums as &dyn Any).downcast_ref::<Storage<T>>() {
        Some(elements) => elements.clone(),
        None => each_from(len, |position| T::narrow(sums.as_slice()[position])),
    }
}

/// Scatter-add of an operand with strides into a row of `len` zeros:
/// `[..s] → [len]`. 16-bit elements are summed in `f32`.
///
/// # Panics
///
/// If the strides leave the row.
pub(super) fn add_strided<T: Float>(
    value: &DynTensor<T>,
    len: usize,
    offset: usize,
    strides: &Strides,
) -> DynTensor<T> {
    if value.is_traced() {
        let sizes: Sizes = value.sizes().into();
        let op = Op::AddStrided { len, offset, strides: strides.clone() };
        let rule = AddStrided { offset, strides: strides.clone(), sizes };
        let strides = strides.clone();
        return trace::step(op, Some(rule.into()), &[len], &[value], move |x| {
            add_strided(trace::operand::<T>(x, 0), len, offset, &strides)
        });
    }
    let mut sums = Storage::<T::Sum>::zeros(len);
    let row = &mut sums.make_mut()[..len];
    let sizes: Sizes = value.sizes().into();
    if let (Some((&size, outer)), Some((&stride, steps))) =
        (sizes.split_last(), strides.split_last())
    {
        let mut index = Sizes::from_elem(0, outer.len());
        let mut start = offset as isize;
        let mut elements = value.iter();
        'rows: loop {
            let mut position = start;
            for element in elements.by_ref().take(size) {
                let sum = &mut row[position as usize];
                *sum = sum.add(element.widen());
                position += stride;
            }
            for axis in (0..outer.len()).rev() {
                index[axis] += 1;
                start += steps[axis];
                if index[axis] < outer[axis] {
                    continue 'rows;
                }
                start -= steps[axis] * outer[axis] as isize;
                index[axis] = 0;
            }
            break;
        }
    } else {
        row[offset] = value.iter().next().expect("rank 0 has one element").widen();
    }
    let result = DynTensor::from_storage(Sizes::from_slice(&[len]), narrowed(&sums, len));
    let rule = || AddStrided { offset, strides: strides.clone(), sizes: sizes.clone() };
    result.with(&[&value], rule)
}
