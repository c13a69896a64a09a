//! Regions: functions of two scalars, applied to tensors, and reductions by them.

use std::collections::HashMap;

use super::arithmetic::computed;
use super::graph::{Graph, Value};
use super::text::{Operation, Region, Type};
use super::write::Attribute;
use crate::element::Element;

impl Region {
    /// The operation that combines both arguments, if that is all that the region does; `second` if it is the second.
    pub fn combines(&self) -> Option<&str> {
        match (&self.operations[..], &self.results[..]) {
            ([], [result]) if self.arguments.last().is_some_and(|(name, _)| name == result) => {
                Some("second")
            }
            ([one], [result])
                if one.result == *result
                    && self.arguments.iter().map(|(name, _)| name).eq(&one.operands) =>
            {
                Some(&one.name)
            }
            _ => None,
        }
    }
}

impl Graph {
    /// The results of a region for tensors in place of its scalars.
    pub fn apply(&mut self, region: &Region, arguments: &[Value]) -> Result<Vec<Value>, String> {
        let mut values: HashMap<&str, Value> = region
            .arguments
            .iter()
            .map(|(name, _)| &name[..])
            .zip(arguments.iter().cloned())
            .collect();
        let find = |values: &HashMap<&str, Value>, name: &String| {
            values.get(&name[..]).cloned().ok_or_else(|| format!("a region has no value `{name}`"))
        };
        for operation in &region.operations {
            let x = operation
                .operands
                .iter()
                .map(|name| find(&values, name))
                .collect::<Result<Vec<_>, _>>()?;
            let result = self.elementwise(operation, &x)?;
            let result = result.ok_or_else(|| format!("`{}` in a region", operation.name))?;
            values.insert(&operation.result, result);
        }
        region.results.iter().map(|name| find(&values, name)).collect()
    }

    /// A reduction along axes by one operation.
    pub fn reduce(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [x, start] = x else { return Err("a reduction of several tensors".to_owned()) };
        let (axes, ty) = (operation.usizes("dimensions")?, &operation.results[0]);
        let region = operation.regions.first().ok_or("it has no region")?;
        let by = region.combines().ok_or("a reduction by more than one operation")?.to_owned();
        if axes.iter().any(|&axis| x.sizes()[axis] == 0) {
            return Ok(Value { ty: ty.clone(), ..start.clone() });
        }
        self.reduced(x, &axes, &by, ty)
    }

    /// The elements along axes, of which there are some, combined by an operation that starts with its neutral element.
    pub fn reduced(
        &mut self,
        x: &Value,
        axes: &[usize],
        by: &str,
        ty: &Type,
    ) -> Result<Value, String> {
        let element = x.element();
        let (operator, wide) = match (by, element) {
            ("and" | "minimum", Element::Bool) => ("ReduceMin", Element::I32),
            ("or" | "maximum", Element::Bool) => ("ReduceMax", Element::I32),
            ("add", _) => ("ReduceSum", computed(element)),
            ("multiply", _) => ("ReduceProd", computed(element)),
            ("maximum", Element::U64) | ("minimum", Element::U64) => {
                return Err(
                    "runtimes of ONNX do not order integers of 64 bits without a sign".to_owned()
                );
            }
            ("maximum", _) => ("ReduceMax", computed(element)),
            ("minimum", _) => ("ReduceMin", computed(element)),
            _ => return Err(format!("a reduction by `{by}`")),
        };
        let full = self.full(x);
        let wide = self.cast(&full, wide);
        if axes.is_empty() {
            return Ok(self.cast(&wide, element));
        }
        let mut result = self.reduce_node(operator, &wide, axes, ty);
        if wide.element().is_float() && matches!(by, "maximum" | "minimum") {
            // NaN of NaN, whatever the runtime makes of it.
            let nan = self.is("IsNaN", &wide);
            let nan = self.cast(&nan, Element::I32);
            let any = self.reduce_node("ReduceMax", &nan, axes, ty);
            let any = self.cast(&any, Element::Bool);
            let nan = self.like(f64::NAN, &result);
            result = self.select(&any, &nan, &result);
        }
        Ok(self.cast(&result, element))
    }

    fn reduce_node(
        &mut self,
        operator: &'static str,
        x: &Value,
        axes: &[usize],
        ty: &Type,
    ) -> Value {
        let axes: Vec<i64> = axes.iter().map(|&axis| axis as i64).collect();
        let axes = self.integers(&axes);
        let ty = Type::new(&ty.sizes, x.element());
        self.emit(
            operator,
            &[&x.name, &axes],
            vec![("keepdims", Attribute::Int(0))],
            &ty.sizes,
            &ty,
        )
    }
}
