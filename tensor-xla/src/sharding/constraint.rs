//! Tensors within a program that are split as their types state.

use tensor_core::module::AnyTensor;
use tensor_core::{DynTensor, Element, IntoTensor, Shape, Tensor};

use super::Sharding;
use super::check::{NoSecondAxis, Outcome, SplitAxes};
use super::program::Split;

/// The same elements, split over the devices as the rules split a tensor of this type, `[..s] → [..s]`: for tensors
/// within a function that is traced, which the compiler would otherwise split as it chooses. The gradient is split
/// alike. An axis without a rule is whole on each device.
///
/// It returns the tensor unchanged in a function that is not traced, and in a program that is not split over devices.
///
/// # Panics
///
/// If a run-time axis has a size that the devices do not share evenly. Where the program is compiled, if the mesh of the
/// rules is not that of the program.
///
/// ```
/// use tensor_core::{Tensor, axis, shape, trace::trace};
/// use tensor_xla::{constrain, mesh, shard, sharding};
///
/// axis!(Batch = 8, Pixel = 64, Hidden = 32);
/// mesh!(Grid: Data = 4, Model = 2);
/// sharding!(Rules on Grid: Batch => Data);
/// sharding!(Activations on Grid: Batch => Data, Hidden => Model);
///
/// let (weight, images) = (Tensor::<shape![Pixel, Hidden]>::ones(), Tensor::<shape![Batch, Pixel]>::ones());
/// let program = trace(&(weight, images), |(weight, images)| {
///     constrain(&images.dot(weight).relu(), Activations).sum_axis::<-1>()
/// });
/// let text = shard(program, Rules)?.to_stablehlo();
/// assert!(text.contains(r#"<@mesh, [{"Data"}, {"Model"}]> : tensor<8x32xf32>"#));
/// # Ok::<(), tensor_xla::Error>(())
/// ```
///
/// Two axes of the tensor over one axis of the mesh do not compile:
///
/// ```compile_fail,E0277
/// use tensor_core::{Tensor, axis, shape};
/// use tensor_xla::{constrain, mesh, sharding};
///
/// axis!(Head = 4, Hidden = 32);
/// mesh!(Grid: Model = 2);
/// sharding!(Rules on Grid: Head => Model, Hidden => Model);
///
/// // error: `Head` and `Hidden` are both split over `Model`, and are axes of one tensor
/// constrain(&Tensor::<shape![Head, Hidden]>::zeros(), Rules);
/// ```
#[doc(alias = "with_sharding_constraint")]
#[track_caller]
#[tensor_core::diagnostics::bounds_without_source]
pub fn constrain<S, T, R, Out>(x: &Tensor<S, T>, rules: R) -> Tensor<S, T>
where
    S: Shape + SplitAxes<R::Rules, S, Out = Out>,
    T: Element,
    R: Sharding,
    Out: Outcome + NoSecondAxis<Out::Other, Out::Axis, Out::Over, Out::Shape>,
{
    let _ = rules;
    let tensor_type = Split::by::<R>()
        .and_then(|split| split.tensor_type(T::NAME, &x.axis_names(), &AnyTensor::sizes(x)))
        .unwrap_or_else(|error| panic!("{error}"));
    let mesh = tensor_type.mesh().expect("rules have a mesh");
    let x: DynTensor<T> = x.clone().into();
    let over = |axis| tensor_type.split(axis).into_iter().map(str::to_owned).collect();
    x.sharded(&mesh.shardy(), (0..x.rank()).map(over).collect())
        .into_tensor()
        .unwrap_or_else(|_| unreachable!("the same sizes"))
}
