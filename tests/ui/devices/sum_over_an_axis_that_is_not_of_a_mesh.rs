//! The parts are along `Batch`, which the rules split over the mesh, and not along an axis of the mesh.
//!
//! The compiler says: "`Batch` is not an axis of a mesh"
//! Lines: 21, the compiler shows the axes of the mesh

use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, sharding, unreduced};

axis!(Batch = 16);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => Data);

fn main() {
    let rows = Tensor::<shape![Batch, 3]>::ones();
    let _ = unreduced(&rows, |row| row.square());
}
