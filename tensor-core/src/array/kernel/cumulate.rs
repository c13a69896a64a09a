//! Sums so far.

use core::any::TypeId;

use crate::element::{Element, Number};

/// Replaces every row of `[n, inner]` by the sum of the rows up to it, one after the other.
pub(crate) fn cumulate<T: Number>(block: &mut [T], inner: usize) {
    if inner == 1 {
        let mut sum = T::Sum::from_f64(-0.0);
        for element in block {
            sum = sum.add(element.widen());
            *element = T::narrow(sum);
        }
    } else if TypeId::of::<T>() == TypeId::of::<T::Sum>() {
        let mut rows = block.chunks_exact_mut(inner);
        let Some(mut before) = rows.next() else { return };
        for row in rows {
            for (element, before) in row.iter_mut().zip(&*before) {
                *element = before.add(*element);
            }
            before = row;
        }
    } else {
        let mut sums = vec![T::Sum::ZERO; inner];
        for row in block.chunks_exact_mut(inner) {
            for (element, sum) in row.iter_mut().zip(&mut sums) {
                *sum = sum.add(element.widen());
                *element = T::narrow(*sum);
            }
        }
    }
}
