//! Convolution by its definition, for padding that is much larger than the image.

use core::mem::MaybeUninit;

use super::GemmElement;
use crate::layout::ErasedView;
use crate::sizes::windows::Convolution;

/// Writes the convolution with the weights as a matrix, `[groups · outputs, channels · taps]`.
pub(super) fn convolve<A: GemmElement>(
    plan: &Convolution,
    input: ErasedView<'_, A>,
    weights: &[A],
    results: &mut [MaybeUninit<A>],
) {
    let strides = input.strides();
    let lead = strides.len() - plan.axes.len() - 1;
    let inner = weights.len() / (plan.groups * plan.outputs);
    let mut index = vec![0; plan.result.len()];
    for result in results.iter_mut() {
        let start = (0..lead).map(|axis| index[axis] as isize * strides[axis]).sum::<isize>();
        let output = index[lead];
        let group = output / plan.outputs;
        let weights = &weights[output * inner..][..inner];
        let mut sum = A::ZERO;
        let taps = inner / plan.channels;
        for (weight, &factor) in weights.iter().enumerate() {
            let channel = group * plan.channels + weight / taps;
            let mut from = start + input.offset() as isize + channel as isize * strides[lead];
            let (mut tap, mut is_within) = (weight % taps, true);
            for (axis, window) in plan.axes.iter().enumerate().rev() {
                let position = (index[lead + 1 + axis] * window.stride) as isize
                    + (tap % window.window * window.dilation) as isize
                    - window.before;
                let spread = window.spread as isize;
                let element = position.div_euclid(spread);
                is_within &= position.rem_euclid(spread) == 0
                    && (0..window.size as isize).contains(&element);
                tap /= window.window;
                if is_within {
                    from += element * strides[lead + 1 + axis];
                }
            }
            let element = if is_within { input.elements()[from as usize] } else { A::ZERO };
            sum = sum.add(factor.mul(element));
        }
        result.write(sum);
        for axis in (0..index.len()).rev() {
            index[axis] += 1;
            if index[axis] < plan.result[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
}
