//! The graph that is written, and its values.

use std::collections::{HashMap, HashSet};

use super::text::{Operation, Type};
use super::write::{Attribute, Exported, Node};
use crate::element::Element;

/// A value of the program, as a tensor of the graph that broadcasts to it: what the program stretches, ONNX stretches too.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// The name of the tensor.
    pub name: String,
    /// The sizes of the tensor.
    pub stored: Vec<usize>,
    /// The type of the value.
    pub ty: Type,
}

impl Value {
    pub fn sizes(&self) -> &[usize] {
        &self.ty.sizes
    }

    pub fn element(&self) -> Element {
        self.ty.element
    }
}

/// The graph, as far as it is written.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) model: Exported,
    /// The values by their names in the text.
    values: HashMap<String, Value>,
    /// The constants by their types and bytes.
    constants: HashMap<(u64, Vec<usize>, Vec<u8>), String>,
    /// The names of the graph.
    used: HashSet<String>,
    /// The new names of tensors that are outputs.
    renamed: HashMap<String, String>,
    next: usize,
}

impl Graph {
    pub fn input(&mut self, name: &str, shown: String, ty: Type) {
        let shown = self.unique(shown);
        self.model.inputs.push((shown.clone(), ty.clone()));
        self.define(name.to_owned(), Value { name: shown, stored: ty.sizes.clone(), ty });
    }

    pub fn define(&mut self, name: String, value: Value) {
        self.values.insert(name, value);
    }

    pub fn value(&self, name: &str) -> Result<Value, String> {
        self.values.get(name).cloned().ok_or_else(|| format!("the text has no value `{name}`"))
    }

    /// Defines the results of an operation that could not be written, so that later ones are tried.
    pub fn stand_in(&mut self, operation: &Operation) {
        for (name, ty) in operation.names().into_iter().zip(&operation.results) {
            self.define(
                name,
                Value { name: String::new(), stored: ty.sizes.clone(), ty: ty.clone() },
            );
        }
    }

    pub fn output(&mut self, name: &str, shown: String) -> Result<(), String> {
        let value = self.value(name)?;
        let mut value = self.full(&value);
        let is_result = self.model.nodes.iter().any(|node| node.outputs.contains(&value.name));
        if !is_result || self.renamed.contains_key(&value.name) {
            value = self.emit(
                "Identity",
                &[&value.name.clone()],
                Vec::new(),
                &value.stored.clone(),
                &value.ty,
            );
        }
        // A state has the same name before and after a step.
        let is_taken = self.used.contains(&shown);
        let shown = self.unique(if is_taken { format!("{shown}_out") } else { shown });
        self.renamed.insert(value.name.clone(), shown.clone());
        self.model.outputs.push((shown, value.ty));
        Ok(())
    }

    pub fn finish(mut self) -> Exported {
        let Self { model, renamed, .. } = &mut self;
        let mut read = HashSet::new();
        model.for_each_node(&mut |node| {
            for name in node.inputs.iter_mut().chain(&mut node.outputs) {
                if let Some(shown) = renamed.get(name) {
                    name.clone_from(shown);
                }
            }
            read.extend(node.inputs.iter().cloned());
        });
        // Constants that were folded away.
        self.model.initializers.retain(|(name, _, _)| read.contains(name));
        self.model
    }

    /// A name that the graph does not have yet.
    pub fn unique(&mut self, name: String) -> String {
        let mut found = name.clone();
        while !self.used.insert(found.clone()) {
            self.next += 1;
            found = format!("{name}_{}", self.next);
        }
        found
    }

    /// A node with one output, a tensor of the sizes `stored` that broadcasts to a value of a type.
    pub fn emit(
        &mut self,
        operator: &'static str,
        inputs: &[&str],
        attributes: Vec<(&'static str, Attribute)>,
        stored: &[usize],
        ty: &Type,
    ) -> Value {
        self.emit_all(operator, inputs, attributes, &[(stored, ty)]).remove(0)
    }

    /// A node with several outputs.
    pub fn emit_all(
        &mut self,
        operator: &'static str,
        inputs: &[&str],
        attributes: Vec<(&'static str, Attribute)>,
        results: &[(&[usize], &Type)],
    ) -> Vec<Value> {
        let results: Vec<Value> = results
            .iter()
            .map(|&(stored, ty)| {
                self.next += 1;
                let name = self.unique(format!("{}_{}", operator.to_lowercase(), self.next));
                Value { name, stored: stored.to_vec(), ty: ty.clone() }
            })
            .collect();
        let inputs = inputs.iter().map(|&name| name.to_owned()).collect();
        let outputs = results.iter().map(|value| value.name.clone()).collect();
        self.model.nodes.push(Node { operator, inputs, outputs, attributes });
        results
    }

    /// A constant of these bytes.
    pub fn bytes(&mut self, ty: Type, bytes: Vec<u8>) -> String {
        let key = (ty.element.number(), ty.sizes.clone(), bytes);
        if let Some(name) = self.constants.get(&key) {
            return name.clone();
        }
        self.next += 1;
        let name = self.unique(format!("constant_{}", self.next));
        self.model.initializers.push((name.clone(), ty, key.2.clone()));
        self.constants.insert(key, name.clone());
        name
    }

    /// A list of integers, an input of operators that take sizes or axes.
    pub fn integers(&mut self, numbers: &[i64]) -> String {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(Type::new(&[numbers.len()], Element::I64), bytes)
    }

    /// A value all of whose elements are a number.
    pub fn number(&mut self, number: f64, sizes: &[usize], element: Element) -> Value {
        let name = self.bytes(Type::new(&[], element), element.bytes_of(number));
        Value { name, stored: Vec::new(), ty: Type::new(sizes, element) }
    }

    /// The value as a tensor of its own sizes.
    pub fn full(&mut self, value: &Value) -> Value {
        if value.stored == value.ty.sizes {
            return value.clone();
        }
        let sizes: Vec<i64> = value.sizes().iter().map(|&size| size as i64).collect();
        let sizes = self.integers(&sizes);
        // Not all runtimes stretch elements of 16 bits or truth values.
        let wide = self.movable(value);
        let ty = wide.ty.clone();
        let stretched = self.emit("Expand", &[&wide.name, &sizes], Vec::new(), &ty.sizes, &ty);
        self.cast(&stretched, value.element())
    }

    /// The value in an element type that the runtimes move.
    pub fn movable(&mut self, value: &Value) -> Value {
        match value.element() {
            Element::Bf16 | Element::F16 => self.cast(value, Element::F32),
            Element::I8 | Element::I16 | Element::U16 | Element::Bool => {
                self.cast(value, Element::I32)
            }
            _ => value.clone(),
        }
    }

    pub fn cast(&mut self, value: &Value, element: Element) -> Value {
        if value.element() == element {
            return value.clone();
        }
        let ty = Type::new(value.sizes(), element);
        let to = vec![("to", Attribute::Int(element.number() as i64))];
        self.emit("Cast", &[&value.name], to, &value.stored, &ty)
    }

    /// A node on values that broadcast to the same sizes, whose results have this element type.
    pub fn on_elements(&mut self, operator: &'static str, x: &[&Value], element: Element) -> Value {
        self.on_elements_with(operator, x, Vec::new(), element)
    }

    pub fn on_elements_with(
        &mut self,
        operator: &'static str,
        x: &[&Value],
        attributes: Vec<(&'static str, Attribute)>,
        element: Element,
    ) -> Value {
        let rank = x.iter().map(|value| value.stored.len()).max().unwrap_or(0);
        let mut stored = vec![1; rank];
        for value in x {
            for (size, &of_value) in
                stored[rank - value.stored.len()..].iter_mut().zip(&value.stored)
            {
                if of_value != 1 {
                    *size = of_value;
                }
            }
        }
        let names: Vec<&str> = x.iter().map(|value| &value.name[..]).collect();
        self.emit(operator, &names, attributes, &stored, &Type::new(x[0].sizes(), element))
    }

    /// The value as a tensor of its rank, which may be stretched.
    pub fn of_rank(&mut self, value: &Value) -> Value {
        if value.stored.len() == value.ty.rank() {
            return value.clone();
        }
        let missing = value.ty.rank() - value.stored.len();
        let sizes: Vec<usize> =
            std::iter::repeat_n(1, missing).chain(value.stored.iter().copied()).collect();
        self.stored_as(value, &sizes, &value.ty)
    }

    /// The tensor of a value in other sizes, which broadcasts to a type.
    pub fn stored_as(&mut self, value: &Value, stored: &[usize], ty: &Type) -> Value {
        if value.stored == stored {
            return Value { ty: ty.clone(), ..value.clone() };
        }
        let sizes: Vec<i64> = stored.iter().map(|&size| size as i64).collect();
        let sizes = self.integers(&sizes);
        // Where a size is 0, it is one, and not that of the operand.
        let attributes = match stored.contains(&0) {
            true => vec![("allowzero", Attribute::Int(1))],
            false => Vec::new(),
        };
        self.emit("Reshape", &[&value.name, &sizes], attributes, stored, ty)
    }

    pub fn reshape(&mut self, value: &Value, sizes: &[usize]) -> Value {
        let ty = Type::new(sizes, value.element());
        if value.stored.iter().all(|&size| size == 1) && !value.sizes().contains(&0) {
            let scalar = self.stored_as(value, &[], &Type::new(&[], ty.element));
            return Value { ty, ..scalar };
        }
        let full = self.full(value);
        self.stored_as(&full, sizes, &ty)
    }

    pub fn transpose(&mut self, value: &Value, order: &[usize]) -> Value {
        let pick = |sizes: &[usize]| order.iter().map(|&axis| sizes[axis]).collect::<Vec<_>>();
        let ty = Type::new(&pick(value.sizes()), value.element());
        if value.stored.is_empty() {
            return Value { ty, ..value.clone() };
        }
        let value = self.of_rank(value);
        let permutation = order.iter().map(|&axis| axis as i64).collect();
        let attributes = vec![("perm", Attribute::Ints(permutation))];
        self.emit("Transpose", &[&value.name], attributes, &pick(&value.stored), &ty)
    }
}
