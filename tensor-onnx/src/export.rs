//! Programs as ONNX models: StableHLO text becomes a graph of ONNX.
//!
//! The text is that of `Program::to_stablehlo`, so that an operation has one definition for XLA and for ONNX.
//!
//! Sources: the specifications of StableHLO, <https://openxla.org/stablehlo/spec>, and of ONNX, <https://onnx.ai/onnx/operators>.

use std::fmt;

mod arithmetic;
pub(crate) mod attributes;
mod control;
mod graph;
mod indices;
mod moves;
mod region;
pub(crate) mod text;
mod windows;
mod write;

use graph::Graph;
use text::{Function, Operation, Type};

pub use write::Exported;

/// Why a program is not exported: each operation that ONNX cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError(Vec<String>);

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the program cannot be written as an ONNX model:")?;
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl std::error::Error for ExportError {}

/// The ONNX model of a program, from its StableHLO text in the generic form, which `Program::to_stablehlo` writes.
///
/// The inputs and outputs have these names, or `input0`, `output0` … where a name is empty or missing. All sizes are those
/// of the program, also of named axes: it was traced for them.
///
/// # Errors
///
/// The operations that ONNX cannot express, and those whose results have other types than they compute, all of them.
///
/// # Panics
///
/// If operands or attributes of an operation do not fit each other, such as an axis that a tensor does not have: StableHLO
/// has no such text.
///
/// ```
/// let text = "module {
///   func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>) {
///     %0 = \"stablehlo.exponential\"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
///     return %0 : tensor<2xf32>
///   }
/// }";
/// let model = tensor_onnx::export(text, &["x"], &["y"])?;
/// assert_eq!(model.operators(), ["Exp"]);
/// # Ok::<(), tensor_onnx::ExportError>(())
/// ```
pub fn export(text: &str, inputs: &[&str], outputs: &[&str]) -> Result<Exported, ExportError> {
    let function = text::parse(text).map_err(|problem| ExportError(vec![problem]))?;
    let Function { arguments, operations, results } = &function;
    let named = |names: &[&str], kind: &str, number: usize| match names.get(number) {
        Some(name) if !name.is_empty() => (*name).to_owned(),
        _ => format!("{kind}{number}"),
    };
    let mut graph = Graph::default();
    for (number, (name, ty)) in arguments.iter().enumerate() {
        graph.input(name, named(inputs, "input", number), ty.clone());
    }
    let mut problems = Vec::new();
    for operation in operations {
        if let Err(problem) = graph.add(operation) {
            let problem = format!("{}: {problem}", operation.name);
            if !problems.contains(&problem) {
                problems.push(problem);
            }
            graph.stand_in(operation);
        }
    }
    if !problems.is_empty() {
        return Err(ExportError(problems));
    }
    for (number, result) in results.iter().enumerate() {
        graph
            .output(result, named(outputs, "output", number))
            .map_err(|problem| ExportError(vec![problem]))?;
    }
    Ok(graph.finish())
}

impl Graph {
    /// Adds what an operation computes.
    fn add(&mut self, operation: &Operation) -> Result<(), String> {
        let x = operation
            .operands
            .iter()
            .map(|name| self.value(name))
            .collect::<Result<Vec<_>, _>>()?;
        let results = match self.elementwise(operation, &x)? {
            Some(result) => vec![result],
            None => match &operation.name[..] {
                "optimization_barrier" => x,
                "constant" => vec![self.constant(operation)?],
                "iota" => vec![self.iota(operation)?],
                "broadcast_in_dim" => vec![self.broadcast_in(operation, &x[0])?],
                "reshape" => vec![self.reshape(&x[0], &operation.results[0].sizes)],
                "transpose" => vec![self.transpose(&x[0], &operation.usizes("permutation")?)],
                "slice" => vec![self.slice(operation, &x[0])?],
                "concatenate" => vec![self.concat(operation, &x)?],
                "pad" => vec![self.pad_operation(operation, &x)?],
                "reverse" => vec![self.reverse(&x[0], &operation.usizes("dimensions")?)],
                "dot_general" => vec![self.dot(operation, &x)?],
                "convolution" => vec![self.convolution(operation, &x)?],
                "reduce" => vec![self.reduce(operation, &x)?],
                "reduce_window" => self.reduce_window(operation, &x)?,
                "select_and_scatter" => vec![self.select_and_scatter(operation, &x)?],
                "gather" => vec![self.gather(operation, &x)?],
                "scatter" => vec![self.scatter(operation, &x)?],
                "sort" => self.sort(operation, &x)?,
                "dynamic_slice" => vec![self.item(operation, &x)?],
                "dynamic_update_slice" => vec![self.with_item(operation, &x)?],
                "while" => self.while_loop(operation, &x)?,
                "if" | "case" => self.branch(operation, &x[0])?,
                _ => return Err("ONNX has no such operator".to_owned()),
            },
        };
        for ((name, ty), value) in
            operation.names().into_iter().zip(&operation.results).zip(results)
        {
            if *ty != value.ty {
                let shown = |ty: &Type| format!("{} {:?}", ty.element.name(), ty.sizes);
                return Err(format!("its result is {}, not {}", shown(ty), shown(&value.ty)));
            }
            self.define(name, value);
        }
        Ok(())
    }
}
