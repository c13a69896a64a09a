//! Products and convolutions of `f32` that are computed in a 16-bit type: [`autocast`].
//!
//! The operands are rounded to the type, and the result is computed in it and converted back. The conversions are
//! operations, so that gradients and programs have them.

use core::any::Any;

use tensor_kernels::array_ref::ArrayRef;
use tensor_kernels::autocast::{Autocast, autocast};
#[cfg(feature = "half")]
use tensor_kernels::element::Element;
use tensor_kernels::element::{CastTo, Float, Number};
use tensor_kernels::layout::Layout;
use tensor_kernels::ops::ProductCall;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::static_calls::call_product;
use tensor_kernels::storage::Storage;

use crate::array::dynamic::DynTensor;
use crate::array::history::AnyArray;
use crate::array::trace::in_one_scope;

/// The types that products of `f32` are computed in.
pub trait Half: Float + CastTo<f32> {
    const AUTOCAST: &'static Autocast;
}

/// A product of two arrays of any float type.
pub(crate) trait Product {
    fn of<T: Float>(&self, x: &DynTensor<T>, y: &DynTensor<T>) -> DynTensor<T>;
}

/// A product of matrices or vectors.
struct Matrices<'a>(&'a ProductCall<'a>);

impl Product for Matrices<'_> {
    fn of<T: Float>(&self, x: &DynTensor<T>, y: &DynTensor<T>) -> DynTensor<T> {
        let (storage, layout) = call_product(self.0, x.array(), y.array());
        DynTensor::from_parts(Sizes::from_slice(self.0.sizes), layout, storage)
    }
}

fn in_type<T: Half>(
    x: &DynTensor<f32>,
    y: &DynTensor<f32>,
    product: &impl Product,
) -> DynTensor<f32>
where
    f32: CastTo<T>,
{
    // The gradients of both are added in `f32`, also those of all turns of a loop.
    let [x, y] = in_one_scope([AnyArray::new(x.clone()), AnyArray::new(y.clone())]);
    let [x, y] = [x, y].map(|x| x.get::<DynTensor<f32>>().expect("an array of `f32`").cast::<T>());
    product.of::<T>(&x, &y).cast()
}

/// The product of arrays of `f32` in the type of [`autocast`]; `None` where there is none, and for other arrays.
#[cfg_attr(not(feature = "half"), expect(unused_variables, reason = "there is no type of 16 bits"))]
pub(crate) fn autocast_product<T: Number>(
    product: &impl Product,
    x: &DynTensor<T>,
    y: &DynTensor<T>,
) -> Option<DynTensor<T>> {
    let to = autocast()?;
    let f32s = |x| <dyn Any>::downcast_ref::<DynTensor<f32>>(x);
    let (x, y) = (f32s(x)?, f32s(y)?);
    macro_rules! in_types {
        ($($(#[$meta:meta])* $T:ident: $class:ident $other:ident;)+) => {
            $($(#[$meta])* in_types! { @$class $T })+
        };
        (@half $T:ident) => {
            if to.element == $T::NAME {
                let product: &dyn Any = &in_type::<$T>(x, y, product);
                return product.downcast_ref().cloned();
            }
        };
        (@$class:ident $T:ident) => {};
    }
    for_each_element!(in_types);
    None
}

macro_rules! halves {
    ($($(#[$meta:meta])* $T:ident: $class:ident $other:ident;)+) => {
        $($(#[$meta])* halves! { @$class $T })+
    };
    (@half $T:ident) => {
        impl Half for $T {
            const AUTOCAST: &'static Autocast = &Autocast {
                element: $T::NAME,
                product: |call, left, right| product::<$T>(call, left, right),
            };
        }
    };
    (@$class:ident $T:ident) => {};
}

for_each_element!(halves);

/// The product of matrices or vectors in a type.
#[cfg_attr(not(feature = "half"), allow(dead_code, reason = "there is no such type"))]
fn product<T: Half>(
    call: &ProductCall<'_>,
    left: ArrayRef<'_, f32>,
    right: ArrayRef<'_, f32>,
) -> (Storage<f32>, Layout)
where
    f32: CastTo<T>,
{
    let [x, y] = [(left, 0), (right, 1)]
        .map(|(side, number)| DynTensor::from_array(side, call.operands[number]));
    let (_, layout, storage) = in_type::<T>(&x, &y, &Matrices(call)).into_parts();
    (storage, layout)
}
