//! Inference of a size from the number of elements.

use crate::sizes::Sizes;
use crate::sizes::count::checked_num_elements;
use crate::sizes::error::ShapeError;

/// The sizes with the one that is `None` inferred from the number of elements; `name` formats an axis.
///
/// # Errors
///
/// If more than one size is omitted, if none is and the number of elements differs, or if the omitted
/// size would not be an integer.
#[doc(hidden)]
pub fn infer_left_out(
    sizes: &[Option<usize>],
    elements: usize,
    name: &dyn Fn(usize) -> String,
) -> Result<Sizes, ShapeError> {
    let shape = || {
        let names: Vec<String> = (0..sizes.len()).map(name).collect();
        format!("[{}]", names.join(", "))
    };
    let found = sizes.iter().filter(|size| size.is_none()).count();
    let others: Sizes = sizes.iter().map(|size| size.unwrap_or(1)).collect();
    let count = checked_num_elements(&others);
    let inferred = match (found, count) {
        (0, Some(count)) if count == elements => 1,
        (0, _) => {
            let expected = count.unwrap_or(usize::MAX);
            return Err(ShapeError::Length { expected, found: elements, sizes: others.to_vec() });
        }
        // If the other sizes have product 0, every size fits and none can be inferred.
        (1, Some(count)) if count > 0 && elements.is_multiple_of(count) => elements / count,
        (1, _) => return Err(ShapeError::NotDivisible { elements, shape: shape() }),
        _ => return Err(ShapeError::LeftOut { found, shape: shape() }),
    };
    Ok(sizes.iter().map(|size| size.unwrap_or(inferred)).collect())
}
