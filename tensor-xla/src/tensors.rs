//! Conversion between buffers and tensors whose shapes are types.

use tensor_core::{DynTensor, Element, IntoTensor, Shape, Tensor};

use crate::buffer::Buffer;
use crate::element_type::HostElement;
use crate::engine::Engine;
use crate::error::Error;
use crate::tensor_type::TensorType;

impl Buffer {
    /// Copies a tensor to the first device of an engine.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if the plugin lacks memory.
    ///
    /// ```no_run
    /// use tensor_core::tensor;
    /// use tensor_xla::{Buffer, Engine};
    ///
    /// let x = Buffer::from_tensor(&Engine::find()?, &tensor![[1.0_f32, 2.0], [3.0, 4.0]])?;
    /// assert_eq!(x.tensor_type().to_string(), "f32 [2, 2]");
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn from_tensor<S: Shape, T: Element + HostElement>(
        engine: &Engine,
        tensor: &Tensor<S, T>,
    ) -> Result<Self, Error> {
        Self::from_tensor_as(engine, &TensorType::of::<T>(tensor.sizes().to_vec()), tensor)
    }

    /// Copies a tensor to the devices that a type splits it over, such as the type of an input of a program.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if the type has other sizes or another element type; [`Error::Sharding`] if its mesh has more
    /// devices than the engine; [`Error::Plugin`] if the plugin lacks memory.
    ///
    /// ```no_run
    /// use tensor_core::tensor;
    /// use tensor_xla::{Buffer, Engine, Mesh, Options, TensorType};
    ///
    /// let engine = Engine::find_with(&Options::new().cpu_devices(2))?;
    /// let mesh = Mesh::new([("data", 2)])?;
    /// let rows = TensorType::of::<f32>([2, 2]).sharded(&mesh, &[&["data"], &[]])?;
    /// let x = Buffer::from_tensor_as(&engine, &rows, &tensor![[1.0_f32, 2.0], [3.0, 4.0]])?;
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn from_tensor_as<S: Shape, T: Element + HostElement>(
        engine: &Engine,
        tensor_type: &TensorType,
        tensor: &Tensor<S, T>,
    ) -> Result<Self, Error> {
        let sizes = tensor.sizes();
        if sizes[..] != *tensor_type.sizes() {
            return Err(Error::Argument(format!(
                "the tensor has sizes {:?}, and the type is {tensor_type}",
                &sizes[..]
            )));
        }
        match tensor.as_slice() {
            Some(elements) => Self::from_slice(engine, tensor_type, elements),
            None => Self::from_slice(engine, tensor_type, &tensor.to_vec()),
        }
    }

    /// Copies the elements to a tensor on the host.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if the buffer has another element type, or sizes that the shape does not have;
    /// [`Error::Plugin`] if copying fails.
    ///
    /// ```no_run
    /// use tensor_core::{Tensor, shape, tensor};
    /// use tensor_xla::{Buffer, Engine};
    ///
    /// let x = Buffer::from_tensor(&Engine::find()?, &tensor![[1.0_f32, 2.0], [3.0, 4.0]])?;
    /// let back: Tensor<shape![2, 2]> = x.to_tensor()?;
    /// assert_eq!(back, tensor![[1.0, 2.0], [3.0, 4.0]]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn to_tensor<S: Shape, T: Element + HostElement>(&self) -> Result<Tensor<S, T>, Error> {
        let refuse = |reason: String| {
            Error::Argument(format!("the buffer is {}: {reason}", self.tensor_type()))
        };
        // Before elements are copied, their number may be that of another shape.
        S::from_sizes(self.tensor_type().sizes()).map_err(|error| refuse(error.to_string()))?;
        let tensor = DynTensor::from_vec(self.tensor_type().sizes(), self.to_vec()?);
        let tensor = tensor.map_err(|error| refuse(error.to_string()))?;
        tensor.into_tensor().map_err(|error| refuse(error.to_string()))
    }
}
