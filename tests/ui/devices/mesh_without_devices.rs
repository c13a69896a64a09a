//! An axis of a mesh without devices.
//!
//! The compiler says: "the axis `Data` of the mesh has no devices"

use tensor_xla::mesh;

mesh!(Grid: Data = 0, Model = 2);

fn main() {}
