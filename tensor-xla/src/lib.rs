#![doc = include_str!("../README.md")]

mod buffer;
mod compile_options;
mod element_type;
mod engine;
mod error;
mod executable;
mod find;
mod hlo;
mod jit;
mod memory;
mod mesh;
mod pjrt;
mod profile;
mod program;
mod protobuf;
mod saved;
mod sharding;
mod signature;
mod tensor_type;
mod tensors;
mod text;

/// The guide.
pub mod guide {
    #[cfg(feature = "safetensors")]
    #[doc = include_str!("../guide/pictures/references.md")]
    #[doc = include_str!("../guide/devices.md")]
    pub mod devices {}
    #[doc = include_str!("../guide/errors.md")]
    pub mod errors {}
    #[doc = include_str!("../guide/speed.md")]
    pub mod speed {}
}

pub use buffer::Buffer;
pub use element_type::{ElementType, HostElement};
pub use engine::{Device, Engine, OptionValue, Options};
pub use error::{Code, Error, GET_PLUGIN};
pub use executable::{Argument, Executable};
pub use hlo::Collective;
pub use jit::{Jit, JitStep, jit, jit_step, try_jit, try_jit_step};
pub use memory::Memory;
pub use mesh::Mesh;
pub use profile::{OperationTime, Profile};
pub use program::{Compiled, Step};
#[cfg_attr(doc, doc(hidden))]
pub use sharding::check as bounds;
pub use sharding::{
    DeviceMesh, MeshAxis, ShardedProgram, Sharding, Unreduced, constrain, shard, shard_with_state,
    unreduced,
};
pub use signature::{Input, Output, Signature};
pub use tensor_core;
pub use tensor_type::TensorType;
