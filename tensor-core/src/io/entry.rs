//! Tensors of a model in a checkpoint, whose element types are known only at run time.

use super::checkpoint::sealed::Stored;
use super::checkpoint::{StoredTensor, are_elements, decoded};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::shape::error::ShapeError;
use crate::tensor::AnyTensor;

/// A tensor to fill, which keeps its element type and its shape.
pub(crate) struct Entry<'a>(pub &'a mut dyn AnyTensor);

impl StoredTensor for Entry<'_> {}

/// Generates the code that differs between element types.
macro_rules! entries {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        /// The tensor to write, without a copy.
        pub(crate) fn stored(tensor: &dyn AnyTensor) -> Box<dyn StoredTensor> {
            $($(#[$cfg])* if let Some(tensor) = tensor.get::<$T>() {
                return Box::new(tensor);
            })*
            unreachable!("elements of type {}", tensor.element_name())
        }

        impl Stored for Entry<'_> {
            fn element_name(&self) -> &'static str {
                self.0.element_name()
            }

            fn sizes(&self) -> Vec<usize> {
                self.0.sizes().to_vec()
            }

            fn shape_name(&self) -> String {
                self.0.axis_names().join(", ")
            }

            fn accepts(&self, sizes: &[usize]) -> Result<(), ShapeError> {
                self.0.accepts(sizes)
            }

            fn valid(&self, bytes: &[u8]) -> bool {
                match self.0.element_name() {
                    $($(#[$cfg])* stringify!($T) => are_elements::<$T>(bytes),)*
                    other => unreachable!("elements of type {other}"),
                }
            }

            fn bytes(&self) -> Vec<u8> {
                stored(self.0).bytes()
            }

            fn replace(&mut self, sizes: &[usize], bytes: &[u8]) {
                let replaced = match self.0.element_name() {
                    $($(#[$cfg])* stringify!($T) => self.0.assign(decoded::<$T>(sizes, bytes)),)*
                    other => unreachable!("elements of type {other}"),
                };
                if let Err(error) = replaced {
                    unreachable!("`accepts` has seen the sizes: {error}");
                }
            }
        }
    };
}

for_each_element!(entries);
