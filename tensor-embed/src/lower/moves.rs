//! Operations that move elements.

use tensor_onnx::stablehlo::{Operation, Type};

use super::{Lowering, Value};
use crate::expression::{Expression, View};
use crate::steps::Place;

impl Lowering {
    pub fn iota(&self, operation: &Operation) -> Result<Value, String> {
        let (axis, ty) = (operation.integer("iota_dimension")? as usize, &operation.results[0]);
        let mut strides = vec![0; ty.rank()];
        strides[axis] = 1;
        let node = Expression::iota(ty.element, View { offset: 0, strides });
        Ok(Value { ty: ty.clone(), node })
    }

    pub fn broadcast(&mut self, operation: &Operation, x: &Value) -> Result<Value, String> {
        let (axes, ty) = (operation.usizes("broadcast_dimensions")?, &operation.results[0]);
        // What is computed is computed once.
        let x = if x.ty.len() < ty.len() { self.leaf(x) } else { x.clone() };
        let of_axis = |axis: usize| {
            axes.iter().position(|&to| to == axis).filter(|&from| x.sizes()[from] != 1)
        };
        let from: Vec<Option<usize>> = (0..ty.rank()).map(of_axis).collect();
        Ok(Value { ty: ty.clone(), node: x.node.spread(&from) })
    }

    pub fn transposed(&self, x: &Value, order: &[usize]) -> Value {
        let sizes: Vec<usize> = order.iter().map(|&axis| x.sizes()[axis]).collect();
        Value { ty: Type::new(&sizes, x.element()), node: x.node.permuted(order) }
    }

    pub fn slice(&self, operation: &Operation, x: &Value) -> Result<Value, String> {
        let (starts, steps) =
            (operation.integers("start_indices")?, operation.integers("strides")?);
        Ok(Value { ty: operation.results[0].clone(), node: x.node.sliced(&starts, &steps) })
    }

    pub fn reversed(&self, x: &Value, axes: &[usize]) -> Value {
        let of_axis = |axis: usize| match axes.contains(&axis) {
            true => (x.sizes()[axis] as i64 - 1, -1),
            false => (0, 1),
        };
        let (starts, steps): (Vec<i64>, Vec<i64>) = (0..x.ty.rank()).map(of_axis).unzip();
        Value { ty: x.ty.clone(), node: x.node.sliced(&starts, &steps) }
    }

    pub fn concatenate(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let (axis, ty) = (operation.integer("dimension")? as usize, &operation.results[0]);
        let out = self.buffer(ty.element, ty.len(), Place::Workspace);
        let mut view = View::row_major(&ty.sizes);
        for part in x {
            self.write("concatenate", part, out, view.clone());
            view.offset += part.sizes()[axis] as i64 * view.strides[axis];
        }
        Ok(self.whole(out, &ty.sizes))
    }

    pub fn pad_operation(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, fill] = x else { return Err("it has not two operands".to_owned()) };
        let low = operation.integers("edge_padding_low")?;
        let between = operation.integers("interior_padding")?;
        Ok(self.pad(x, fill, &low, &between, &operation.results[0]))
    }

    /// The elements at `low[axis] + i · (1 + between[axis])` of each axis, as far as they are in the result, and `fill`
    /// elsewhere.
    pub fn pad(
        &mut self,
        x: &Value,
        fill: &Value,
        low: &[i64],
        between: &[i64],
        ty: &Type,
    ) -> Value {
        let fill = self.leaf(fill);
        let fill = Value { ty: ty.clone(), node: fill.node.spread(&vec![None; ty.rank()]) };
        let mut view = View::row_major(&ty.sizes);
        let (mut starts, mut sizes) = (Vec::new(), Vec::new());
        for (axis, &low) in low.iter().enumerate() {
            let (step, size) = (between[axis] + 1, ty.sizes[axis] as i64);
            // The first element that is at 0 or after it, and the first one that is at the end or after it.
            let at_least = |position: i64| (position - low + step - 1).div_euclid(step);
            let first = at_least(0).max(0);
            let end = at_least(size).min(x.sizes()[axis] as i64);
            starts.push(first);
            sizes.push((end - first).max(0) as usize);
            view.offset += (low + first * step) * view.strides[axis];
            view.strides[axis] *= step;
        }
        if sizes.contains(&0) {
            return fill;
        }
        let part = Value {
            ty: Type::new(&sizes, ty.element),
            node: x.node.sliced(&starts, &vec![1; starts.len()]),
        };
        if sizes == ty.sizes {
            return part;
        }
        let out = self.buffer(ty.element, ty.len(), Place::Workspace);
        self.write("pad", &fill, out, View::row_major(&ty.sizes));
        self.write("pad", &part, out, view);
        self.whole(out, &ty.sizes)
    }
}
