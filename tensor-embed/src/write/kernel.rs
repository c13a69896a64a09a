//! A function that is written.

use tensor_onnx::stablehlo::Element;

use crate::lower::Lowering;
use crate::plan::Plan;

/// A function that is written.
pub struct Kernel<'a> {
    lowering: &'a Lowering,
    plan: &'a Plan,
    /// The buffer that it writes.
    out: usize,
    /// The buffers that are passed, with their names and types.
    pub parameters: Vec<(usize, String, String)>,
}

impl<'a> Kernel<'a> {
    /// A function that writes a buffer.
    pub fn new(lowering: &'a Lowering, plan: &'a Plan, out: usize) -> Self {
        Self { lowering, plan, out: plan.of(out), parameters: Vec::new() }
    }

    /// The buffer whose elements these are.
    pub fn storage(&self, buffer: usize) -> usize {
        self.plan.of(buffer)
    }

    /// The name of the parameter for a buffer.
    pub fn parameter(&mut self, buffer: usize, is_written: bool) -> String {
        let storage = self.storage(buffer);
        if let Some((_, name, _)) = self.parameters.iter().find(|(other, ..)| *other == storage) {
            return name.clone();
        }
        let of = &self.lowering.buffers[storage];
        let is_out = is_written || storage == self.out;
        let name = if is_out { "out".to_owned() } else { format!("a{}", self.parameters.len()) };
        let mutable = if is_out { "mut " } else { "" };
        let ty = format!("&{mutable}[{}; {}]", of.element.name(), of.len);
        self.parameters.push((storage, name.clone(), ty));
        name
    }

    /// The number of elements of a buffer.
    pub fn len(&self, buffer: usize) -> usize {
        self.lowering.buffers[buffer].len
    }

    pub fn element(&self, buffer: usize) -> Element {
        self.lowering.buffers[buffer].element
    }
}
