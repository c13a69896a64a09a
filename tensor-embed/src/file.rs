//! The generated file, and its options.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::Path;

use tensor_core::module::{self, Module};
use tensor_core::trace::element_bytes;
use tensor_onnx::stablehlo::{self, Element, Function, Type};

use crate::expression::{Kind, View};
use crate::lower::{Lowering, check};
use crate::plan::Plan;
use crate::steps::Place;
use crate::write::{Argument, Writer};

/// Why a program is not written as Rust: each operation that cannot be.
///
/// ```
/// let text = "module {
///   func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>) {
///     %0 = \"stablehlo.cholesky\"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
///     return %0 : tensor<2xf32>
///   }
/// }";
/// let error = tensor_embed::embed(text, &tensor_embed::EmbedOptions::new()).unwrap_err();
/// assert_eq!(error.to_string(), "the program cannot be written as Rust:\n  cholesky: there is no Rust for it");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedError(Vec<String>);

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the program cannot be written as Rust:")?;
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl std::error::Error for EmbedError {}

/// Options of a generated file.
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::tensor;
/// use tensor_embed::{EmbedOptions, ToRust};
///
/// let program = trace(&tensor![1.0_f32, 2.0], |x| x.exp());
/// let file = program.to_rust_with(&EmbedOptions::new().function("exponentials"))?;
/// assert!(file.text().contains("pub fn exponentials(input: &[f32; 2], output: &mut [f32; 2]"));
/// # Ok::<(), tensor_embed::EmbedError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EmbedOptions {
    function: Option<String>,
    constants: Vec<(String, Vec<(Type, Vec<u8>)>)>,
    weights_are_argument: bool,
}

impl EmbedOptions {
    /// A function `run` whose constants are in the file, and whose inputs are those of the program.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    /// use tensor_embed::{EmbedOptions, ToRust};
    ///
    /// let program = trace(&tensor![1.0_f32, 2.0], |x| x.exp());
    /// assert_eq!(program.to_rust_with(&EmbedOptions::new())?.text(), program.to_rust()?.text());
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the function: `run` unless this chooses another.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    /// use tensor_embed::{EmbedOptions, ToRust};
    ///
    /// let program = trace(&tensor![1.0_f32, 2.0], |x| x.exp());
    /// let file = program.to_rust_with(&EmbedOptions::new().function("predict"))?;
    /// assert!(file.text().contains("pub fn predict("));
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    #[must_use]
    pub fn function(mut self, name: &str) -> Self {
        self.function = Some(name.to_owned());
        self
    }

    /// Inputs that are constants of the file: that of this name, or those of a model, `name.` and what follows, with the
    /// elements of `module`.
    ///
    /// # Panics
    ///
    /// If a tensor of the module is traced.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    /// use tensor_embed::{EmbedOptions, ToRust};
    ///
    /// let inputs = (tensor![1.0_f32, 2.0], tensor![3.0_f32, 4.0]);
    /// let program = trace(&inputs, |(scale, x)| scale * x);
    /// let file = program.to_rust_with(&EmbedOptions::new().constants("0", &inputs.0))?;
    /// assert!(file.text().contains("pub fn run(input_1: &[f32; 2], output: &mut [f32; 2]"));
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn constants(mut self, name: &str, module: &dyn Module) -> Self {
        let mut types = Vec::new();
        module.visit(&module::Path::ROOT, &mut |_, _, tensor| {
            let element = Element::named(tensor.element_name()).expect("each type has its name");
            types.push(Type::new(&tensor.sizes(), element));
        });
        let tensors = types.into_iter().zip(element_bytes(module));
        self.constants.push((name.to_owned(), tensors.collect()));
        self
    }

    /// The constants of type `f32` are an argument of the function instead, `weights`: [`RustFile::weights`] has their
    /// elements. A program that stores them elsewhere can replace them without a new build.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    /// use tensor_embed::{EmbedOptions, ToRust};
    ///
    /// let table = Tensor::<shape![100]>::arange();
    /// let program = trace(&Tensor::<shape![100]>::zeros(), |x| x + &table);
    /// let file = program.to_rust_with(&EmbedOptions::new().weights_as_argument())?;
    /// assert!(file.text().contains("weights: &[f32; 100]"));
    /// assert_eq!(file.weights()[99], 99.0);
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    #[must_use]
    pub fn weights_as_argument(mut self) -> Self {
        self.weights_are_argument = true;
        self
    }
}

/// A program as one file of Rust.
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::{Tensor, shape};
/// use tensor_embed::ToRust;
///
/// let program = trace(&Tensor::<shape![8]>::zeros(), |x| x.softmax::<-1>());
/// let file = program.to_rust()?;
/// assert!(file.peak_bytes() <= 64);
/// # Ok::<(), tensor_embed::EmbedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RustFile {
    text: String,
    weights: Vec<f32>,
    peak_bytes: usize,
    least_bytes: usize,
}

impl RustFile {
    /// The text of the file.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    /// use tensor_embed::ToRust;
    ///
    /// let file = trace(&tensor![1.0_f32, 2.0], |x| x * 2.0).to_rust()?;
    /// assert!(file.text().contains("pub const PEAK_BYTES: usize"));
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The elements of the argument `weights`: empty unless [`EmbedOptions::weights_as_argument`] chooses it.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    /// use tensor_embed::ToRust;
    ///
    /// assert!(trace(&tensor![1.0_f32, 2.0], |x| x * 2.0).to_rust()?.weights().is_empty());
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The bytes of the workspace, `PEAK_BYTES` of the file. Inputs, outputs and constants are not part of it.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    /// use tensor_embed::ToRust;
    ///
    /// // The result is computed in the output.
    /// assert_eq!(trace(&tensor![1.0_f32, 2.0], |x| x * 2.0).to_rust()?.peak_bytes(), 0);
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    pub fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    /// The largest sum of the bytes that are needed at one step: no plan of the same steps has a smaller workspace.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    /// use tensor_embed::ToRust;
    ///
    /// let file = trace(&Tensor::<shape![8]>::zeros(), |x| x.softmax::<-1>()).to_rust()?;
    /// assert!(file.peak_bytes() >= file.least_bytes());
    /// # Ok::<(), tensor_embed::EmbedError>(())
    /// ```
    pub fn least_bytes(&self) -> usize {
        self.least_bytes
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    ///
    /// ```no_run
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    /// use tensor_embed::ToRust;
    ///
    /// trace(&tensor![1.0_f32, 2.0], |x| x.exp()).to_rust()?.save("model.rs")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        std::fs::write(path, &self.text)
    }
}

/// The text of the file.
impl fmt::Display for RustFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A program as one file of Rust, from its StableHLO text in the generic form, which `Program::to_stablehlo` writes.
///
/// Its inputs and outputs are called `input_0`, `output_0` …
///
/// # Errors
///
/// The operations that cannot be written, all of them.
///
/// ```
/// let text = "module {
///   func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>) {
///     %0 = \"stablehlo.exponential\"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
///     return %0 : tensor<2xf32>
///   }
/// }";
/// let file = tensor_embed::embed(text, &tensor_embed::EmbedOptions::new())?;
/// assert!(file.text().contains("fn exp(x: f32) -> f32"));
/// # Ok::<(), tensor_embed::EmbedError>(())
/// ```
pub fn embed(text: &str, options: &EmbedOptions) -> Result<RustFile, EmbedError> {
    let numbers: Vec<String> =
        (0..).take(text.len()).map(|number: usize| number.to_string()).collect();
    generate(text, Vec::new(), &numbers, &numbers, options)
}

/// [`embed`] of a text whose last arguments are constants, with the names of the inputs and outputs.
pub fn generate(
    text: &str,
    constants: Vec<Vec<u8>>,
    inputs: &[String],
    outputs: &[String],
    options: &EmbedOptions,
) -> Result<RustFile, EmbedError> {
    let function = stablehlo::parse(text).map_err(|problem| EmbedError(vec![problem]))?;
    let Function { arguments, operations, results } = &function;
    for (_, ty) in arguments {
        check::size(ty).map_err(|problem| EmbedError(vec![problem]))?;
    }
    let count = arguments.len() - constants.len();
    let mut used = HashSet::new();
    let mut lowering = Lowering::default();
    let mut given = elements_of(options, &inputs[..count.min(inputs.len())], arguments)?;
    let mut shown_inputs = Vec::new();
    let mut constants = constants.into_iter();
    for (number, (name, ty)) in arguments.iter().enumerate() {
        let bytes = if number < count { given[number].take() } else { constants.next() };
        let value = match bytes {
            Some(bytes) => lowering.constant(ty, bytes),
            None => {
                let place = Place::Input(shown_inputs.len());
                let buffer = lowering.buffer(ty.element, ty.len(), place);
                let shown = unique(&mut used, "input", &inputs[number]);
                shown_inputs.push(Argument { name: shown, ty: ty.clone() });
                lowering.whole(buffer, &ty.sizes)
            }
        };
        lowering.values.insert(name.clone(), value);
    }
    lowering.operations(operations, results);
    let mut shown_outputs = Vec::new();
    for (number, name) in results.iter().enumerate() {
        let value = lowering.value(name).map_err(|problem| EmbedError(vec![problem]))?;
        let place = Place::Output(number);
        let is_result = match &value.node.kind {
            Kind::Load { buffer, view }
                if lowering.buffers[*buffer].place == Place::Workspace
                    && lowering.buffers[*buffer].len == value.ty.len()
                    && view.is_row_major(value.sizes()) =>
            {
                lowering.buffers[*buffer].place = place.clone();
                true
            }
            _ => false,
        };
        if !is_result {
            let out = lowering.buffer(value.element(), value.ty.len(), place);
            lowering.write("output", &value, out, View::row_major(value.sizes()));
        }
        let name = unique(&mut used, "output", &outputs[number]);
        shown_outputs.push(Argument { name, ty: value.ty });
    }
    for argument in shown_inputs.iter().chain(&shown_outputs) {
        if argument.ty.element.is_half() {
            let (name, ty) = (&argument.name, argument.ty.element.name());
            lowering
                .problems
                .push(format!("`{name}` has elements of type `{ty}`: convert it to `f32`"));
        }
    }
    let name = options.function.as_deref().unwrap_or("run");
    if let Some(reason) = why_no_function(name) {
        lowering.problems.push(format!("the function cannot be called `{name}`: {reason}"));
    }
    if !lowering.problems.is_empty() {
        return Err(EmbedError(lowering.problems));
    }
    let plan = Plan::new(&lowering);
    let writer = Writer::new(
        &lowering,
        &plan,
        &shown_inputs,
        &shown_outputs,
        name,
        options.weights_are_argument,
    );
    let written = writer.finish();
    let bytes = plan.arenas.iter().map(|(element, len)| element.bytes() * len);
    let largest = plan.arenas.iter().map(|(element, _)| element.bytes()).max().unwrap_or(1);
    Ok(RustFile {
        text: written.text,
        weights: written.weights,
        peak_bytes: bytes.sum::<usize>().next_multiple_of(largest),
        least_bytes: plan.least_bytes,
    })
}

/// The bytes of the inputs that are constants.
fn elements_of(
    options: &EmbedOptions,
    inputs: &[String],
    arguments: &[(String, Type)],
) -> Result<Vec<Option<Vec<u8>>>, EmbedError> {
    let (mut given, mut problems) = (vec![None; arguments.len()], Vec::new());
    for (name, tensors) in &options.constants {
        let is_part = |input: &String| {
            input
                .strip_prefix(&name[..])
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let numbers: Vec<usize> =
            (0..inputs.len()).filter(|&number| is_part(&inputs[number])).collect();
        if numbers.len() != tensors.len() {
            problems.push(format!(
                "the program has {} inputs `{name}`, and {} tensors are given for them",
                numbers.len(),
                tensors.len()
            ));
            continue;
        }
        for (number, (ty, bytes)) in numbers.into_iter().zip(tensors) {
            let (input, expected) = (&inputs[number], &arguments[number].1);
            if ty != expected {
                let [expected, found] = [expected, ty].map(check::shown);
                problems.push(format!("the input `{input}` is {expected}, and {found} is given"));
            } else if given[number].replace(bytes.clone()).is_some() {
                problems.push(format!("the input `{input}` is given more than once"));
            }
        }
    }
    if problems.is_empty() { Ok(given) } else { Err(EmbedError(problems)) }
}

/// Why the generated function cannot have a name.
fn why_no_function(name: &str) -> Option<&'static str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.chars().all(is_part) || !name.starts_with(|c| is_part(c) && !c.is_ascii_digit()) {
        Some("a name has letters, digits and `_`, and begins with no digit")
    } else if tensor_onnx::is_keyword(name) {
        Some("it is a word of Rust")
    } else if name == "PEAK_BYTES" {
        Some("it is a constant of the file")
    } else {
        None
    }
}

/// A name of Rust for an argument that is not used yet.
fn unique(used: &mut HashSet<String>, kind: &str, name: &str) -> String {
    // Single `_` between the words, as rustc wants it.
    let name = name.to_ascii_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let shown = [kind].into_iter().chain(words).collect::<Vec<_>>().join("_");
    let mut found = shown.clone();
    let mut number = 1;
    while !used.insert(found.clone()) {
        number += 1;
        found = format!("{shown}_{number}");
    }
    found
}
