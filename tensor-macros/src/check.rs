//! Second stage: from a syntax tree to its meaning, or to an error.

pub mod axes;
pub mod axis;
pub mod broadcast;
pub mod einsum;
pub mod fuse;
pub mod methods;
pub mod module;
pub mod rearrange;
pub mod shape;
pub mod shapes;
pub mod size;
pub mod slice;
pub mod strict;
pub mod tensor;
#[cfg(feature = "weights")]
pub mod weights;

use syn::{Error, Result};

/// The values, if there is no error.
///
/// # Errors
///
/// All of the errors.
pub fn all<T>(results: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut values = Vec::new();
    let mut errors: Option<Error> = None;
    for result in results {
        match (result, &mut errors) {
            (Ok(value), _) => values.push(value),
            (Err(error), Some(errors)) => errors.combine(error),
            (Err(error), none) => *none = Some(error),
        }
    }
    errors.map_or(Ok(values), Err)
}
