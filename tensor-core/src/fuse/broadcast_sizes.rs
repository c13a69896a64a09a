//! The sizes of operands that broadcast in one pass.

use smallvec::SmallVec;
use tensor_kernels::sizes::error::ShapeError;

use crate::shape::{Shape, Sizes};

/// The axes of the operands broadcast so far, the last axis first.
#[doc(hidden)]
#[derive(Default)]
pub struct BroadcastSizes {
    axes: SmallVec<[BroadcastAxisSize; 6]>,
}

/// The size of one axis so far.
#[derive(Clone, Copy)]
struct BroadcastAxisSize {
    size: usize,
    /// Whether the size is known only at run time: that of a named axis, which does not stretch.
    is_named: bool,
}

impl BroadcastSizes {
    /// Broadcasts with the axes of one more operand.
    ///
    /// # Errors
    ///
    /// When a named axis has another size than before.
    pub(crate) fn join<S: Shape>(&mut self, shape: S) -> Result<(), ShapeError> {
        let rank = self.axes.len().max(S::RANK);
        self.axes.resize(rank, BroadcastAxisSize { size: 1, is_named: false });
        let mut from_the_end = 0;
        let mut mismatch = Ok(());
        shape.for_each_axis_from_the_end(&mut |size, run_time_name| {
            let met = &mut self.axes[from_the_end];
            from_the_end += 1;
            match run_time_name {
                Some(name) if met.is_named && met.size != size && mismatch.is_ok() => {
                    let axis = rank - from_the_end;
                    mismatch = Err(ShapeError::Sizes { left: met.size, right: size, axis, name });
                }
                Some(_) => *met = BroadcastAxisSize { size, is_named: true },
                // Checked at compile time: the size is the same, or it stretches.
                None if size != 1 => met.size = size,
                None => {}
            }
        });
        mismatch
    }

    /// The sizes of the result, first axis first.
    pub(super) fn sizes(&self) -> Sizes {
        self.axes.iter().rev().map(|axis| axis.size).collect()
    }
}
