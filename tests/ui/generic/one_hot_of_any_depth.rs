//! The number of classes is the size of an axis that may be a run-time one.
//!
//! The compiler says: "in generic code, add the bound `C: StaticAxis`"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::element::Integer;
use tensor_core::{Axis, IndexError, Tensor, dim, shape};

/// Targets with smoothed labels.
fn smoothed<N: Axis, C: Axis, K: Integer>(
    labels: &Tensor<shape![N], K>,
    by: f32,
) -> Result<Tensor<shape![N, C]>, IndexError> {
    let rows = labels.one_hot::<C, f32>()?;
    Ok(rows * (1.0 - by) + by / 1000.0)
}

fn main() -> Result<(), IndexError> {
    let labels = Tensor::<shape![128], i64>::full(281);
    let targets = smoothed::<_, dim!(1000), _>(&labels, 0.1)?;
    println!("{} {}", targets.min(), targets.max());
    println!("{}", targets.sum());
    Ok(())
}
