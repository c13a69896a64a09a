//! Kernels of 16-bit floats: rows are converted to `f32`, computed, and rounded once.

use core::mem::MaybeUninit;

use half::slice::HalfFloatSliceExt;

use super::isa_fns::IsaFns;
use crate::element::Element;
use crate::element::operation::{BinaryOp, UnaryOp};
use crate::ops::HasRow;
use crate::ops::elements::for_each_element;
use crate::ops::elements::types::*;
use crate::ops::{Block, Kernel, Params, Recording};

/// The number of elements that are converted at a time.
const CHUNK: usize = 256;

/// A 16-bit float, whose rows are converted with the available instructions.
pub(super) trait SixteenBits: Element {
    fn widen_row(row: &[Self], out: &mut [f32]);
    fn narrow_row(row: &[f32], out: &mut [Self]);
}

macro_rules! sixteen_bits {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $( sixteen_bits!(@$class $T); )*
    };
    (@half $T:ident) => {
        impl SixteenBits for $T {
            fn widen_row(row: &[Self], out: &mut [f32]) {
                row.convert_to_f32_slice(out);
            }

            fn narrow_row(row: &[f32], out: &mut [Self]) {
                out.convert_from_f32_slice(row);
            }
        }
    };
    (@$other:ident $T:ident) => {};
}

for_each_element!(sixteen_bits);

/// The kernel of an operation on `T` by way of the one on `f32`, whose results are floats or `bool`.
pub(super) const fn kernel<T: SixteenBits, const N: usize>(
    through: &'static Kernel<N>,
) -> Kernel<N> {
    let result_bytes = if through.result_bytes == 1 { 1 } else { 2 };
    Kernel {
        inner: IsaFns::baseline_only(inner::<T, N>),
        contiguous: None,
        operand_bytes: [2; N],
        result_bytes,
        policy: through.policy,
        divides: None,
        through: Some(through),
        recording: None,
        multiply_add: None,
    }
}

/// [`kernel`] for a unary operation of the table.
pub(super) const fn unary_kernel<Op, T: SixteenBits>() -> Kernel<1>
where
    Op: UnaryOp<T> + UnaryOp<f32> + HasRow,
{
    kernel::<T, 1>(<Op as UnaryOp<f32>>::KERNEL).recorded_as(Recording::of_row::<
        Op,
        T,
        <Op as UnaryOp<T>>::Output,
    >())
}

/// [`kernel`] for a binary operation of the table.
pub(super) const fn binary_kernel<Op, T: SixteenBits>() -> Kernel<2>
where
    Op: BinaryOp<T> + BinaryOp<f32> + HasRow,
{
    kernel::<T, 2>(<Op as BinaryOp<f32>>::KERNEL).recorded_as(Recording::of_row::<
        Op,
        T,
        <Op as BinaryOp<T>>::Output,
    >())
}

/// [`binary_kernel`] by the name that the table has for comparisons.
pub(super) use self::binary_kernel as plain_binary_kernel;

/// # Safety
///
/// As [`InnerLoop`](crate::ops::InnerLoop) requires.
unsafe fn inner<T: SixteenBits, const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    block: &Block<N>,
) {
    let through = kernel.through.expect("a kernel that computes");
    let [planes, rows, columns] = block.sizes;
    let mut operands = [[0.0_f32; CHUNK]; N];
    let mut results = [0.0_f32; CHUNK];
    for row in 0..planes * rows {
        let (plane, row_of_plane) = (row / rows, row % rows);
        for start in (0..columns).step_by(CHUNK) {
            let len = CHUNK.min(columns - start);
            for (from, to) in block.operands.iter().zip(&mut operands) {
                let offset = plane * from.strides[1] + row_of_plane * from.strides[0];
                let (offset, len) = if from.is_splat { (offset, 1) } else { (offset + start, len) };
                // SAFETY: the operand has the row, as the caller promises, and its elements are not written
                // while they are converted.
                let row =
                    unsafe { core::slice::from_raw_parts(from.first.cast::<T>().add(offset), len) };
                T::widen_row(row, &mut to[..len]);
            }
            // SAFETY: `out` has room for the results of the row, as the caller promises.
            let out = unsafe { block.out.add((row * columns + start) * kernel.result_bytes) };
            let is_float = kernel.result_bytes == 2;
            let out_of_part = if is_float { results.as_mut_ptr().cast() } else { out };
            let mut part = Block::new(out_of_part, [1, 1, len]);
            for (k, operand) in part.operands.iter_mut().enumerate() {
                operand.first = operands[k].as_ptr().cast();
                operand.is_splat = block.operands[k].is_splat;
            }
            // SAFETY: the operands are the elements converted above, and there is room for the results.
            unsafe { through.inner()(through, params, &part) };
            if is_float {
                // SAFETY: there is room for these results. They are initialised integers: zeros
                // are written first.
                let out =
                    unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<T>>(), len) };
                out.fill(MaybeUninit::new(T::ZERO));
                // SAFETY: all were written above.
                T::narrow_row(&results[..len], unsafe { out.assume_init_mut() });
            }
        }
    }
}
