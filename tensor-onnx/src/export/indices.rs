//! Operations by indices, and order.

use super::attributes::inverse;
use super::graph::{Graph, Value};
use super::text::{Operation, Type};
use super::write::Attribute;
use crate::element::Element;

const GATHER: &str = "dimension_numbers";
const SCATTER: &str = "scatter_dimension_numbers";

impl Graph {
    pub fn gather(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, indices] = x else { return Err("it has not two operands".to_owned()) };
        let [collapsed, map, vector] =
            ["collapsed_slice_dims", "start_index_map", "index_vector_dim"]
                .map(|name| operation.within(GATHER, name));
        let (collapsed, map, vector) = (collapsed?, map?, vector?);
        let window = operation.usizes("slice_sizes")?;
        let is_whole = |axis: &usize| collapsed.contains(axis) || window[*axis] == x.sizes()[*axis];
        if collapsed != map
            || collapsed.iter().any(|&axis| window[axis] != 1)
            || !(0..x.ty.rank()).all(|axis| is_whole(&axis))
        {
            return Err("slices of more than one element at an index".to_owned());
        }
        let ty = &operation.results[0];
        let (x, indices) = (self.full(x), self.full(indices));
        if let [axis] = collapsed[..]
            && vector == [indices.ty.rank()]
        {
            let axis = vec![("axis", Attribute::Int(axis as i64))];
            return Ok(self.emit("Gather", &[&x.name, &indices.name], axis, &ty.sizes, ty));
        }
        if collapsed.len() == x.ty.rank() && vector == [indices.ty.rank() - 1] {
            return Ok(self.emit("GatherND", &[&x.name, &indices.name], Vec::new(), &ty.sizes, ty));
        }
        Err("indices in this layout".to_owned())
    }

    pub fn scatter(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, indices, updates] = x else {
            return Err("a scatter of several tensors".to_owned());
        };
        let region = operation.regions.first().ok_or("it has no region")?;
        let reduction = match region.combines() {
            Some("second") => "none",
            Some("add") => "add",
            Some("multiply") => "mul",
            Some("maximum") => "max",
            Some("minimum") => "min",
            _ => return Err("updates that are combined by more than one operation".to_owned()),
        };
        let [inserted, map, vector, windows] = [
            "inserted_window_dims",
            "scatter_dims_to_operand_dims",
            "index_vector_dim",
            "update_window_dims",
        ]
        .map(|name| operation.within(SCATTER, name));
        let (inserted, map, vector, windows) = (inserted?, map?, vector?, windows?);
        if updates.ty.len() == 0 {
            return Ok(x.clone());
        }
        let [x, indices, updates] = [x, indices, updates].map(|value| self.full(value));
        if inserted.len() == x.ty.rank() && map == inserted && vector == [indices.ty.rank() - 1] {
            return Ok(self.scattered(&x, &indices, &updates, reduction));
        }
        let [axis] = inserted[..] else { return Err("indices in this layout".to_owned()) };
        if map != [axis]
            || vector != [1]
            || indices.ty.rank() != 1
            || windows.len() + 1 != x.ty.rank()
        {
            return Err("indices in this layout".to_owned());
        }
        // The axis first, and back.
        let mut order: Vec<usize> = (0..x.ty.rank()).collect();
        order.remove(axis);
        order.insert(0, axis);
        let (moved, rows) = (self.transpose(&x, &order), self.transpose(&updates, &order));
        let indices = self.reshape(&indices, &[indices.ty.len(), 1]);
        let indices = self.full(&indices);
        let result = self.scattered(&moved, &indices, &rows, reduction);
        Ok(self.transpose(&result, &inverse(&order)))
    }

    /// The tensor with values at indices along its first axes, combined with the elements there.
    pub fn scattered(
        &mut self,
        x: &Value,
        indices: &Value,
        updates: &Value,
        reduction: &'static str,
    ) -> Value {
        let element = x.element();
        let (x, updates) = match (reduction, element) {
            ("none", _) | (_, Element::F32 | Element::F64 | Element::I32 | Element::I64) => {
                (x.clone(), updates.clone())
            }
            (_, Element::F16 | Element::Bf16) => {
                (self.cast(x, Element::F32), self.cast(updates, Element::F32))
            }
            _ => (self.cast(x, Element::I64), self.cast(updates, Element::I64)),
        };
        let attributes = if reduction == "none" {
            Vec::new()
        } else {
            vec![("reduction", Attribute::Text(reduction))]
        };
        let names = [&x.name[..], &indices.name, &updates.name];
        let result = self.emit("ScatterND", &names, attributes, x.sizes(), &x.ty);
        self.cast(&result, element)
    }

    /// The order of elements along an axis, and their indices; equal ones keep theirs.
    pub fn sort(&mut self, operation: &Operation, x: &[Value]) -> Result<Vec<Value>, String> {
        let [x, numbers] = x else {
            return Err("it does not order elements with their indices".to_owned());
        };
        let region = operation.regions.first().ok_or("it has no region")?;
        let first = region
            .operations
            .first()
            .and_then(|first| first.attribute("comparison_direction").ok());
        let descending = match first {
            Some(direction) if direction.contains("GT") => true,
            Some(direction) if direction.contains("LT") => false,
            _ => return Err("an order by another comparison".to_owned()),
        };
        let axis = operation.integer("dimension")? as usize;
        let element = x.element();
        let wide = match element {
            Element::F32 | Element::F64 | Element::I32 | Element::I64 => element,
            Element::F16 | Element::Bf16 => Element::F32,
            Element::U64 => {
                return Err(
                    "runtimes of ONNX do not order integers of 64 bits without a sign".to_owned()
                );
            }
            _ => Element::I64,
        };
        let x = self.full(x);
        let mut key = self.cast(&x, wide);
        if wide.is_float() {
            // NaN is the largest: first by the numbers, in which it is infinite, then by whether it is NaN.
            let (nan, infinity) = (self.is("IsNaN", &key), self.like(f64::INFINITY, &key));
            key = self.select(&nan, &infinity, &key);
            let of_nan = self.cast(&nan, Element::I32);
            let by_number = self.order(&key, axis, descending);
            let of_nan = self.along("GatherElements", &of_nan, &by_number, axis);
            let by_nan = self.order(&of_nan, axis, descending);
            let order = self.along("GatherElements", &by_number, &by_nan, axis);
            let sorted = self.along("GatherElements", &x, &order, axis);
            return Ok(vec![sorted, self.cast(&order, numbers.element())]);
        }
        let order = self.order(&key, axis, descending);
        let sorted = self.along("GatherElements", &x, &order, axis);
        Ok(vec![sorted, self.cast(&order, numbers.element())])
    }

    fn along(&mut self, operator: &'static str, x: &Value, indices: &Value, axis: usize) -> Value {
        let axis = vec![("axis", Attribute::Int(axis as i64))];
        self.emit(operator, &[&x.name, &indices.name], axis, x.sizes(), &x.ty)
    }

    /// The indices of elements in order, of which equal ones keep theirs.
    fn order(&mut self, key: &Value, axis: usize, descending: bool) -> Value {
        let (size, ty) = (key.sizes()[axis], Type::new(key.sizes(), Element::I64));
        let k = self.integers(&[size as i64]);
        let attributes = vec![
            ("axis", Attribute::Int(axis as i64)),
            ("largest", Attribute::Int(i64::from(descending))),
        ];
        let results = [(key.sizes(), &key.ty), (key.sizes(), &ty)];
        self.emit_all("TopK", &[&key.name, &k], attributes, &results).remove(1)
    }
}
