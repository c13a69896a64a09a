//! `e^x / Σ e^x`, computed from `x - max x` so that nothing overflows.

use core::any::TypeId;
use core::mem::MaybeUninit;

use super::lanes::{All, Reduction, fold_slice};
use super::normalize::Normalization;
use super::reductions::{Elements, Exponentials, Maximum, Sum, exp};
use super::summaries::exponentials;
use crate::element::{Float, Instructions, Number};

/// `e^x / Σ e^x`
#[derive(Clone, Copy)]
pub(crate) struct Softmax(pub Instructions);

impl<T: Float> Normalization<T> for Softmax {
    #[inline(always)]
    fn with(self, instructions: Instructions) -> Self {
        Self(instructions)
    }

    #[inline(always)]
    fn summary(self) -> impl Reduction<T, About = (), Result = [T::Sum; 2]> {
        exponentials::<T>(self.0)
    }

    /// One division for each line: one for each element would take as long as the exponentials.
    #[inline(always)]
    fn prepare(self, [largest, sum]: [T::Sum; 2]) -> [T::Sum; 2] {
        [largest, T::Sum::from_f64(1.0).div(sum)]
    }

    #[inline(always)]
    fn apply(self, element: T, [largest, share]: [T::Sum; 2]) -> T {
        T::narrow(exp::<T>(element.widen().sub(largest), self.0).mul(share))
    }

    /// The exponentials are computed once and wait among the results, where they need not be rounded
    /// for that.
    #[inline(always)]
    fn of_line(self, line: &[T], results: &mut [MaybeUninit<T>]) {
        let largest = fold_slice(Maximum, line, All(()));
        if TypeId::of::<T>() == TypeId::of::<T::Sum>() {
            let results = &mut results[..line.len()];
            for (result, &element) in results.iter_mut().zip(line) {
                result.write(element.sub(largest).exp_with(self.0));
            }
            // SAFETY: there are as many results as elements, and each was written above.
            let exponentials = unsafe { results.assume_init_mut() };
            let share = T::ONE.div(T::narrow(fold_slice(Sum(Elements), exponentials, All(()))));
            for element in exponentials {
                *element = element.mul(share);
            }
        } else {
            let largest = largest.widen();
            let sum = fold_slice(Sum(Exponentials(self.0)), line, All(largest));
            let about = Normalization::<T>::prepare(self, [largest, sum]);
            for (result, &element) in results.iter_mut().zip(line) {
                result.write(Normalization::<T>::apply(self, element, about));
            }
        }
    }
}
