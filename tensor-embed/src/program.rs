//! Programs of `tensor-core` as files of Rust.

use tensor_core::trace::{Attributes, Port, Program};

use crate::file::{EmbedError, EmbedOptions, RustFile, generate};

/// Programs that are written as a file of Rust.
pub trait ToRust {
    /// The program as one file of Rust: see [`to_rust_with`](ToRust::to_rust_with).
    ///
    /// # Errors
    ///
    /// The operations that cannot be written, all of them.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    /// use tensor_embed::ToRust;
    ///
    /// let weights = Tensor::<shape![3, 2]>::ones();
    /// let program = trace(&Tensor::<shape![1, 3]>::ones(), |x| x.dot(&weights).relu());
    /// let file = program.to_rust()?;
    /// assert!(file.text().contains("pub fn run(input: &[f32; 3], output: &mut [f32; 2], workspace: &mut Workspace)"));
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    fn to_rust(&self) -> Result<RustFile, EmbedError> {
        self.to_rust_with(&EmbedOptions::new())
    }

    /// The program as one file of Rust.
    ///
    /// The inputs and outputs of its function have the names of the tensors in the model or the tuple. All sizes are those
    /// that the program was traced for. What the function captured is a constant of the file.
    ///
    /// # Errors
    ///
    /// The operations that cannot be written, and inputs of the options that the program does not have, all of them.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    /// use tensor_embed::{EmbedOptions, ToRust};
    ///
    /// let inputs = (Tensor::<shape![3, 2]>::ones(), Tensor::<shape![1, 3]>::ones());
    /// let program = trace(&inputs, |(weights, x)| x.dot(weights).relu());
    /// let file = program.to_rust_with(&EmbedOptions::new().function("predict").constants("0", &inputs.0))?;
    /// assert!(file.text().contains("pub fn predict(input_1: &[f32; 3], output: &mut [f32; 2]"));
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    fn to_rust_with(&self, options: &EmbedOptions) -> Result<RustFile, EmbedError>;
}

impl<I, O> ToRust for Program<I, O> {
    fn to_rust_with(&self, options: &EmbedOptions) -> Result<RustFile, EmbedError> {
        let (text, constants) = self.to_stablehlo_and_constants(&Attributes::default());
        let names =
            |ports: &[Port]| ports.iter().map(|port| port.name().to_owned()).collect::<Vec<_>>();
        generate(&text, constants, &names(self.inputs()), &names(self.outputs()), options)
    }
}
