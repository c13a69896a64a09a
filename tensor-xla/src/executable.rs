//! Compiled programs.

use core::fmt;
use core::hash::{Hash, Hasher};
use std::fs;
use std::hash::DefaultHasher;
use std::path::Path;
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::compile_options::compile_options;
use crate::element_type::ElementType;
use crate::engine::Engine;
use crate::error::Error;
use crate::hlo::{self, Collective};
use crate::memory::Memory;
use crate::pjrt::{LoadedExecutable, Part};
use crate::saved::{self, Contents};
use crate::signature::Signature;
use crate::tensor_type::TensorType;

/// A compiled program, for one device or for those of a mesh.
///
/// ```no_run
/// use tensor_xla::{Argument, Buffer, Engine, Signature, TensorType};
///
/// let engine = Engine::find()?;
/// let text = "
///     func.func @main(%total: tensor<f32> {tf.aliasing_output = 0 : i32}, %x: tensor<f32>) -> tensor<f32> {
///       %0 = stablehlo.add %total, %x : tensor<f32>
///       return %0 : tensor<f32>
///     }";
/// let add = engine.compile(text, &Signature::of_text(text)?)?;
/// let scalar = TensorType::of::<f32>([]);
/// let x = Buffer::from_slice(&engine, &scalar, &[1.0_f32])?;
/// let mut total = Buffer::from_slice(&engine, &scalar, &[0.0_f32])?;
/// for _ in 0..3 {
///     // The total stays on the device: its memory is donated and comes back as the output.
///     total = add.call([Argument::from(total), Argument::from(&x)])?.remove(0);
/// }
/// assert_eq!(total.to_vec::<f32>()?, [3.0]);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
pub struct Executable {
    loaded: LoadedExecutable,
    text: String,
    signature: Signature,
    identity: String,
    output_types: Vec<Arc<TensorType>>,
    /// The indices of the inputs that are donated.
    donated: Vec<usize>,
}

/// An argument of a call: a buffer that stays valid, or one that is donated to the program.
///
/// ```no_run
/// # let engine = tensor_xla::Engine::find()?;
/// use tensor_xla::{Argument, Buffer, TensorType};
///
/// let x = Buffer::from_slice(&engine, &TensorType::of::<f32>([]), &[1.0_f32])?;
/// let borrowed = Argument::from(&x);
/// let donated = Argument::from(Buffer::from_slice(&engine, &TensorType::of::<f32>([]), &[1.0_f32])?);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
///
/// A donated buffer cannot be used again:
///
/// ```compile_fail,E0382
/// use tensor_xla::{Argument, Buffer, Error, Executable};
///
/// fn twice(step: &Executable, state: Buffer) -> Result<(), Error> {
///     step.call([Argument::from(state)])?;
///     step.call([Argument::from(state)])?;
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub enum Argument<'a> {
    /// The buffer stays valid.
    Borrowed(&'a Buffer),
    /// The program may use the memory for an output.
    Donated(Buffer),
}

impl<'a> From<&'a Buffer> for Argument<'a> {
    fn from(buffer: &'a Buffer) -> Self {
        Self::Borrowed(buffer)
    }
}

impl From<Buffer> for Argument<'_> {
    fn from(buffer: Buffer) -> Self {
        Self::Donated(buffer)
    }
}

impl Argument<'_> {
    fn buffer(&self) -> &Buffer {
        match self {
            Self::Borrowed(buffer) => buffer,
            Self::Donated(buffer) => buffer,
        }
    }
}

impl Executable {
    pub(crate) fn new(
        engine: &Engine,
        loaded: LoadedExecutable,
        text: &str,
        signature: &Signature,
    ) -> Result<Self, Error> {
        let types = signature.outputs().iter().map(|output| Arc::new(output.tensor_type().clone()));
        let output_types: Vec<_> = types.collect();
        check_outputs(&loaded, signature)?;
        let inputs = signature.inputs().iter().enumerate();
        let donated = inputs.filter_map(|(index, input)| input.donated_to().map(|_| index));
        Ok(Self {
            loaded,
            text: text.to_owned(),
            signature: signature.clone(),
            identity: engine.identity(),
            output_types,
            donated: donated.collect(),
        })
    }

    /// The memory of each device that a run takes, as the compiler has planned it.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if the plugin does not know it.
    ///
    /// ```no_run
    /// use tensor_core::{Tensor, shape, trace::trace};
    ///
    /// let program = trace(&Tensor::<shape![1000]>::zeros(), |x| x.exp());
    /// let exp = tensor_xla::Engine::find()?.compile_program(program)?;
    /// assert_eq!(exp.executable().memory()?.inputs, 4000);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn memory(&self) -> Result<Memory, Error> {
        self.loaded.memory()
    }

    /// The inputs and outputs.
    ///
    /// ```no_run
    /// // SAFETY: this program has saved the file.
    /// let step = unsafe { tensor_xla::Engine::find()?.load_executable("step.xla")? };
    /// for input in step.signature().inputs() {
    ///     println!("{}: {}", input.name(), input.tensor_type());
    /// }
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The program in StableHLO text.
    ///
    /// ```no_run
    /// // SAFETY: this program has saved the file.
    /// let step = unsafe { tensor_xla::Engine::find()?.load_executable("step.xla")? };
    /// println!("{}", step.text());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Runs the program and waits until it has finished.
    ///
    /// An input that the signature donates takes a [`Buffer`] by value, all others take one by reference as well.
    /// Calls from several threads at once are safe; on several devices one runs after the other.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if there are too few or too many arguments, one has another type than its input or is of
    /// another engine, or one that is donated is borrowed: nothing has run then. [`Error::Plugin`] if execution fails.
    ///
    /// ```no_run
    /// use tensor_xla::{Buffer, Engine, Signature};
    ///
    /// let engine = Engine::find()?;
    /// let text = "
    ///     func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    ///       %0 = stablehlo.negate %x : tensor<2xf32>
    ///       %1 = stablehlo.abs %x : tensor<2xf32>
    ///       return %0, %1 : tensor<2xf32>, tensor<2xf32>
    ///     }";
    /// let signature = Signature::of_text(text)?;
    /// let program = engine.compile(text, &signature)?;
    /// let x = Buffer::from_slice(&engine, signature.inputs()[0].tensor_type(), &[-1.0_f32, 2.0])?;
    /// let outputs = program.call([&x])?;
    /// assert_eq!(outputs[0].to_vec::<f32>()?, [1.0, -2.0]);
    /// assert_eq!(outputs[1].to_vec::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn call<'a, A: Into<Argument<'a>>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Vec<Buffer>, Error> {
        self.execute(arguments.into_iter().map(Into::into).collect(), true)
    }

    /// [`call`](Self::call) that does not wait: reading an output does, and has the error of a run that fails.
    pub(crate) fn launch<'a>(
        &self,
        arguments: impl Iterator<Item = Argument<'a>>,
    ) -> Result<Vec<Buffer>, Error> {
        self.execute(arguments.collect(), false)
    }

    fn execute(&self, arguments: Vec<Argument<'_>>, wait: bool) -> Result<Vec<Buffer>, Error> {
        self.check_arguments(&arguments)?;
        let devices = self.signature.mesh().map_or(1, |mesh| mesh.devices());
        let mut parts: Vec<&Part> = Vec::with_capacity(devices * arguments.len());
        for device in 0..devices {
            parts.extend(arguments.iter().map(|argument| &argument.buffer().parts()[device]));
        }
        let outputs = self.loaded.execute(&parts, devices, wait || self.output_types.is_empty())?;
        // For each device its outputs; for each output what devices have of it.
        let mut devices: Vec<_> = outputs.into_iter().map(Vec::into_iter).collect();
        let buffers = self.output_types.iter().map(|tensor_type| {
            let parts = devices.iter_mut().filter_map(Iterator::next).collect();
            Buffer::new(tensor_type.clone(), parts)
        });
        Ok(buffers.collect())
    }

    fn check_arguments(&self, arguments: &[Argument<'_>]) -> Result<(), Error> {
        let inputs = self.signature.inputs();
        let refuse = |message: String| Err(Error::Argument(message));
        if arguments.len() != inputs.len() {
            let names: Vec<_> = inputs.iter().map(|input| input.name()).collect();
            return refuse(format!(
                "the program has {} inputs ({}), and there are {} arguments",
                inputs.len(),
                names.join(", "),
                arguments.len()
            ));
        }
        for (number, (argument, input)) in arguments.iter().zip(inputs).enumerate() {
            let buffer = argument.buffer();
            let place = || format!("input {number}, `{}`", input.name());
            if buffer.tensor_type() != input.tensor_type() {
                return refuse(format!(
                    "{}: the program needs {}, and the buffer is {}",
                    place(),
                    input.tensor_type(),
                    buffer.tensor_type()
                ));
            }
            if !Arc::ptr_eq(buffer.client(), self.loaded.client()) {
                return refuse(format!("{}: the buffer is of another engine", place()));
            }
        }
        for &number in &self.donated {
            if let Argument::Borrowed(_) = arguments[number] {
                return refuse(format!(
                    "input {number}, `{}`: the program writes over it, so the buffer is passed by value",
                    inputs[number].name()
                ));
            }
        }
        Ok(())
    }

    /// Writes the compiled program to a file, from which [`Engine::load_executable`] loads it.
    ///
    /// It fits the plugin that compiled it, and the same kind of processor or card; the file has both.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`] if the file cannot be written; [`Error::Plugin`] if the plugin cannot serialise.
    ///
    /// ```no_run
    /// # let text = "func.func @main() { return }";
    /// use tensor_xla::{Engine, Signature};
    ///
    /// let engine = Engine::find()?;
    /// engine.compile(text, &Signature::of_text(text)?)?.save("step.xla")?;
    /// // SAFETY: this program has saved the file.
    /// let step = unsafe { engine.load_executable("step.xla")? };
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let code = self.loaded.serialize()?;
        saved::save(path.as_ref(), &self.identity, &self.text, &self.signature, &code)
    }

    /// The names of the operations of the program after the passes of the compiler, such as `fusion` and, on several
    /// devices, `all-reduce`: what a sharding costs. An operation occurs as often as the program has it.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if the plugin does not give the optimised program.
    ///
    /// ```no_run
    /// // SAFETY: this program has saved the file.
    /// let step = unsafe { tensor_xla::Engine::find()?.load_executable("step.xla")? };
    /// assert!(!step.operations()?.contains(&"all-gather".to_owned()));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn operations(&self) -> Result<Vec<String>, Error> {
        Ok(hlo::operations(&self.loaded.optimized()?))
    }

    /// The operations of the program after the passes of the compiler that move elements between devices: what a
    /// sharding costs.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if the plugin does not give the optimised program.
    ///
    /// ```no_run
    /// // SAFETY: this program has saved the file.
    /// let step = unsafe { tensor_xla::Engine::find()?.load_executable("step.xla")? };
    /// for collective in step.collectives()? {
    ///     println!("{collective}");
    /// }
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn collectives(&self) -> Result<Vec<Collective>, Error> {
        Ok(hlo::collectives(&self.loaded.optimized()?))
    }
}

impl Engine {
    /// Compiles a program in StableHLO text, for one device or for those of the mesh of its signature.
    ///
    /// # Errors
    ///
    /// [`Error::Program`] if the text has another signature than `signature`, or one that this crate does not support;
    /// [`Error::Sharding`] if the mesh has more devices than the engine; [`Error::Plugin`], with line and column, if
    /// the plugin does not accept the text.
    ///
    /// ```no_run
    /// use tensor_xla::{Engine, Signature, TensorType};
    ///
    /// let engine = Engine::find()?;
    /// let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }";
    /// let pair = TensorType::of::<f32>([2]);
    /// let signature = Signature::new().input("x", pair.clone()).output("y", pair);
    /// let identity = engine.compile(text, &signature)?;
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn compile(&self, text: &str, signature: &Signature) -> Result<Executable, Error> {
        signature.check()?;
        Signature::of_text(text)?.check_request(signature)?;
        let ids = self.device_ids(signature.mesh())?;
        let options = compile_options(&ids, self.platform());
        let loaded = LoadedExecutable::compile(self.client(), text, &options)?;
        Executable::new(self, loaded, text, signature)
    }

    /// Loads an executable from a file that [`Executable::save`] wrote.
    ///
    /// # Safety
    ///
    /// [`Executable::save`] wrote the file, with a plugin that you trust, and nobody changed it: it has machine code, which
    /// runs within the process. Its checksum finds damage, not intent.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`] if the file cannot be read, is incomplete or changed, or was written with another plugin;
    /// [`Error::Sharding`] if its mesh has more devices than the engine.
    ///
    /// ```no_run
    /// let engine = tensor_xla::Engine::find()?;
    /// // SAFETY: this program has saved the file.
    /// let step = unsafe { engine.load_executable("step.xla")? };
    /// println!("{}", step.signature());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub unsafe fn load_executable(&self, path: impl AsRef<Path>) -> Result<Executable, Error> {
        let path = path.as_ref();
        let fail = |reason: String| Error::Saved { path: path.to_owned(), reason };
        let bytes = fs::read(path).map_err(|error| fail(error.to_string()))?;
        let Contents { plugin, text, signature, code } = saved::contents(&bytes).map_err(fail)?;
        let identity = self.identity();
        if plugin != identity {
            return Err(fail(format!(
                "it was compiled by another plugin; compile the program again\n  compiled by {plugin}\n  this one is \
                 {identity}"
            )));
        }
        self.device_ids(signature.mesh())?;
        // SAFETY: the caller vouches for the file, and a plugin of the same version on the same kind of device wrote it.
        let loaded = unsafe { LoadedExecutable::load(self.client(), code) };
        Executable::new(self, loaded.map_err(|error| fail(error.to_string()))?, text, &signature)
    }

    /// Loads the executable of this program from a file, or compiles the program and saves it there, if the file does
    /// not exist, or is of another program or plugin.
    ///
    /// # Safety
    ///
    /// The file does not exist, or is one that [`Engine::load_executable`] may load.
    ///
    /// # Errors
    ///
    /// Those of [`Engine::compile`], and [`Error::Saved`] if the file cannot be written.
    ///
    /// ```no_run
    /// use tensor_xla::{Engine, Signature};
    ///
    /// let engine = Engine::find()?;
    /// let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }";
    /// let signature = Signature::of_text(text)?;
    /// // SAFETY: only this program writes such files here.
    /// let identity = unsafe { engine.compile_cached("identity.xla", text, &signature)? };
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub unsafe fn compile_cached(
        &self,
        path: impl AsRef<Path>,
        text: &str,
        signature: &Signature,
    ) -> Result<Executable, Error> {
        // SAFETY: the caller vouches for the file.
        if let Ok(executable) = unsafe { self.load_executable(&path) }
            && executable.text() == text
            && executable.signature() == signature
        {
            return Ok(executable);
        }
        let executable = self.compile(text, signature)?;
        executable.save(path)?;
        Ok(executable)
    }

    /// [`compile_cached`](Engine::compile_cached) in the folder of the engine, [`compile`](Engine::compile) if it has none.
    pub(crate) fn compile_or_load(
        &self,
        text: &str,
        signature: &Signature,
    ) -> Result<Executable, Error> {
        let Some(folder) = self.cache() else { return self.compile(text, signature) };
        fs::create_dir_all(folder).map_err(|error| Error::Saved {
            path: folder.to_path_buf(),
            reason: error.to_string(),
        })?;
        // Another version of Rust may hash differently: then the program is compiled once more.
        let mut hasher = DefaultHasher::new();
        (text, signature.to_string(), self.identity()).hash(&mut hasher);
        let file = folder.join(format!("{:016x}.xla", hasher.finish()));
        // SAFETY: the caller of `with_cache` vouches for the files of the folder.
        unsafe { self.compile_cached(file, text, signature) }
    }
}

/// Checks that the outputs of a compiled program are those of its signature.
fn check_outputs(loaded: &LoadedExecutable, signature: &Signature) -> Result<(), Error> {
    let outputs = loaded.outputs()?;
    let expected = signature.outputs();
    if outputs.len() != expected.len() {
        let (found, expected) = (outputs.len(), expected.len());
        let message = format!("the compiled program has {found} outputs, its text {expected}");
        return Err(Error::Program(message));
    }
    for ((number, sizes), output) in outputs.into_iter().zip(expected) {
        let element_type = ElementType::from_number(number)?;
        let sizes = sizes.into_iter().map(|size| size as usize).collect::<Vec<_>>();
        let tensor_type = output.tensor_type();
        if element_type != tensor_type.element_type() || sizes != tensor_type.local_sizes() {
            return Err(Error::Program(format!(
                "output `{}`: the compiled program has {} on each device, its signature {tensor_type}",
                output.name(),
                TensorType::new(element_type, sizes)
            )));
        }
    }
    Ok(())
}

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Executable{}", self.signature)
    }
}
