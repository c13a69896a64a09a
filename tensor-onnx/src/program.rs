//! Programs of `tensor-core` as ONNX models.

use std::error::Error;
use std::path::Path;

use tensor_core::trace::{Port, Program};

use crate::export::{ExportError, Exported, export};

/// Programs that are written as ONNX models.
pub trait ToOnnx {
    /// The ONNX model of the program: its inputs and outputs have the names of the tensors in the model or the tuple.
    ///
    /// All sizes are those that the program was traced for. What the function captured is a constant of the model.
    ///
    /// # Errors
    ///
    /// The operations that ONNX cannot express, all of them.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    /// use tensor_onnx::ToOnnx;
    ///
    /// let weights = Tensor::<shape![3, 2]>::ones();
    /// let program = trace(&Tensor::<shape![1, 3]>::ones(), |x| x.dot(&weights).relu());
    /// let model = program.to_onnx()?;
    /// assert!(model.operators().contains(&"MatMul"));
    /// # Ok::<(), tensor_onnx::ExportError>(())
    /// ```
    fn to_onnx(&self) -> Result<Exported, ExportError>;

    /// Writes the ONNX model of the program to a file: see [`Exported::save`].
    ///
    /// # Errors
    ///
    /// As [`to_onnx`](ToOnnx::to_onnx), and if the file cannot be written.
    ///
    /// ```no_run
    /// use tensor_core::tensor;
    /// use tensor_core::trace::trace;
    /// use tensor_onnx::ToOnnx;
    ///
    /// trace(&tensor![1.0_f32, 2.0], |x| x.softmax::<-1>()).save_onnx("softmax.onnx")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn save_onnx(&self, path: impl AsRef<Path>) -> Result<(), Box<dyn Error>> {
        Ok(self.to_onnx()?.save(path)?)
    }
}

impl<I, O> ToOnnx for Program<I, O> {
    fn to_onnx(&self) -> Result<Exported, ExportError> {
        let names =
            |ports: &'_ [Port]| ports.iter().map(|port| port.name().to_owned()).collect::<Vec<_>>();
        let (inputs, outputs) = (names(self.inputs()), names(self.outputs()));
        let inputs: Vec<&str> = inputs.iter().map(|name| &name[..]).collect();
        let outputs: Vec<&str> = outputs.iter().map(|name| &name[..]).collect();
        export(&self.to_stablehlo(), &inputs, &outputs)
    }
}
