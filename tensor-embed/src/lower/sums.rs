//! Reductions and products.

use tensor_onnx::stablehlo::{Element, Operation, ProductAttributes, Region, Type};

use super::{Lowering, Value};
use crate::expression::{Expression, Kind, Node};
use crate::scalar;
use crate::steps::{LoopKind, Place};

/// The literal that an operand is.
pub fn literal_of(node: &Node) -> Result<String, String> {
    match &node.kind {
        Kind::Number(literal) => Ok(literal.clone()),
        _ => Err("it starts with an element that is computed".to_owned()),
    }
}

/// The start of a sum of some elements: -0.0, so that a sum of numbers that are all -0.0 is that.
pub fn start_of(by: &Region, start: String) -> String {
    match (by.combines(), start.strip_prefix("0.0_")) {
        (Some("add"), Some(ty)) => format!("-0.0_{ty}"),
        _ => start,
    }
}

impl Lowering {
    pub fn reduce(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, start] = x else { return Err("a reduction of several tensors".to_owned()) };
        let by = operation.regions.first().ok_or("it has no region")?;
        let start = literal_of(&start.node)?;
        let name = by.combines().ok_or("a reduction by more than one operation")?;
        if !scalar::is_neutral(name, &start) {
            return Err(format!("by `{name}` from `{start}` on, which changes the result"));
        }
        let axes = operation.usizes("dimensions")?;
        let start = if x.ty.len() == 0 { start } else { start_of(by, start) };
        Ok(if axes.is_empty() { x.clone() } else { self.reduced(x, &axes, by, start) })
    }

    /// The elements along axes combined, which are removed.
    fn reduced(&mut self, x: &Value, axes: &[usize], by: &Region, start: String) -> Value {
        let kept = (0..x.ty.rank()).filter(|axis| !axes.contains(axis));
        let sizes: Vec<usize> = kept.map(|axis| x.sizes()[axis]).collect();
        let ty = Type::new(&sizes, x.element());
        if x.ty.len() == 0 {
            return Value { node: Expression::number(ty.element, start), ty };
        }
        let out = self.buffer(ty.element, ty.len(), Place::Workspace);
        let kind = LoopKind::Reduce {
            sizes: x.ty.sizes.clone(),
            axes: axes.to_vec(),
            node: x.node.clone(),
            by: by.clone(),
            start,
        };
        self.push("reduce", out, kind);
        self.whole(out, &sizes)
    }

    /// The sum of the products of two tensors of the same sizes along the last axes.
    pub fn sum_of_products(&mut self, x: [&Value; 2], axes: usize) -> Value {
        let element = x[0].element();
        let times = if element.is_float() { "$0 * $1" } else { "$0.wrapping_mul($1)" };
        let products =
            self.call("multiply", times.to_owned(), x[0].ty.clone(), &[x[0].clone(), x[1].clone()]);
        let rank = products.ty.rank();
        let zero = self.zeros(&[], element);
        let start = literal_of(&zero.node).expect("a number");
        self.reduced(&products, &(rank - axes..rank).collect::<Vec<_>>(), &sum_of(element), start)
    }

    pub fn dot(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [left, right] = x else { return Err("it has not two operands".to_owned()) };
        let ty = &operation.results[0];
        let ProductAttributes { batch, summed, free: [rows, columns] } =
            ProductAttributes::of(operation, [left.ty.rank(), right.ty.rank()])?;
        if left.ty.len() == 0 || right.ty.len() == 0 {
            return Ok(self.zeros(&ty.sizes, ty.element));
        }
        let count = |value: &Value, axes: &[usize]| -> usize {
            axes.iter().map(|&axis| value.sizes()[axis]).product()
        };
        let of_batch: Vec<usize> = batch[0].iter().map(|&axis| left.sizes()[axis]).collect();
        let (m, n) = (count(left, &rows), count(right, &columns));
        let k = count(left, &summed[0]);
        let left = self.leaf(left);
        let right = self.leaf(right);
        let a = self.transposed(&left, &[&batch[0][..], &rows, &summed[0]].concat());
        let b = self.transposed(&right, &[&batch[1][..], &summed[1], &columns].concat());
        let mut a = self.reshaped(&a, &[&of_batch[..], &[m, k]].concat());
        let mut b = self.reshaped(&b, &[&of_batch[..], &[k, n]].concat());
        let sizes = [&of_batch[..], &[m, n]].concat();
        if ty.element != Element::F32 {
            // [..batch, m, n, k] of each.
            let lead = of_batch.len();
            let mut of_a: Vec<Option<usize>> = (0..=lead).map(Some).collect();
            of_a.extend([None, Some(lead + 1)]);
            let mut of_b: Vec<Option<usize>> = (0..lead).map(Some).collect();
            of_b.extend([None, Some(lead + 1), Some(lead)]);
            let ty = Type::new(&[&sizes[..], &[k]].concat(), ty.element);
            a = Value { ty: ty.clone(), node: a.node.spread(&of_a) };
            b = Value { ty, node: b.node.spread(&of_b) };
            let sum = self.sum_of_products([&a, &b], 1);
            return Ok(self.reshaped(&sum, &operation.results[0].sizes));
        }
        let mut contiguous = |value: &Value| {
            let (buffer, view) = self.view(value);
            let last = value.ty.rank() - 1;
            let is_forward = view.strides.iter().all(|&stride| stride >= 0);
            if is_forward && (view.strides[last] == 1 || value.sizes()[last] == 1) {
                return (buffer, view);
            }
            let copy = self.copied("copy", value);
            self.view(&copy)
        };
        let (a, b) = (contiguous(&a), contiguous(&b));
        let out = self.buffer(ty.element, ty.len(), Place::Workspace);
        self.push("dot_general", out, LoopKind::Product { batch: of_batch, m, k, n, a, b });
        let product = self.whole(out, &sizes);
        Ok(self.reshaped(&product, &ty.sizes))
    }
}

/// The region that adds two elements.
fn sum_of(element: Element) -> Region {
    let ty = Type::new(&[], element);
    let names = ["%a", "%b"].map(str::to_owned);
    let add = Operation {
        result: "%c".to_owned(),
        count: 1,
        name: "add".to_owned(),
        operands: names.to_vec(),
        regions: Vec::new(),
        attributes: Vec::new(),
        results: vec![ty.clone()],
    };
    let arguments = names.into_iter().map(|name| (name, ty.clone())).collect();
    Region { arguments, operations: vec![add], results: vec!["%c".to_owned()] }
}
