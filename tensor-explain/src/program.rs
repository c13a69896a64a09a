//! Programs that add the shapes, in Rust and Python, and the message of rustc about them.

use core::fmt::Write;

use crate::analysis::{AxisSize, Explanation};
use crate::encoding::size_type;
use crate::repair::{Change, Repair};

/// Words that are no names of variables in these programs.
pub(super) const KEYWORDS: [&str; 74] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "axis", "become", "box",
    "break", "class", "const", "continue", "crate", "def", "del", "do", "dyn", "elif", "else",
    "enum", "except", "extern", "false", "final", "finally", "fn", "for", "from", "gen", "global",
    "if", "impl", "import", "in", "is", "jnp", "lambda", "let", "loop", "macro", "match", "mod",
    "move", "mut", "nonlocal", "not", "np", "or", "override", "pass", "print", "priv", "pub",
    "raise", "ref", "return", "scalar", "self", "Self", "static", "struct", "super", "torch",
    "trait", "true", "try", "type", "unsafe", "use", "while", "_",
];

/// The rule in the message about [`BroadcastAxis`](https://docs.rs/tensor-core/latest/tensor_core/broadcast/trait.BroadcastAxis.html).
const RULE: &str = "differ and neither is `One` (`unsqueeze` adds it); shapes align at the last axis [T101]; a named axis or \
                    type parameter matches only itself [T102]";

/// The line of the programs in Rust that adds, without its position.
const SUM: &str = "    let sum";

/// A library whose programs add the shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// `tensor_core`, in Rust.
    TensorCore,
    /// NumPy, in Python.
    NumPy,
    /// PyTorch, in Python.
    PyTorch,
    /// JAX, in Python.
    Jax,
}

impl Library {
    /// All libraries.
    pub const ALL: [Self; 4] = [Self::TensorCore, Self::NumPy, Self::PyTorch, Self::Jax];

    /// The language, or the name of the library.
    ///
    /// ```
    /// use tensor_core::explain::Library;
    ///
    /// assert_eq!(Library::ALL.map(Library::title), ["Rust", "NumPy", "PyTorch", "JAX"]);
    /// ```
    pub fn title(self) -> &'static str {
        match self {
            Self::TensorCore => "Rust",
            Self::NumPy => "NumPy",
            Self::PyTorch => "PyTorch",
            Self::Jax => "JAX",
        }
    }

    /// The import, and the name of the module.
    fn module(self) -> [&'static str; 2] {
        match self {
            Self::TensorCore => ["use tensor_core", "tensor_core"],
            Self::NumPy => ["import numpy as np", "np"],
            Self::PyTorch => ["import torch", "torch"],
            Self::Jax => ["import jax.numpy as jnp", "jnp"],
        }
    }

    /// The call that changes an array of Python.
    fn call(self, name: &str, change: Change) -> String {
        match (self, change) {
            (_, Change::SwappedLast) => format!("{name}.swapaxes(-2, -1)"),
            (Self::PyTorch, Change::InsertedAxis(axis)) => format!("{name}.unsqueeze({axis})"),
            (_, Change::InsertedAxis(axis)) => {
                format!("{}.expand_dims({name}, {axis})", self.module()[1])
            }
        }
    }

    /// The shape of an array, as Python prints it.
    fn printed(self, sizes: &[usize]) -> String {
        match self {
            Self::PyTorch => format!("torch.Size({sizes:?})"),
            _ => tuple(sizes, ", "),
        }
    }

    /// The error of a library of Python about two shapes that do not broadcast.
    fn error(self, shapes: [&[usize]; 2], explanation: &Explanation) -> String {
        match self {
            Self::NumPy => format!(
                "ValueError: operands could not be broadcast together with shapes {} {}",
                tuple(shapes[0], ","),
                tuple(shapes[1], ",")
            ),
            Self::Jax => {
                let [left, right] = shapes.map(|sizes| tuple(sizes, ", "));
                match shapes[0].len() == shapes[1].len() {
                    true => format!(
                        "TypeError: add got incompatible shapes for broadcasting: {left}, {right}."
                    ),
                    false => format!(
                        "ValueError: Incompatible shapes for broadcasting: shapes=[{left}, {right}]"
                    ),
                }
            }
            Self::PyTorch | Self::TensorCore => {
                let mismatch = explanation.result().err();
                let met = mismatch.and_then(|mismatch| explanation.meeting(mismatch));
                let [left, right] = met.map_or([0; 2], |axes| axes.map(|axis| axis.size));
                let axis = mismatch.map_or(0, |mismatch| mismatch.axis);
                format!(
                    "RuntimeError: The size of tensor a ({left}) must match the size of tensor b ({right}) \
                     at non-singleton dimension {axis}"
                )
            }
        }
    }
}

/// `(4, 3)`, `(3,)`
fn tuple(sizes: &[usize], comma: &str) -> String {
    let end = if sizes.len() == 1 { "," } else { "" };
    let sizes: Vec<_> = sizes.iter().map(usize::to_string).collect();
    format!("({}{end})", sizes.join(comma))
}

fn sizes(axes: &[AxisSize]) -> Vec<usize> {
    axes.iter().map(|axis| axis.size).collect()
}

/// The type of an axis: `Dim<3>`, `One`, `Batch`.
fn axis_type(axis: &AxisSize) -> String {
    axis.name.clone().unwrap_or_else(|| size_type(axis.size as u64))
}

/// The type of a shape: `(((), Dim<4>), Dim<3>)`.
fn shape_type(axes: &[AxisSize]) -> String {
    axes.iter().fold("()".to_owned(), |lead, axis| format!("({lead}, {})", axis_type(axis)))
}

/// `shape![Batch, 3]`
fn shape_macro(axes: &[AxisSize]) -> String {
    let axis = |axis: &AxisSize| axis.name.clone().unwrap_or_else(|| axis.size.to_string());
    format!("shape![{}]", axes.iter().map(axis).collect::<Vec<_>>().join(", "))
}

/// The axes as types: a name is one axis, whatever its size.
fn as_types(axes: &[AxisSize]) -> Vec<AxisSize> {
    let axis = |axis: &AxisSize| match &axis.name {
        Some(name) => AxisSize::named(name.clone(), None),
        None => axis.clone(),
    };
    axes.iter().map(axis).collect()
}

impl Explanation {
    /// A program that adds the shapes, after a change if one is given. Names of shapes are identifiers.
    ///
    /// Where shapes do not broadcast, a comment in Python is the error of the library, and the program in Rust does not
    /// compile, with the message [`compiler_message`](Self::compiler_message).
    ///
    /// ```
    /// use tensor_core::explain::{Library, explain_sizes};
    ///
    /// let explanation = explain_sizes(&[&[4, 3], &[4]]);
    /// let repair = &explanation.repairs()[0];
    /// assert_eq!(
    ///     explanation.program(Library::NumPy, Some(repair)),
    ///     "\
    /// import numpy as np
    ///
    /// a = np.ones((4, 3))
    /// b = np.ones((4,))
    /// b = np.expand_dims(b, -1)  # (4, 1)
    /// print((a + b).shape)  # (4, 3)
    /// "
    /// );
    /// ```
    pub fn program(&self, library: Library, repair: Option<&Repair>) -> String {
        match library {
            Library::TensorCore => self.in_rust(repair),
            _ => self.in_python(library, repair),
        }
    }

    /// `a + b + c`, each after `prefix`, and changed by the repair.
    fn sum(&self, prefix: &str, repair: Option<&Repair>) -> String {
        let operand = |(number, operand): (usize, &crate::ExplainedOperand)| {
            let repair = repair.filter(|repair| repair.operand == number);
            format!("{prefix}{}", repair.map_or(&operand.name, |repair| &repair.call))
        };
        self.operands().iter().enumerate().map(operand).collect::<Vec<_>>().join(" + ")
    }

    fn in_rust(&self, repair: Option<&Repair>) -> String {
        let mut names: Vec<&str> = Vec::new();
        for axis in self.operands().iter().flat_map(|operand| &operand.axes) {
            names.extend(axis.name.as_deref().filter(|name| !names.contains(name)));
        }
        let import = if names.is_empty() { "" } else { "axis, " };
        let mut program = format!("use tensor_core::{{Tensor, {import}shape}};\n\n");
        if !names.is_empty() {
            let _ = writeln!(program, "axis!({});\n", names.join(", "));
        }
        program += "fn main() {\n";
        for operand in self.operands() {
            let (name, axes) = (&operand.name, &operand.axes);
            let shape = shape_macro(axes);
            let value = match axes.iter().any(|axis| axis.name.is_some()) {
                true => {
                    let axis = |axis: &AxisSize| match &axis.name {
                        Some(name) => format!("{name}({})", axis.size),
                        None => axis.size.to_string(),
                    };
                    let axes: Vec<_> = axes.iter().map(axis).collect();
                    format!("Tensor::<{shape}>::ones_shaped(shape![{}])", axes.join(", "))
                }
                false => format!("Tensor::<{shape}>::ones()"),
            };
            let _ = writeln!(program, "    let {name} = {value};");
        }
        let result = match repair {
            Some(repair) => Some(repair.result.clone()),
            None => self.result_axes(),
        };
        let result = result.map(|axes| format!(": Tensor<{}>", shape_macro(&axes)));
        let sum = self.sum("&", repair);
        let _ = writeln!(program, "{SUM}{} = {sum};", result.unwrap_or_default());
        program + "    println!(\"{:?}\", sum.sizes());\n}\n"
    }

    fn in_python(&self, library: Library, repair: Option<&Repair>) -> String {
        let [import, module] = library.module();
        let mut program = format!("{import}\n\n");
        for operand in self.operands() {
            let is_named = operand.axes.iter().any(|axis| axis.name.is_some());
            let names = if is_named { format!("  # {}", operand.shape()) } else { String::new() };
            let shape = tuple(&sizes(&operand.axes), ", ");
            let _ = writeln!(program, "{} = {module}.ones({shape}){names}", operand.name);
        }
        if let Some(Repair { operand, changes, shape, .. }) = repair {
            let name = &self.operands()[*operand].name;
            let call = |value: String, change: &Change| library.call(&value, *change);
            let value = changes.iter().fold(name.clone(), call);
            let _ = writeln!(program, "{name} = {value}  # {}", tuple(&sizes(shape), ", "));
        }
        let outcome = match repair {
            Some(repair) => library.printed(&sizes(&repair.result)),
            None => self.outcome_in_python(library),
        };
        let sum = self.sum("", None);
        let _ = writeln!(program, "print(({sum}).shape)  # {outcome}");
        program
    }

    /// What Python prints for the sum of arrays of these sizes, whose axes have no names.
    fn outcome_in_python(&self, library: Library) -> String {
        let mut left: Option<Vec<usize>> = None;
        for operand in self.operands() {
            let right = sizes(&operand.axes);
            left = Some(match left {
                None => right,
                Some(left) => {
                    let pair = crate::explain_sizes(&[&left, &right]);
                    match pair.result() {
                        Ok(result) => result,
                        Err(_) => return library.error([&left, &right], &pair),
                    }
                }
            });
        }
        let printed = library.printed(&left.unwrap_or_default());
        let is_refused = self.result().is_err();
        printed + if is_refused { ": without names, the sizes broadcast" } else { "" }
    }

    /// The message of rustc about the program in Rust; `None` if it compiles.
    ///
    /// Two sizes of one name are compared when the program runs. rustc abbreviates long types, unless it has the option
    /// `--verbose`.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// let message = explain_sizes(&[&[4, 3], &[4]]).compiler_message().unwrap();
    /// assert!(message.starts_with("error[E0277]: cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"));
    /// ```
    pub fn compiler_message(&self) -> Option<String> {
        let mut left: Option<Vec<AxisSize>> = None;
        for (number, operand) in self.operands().iter().enumerate() {
            let right = as_types(&operand.axes);
            left = Some(match left {
                None => right,
                Some(left) => {
                    let pair = Self::of(vec![left.clone(), right.clone()]);
                    match pair.result() {
                        Ok(_) => pair.result_axes()?,
                        Err(mismatch) => {
                            let [a, b] = pair.meeting(mismatch)?.map(axis_type);
                            // The axes up to the one that fails.
                            let kept = |axes: &[AxisSize]| {
                                let behind = pair.axes().len() - 1 - mismatch.axis;
                                shape_type(&axes[..axes.len() - behind])
                            };
                            return Some(self.message(
                                number,
                                [&a, &b],
                                [kept(&left), kept(&right)],
                            ));
                        }
                    }
                }
            });
        }
        None
    }

    /// The message about the operator before this operand.
    fn message(&self, operand: usize, [a, b]: [&str; 2], [left, right]: [String; 2]) -> String {
        let program = self.program(Library::TensorCore, None);
        let lines = || program.lines().enumerate();
        let Some((line, code)) = lines().find(|(_, line)| line.starts_with(SUM)) else {
            return String::new();
        };
        let before: usize = self.operands()[..operand].iter().map(|o| o.name.len() + 4).sum();
        let column = SUM.len() + " = ".len() + before - 1;
        let line = (line + 1).to_string();
        let margin = " ".repeat(line.len());
        let space = " ".repeat(column - 1);
        format!(
            "error[E0277]: cannot broadcast an axis of size `{a}` with one of size `{b}`\n\
             {margin}--> src/main.rs:{line}:{column}\n\
             {margin} |\n\
             {line} | {code}\n\
             {margin} | {space}^ `{a}` and `{b}` {RULE}\n\
             {margin} |\n\
             {margin} = help: the trait `AxesMatch<{a}, {b}>` is not implemented for `({a},)`\n\
             {margin} = note: required for `{a}` to implement `BroadcastAxis<{b}>`\n\
             {margin} = note: required for `{left}` to implement `BroadcastOf<{left}, {right}>`\n"
        )
    }
}
