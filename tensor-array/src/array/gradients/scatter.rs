//! The gradient of a view: scatter-add of its elements to the elements of the base.

use core::any::Any;

use smallvec::smallvec;
use tensor_kernels::element::{Float, Number};
use tensor_kernels::layout::{Strides, view_layout};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::{Storage, each_from};

use super::rule::{At, GradientRule, GradientsOf};
use crate::array::apply::{apply, evaluate};
use crate::array::dynamic::DynTensor;
use crate::array::trace::{count, primitive};

/// Adds elements to a row of zeros along axes with strides; two may have the same target, as in windows.
#[derive(Clone, Debug)]
struct AddStrided {
    offset: usize,
    strides: Strides,
    sizes: Sizes,
}

primitive!(AddStrided, |_| "add_strided", |_, operands, _| count(operands[0]), |add, to| {
    to.builder.add_strided(&to.x[0], to.sizes[0], add.offset, &add.strides)
});

/// The transpose of a strided scatter-add is the view with these strides.
impl GradientRule for AddStrided {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
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
    let add = AddStrided { offset, strides: strides.clone(), sizes: value.sizes.clone() };
    apply::<(T,), _>(add, (value,), Sizes::from_slice(&[len]))
}

evaluate!(
    AddStrided => (value: T) -> T where T: Float,
    |add, len| {
        let len = len[0];
        let mut sums = Storage::<T::Sum>::zeros(len);
        let row = &mut sums.make_mut()[..len];
        if let (Some((&size, outer)), Some((&stride, steps))) =
            (add.sizes.split_last(), add.strides.split_last())
        {
            let mut index = Sizes::from_elem(0, outer.len());
            let mut start = add.offset as isize;
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
            row[add.offset] = value.iter().next().expect("rank 0 has one element").widen();
        }
        narrowed(&sums, len)
    },
    |add| add.clone(),
);
