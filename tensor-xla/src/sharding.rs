//! Meshes and shardings as types: [`mesh!`](crate::mesh!) and [`sharding!`](crate::sharding!).

#[cfg(feature = "safetensors")]
mod bundle;
pub mod check;
mod constraint;
#[cfg(feature = "safetensors")]
mod parts;
mod picture;
mod program;
mod unreduced;

use crate::error::Error;
use crate::mesh::Mesh;
use check::RuleList;

pub use constraint::constrain;
pub use program::{ShardedProgram, shard, shard_with_state};
pub use unreduced::{Unreduced, unreduced};

/// A mesh of devices as a type, which [`mesh!`](crate::mesh!) declares.
///
/// ```
/// use tensor_xla::{DeviceMesh, mesh};
///
/// mesh!(Grid: Data = 4, Model = 2);
/// assert_eq!(Grid::mesh()?.to_string(), "Data = 4, Model = 2");
/// # Ok::<(), tensor_xla::Error>(())
/// ```
pub trait DeviceMesh {
    /// The axes, as a shape.
    type Axes: tensor_core::StaticShape;

    /// The mesh as a value.
    ///
    /// # Errors
    ///
    /// [`Error::Sharding`] if an axis has no devices.
    ///
    /// ```
    /// # use tensor_xla::{DeviceMesh, mesh};
    /// mesh!(Row: Data = 8);
    /// assert_eq!(Row::mesh()?.devices(), 8);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    fn mesh() -> Result<Mesh, Error> {
        use tensor_core::explain::Explain as _;
        let axes = <Self::Axes as tensor_core::StaticShape>::VALUE.explained_axes();
        Mesh::new(axes.into_iter().map(|axis| (axis.name.unwrap_or_default(), axis.size)))
    }
}

/// An axis of a mesh, which [`mesh!`](crate::mesh!) declares. It may also be an axis of tensors, which have one item for each
/// device along it.
///
/// ```
/// use tensor_core::{Axis, Tensor, shape};
/// use tensor_xla::{MeshAxis, mesh};
///
/// fn devices<D: MeshAxis>() -> Option<usize> {
///     D::SIZE
/// }
///
/// mesh!(Grid: Data = 4, Model = 2);
/// assert_eq!(devices::<Data>(), Some(4));
/// assert_eq!(Tensor::<shape![Data, 3]>::zeros().sizes()[..], [4, 3]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an axis of a mesh",
    label = "the first axis is `{Self}`",
    note = "each device along an axis of the mesh has one item: the first axis of the tensors is one that `mesh!` declares, such as `Data` in `shape![Data, Row, 64]` [X112]"
)]
pub trait MeshAxis: tensor_core::StaticAxis {
    /// The mesh.
    type Mesh: DeviceMesh;
}

/// Rules that split axes of tensors over the axes of a mesh, which [`sharding!`](crate::sharding!) declares.
///
/// ```
/// use tensor_core::axis;
/// use tensor_xla::{Sharding, mesh, sharding};
///
/// axis!(Batch);
/// mesh!(Grid: Data = 4);
/// sharding!(Rules on Grid: Batch => Data);
///
/// fn devices<R: Sharding>(_: R) -> Result<usize, tensor_xla::Error> {
///     use tensor_xla::DeviceMesh;
///     Ok(R::Mesh::mesh()?.devices())
/// }
///
/// assert_eq!(devices(Rules)?, 4);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
pub trait Sharding {
    /// The mesh.
    type Mesh: DeviceMesh;

    /// The rules, as a list.
    #[doc(hidden)]
    type Rules: RuleList;
}

/// Declares a mesh: a grid of devices whose axes are types.
///
/// The last axis has consecutive devices: of `Data = 4, Model = 2`, device 5 is at `Data` 2 and `Model` 1. The number
/// of devices of an axis is a number, or a constant in braces.
///
/// ```
/// use tensor_xla::{DeviceMesh, mesh};
///
/// const NODES: usize = 2;
///
/// mesh!(
///     /// The devices of a cluster.
///     pub Cluster: Node = {NODES}, Device = 4
/// );
/// assert_eq!(Cluster::mesh()?.devices(), 8);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[macro_export]
macro_rules! mesh {
    ($(#[$attribute:meta])* $visibility:vis $Mesh:ident: $($Axis:ident = $devices:tt),+ $(,)?) => {
        $crate::tensor_core::axis!($($visibility $Axis = $devices),+);

        $(#[$attribute])*
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #[allow(missing_docs)]
        $visibility struct $Mesh;

        impl $crate::DeviceMesh for $Mesh {
            type Axes = $crate::tensor_core::shape![$($Axis),+];
        }

        $(
            impl $crate::MeshAxis for $Axis {
                type Mesh = $Mesh;
            }

            impl $crate::bounds::AxisOfMesh<$Axis, $Mesh> for ($Axis,) {
                type Devices = <$Axis as $crate::tensor_core::StaticAxis>::Size;
            }

            const _: () = ::core::assert!(
                !::core::matches!(<$Axis as $crate::tensor_core::Axis>::SIZE, ::core::option::Option::Some(0)),
                ::core::concat!("the axis `", ::core::stringify!($Axis), "` of the mesh has no devices")
            );
        )+
    };
}

/// Declares rules: which axis of a tensor is split over which axis of a mesh, or over several.
///
/// Every tensor that has the axis is split along it, and each device of the mesh axis has a part of the same size.
/// An axis without a rule is not split: along mesh axes that split nothing of a tensor, each device has a copy.
/// Neither is an axis that is part of another type, as `Hidden` in `Chunks<dim!(3), Hidden>` of `tensor-nn`, nor one of a
/// `DynTensor`.
///
/// ```
/// use tensor_core::axis;
/// use tensor_xla::{mesh, sharding};
///
/// axis!(Batch, Hidden = 768);
/// mesh!(Grid: Data = 4, Model = 2);
/// sharding!(Rules on Grid: Batch => Data, Hidden => Model);
/// ```
///
/// Over several axes of the mesh, the number of parts is the product of theirs, and consecutive parts are on consecutive
/// devices of the last one: the order of `PartitionSpec(("data", "model"))` in JAX.
///
/// ```
/// use tensor_core::{Tensor, axis, shape, trace::trace};
/// use tensor_xla::{mesh, shard, sharding};
///
/// axis!(Batch = 16);
/// mesh!(Grid: Data = 4, Model = 2);
/// sharding!(Rules on Grid: Batch => (Data, Model));
///
/// let program = shard(trace(&Tensor::<shape![Batch, 3]>::zeros(), |x| x.sum()), Rules)?;
/// let input = program.signature().inputs()[0].tensor_type().clone();
/// assert_eq!(input.to_string(), "f32 [16 over (Data = 4, Model = 2), 3]");
/// assert_eq!(input.local_sizes(), [2, 3]);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
///
/// An axis has one rule, and a rule names each axis of the mesh once. A static size that the devices do not share evenly
/// does not compile; a run-time size is compared by [`shard`](crate::shard):
///
/// ```compile_fail,E0277
/// use tensor_core::axis;
/// use tensor_xla::{mesh, sharding};
///
/// axis!(Hidden = 768);
/// mesh!(Grid: Model = 5);
/// // error: `Hidden` has size 768, which 5 devices do not share evenly
/// sharding!(Rules on Grid: Hidden => Model);
/// ```
#[macro_export]
macro_rules! sharding {
    (
        $(#[$attribute:meta])*
        $visibility:vis $Rules:ident on $Mesh:ty:
            $($Axis:ty => $(($($Several:ty),+ $(,)?))? $($MeshAxis:path)?),+ $(,)?
    ) => {
        $(#[$attribute])*
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #[allow(missing_docs)]
        $visibility struct $Rules;

        impl $crate::Sharding for $Rules {
            type Mesh = $Mesh;
            type Rules = $crate::__list!(
                $($crate::bounds::Rule<
                    $Axis,
                    $(($($Several),+))? $($MeshAxis)?,
                    $crate::__list!($($($Several,)+)? $($MeshAxis,)?),
                >,)+
            );
        }

        const _: fn() = || {
            $($crate::bounds::rule::<
                $Axis,
                $(($($Several),+))? $($MeshAxis)?,
                $crate::__list!($($($Several,)+)? $($MeshAxis,)?),
                $Mesh,
            >();)+
            $crate::bounds::rules::<$Rules, _>();
        };
    };
}

/// A list of types: `(A, (B, ()))`.
#[doc(hidden)]
#[macro_export]
macro_rules! __list {
    () => { () };
    ($First:ty, $($rest:tt)*) => { ($First, $crate::__list!($($rest)*)) };
}
