//! Axes split, moved and merged by their names: [`rearrange!`](crate::rearrange!).
//!
//! All steps are views: axes are split, permuted and merged. Only the last step copies, if no strides
//! describe the merged axes.

pub(crate) mod named;
