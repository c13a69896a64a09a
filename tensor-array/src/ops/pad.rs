//! Padding: `pad`.

use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::kernel::moves::{padded, rearranged};
use tensor_kernels::ops::Padding;

use super::join::checked_size;
use super::prelude::*;

operation_rows! {
    topic "Padding, repeating and moving" {
        pad: 1 "Element" "pad" "nn.functional.pad" "pad";
    }
}

/// Numbers of elements before and after each axis, which are cropped where they are negative.
#[derive(Debug)]
struct Pad<T> {
    amounts: Vec<[isize; 2]>,
    padding: Padding<T>,
}

primitive!(Pad<T> where T: Element, |_| "pad", |_, _, _| 0, |pad, to| {
    if let Padding::Constant(value) = pad.padding {
        let fill = to.scalar(value);
        return to.builder.pad(&to.x[0], &fill, &pad.amounts, to.sizes);
    }
    to.composed::<(T,), T>(|(x,)| {
        let axes = pad.amounts.iter().enumerate();
        axes.filter(|(_, amounts)| **amounts != [0, 0]).fold(x.clone(), |x, (axis, &amounts)| {
            let numbers = DynTensor::<i64>::arange(x.sizes[axis]);
            x.taken(axis, &unwrap_or_panic(numbers.pad(&[amounts], pad.padding.with(|_| 0))))
        })
    })
});

evaluate!(
    Pad<T> => (x: T) -> T where T: Element,
    |pad, sizes| {
        let mode = pad.padding.with(|_| ());
        let maps = || {
            let axes = x.sizes.iter().zip(&pad.amounts);
            axes.map(|(&size, &amounts)| padded(size, amounts, &mode)).collect()
        };
        let fill = if let Padding::Constant(fill) = pad.padding { fill } else { T::ZERO };
        rearranged(x.as_view(), sizes, &maps, fill)
    },
    |pad| {
        let (amounts, mode) = (pad.amounts.clone(), pad.padding.with(|_| ()));
        PadRule { amounts, mode }
    },
);

struct PadRule {
    amounts: Vec<[isize; 2]>,
    mode: Padding<()>,
}

impl GradientRule for PadRule {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let sizes = at.sizes(0);
        if self.mode == Padding::Constant(()) {
            // What was added is cropped, and what was cropped is padded with 0.
            let back: Vec<[isize; 2]> = self.amounts.iter().map(|&[a, b]| [-a, -b]).collect();
            return smallvec![Some(fits(gradient.pad(&back, Padding::Constant(T::ZERO))))];
        }
        // Along each axis, what was added is added to what it was copied from.
        let axes = self.amounts.iter().enumerate().rev().filter(|(_, amounts)| **amounts != [0, 0]);
        let sums = axes.fold(gradient.clone(), |gradient, (axis, &amounts)| {
            let numbers = DynTensor::<i64>::arange(sizes[axis]);
            let numbers = fits(numbers.pad(&[amounts], self.mode.with(|()| 0)));
            let mut kept = gradient.sizes.clone();
            kept[axis] = sizes[axis];
            DynTensor::zeros(&kept).add_rows(axis, &numbers, &gradient)
        });
        smallvec![Some(sums)]
    }
}

/// # Padding
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Pads each axis by these numbers of elements before and after it: `[n, …] → [before + n + after, …]`.
    /// A negative number crops the axis.
    /// Errors: If there is not one pair of amounts for each axis, if a negative amount takes off more than there
    /// is, if an axis of size 0 has no element to pad with, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// let padded = x.pad(&[[0, 1], [1, 0]], Padding::Constant(0))?;
    /// assert_eq!(padded, tensor![[0, 1, 2], [0, 3, 4], [0, 0, 0]].into());
    /// assert_eq!(x.pad(&[[0, 0], [-1, 0]], Padding::Edge)?, tensor![[2], [4]].into());
    /// ```
    pub fn pad(&self, amounts: &[[isize; 2]], padding: Padding<T>) -> Result<Self, ShapeError> {
        let sizes = padded_sizes(&self.sizes, amounts, &padding)?;
        fits_into_memory::<T>(&sizes)?;
        Ok(apply::<(T,), _>(Pad { amounts: amounts.to_vec(), padding }, (self,), sizes))
    }
}

fn padded_sizes<T>(
    sizes: &[usize],
    amounts: &[[isize; 2]],
    padding: &Padding<T>,
) -> Result<Sizes, ShapeError> {
    if amounts.len() != sizes.len() {
        let (expected, found) = (sizes.len(), amounts.len());
        return Err(ShapeError::Entries { entries: "pairs of amounts", expected, found });
    }
    let mut result = Sizes::new();
    for (axis, (&size, &amounts)) in sizes.iter().zip(amounts).enumerate() {
        let [before, after] = amounts;
        if size == 0 && !matches!(padding, Padding::Constant(_)) && (before > 0 || after > 0) {
            return Err(ShapeError::PadsEmpty { axis });
        }
        let cropped = before.min(0).unsigned_abs().checked_add(after.min(0).unsigned_abs());
        if cropped.is_none_or(|cropped| cropped > size) {
            return Err(ShapeError::CropsTooMuch { axis, size, amounts });
        }
        let kept = size - cropped.unwrap_or(0);
        let added = before.max(0).unsigned_abs() + after.max(0).unsigned_abs();
        result.push(checked_size(kept.saturating_add(added), axis, sizes)?);
    }
    Ok(result)
}
