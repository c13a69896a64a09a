//! StableHLO as expressions and loops.
//!
//! An operation on each element, or one that moves elements, becomes an expression. It is stored in a buffer where several
//! loops read it, where it is stretched, and where a loop needs its elements in memory; all others are computed by the
//! loop that reads them.

pub mod check;
mod control;
mod indices;
mod moves;
mod sums;
mod windows;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use tensor_onnx::stablehlo::{Element, Operation, Type};

use crate::expression::{Expression, Kind, Node, View};
use crate::scalar;
use crate::steps::{Buffer, Loop, LoopKind, Place, Step};

/// Expressions of more operations are stored.
const MOST_OPERATIONS: usize = 100;

/// A tensor of the program.
#[derive(Clone, Debug)]
pub struct Value {
    pub ty: Type,
    pub node: Node,
}

impl Value {
    pub fn sizes(&self) -> &[usize] {
        &self.ty.sizes
    }

    pub fn element(&self) -> Element {
        self.ty.element
    }
}

/// What is lowered so far.
#[derive(Default)]
pub struct Lowering {
    pub buffers: Vec<Buffer>,
    pub steps: Vec<Step>,
    /// Pairs of buffers that share their elements.
    pub shared: Vec<[usize; 2]>,
    pub values: HashMap<String, Value>,
    constants: HashMap<(&'static str, Rc<Vec<u8>>), usize>,
    /// Why operations cannot be written.
    pub problems: Vec<String>,
}

impl Lowering {
    /// A new buffer.
    pub fn buffer(&mut self, element: Element, len: usize, place: Place) -> usize {
        self.buffers.push(Buffer { element, len, place });
        self.buffers.len() - 1
    }

    /// The elements of a buffer in row-major order.
    pub fn whole(&self, buffer: usize, sizes: &[usize]) -> Value {
        let element = self.buffers[buffer].element;
        let node = Expression::load(element, buffer, View::row_major(sizes));
        Value { ty: Type::new(sizes, element), node }
    }

    /// A constant of these bytes.
    pub fn constant(&mut self, ty: &Type, bytes: Vec<u8>) -> Value {
        let of_element = ty.element.bytes();
        if ty.len() == 0 || bytes.chunks_exact(of_element).all(|x| x == &bytes[..of_element]) {
            let first = bytes.get(..of_element).unwrap_or(&[0; 8][..of_element]);
            return self.literal(&scalar::literal(ty.element, first), ty);
        }
        let bytes = Rc::new(bytes);
        let key = (ty.element.name(), bytes.clone());
        let buffer = match self.constants.get(&key) {
            Some(&buffer) => buffer,
            None => {
                let buffer = self.buffer(ty.element, ty.len(), Place::Constant(bytes));
                self.constants.insert(key, buffer);
                buffer
            }
        };
        self.whole(buffer, &ty.sizes)
    }

    /// A tensor whose elements are all this literal.
    pub fn literal(&self, literal: &str, ty: &Type) -> Value {
        let literal = scalar::typed(ty.element, literal);
        Value { ty: ty.clone(), node: Expression::number(ty.element, literal) }
    }

    pub fn zeros(&self, sizes: &[usize], element: Element) -> Value {
        self.literal(
            &scalar::literal(element, &[0; 8][..element.bytes()]),
            &Type::new(sizes, element),
        )
    }

    pub fn value(&self, name: &str) -> Result<Value, String> {
        self.values.get(name).cloned().ok_or_else(|| format!("the text has no value `{name}`"))
    }

    pub fn push(&mut self, name: &str, out: usize, kind: LoopKind) {
        self.steps.push(Step::Loop(Box::new(Loop { name: name.to_owned(), out, kind })));
    }

    /// Writes a tensor to a view of a buffer.
    pub fn write(&mut self, name: &str, value: &Value, out: usize, view: View) {
        if value.ty.len() > 0 {
            let of_operations = value.node.name();
            let name = if of_operations.is_empty() { name } else { &of_operations };
            let kind =
                LoopKind::Map { sizes: value.ty.sizes.clone(), node: value.node.clone(), view };
            self.push(name, out, kind);
        }
    }

    /// The tensor in a new buffer, in row-major order; of a constant, a constant.
    pub fn copied(&mut self, name: &str, value: &Value) -> Value {
        if let Kind::Load { buffer, view } = &value.node.kind
            && let Place::Constant(bytes) = self.buffers[*buffer].place.clone()
        {
            let moved = moved_bytes(&bytes, value.element().bytes(), value.sizes(), view);
            return self.constant(&value.ty, moved);
        }
        let out = self.buffer(value.element(), value.ty.len(), Place::Workspace);
        self.write(name, value, out, View::row_major(value.sizes()));
        self.whole(out, value.sizes())
    }

    /// The tensor as elements of a buffer, at any strides.
    pub fn stored(&mut self, value: &Value) -> Value {
        match value.node.kind {
            Kind::Load { .. } => value.clone(),
            _ => self.copied("copy", value),
        }
    }

    /// The tensor without operations: as elements of a buffer, positions or a number.
    pub fn leaf(&mut self, value: &Value) -> Value {
        if value.node.is_leaf() || value.node.is_of_positions() {
            return value.clone();
        }
        self.copied("copy", value)
    }

    /// The buffer and the view of a tensor that is stored.
    pub fn view(&mut self, value: &Value) -> (usize, View) {
        let stored = self.stored(value);
        if let Kind::Load { buffer, view } = &stored.node.kind {
            return (*buffer, view.clone());
        }
        // A constant of equal elements is a number.
        let out = self.buffer(value.element(), value.ty.len(), Place::Workspace);
        self.write("copy", &stored, out, View::row_major(value.sizes()));
        (out, View::row_major(value.sizes()))
    }

    /// The buffer whose elements are those of a tensor, in row-major order.
    pub fn row_major(&mut self, value: &Value) -> usize {
        let (buffer, view) = self.view(value);
        if view.is_row_major(value.sizes()) && self.buffers[buffer].len == value.ty.len() {
            return buffer;
        }
        let copy = self.copied("copy", value);
        self.view(&copy).0
    }

    pub fn reshaped(&mut self, value: &Value, sizes: &[usize]) -> Value {
        let ty = Type::new(sizes, value.element());
        if let Some(node) = value.node.reshaped(value.sizes(), sizes) {
            return Value { ty, node };
        }
        let stored = self.copied("reshape", value);
        let node = stored.node.reshaped(value.sizes(), sizes);
        Value { ty, node: node.expect("elements in row-major order have any sizes") }
    }

    /// An operation on each element.
    pub fn call(&self, name: &str, template: String, ty: Type, x: &[Value]) -> Value {
        let operands = x.iter().map(|value| value.node.clone()).collect();
        Value { node: Expression::call(ty.element, name, template, operands), ty }
    }

    /// Lowers the operations of a function or of a region; `results` are read after them.
    pub fn operations(&mut self, operations: &[Operation], results: &[String]) {
        let kept = kept(operations, results);
        for operation in operations {
            if let Err(problem) = self.operation(operation, &kept) {
                let problem = format!("{}: {problem}", operation.name);
                if !self.problems.contains(&problem) {
                    self.problems.push(problem);
                }
                // Later ones are tried.
                for (name, ty) in operation.names().into_iter().zip(&operation.results) {
                    let value = self.zeros(&ty.sizes, ty.element);
                    self.values.insert(name, value);
                }
            }
        }
    }

    fn operation(&mut self, operation: &Operation, kept: &HashSet<String>) -> Result<(), String> {
        let types = &operation.results;
        if let Some(ty) = types.iter().find(|ty| ty.element.is_half())
            && !is_move(&operation.name)
        {
            let name = ty.element.name();
            return Err(format!("elements of type `{name}`, for which Rust has no type"));
        }
        let x = operation.operands.iter().map(|name| self.value(name));
        let x = x.collect::<Result<Vec<Value>, _>>()?;
        check::operation(operation, &x.iter().map(|x| &x.ty).collect::<Vec<_>>())?;
        let results = match types.iter().all(|ty| ty.len() == 0) {
            true => types.iter().map(|ty| self.zeros(&ty.sizes, ty.element)).collect(),
            false => self.results(operation, x)?,
        };
        for ((name, ty), mut value) in operation.names().into_iter().zip(types).zip(results) {
            debug_assert_eq!(*ty, value.ty, "{}", operation.name);
            let is_long = value.node.operations > MOST_OPERATIONS;
            if is_long || kept.contains(&name) && !value.node.is_of_positions() {
                let is_computed = !value.node.is_leaf();
                value = if is_computed { self.copied(&operation.name, &value) } else { value };
            }
            self.values.insert(name, value);
        }
        Ok(())
    }

    fn results(&mut self, operation: &Operation, x: Vec<Value>) -> Result<Vec<Value>, String> {
        let elements: Vec<Element> = x.iter().map(Value::element).collect();
        let ty = operation.results.first().ok_or("it has no result")?;
        if x.is_empty() && !matches!(&operation.name[..], "constant" | "iota" | "while") {
            return Err("it has no operand".to_owned());
        }
        Ok(vec![match &operation.name[..] {
            "convert" if elements[0].is_half() => {
                check::elementwise(operation, &[&x[0].ty], ty.element)?;
                self.widened(&x[0], ty)?
            }
            "optimization_barrier" => return Ok(x),
            "while" => return self.while_loop(operation, &x),
            "if" => return self.branch(operation, &x),
            "case" => return self.branch(operation, &x),
            "sort" => return self.sort(operation, &x),
            "reduce_window" => return self.reduce_window(operation, &x),
            "constant" => {
                let bytes = operation.elements()?;
                match bytes.len() == ty.element.bytes() {
                    true => self.literal(&scalar::literal(ty.element, &bytes), ty),
                    false if bytes.len() == ty.len() * ty.element.bytes() => {
                        self.constant(ty, bytes)
                    }
                    false => {
                        return Err(format!("{} bytes for {}", bytes.len(), check::shown(ty)));
                    }
                }
            }
            "iota" => self.iota(operation)?,
            "broadcast_in_dim" => self.broadcast(operation, &x[0])?,
            "reshape" => self.reshaped(&x[0], &ty.sizes),
            "transpose" => self.transposed(&x[0], &operation.usizes("permutation")?),
            "slice" => self.slice(operation, &x[0])?,
            "reverse" => self.reversed(&x[0], &operation.usizes("dimensions")?),
            "concatenate" => self.concatenate(operation, &x)?,
            "pad" => self.pad_operation(operation, &x)?,
            "dot_general" => self.dot(operation, &x)?,
            "convolution" => self.convolution(operation, &x)?,
            "reduce" => self.reduce(operation, &x)?,
            "select_and_scatter" => self.select_and_scatter(operation, &x)?,
            "gather" => self.gather(operation, &x)?,
            "scatter" => self.scatter(operation, &x)?,
            "dynamic_slice" => self.dynamic_slice(operation, &x)?,
            "dynamic_update_slice" => self.dynamic_update_slice(operation, &x)?,
            _ => match scalar::template(operation, &elements)? {
                Some((template, element)) => {
                    let mut x = x;
                    if operation.name == "select" && x[0].ty.rank() == 0 {
                        // One truth value for all elements.
                        let node = x[0].node.spread(&vec![None; ty.rank()]);
                        x[0] = Value { ty: Type::new(&ty.sizes, Element::Bool), node };
                    }
                    let types: Vec<&Type> = x.iter().map(|x| &x.ty).collect();
                    check::elementwise(operation, &types, element)?;
                    self.call(&operation.name, template, ty.clone(), &x)
                }
                None => return Err("there is no Rust for it".to_owned()),
            },
        }])
    }

    /// A constant of 16-bit floats in another type: they are stored in it.
    fn widened(&mut self, x: &Value, ty: &Type) -> Result<Value, String> {
        let name = x.element().name();
        let refused = || format!("of elements of type `{name}` that are no constant");
        if let Kind::Number(literal) = &x.node.kind {
            let number = scalar::number_of(literal).ok_or_else(refused)?;
            return Ok(self.constant(ty, ty.element.bytes_of(number).repeat(ty.len())));
        }
        let Kind::Load { buffer, view } = &x.node.kind else { return Err(refused()) };
        let Place::Constant(bytes) = &self.buffers[*buffer].place else { return Err(refused()) };
        let wide = bytes.chunks_exact(2).flat_map(|pair| {
            let pair = [pair[0], pair[1]];
            let number = match x.element() {
                Element::F16 => half::f16::from_le_bytes(pair).to_f64(),
                _ => half::bf16::from_le_bytes(pair).to_f64(),
            };
            ty.element.bytes_of(number)
        });
        let bytes = moved_bytes(&wide.collect::<Vec<u8>>(), ty.element.bytes(), x.sizes(), view);
        Ok(self.constant(ty, bytes))
    }
}

/// The elements of a view, in row-major order.
fn moved_bytes(bytes: &[u8], of_element: usize, sizes: &[usize], view: &View) -> Vec<u8> {
    let mut moved = Vec::new();
    let mut index = vec![0; sizes.len()];
    for _ in 0..sizes.iter().product() {
        let along = index.iter().zip(&view.strides).map(|(&i, stride)| i as i64 * stride);
        let position = (view.offset + along.sum::<i64>()) as usize * of_element;
        moved.extend_from_slice(&bytes[position..position + of_element]);
        for (i, &size) in index.iter_mut().zip(sizes).rev() {
            *i += 1;
            if *i < size {
                break;
            }
            *i = 0;
        }
    }
    moved
}

/// Whether the result is an expression of the operands.
fn is_expression(name: &str) -> bool {
    !matches!(
        name,
        "while"
            | "if"
            | "case"
            | "sort"
            | "reduce_window"
            | "concatenate"
            | "pad"
            | "dot_general"
            | "convolution"
            | "reduce"
            | "select_and_scatter"
            | "scatter"
            | "dynamic_update_slice"
    )
}

/// Whether an expression computes nothing.
fn is_move(name: &str) -> bool {
    matches!(
        name,
        "optimization_barrier"
            | "constant"
            | "iota"
            | "broadcast_in_dim"
            | "reshape"
            | "transpose"
            | "slice"
            | "reverse"
    )
}

/// The names of results that several loops read.
fn kept(operations: &[Operation], results: &[String]) -> HashSet<String> {
    let mut kept = HashSet::new();
    // The loops that read each value, by the numbers of their operations.
    let mut readers: HashMap<String, BTreeSet<usize>> = HashMap::new();
    for (number, result) in results.iter().enumerate() {
        readers.entry(result.clone()).or_default().insert(operations.len() + number);
    }
    for (number, operation) in operations.iter().enumerate().rev() {
        let names = operation.names();
        let mut of_results = BTreeSet::new();
        for name in &names {
            of_results.extend(readers.get(name).into_iter().flatten().copied());
        }
        let mut loops = BTreeSet::from([number]);
        if is_expression(&operation.name) {
            if of_results.len() > 1 && !is_move(&operation.name) {
                kept.extend(names);
            } else {
                loops = of_results;
            }
        }
        let mut read: Vec<String> = Vec::new();
        names_read(operation, &mut read);
        for (position, name) in read.into_iter().enumerate() {
            let is_indexed =
                position == 0 && matches!(&operation.name[..], "gather" | "dynamic_slice");
            let readers = readers.entry(name).or_default();
            match is_indexed {
                true => drop(readers.insert(number)),
                false => readers.extend(&loops),
            }
        }
    }
    kept
}

/// The names that an operation and its regions read.
fn names_read(operation: &Operation, names: &mut Vec<String>) {
    names.extend(operation.operands.iter().cloned());
    if matches!(&operation.name[..], "while" | "if" | "case") {
        for region in &operation.regions {
            region.operations.iter().for_each(|operation| names_read(operation, names));
            names.extend(region.results.iter().cloned());
        }
    }
}
