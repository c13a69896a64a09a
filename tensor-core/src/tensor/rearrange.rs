//! Axes split, moved and merged by their names: [`rearrange!`](crate::rearrange!).
//!
//! All is done by views: axes are split, permuted and merged. Only the last step copies, where strides
//! do not describe the merged axes.

pub(crate) mod named;
