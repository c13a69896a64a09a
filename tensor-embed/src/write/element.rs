//! An element of an expression in a loop.

use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use tensor_onnx::stablehlo::Element;

use super::kernel::Kernel;
use crate::expression::{Expression, Kind, Node, View};
use crate::scalar;

/// A loop over indices with these names and ends, in which elements are computed.
pub struct Scope {
    pub names: Vec<String>,
    pub sizes: Vec<usize>,
    /// The statements before the innermost loop.
    pub before: String,
    /// The statements in it.
    pub lines: String,
    values: HashMap<*const Expression, String>,
    loads: HashMap<(usize, View), String>,
    /// What is written over what is read, and how both are called in the loop.
    in_place: Option<(usize, String)>,
    next: usize,
}

/// The position at the indices of these names.
pub fn position(view: &View, names: &[String]) -> String {
    let term = |(stride, name): (i64, &String)| match stride {
        1 => name.clone(),
        _ => format!("{name} * {stride}"),
    };
    let pairs = || view.strides.iter().copied().zip(names);
    let mut positive: Vec<String> = pairs().filter(|(stride, _)| *stride > 0).map(term).collect();
    if view.offset > 0 || positive.is_empty() {
        positive.insert(0, view.offset.max(0).to_string());
    }
    let mut text = positive.join(" + ");
    if view.offset < 0 {
        let _ = write!(text, " - {}", -view.offset);
    }
    for (stride, name) in pairs().filter(|(stride, _)| *stride < 0) {
        let _ = write!(text, " - {}", term((-stride, name)));
    }
    text
}

impl Scope {
    /// A loop whose indices are `i0`, `i1` … and `i` for the innermost one.
    pub fn new(sizes: &[usize]) -> Self {
        let last = sizes.len().saturating_sub(1);
        let name = |axis: usize| if axis == last { "i".to_owned() } else { format!("i{axis}") };
        Self {
            names: (0..sizes.len()).map(name).collect(),
            sizes: sizes.to_vec(),
            before: String::new(),
            lines: String::new(),
            values: HashMap::new(),
            loads: HashMap::new(),
            in_place: None,
            next: 0,
        }
    }

    pub fn fresh(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    fn line(&mut self, value: String) -> String {
        let name = self.fresh();
        let _ = writeln!(self.lines, "let {name} = {value};");
        name
    }

    /// The element of the output at a view, as it is assigned to.
    pub fn output(&mut self, kernel: &mut Kernel<'_>, buffer: usize, view: &View) -> String {
        let name = kernel.parameter(buffer, true);
        let len = kernel.len(buffer);
        let text = self.access((&name, len), view, true, "out_row");
        self.in_place = Some((kernel.storage(buffer), text.clone()));
        text
    }

    /// An element of an array of this length: of a part of it, which the innermost loop passes over.
    fn access(
        &mut self,
        (array, all): (&str, usize),
        view: &View,
        is_written: bool,
        part: &str,
    ) -> String {
        let Some((&stride, outer)) = view.strides.split_last() else {
            return format!("{array}[{}]", view.offset);
        };
        let (size, name) = (self.sizes[outer.len()], self.names[outer.len()].clone());
        let low = View {
            offset: view.offset + if stride < 0 { stride * (size as i64 - 1) } else { 0 },
            strides: outer.to_vec(),
        };
        let at = position(&low, &self.names[..outer.len()]);
        if stride == 0 && !is_written {
            let _ = writeln!(self.before, "let {part} = {array}[{at}];");
            return part.to_owned();
        }
        let len = (size - 1) * stride.unsigned_abs() as usize + 1;
        let part = match at == "0" && len == all {
            true => array,
            false => {
                let mutable = if is_written { "mut " } else { "" };
                let _ = writeln!(self.before, "let {part} = &{mutable}{array}[{at}..][..{len}];");
                part
            }
        };
        match stride {
            1 => format!("{part}[{name}]"),
            _ if stride > 0 => format!("{part}[{name} * {stride}]"),
            -1 => format!("{part}[{} - {name}]", size - 1),
            _ => format!("{part}[({} - {name}) * {}]", size - 1, -stride),
        }
    }

    /// The name or the literal of an element of an expression whose axes are those of the loop.
    pub fn value(&mut self, kernel: &mut Kernel<'_>, node: &Node) -> String {
        if let Some(name) = self.values.get(&Rc::as_ptr(node)) {
            return name.clone();
        }
        let text = match &node.kind {
            Kind::Number(literal) => literal.clone(),
            Kind::Load { buffer, view } => self.load(kernel, *buffer, view),
            Kind::Iota { view } => {
                let signed: Vec<String> =
                    self.names.iter().map(|name| format!("{name} as i64")).collect();
                let at = position(view, &signed);
                self.line(format!("({at}) as {}", node.element.name()))
            }
            Kind::Indexed { buffer, view, indices } => {
                let mut at = position(view, &self.names.clone());
                for index in indices {
                    let text = self.value(kernel, &index.node);
                    let text = match index.node.element {
                        Element::I64 => scalar::of_method(&text),
                        _ => format!("({text} as i64)"),
                    };
                    let _ = write!(
                        at,
                        " + {text}.clamp(0, {}) as usize * {}",
                        index.last, index.stride
                    );
                }
                let array = kernel.parameter(*buffer, false);
                self.line(format!("{array}[{at}]"))
            }
            Kind::Call { template, operands, .. } => {
                let operands: Vec<String> =
                    operands.iter().map(|operand| self.value(kernel, operand)).collect();
                self.line(scalar::filled(template, &operands))
            }
        };
        self.values.insert(Rc::as_ptr(node), text.clone());
        text
    }

    fn load(&mut self, kernel: &mut Kernel<'_>, buffer: usize, view: &View) -> String {
        let storage = kernel.storage(buffer);
        if let Some((out, text)) = &self.in_place
            && *out == storage
        {
            return text.clone();
        }
        if let Some(text) = self.loads.get(&(storage, view.clone())) {
            return text.clone();
        }
        let array = kernel.parameter(buffer, false);
        let part = format!("x{}", self.loads.len());
        let len = kernel.len(buffer);
        let text = self.access((&array, len), view, false, &part);
        let text = match text == part {
            true => text,
            // An element is read once.
            false => self.line(text),
        };
        self.loads.insert((storage, view.clone()), text.clone());
        text
    }

    /// The loops around statements, with what is before the innermost one.
    pub fn around(&self, lines: &str) -> String {
        let Some((last, outer)) = self.names.split_last() else {
            return format!("{}{lines}", self.before);
        };
        let (mut text, size) = (String::new(), self.sizes[outer.len()]);
        for (name, size) in outer.iter().zip(&self.sizes) {
            let _ = writeln!(text, "for {name} in 0..{size} {{");
        }
        let _ = writeln!(text, "{}for {last} in 0..{size} {{\n{lines}}}", self.before);
        text + &"}\n".repeat(outer.len())
    }
}
