//! Bundles: a step and its state as files that any XLA runs.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};
use tensor_array::io::new_file;
use tensor_core::Module;
use tensor_core::trace::Port;

use super::ShardedProgram;
use crate::error::Error;
use crate::tensor_type::TensorType;

/// The value of `format` in `program.json`.
const FORMAT: &str = "tensor-xla bundle, format 2";

impl<S, B, R> ShardedProgram<(S, B), (S, R)>
where
    S: Module + Clone,
    B: Module,
    R: Module + Clone,
{
    /// Writes the step and a state to a folder, for engines other than those of this crate, such as
    /// `tools/run_bundle.py`, which runs it over several hosts.
    ///
    /// | file | what |
    /// | --- | --- |
    /// | `program.mlir` | the step in StableHLO text, with its mesh and shardings; the state is donated |
    /// | `program.json` | the mesh; for each input and output its name, element type, sizes, axes and the mesh axes that split each of them; the name of a tensor of the state in the third file |
    /// | `state.safetensors` | the state, as [`Module::save`] writes it |
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if the state does not fit the program; [`Error::Saved`] if a file cannot be written.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::{Tensor, autograd::value_and_grad, axis, shape, trace::trace};
    /// use tensor_xla::{mesh, shard, sharding};
    ///
    /// axis!(Batch = 8);
    /// mesh!(Grid: Data = 4);
    /// sharding!(Rules on Grid: Batch => Data);
    ///
    /// let (weights, rows) = (Tensor::<shape![3]>::zeros(), Tensor::<shape![Batch, 3]>::ones());
    /// let step = trace(&(weights.clone(), rows), |(weights, rows)| {
    ///     let (loss, gradient) = value_and_grad(weights, |weights| (rows.dot(weights) - 1.0).square().mean());
    ///     (weights - gradient * 0.1, loss)
    /// });
    /// let folder = std::env::temp_dir().join("tensor-xla-doc-bundle");
    /// shard(step, Rules)?.export(&folder, &weights)?;
    ///
    /// // What runs the bundle writes such a file.
    /// let mut trained = weights;
    /// trained.load(folder.join("state.safetensors"))?;
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export(&self, folder: impl AsRef<Path>, state: &S) -> Result<(), Error> {
        let folder = folder.as_ref();
        let program = self.program();
        program.state_bytes(state)?;
        let text =
            program.to_stablehlo_with(&program.donating(program.state_len(), self.attributes()));
        let names = state.names();
        let ports = |ports: &[Port], types: &[TensorType]| -> Vec<Value> {
            let names = names.iter().map(Some).chain(std::iter::repeat(None));
            let ports = ports.iter().zip(types).zip(names);
            ports.map(|((port, tensor_type), name)| described(port, tensor_type, name)).collect()
        };
        let (inputs, outputs) = self.types();
        let description = json!({
            "format": FORMAT,
            "mesh": self.mesh().axes(),
            "inputs": ports(program.inputs(), inputs),
            "outputs": ports(program.outputs(), outputs),
        });
        let write = |name: &str, write: &dyn Fn(&Path) -> io::Result<()>| {
            let path = folder.join(name);
            write(&path).map_err(|error| Error::Saved { path, reason: error.to_string() })
        };
        write("", &|folder| fs::create_dir_all(folder))?;
        let whole =
            |path: &Path, text: &str| new_file::save(path, |file| file.write_all(text.as_bytes()));
        write("program.mlir", &|path| whole(path, &text))?;
        write("program.json", &|path| whole(path, &format!("{description:#}\n")))?;
        write("state.safetensors", &|path| state.save(path))
    }
}

/// An input or output, and the name that it has in the file of the state.
fn described(port: &Port, tensor_type: &TensorType, state: Option<&String>) -> Value {
    let axes = 0..tensor_type.sizes().len();
    let split: Vec<Vec<&str>> = axes.map(|axis| tensor_type.split(axis)).collect();
    json!({
        "name": port.name(),
        "state": state,
        "element": port.element(),
        "sizes": port.sizes(),
        "axes": port.axis_names(),
        "split": split,
    })
}
