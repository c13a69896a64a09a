//! Elements at positions that depend on elements, and the order of elements.

use tensor_onnx::stablehlo::{Element, Operation, Region, Type};

use super::{Lowering, Value};
use crate::expression::{Expression, Index, Kind, Node, View};
use crate::steps::{LoopKind, Place, Target};

const GATHER: &str = "dimension_numbers";
const SCATTER: &str = "scatter_dimension_numbers";

/// The axes of a tensor of indices without that of the components of an index, and one component.
fn component(indices: &Value, vector: usize, number: usize) -> (Vec<usize>, Value) {
    let axes: Vec<usize> = (0..indices.ty.rank()).filter(|&axis| axis != vector).collect();
    if vector >= indices.ty.rank() {
        return (axes, indices.clone());
    }
    let mut starts = vec![0; indices.ty.rank()];
    starts[vector] = number as i64;
    let node = indices.node.sliced(&starts, &vec![1; starts.len()]);
    let mut sizes = indices.ty.sizes.clone();
    sizes[vector] = 1;
    (axes, Value { ty: Type::new(&sizes, indices.element()), node })
}

impl Lowering {
    pub fn gather(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, indices] = x else { return Err("it has not two operands".to_owned()) };
        let ty = &operation.results[0];
        let of = |name: &str| operation.within(GATHER, name);
        let (offsets, collapsed) = (of("offset_dims")?, of("collapsed_slice_dims")?);
        let (map, vector) = (of("start_index_map")?, of("index_vector_dim")?);
        let window = operation.usizes("slice_sizes")?;
        let vector = vector.first().copied().unwrap_or(indices.ty.rank());
        let indices = self.leaf(indices);
        let axes: Vec<usize> = (0..x.ty.rank()).filter(|axis| !collapsed.contains(axis)).collect();
        // The axis of the operand, and that of the indices, along which each axis of the result moves.
        let of_x = |axis: usize| offsets.iter().position(|&to| to == axis).map(|from| axes[from]);
        let of_x: Vec<Option<usize>> = (0..ty.rank()).map(of_x).collect();
        let spread = |value: &Value, axes: &[usize]| {
            let mut batch = axes.iter();
            let from: Vec<Option<usize>> = of_x
                .iter()
                .map(|of_x| if of_x.is_some() { None } else { batch.next().copied() })
                .collect();
            value.node.spread(&from)
        };
        let (buffer, view) = self.forward(x);
        let targets = map.iter().enumerate().map(|(number, &axis)| {
            let (batch, of_component) = component(&indices, vector, number);
            let node = spread(&of_component, &batch);
            Index { node, stride: view.strides[axis], last: x.sizes()[axis] - window[axis] }
        });
        let targets: Vec<Index> = targets.collect();
        let strides = of_x.iter().map(|axis| axis.map_or(0, |axis| view.strides[axis])).collect();
        let view = View { offset: view.offset, strides };
        let node = Expression::indexed(ty.element, buffer, view, targets);
        Ok(Value { ty: ty.clone(), node })
    }

    /// The buffer and the view of a tensor whose strides are not negative.
    pub fn forward(&mut self, x: &Value) -> (usize, View) {
        let (buffer, view) = self.view(x);
        if view.strides.iter().all(|&stride| stride >= 0) {
            return (buffer, view);
        }
        let copy = self.copied("copy", x);
        self.view(&copy)
    }

    pub fn dynamic_slice(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, starts @ ..] = x else { return Err("it has no operand".to_owned()) };
        let ty = &operation.results[0];
        if matches!(x.node.kind, Kind::Number(_)) {
            return Ok(Value { ty: ty.clone(), node: x.node.clone() });
        }
        let (buffer, view) = self.forward(x);
        let mut indices = Vec::new();
        for (axis, start) in starts.iter().enumerate() {
            let last = x.sizes()[axis] - ty.sizes[axis];
            if last > 0 {
                let node = self.leaf(start).node.spread(&vec![None; ty.rank()]);
                indices.push(Index { node, stride: view.strides[axis], last });
            }
        }
        let node = Expression::indexed(ty.element, buffer, view, indices);
        Ok(Value { ty: ty.clone(), node })
    }

    pub fn dynamic_update_slice(
        &mut self,
        operation: &Operation,
        x: &[Value],
    ) -> Result<Value, String> {
        let [x, updates, starts @ ..] = x else { return Err("it has no operands".to_owned()) };
        let rank = x.ty.rank();
        let view = View::row_major(x.sizes());
        let mut indices = Vec::new();
        for (axis, start) in starts.iter().enumerate() {
            let last = x.sizes()[axis] - updates.sizes()[axis];
            if last > 0 {
                let node = self.leaf(start).node.spread(&vec![None; rank]);
                let template = format!("($0 as i64).clamp(0, {last})");
                let node = Expression::call(Element::I64, "clamp", template, vec![node]);
                indices.push(Target { node, stride: view.strides[axis], count: last + 1 });
            }
        }
        let ty = Type::new(&[], x.element());
        let arguments = ["%a", "%b"].map(|name| (name.to_owned(), ty.clone()));
        let by = Region {
            arguments: arguments.to_vec(),
            operations: Vec::new(),
            results: vec!["%b".to_owned()],
        };
        Ok(self.scattered(&operation.name, x, updates, view.strides, indices, &by))
    }

    /// The tensor with updates combined with its elements, at the strides of their axes and at indices.
    fn scattered(
        &mut self,
        name: &str,
        x: &Value,
        updates: &Value,
        strides: Vec<i64>,
        indices: Vec<Target>,
        by: &Region,
    ) -> Value {
        // What the loop reads is not what it writes.
        let updates = self.leaf(updates);
        let out = self.buffer(x.element(), x.ty.len(), Place::Workspace);
        self.write(name, x, out, View::row_major(x.sizes()));
        if updates.ty.len() > 0 {
            let kind = LoopKind::Scatter {
                sizes: updates.ty.sizes.clone(),
                updates: updates.node,
                view: View { offset: 0, strides },
                indices,
                by: by.clone(),
            };
            self.push(name, out, kind);
        }
        self.whole(out, x.sizes())
    }

    pub fn scatter(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, indices, updates] = x else { return Err("it has not three operands".to_owned()) };
        let by = operation.regions.first().ok_or("it has no region")?;
        let of = |name: &str| operation.within(SCATTER, name);
        let (windows, inserted) = (of("update_window_dims")?, of("inserted_window_dims")?);
        let (map, vector) = (of("scatter_dims_to_operand_dims")?, of("index_vector_dim")?);
        let vector = vector.first().copied().unwrap_or(indices.ty.rank());
        let indices = self.leaf(indices);
        let axes: Vec<usize> = (0..x.ty.rank()).filter(|axis| !inserted.contains(axis)).collect();
        let of_x = |axis: usize| windows.iter().position(|&to| to == axis).map(|from| axes[from]);
        let of_x: Vec<Option<usize>> = (0..updates.ty.rank()).map(of_x).collect();
        let view = View::row_major(x.sizes());
        let strides = of_x.iter().map(|axis| axis.map_or(0, |axis| view.strides[axis])).collect();
        let targets = map.iter().enumerate().map(|(number, &axis)| {
            let (batch, of_component) = component(&indices, vector, number);
            let mut batch = batch.into_iter();
            let from: Vec<Option<usize>> =
                of_x.iter().map(|of_x| if of_x.is_some() { None } else { batch.next() }).collect();
            let window = windows
                .iter()
                .zip(&axes)
                .find(|(_, other)| **other == axis)
                .map_or(1, |(&of_updates, _)| updates.sizes()[of_updates]);
            Target {
                node: of_component.node.spread(&from),
                stride: view.strides[axis],
                count: (x.sizes()[axis] + 1).saturating_sub(window),
            }
        });
        let targets = targets.collect();
        Ok(self.scattered(&operation.name, x, updates, strides, targets, by))
    }

    pub fn sort(&mut self, operation: &Operation, x: &[Value]) -> Result<Vec<Value>, String> {
        let by = operation.regions.first().ok_or("it has no region")?;
        let axis = operation.integer("dimension")? as usize;
        let [keys, rest @ ..] = x else { return Err("it has no operand".to_owned()) };
        let last = keys.ty.rank() - 1;
        // The axis last, and back.
        let mut order: Vec<usize> = (0..=last).collect();
        order.remove(axis);
        order.push(axis);
        let mut back = vec![0; order.len()];
        order.iter().enumerate().for_each(|(to, &from)| back[from] = to);
        let is_numbers = |value: &Value| match &value.node.kind {
            Kind::Iota { view } => {
                let moves = |(other, &stride): (usize, &i64)| stride == i64::from(other == axis);
                view.offset == 0 && view.strides.iter().enumerate().all(moves)
            }
            _ => false,
        };
        if !rest.iter().all(is_numbers) {
            return Err("of other tensors than elements and their indices".to_owned());
        }
        let moved = self.transposed(keys, &order);
        let view = self.forward(&moved);
        let out = self.buffer(Element::I64, keys.ty.len(), Place::Workspace);
        let kind =
            LoopKind::Order { sizes: moved.ty.sizes.clone(), x: view.clone(), by: by.clone() };
        self.push("sort", out, kind);
        let numbers = self.whole(out, &moved.ty.sizes);
        let strides = (0..=last).map(|axis| if axis == last { 0 } else { view.1.strides[axis] });
        let of_lanes = View { offset: view.1.offset, strides: strides.collect() };
        let (stride, size) = (view.1.strides[last], moved.sizes()[last]);
        let index = |node: Node| Index { node, stride, last: size - 1 };
        let targets = vec![index(numbers.node.clone())];
        let sorted = Expression::indexed(keys.element(), view.0, of_lanes, targets);
        let sorted = Value { ty: moved.ty.clone(), node: sorted };
        let mut results = vec![self.transposed(&sorted, &back)];
        for value in rest {
            let ty = Type::new(moved.sizes(), value.element());
            let number = match value.element() {
                Element::I64 => numbers.clone(),
                other => self.call(
                    "convert",
                    format!("$0 as {}", other.name()),
                    ty.clone(),
                    std::slice::from_ref(&numbers),
                ),
            };
            results.push(self.transposed(&number, &back));
        }
        Ok(results)
    }
}
