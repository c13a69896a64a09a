//! Constants, and operations that move elements.

use super::graph::{Graph, Value};
use super::text::{Operation, Type};
use super::write::Attribute;
use crate::element::Element;

impl Graph {
    pub fn constant(&mut self, operation: &Operation) -> Result<Value, String> {
        let ty = operation.results[0].clone();
        let bytes = operation.elements()?;
        let is_scalar = bytes.len() == ty.element.bytes();
        let stored = if is_scalar { Vec::new() } else { ty.sizes.clone() };
        let name = self.bytes(Type::new(&stored, ty.element), bytes);
        Ok(Value { name, stored, ty })
    }

    pub fn iota(&mut self, operation: &Operation) -> Result<Value, String> {
        let axis = operation.integer("iota_dimension")? as usize;
        Ok(self.numbers(&operation.results[0], axis))
    }

    /// 0, 1 … along an axis of a value of integers.
    pub fn numbers(&mut self, ty: &Type, axis: usize) -> Value {
        let size = ty.sizes[axis];
        let bytes = (0..size).flat_map(|number| (number as i64).to_le_bytes()).collect();
        let mut stored = vec![1; ty.rank() - axis];
        stored[0] = size;
        let of_numbers = Type::new(&stored, Element::I64);
        let name = self.bytes(of_numbers, bytes);
        let value = Value { name, stored, ty: Type::new(&ty.sizes, Element::I64) };
        self.cast(&value, ty.element)
    }

    pub fn broadcast_in(&mut self, operation: &Operation, x: &Value) -> Result<Value, String> {
        let (axes, ty) = (operation.usizes("broadcast_dimensions")?, &operation.results[0]);
        if x.stored.is_empty() {
            return Ok(Value { ty: ty.clone(), ..x.clone() });
        }
        let x = self.of_rank(x);
        if axes.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err("axes that are moved".to_owned());
        }
        let first = axes.first().copied().unwrap_or(0);
        let mut stored = vec![1; ty.rank() - first];
        for (&axis, &size) in axes.iter().zip(&x.stored) {
            stored[axis - first] = size;
        }
        Ok(self.stored_as(&x, &stored, ty))
    }

    pub fn slice(&mut self, operation: &Operation, x: &Value) -> Result<Value, String> {
        let [starts, ends, steps] =
            ["start_indices", "limit_indices", "strides"].map(|name| operation.integers(name));
        Ok(self.sliced(x, &starts?, &ends?, &steps?))
    }

    /// The elements of each axis from `starts` to before `ends`.
    pub fn sliced(&mut self, x: &Value, starts: &[i64], ends: &[i64], steps: &[i64]) -> Value {
        let len = |(&size, &axis_len): (&usize, &usize)| if size == 1 { 1 } else { axis_len };
        let of_axis = |axis: usize| {
            ((ends[axis] - starts[axis] + steps[axis] - 1) / steps[axis]).max(0) as usize
        };
        let sizes: Vec<usize> = (0..starts.len()).map(of_axis).collect();
        let ty = Type::new(&sizes, x.element());
        if x.stored.is_empty() || sizes.contains(&0) {
            return match sizes.contains(&0) {
                true => self.number(0.0, &sizes, x.element()),
                false => Value { ty, ..x.clone() },
            };
        }
        // What is stretched stays so.
        let x = self.of_rank(x);
        let cut: Vec<usize> = (0..sizes.len())
            .filter(|&axis| {
                x.stored[axis] != 1 && (starts[axis] != 0 || sizes[axis] != x.stored[axis])
            })
            .collect();
        if cut.is_empty() {
            return Value { ty, ..x };
        }
        let stored: Vec<usize> = x.stored.iter().zip(&sizes).map(len).collect();
        let of_cut = |numbers: &[i64]| cut.iter().map(|&axis| numbers[axis]).collect::<Vec<_>>();
        let axes: Vec<i64> = cut.iter().map(|&axis| axis as i64).collect();
        let inputs =
            [of_cut(starts), of_cut(ends), axes, of_cut(steps)].map(|list| self.integers(&list));
        let [starts, ends, axes, steps] = inputs.each_ref().map(|name| &name[..]);
        self.emit("Slice", &[&x.name, starts, ends, axes, steps], Vec::new(), &stored, &ty)
    }

    pub fn concat(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let axis = operation.integer("dimension")?;
        let parts: Vec<Value> =
            x.iter().filter(|part| part.ty.len() > 0).map(|part| self.full(part)).collect();
        let ty = &operation.results[0];
        match &parts[..] {
            [] => Ok(self.number(0.0, &ty.sizes, ty.element)),
            [part] => Ok(part.clone()),
            _ => {
                let names: Vec<&str> = parts.iter().map(|part| &part.name[..]).collect();
                Ok(self.emit("Concat", &names, vec![("axis", Attribute::Int(axis))], &ty.sizes, ty))
            }
        }
    }

    pub fn pad_operation(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, fill] = x else { return Err("it has not two operands".to_owned()) };
        let [low, high, between] = ["edge_padding_low", "edge_padding_high", "interior_padding"]
            .map(|name| operation.integers(name));
        let (low, high, between) = (low?, high?, between?);
        if operation.results[0].sizes.contains(&0) || x.ty.len() == 0 {
            return Ok(Value { ty: operation.results[0].clone(), ..fill.clone() });
        }
        let mut x = self.full(x);
        for axis in (0..between.len()).filter(|&axis| between[axis] > 0) {
            x = self.spread(&x, axis, between[axis] as usize, fill);
        }
        Ok(self.padded(&x, fill, &low, &high))
    }

    /// The elements along an axis with some elements between two of them.
    pub fn spread(&mut self, x: &Value, axis: usize, between: usize, fill: &Value) -> Value {
        let mut sizes = x.sizes().to_vec();
        sizes.insert(axis + 1, 1);
        let split = self.reshape(x, &sizes);
        let split = self.full(&split);
        let (low, mut high) = (vec![0; sizes.len()], vec![0; sizes.len()]);
        high[axis + 1] = between as i64;
        let padded = self.padded(&split, fill, &low, &high);
        let mut sizes = x.sizes().to_vec();
        sizes[axis] *= between + 1;
        let joined = self.reshape(&padded, &sizes);
        let (starts, steps) = (vec![0; sizes.len()], vec![1; sizes.len()]);
        let mut ends: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
        ends[axis] -= between as i64;
        self.sliced(&joined, &starts, &ends, &steps)
    }

    /// The tensor with elements before and after each axis; less of them where a number is negative.
    pub fn padded(&mut self, x: &Value, fill: &Value, low: &[i64], high: &[i64]) -> Value {
        let cut =
            |amounts: &[i64]| amounts.iter().map(|&amount| (-amount).max(0)).collect::<Vec<_>>();
        let (starts, from_end) = (cut(low), cut(high));
        let ends: Vec<i64> =
            x.sizes().iter().zip(&from_end).map(|(&size, cut)| size as i64 - cut).collect();
        // An axis may lose all of its elements, and get new ones.
        let is_gone = starts.iter().zip(&ends).any(|(start, end)| start >= end);
        let sizes: Vec<usize> = (0..low.len())
            .map(|axis| (x.sizes()[axis] as i64 + low[axis] + high[axis]) as usize)
            .collect();
        let ty = Type::new(&sizes, x.element());
        if is_gone {
            return Value { ty, ..fill.clone() };
        }
        let x = self.sliced(x, &starts, &ends, &vec![1; low.len()]);
        let (low, high): (Vec<i64>, Vec<i64>) =
            low.iter().zip(high).map(|(&low, &high)| (low.max(0), high.max(0))).unzip();
        if low.iter().chain(&high).all(|&amount| amount == 0) {
            return x;
        }
        let x = self.full(&x);
        let (wide, fill) = (self.movable(&x), self.movable(fill));
        let amounts = self.integers(&[low, high].concat());
        let ty_wide = Type::new(&sizes, wide.element());
        let padded =
            self.emit("Pad", &[&wide.name, &amounts, &fill.name], Vec::new(), &sizes, &ty_wide);
        self.cast(&padded, ty.element)
    }

    pub fn reverse(&mut self, x: &Value, axes: &[usize]) -> Value {
        if x.ty.len() == 0 || x.stored.is_empty() {
            return x.clone();
        }
        let x = self.of_rank(x);
        let axes: Vec<i64> =
            axes.iter().filter(|&&axis| x.stored[axis] > 1).map(|&axis| axis as i64).collect();
        if axes.is_empty() {
            return x;
        }
        let lists =
            [vec![-1; axes.len()], vec![i64::MIN; axes.len()], axes.clone(), vec![-1; axes.len()]];
        let lists = lists.map(|list| self.integers(&list));
        let [starts, ends, axes, steps] = lists.each_ref().map(|name| &name[..]);
        self.emit("Slice", &[&x.name, starts, ends, axes, steps], Vec::new(), &x.stored, &x.ty)
    }
}
