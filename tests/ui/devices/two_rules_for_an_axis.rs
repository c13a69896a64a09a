//! Two rules for one axis.
//!
//! The compiler says: "conflicting implementations of trait `OnlyRuleFor<Batch>` for type `Rules`"

use tensor_core::axis;
use tensor_xla::{mesh, sharding};

axis!(Batch);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => Data, Batch => Model);

fn main() {}
