//! [`StoredTensor`]: a tensor that files are written from and that is filled from a file.

use core::any::Any;

use super::FileElement;
use crate::shape::Shape;
use crate::shape::error::ShapeError;
use crate::tensor::{DynTensor, IntoTensor, Tensor};

/// A tensor that can be stored in a checkpoint and filled from one: a [`Tensor`], or a [`DynTensor`],
/// which accepts any shape.
///
/// ```
/// use tensor_core::io::{Checkpoint, StoredTensor};
/// use tensor_core::tensor;
///
/// let (mut weight, mut steps) = (tensor![[0.5_f32, 1.0]], tensor![3_i64]);
/// let mut state: Vec<(&str, &mut dyn StoredTensor)> = vec![("weight", &mut weight), ("steps", &mut steps)];
/// let path = std::env::temp_dir().join("tensor-core-doc-stored.safetensors");
/// let stored: Vec<(&str, &dyn StoredTensor)> = state.iter().map(|(name, x)| (*name, &**x)).collect();
/// Checkpoint::save(&path, &stored)?;
/// Checkpoint::open(&path)?.load_into(&mut state)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait StoredTensor: sealed::Stored {}

impl<S: Shape, T: FileElement> StoredTensor for Tensor<S, T> {}

impl<T: FileElement> StoredTensor for DynTensor<T> {}

pub(super) mod sealed {
    use core::any::Any;

    use crate::shape::error::ShapeError;

    pub trait Stored {
        /// The element type, as named in Rust.
        fn element_name(&self) -> &'static str;
        fn sizes(&self) -> Vec<usize>;
        /// The accepted sizes, for messages.
        fn shape_name(&self) -> String;
        fn accepts(&self, sizes: &[usize]) -> Result<(), ShapeError>;
        /// The elements in row-major order, little-endian.
        fn bytes(&self) -> Vec<u8>;
        /// Replaces sizes and elements by those of a `DynTensor` that was checked to fit.
        fn replace(&mut self, value: &dyn Any);
    }
}

/// The tensor whose element type was checked.
fn of_value<T: FileElement>(value: &dyn Any) -> DynTensor<T> {
    value.downcast_ref::<DynTensor<T>>().expect("elements of this type").clone()
}

impl<T: FileElement> sealed::Stored for DynTensor<T> {
    fn element_name(&self) -> &'static str {
        T::NAME
    }

    fn sizes(&self) -> Vec<usize> {
        self.sizes().to_vec()
    }

    fn shape_name(&self) -> String {
        "..".to_owned()
    }

    fn accepts(&self, _: &[usize]) -> Result<(), ShapeError> {
        Ok(())
    }

    fn bytes(&self) -> Vec<u8> {
        let elements = self.to_vec();
        let mut bytes = Vec::with_capacity(size_of_val(&elements[..]));
        T::encode(&elements, &mut bytes);
        bytes
    }

    fn replace(&mut self, value: &dyn Any) {
        *self = of_value(value);
    }
}

impl<S: Shape, T: FileElement> sealed::Stored for Tensor<S, T> {
    fn element_name(&self) -> &'static str {
        T::NAME
    }

    fn sizes(&self) -> Vec<usize> {
        self.shape().sizes().to_vec()
    }

    fn shape_name(&self) -> String {
        self.shape().names().join(", ")
    }

    fn accepts(&self, sizes: &[usize]) -> Result<(), ShapeError> {
        S::from_sizes(sizes).map(|_| ())
    }

    fn bytes(&self) -> Vec<u8> {
        self.erased().bytes()
    }

    fn replace(&mut self, value: &dyn Any) {
        match of_value::<T>(value).into_tensor() {
            Ok(tensor) => *self = tensor,
            Err(error) => unreachable!("`accepts` has seen the sizes: {error}"),
        }
    }
}
