//! Reductions, scans and the order of elements.

mod dynamic_reductions;
mod norms;
#[path = "../random_views/mod.rs"]
mod random_views;
mod reduce;
mod reduce_axes;
mod scans;
mod sort;
