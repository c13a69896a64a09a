//! Loops and branches, whose bodies are graphs that read the values of the graph around them.

use std::mem;

use super::graph::{Graph, Value};
use super::text::{Operation, Region, Type};
use super::write::{Attribute, Exported};
use crate::element::Element;

/// A loop that counts its steps from 0.
struct Counter {
    /// Which value counts.
    number: usize,
    steps: i64,
}

/// A value of a loop that is a list of the results of all steps.
struct List {
    number: usize,
    /// The name of the result of a step.
    item: String,
    /// Whether the first step has the last index.
    is_reverse: bool,
}

impl Region {
    /// The operation with this result.
    fn operation(&self, result: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.result == result)
    }

    /// The integer that a constant is.
    fn integer(&self, result: &str) -> Option<i64> {
        let constant = self.operation(result).filter(|operation| operation.name == "constant")?;
        let (number, _) =
            constant.attribute("value").ok()?.strip_prefix("dense<")?.split_once('>')?;
        number.parse().ok()
    }

    /// How often a value is read.
    fn reads(&self, name: &str) -> usize {
        let of_operation = |operation: &Operation| {
            let operands = operation.operands.iter().filter(|operand| *operand == name).count();
            operands + operation.regions.iter().map(|region| region.reads(name)).sum::<usize>()
        };
        let results = self.results.iter().filter(|result| *result == name).count();
        results + self.operations.iter().map(of_operation).sum::<usize>()
    }
}

impl Graph {
    /// Adds the operations of a region, whose arguments have these values.
    fn add_region(&mut self, region: &Region, arguments: &[Value]) -> Result<(), String> {
        for ((name, _), value) in region.arguments.iter().zip(arguments) {
            self.define(name.clone(), value.clone());
        }
        for operation in &region.operations {
            self.add(operation).map_err(|problem| format!("{}: {problem}", operation.name))?;
        }
        Ok(())
    }

    fn values(&self, names: &[String]) -> Result<Vec<Value>, String> {
        names.iter().map(|name| self.value(name)).collect()
    }

    /// The graph of what a function adds, whose outputs are the results of the function.
    fn within(
        &mut self,
        inputs: Vec<(String, Type)>,
        function: impl FnOnce(&mut Self) -> Result<Vec<Value>, String>,
    ) -> Result<Exported, String> {
        let outer = mem::take(&mut self.model.nodes);
        let outputs = function(self).map(|results| self.own(&results));
        let nodes = mem::replace(&mut self.model.nodes, outer);
        Ok(Exported { nodes, initializers: Vec::new(), inputs, outputs: outputs? })
    }

    /// The names and types of values, each of which is the result of a node of its own of this graph.
    fn own(&mut self, values: &[Value]) -> Vec<(String, Type)> {
        let mut outputs: Vec<(String, Type)> = Vec::new();
        for value in values {
            let mut value = self.full(value);
            let is_result = self.model.nodes.iter().any(|node| node.outputs.contains(&value.name));
            if !is_result || outputs.iter().any(|(name, _)| *name == value.name) {
                value = self.emit("Identity", &[&value.name], Vec::new(), &value.stored, &value.ty);
            }
            outputs.push((value.name, value.ty));
        }
        outputs
    }

    /// The results of the region with an index, of the last one where there is none; of the first of an `if` where the
    /// condition is true.
    pub fn branch(&mut self, operation: &Operation, index: &Value) -> Result<Vec<Value>, String> {
        self.branch_from(operation, index, 0)
    }

    fn branch_from(
        &mut self,
        operation: &Operation,
        index: &Value,
        first: usize,
    ) -> Result<Vec<Value>, String> {
        let region = operation.regions.get(first).ok_or("it has no region")?;
        let is_last = first + 1 == operation.regions.len();
        if is_last {
            self.add_region(region, &[])?;
            return self.values(&region.results);
        }
        let condition = match &operation.name[..] {
            "if" => self.full(index),
            _ => {
                let number = self.like(first as f64, index);
                self.compare("EQ", index, &number)?
            }
        };
        let then = self.within(Vec::new(), |graph| {
            graph.add_region(region, &[])?;
            graph.values(&region.results)
        })?;
        let otherwise =
            self.within(Vec::new(), |graph| graph.branch_from(operation, index, first + 1))?;
        let attributes = vec![
            ("then_branch", Attribute::Graph(Box::new(then))),
            ("else_branch", Attribute::Graph(Box::new(otherwise))),
        ];
        let types = operation.results.iter().map(|ty| (&ty.sizes[..], ty)).collect::<Vec<_>>();
        Ok(self.emit_all("If", &[&condition.name], attributes, &types))
    }

    /// A `Loop`, which carries the values that the body changes. Where it counts its steps, the lists of their results are put
    /// together by the operator.
    pub fn while_loop(&mut self, operation: &Operation, x: &[Value]) -> Result<Vec<Value>, String> {
        let [condition, body] = &operation.regions[..] else {
            return Err("it has not two regions".to_owned());
        };
        let counter = self.counter(condition, body, x);
        let lists = counter.as_ref().map_or(Vec::new(), |counter| lists(body, counter, x));
        let mut step = body.clone();
        step.operations.retain(|of_body| {
            !lists.iter().any(|list| body.results[list.number] == of_body.result)
        });
        let is_list = |number: usize| lists.iter().any(|list| list.number == number);
        let carried: Vec<usize> = (0..x.len())
            .filter(|&number| body.results[number] != body.arguments[number].0 && !is_list(number))
            .collect();

        let mut inputs = vec![String::new(), String::new()];
        match &counter {
            Some(counter) => {
                inputs[0] =
                    self.bytes(Type::new(&[], Element::I64), counter.steps.to_le_bytes().to_vec());
            }
            None => {
                self.add_region(condition, x)?;
                let holds = self.value(&condition.results[0])?;
                inputs[1] = self.full(&holds).name;
            }
        }
        let mut arguments = x.to_vec();
        let holds = Type::new(&[], Element::Bool);
        let mut of_body = vec![
            (self.unique("step".to_owned()), Type::new(&[], Element::I64)),
            (self.unique("goes_on".to_owned()), holds.clone()),
        ];
        for &number in &carried {
            inputs.push(self.full(&x[number]).name);
            let (name, ty) = (self.unique("state".to_owned()), x[number].ty.clone());
            arguments[number] =
                Value { name: name.clone(), stored: ty.sizes.clone(), ty: ty.clone() };
            of_body.push((name, ty));
        }
        let before = Value { name: of_body[1].0.clone(), stored: Vec::new(), ty: holds };
        let graph = self.within(of_body, |graph| {
            graph.add_region(&step, &arguments)?;
            let mut next = arguments.clone();
            for &number in &carried {
                next[number] = graph.value(&body.results[number])?;
            }
            let mut results = vec![before];
            if counter.is_none() {
                graph.add_region(condition, &next)?;
                results = graph.values(&condition.results)?;
            }
            results.extend(carried.iter().map(|&number| next[number].clone()));
            for list in &lists {
                let item = graph.value(&list.item)?;
                results.push(graph.reshape(&item, &x[list.number].sizes()[1..]));
            }
            Ok(results)
        })?;
        let numbers: Vec<usize> =
            carried.iter().copied().chain(lists.iter().map(|list| list.number)).collect();
        let types = numbers.iter().map(|&number| (x[number].sizes(), &x[number].ty));
        let types: Vec<(&[usize], &Type)> = types.collect();
        let names: Vec<&str> = inputs.iter().map(|name| &name[..]).collect();
        let attributes = vec![("body", Attribute::Graph(Box::new(graph)))];
        let found = self.emit_all("Loop", &names, attributes, &types);
        let mut results = x.to_vec();
        for (number, value) in numbers.into_iter().zip(found) {
            results[number] = value;
        }
        for list in lists.iter().filter(|list| list.is_reverse) {
            results[list.number] = self.reverse(&results[list.number], &[0]);
        }
        Ok(results)
    }

    /// The value that counts the steps of a loop, whose condition is that it is below a constant.
    fn counter(&self, condition: &Region, body: &Region, x: &[Value]) -> Option<Counter> {
        let compare = condition.operation(condition.results.first()?)?;
        let is_below = compare.name == "compare"
            && compare.attribute("comparison_direction").ok()?.contains(" LT");
        let [counted, end] = &compare.operands[..] else { return None };
        let number = condition.arguments.iter().position(|(argument, _)| argument == counted)?;
        let next = body.operation(&body.results[number])?;
        let [before, one] = &next.operands[..] else { return None };
        let counts = next.name == "add"
            && *before == body.arguments[number].0
            && body.integer(one) == Some(1);
        let first = self.model.initializers.iter().find(|(name, _, _)| *name == x[number].name)?;
        let starts = first.2.iter().all(|&byte| byte == 0);
        (is_below && counts && starts).then_some(Counter { number, steps: condition.integer(end)? })
    }

    /// The elements at an index of the first axis, which keeps size 1.
    pub fn item(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let ty = &operation.results[0];
        let index = self.index(&x[0], &ty.sizes, &x[1..])?;
        let list = self.full(&x[0]);
        let axis = vec![("axis", Attribute::Int(0))];
        Ok(self.emit("Gather", &[&list.name, &index.name], axis, &ty.sizes, ty))
    }

    /// The tensor with other elements at an index of the first axis.
    pub fn with_item(&mut self, _: &Operation, x: &[Value]) -> Result<Value, String> {
        let [list, item] = [&x[0], &x[1]].map(|value| self.full(value));
        let index = self.index(&list, item.sizes(), &x[2..])?;
        let index = self.reshape(&index, &[1, 1]);
        Ok(self.scattered(&list, &index, &item, "none"))
    }

    /// The index of the first axis, in a list: the nearest one where it is out of range.
    fn index(&mut self, list: &Value, item: &[usize], starts: &[Value]) -> Result<Value, String> {
        if item.first() != Some(&1) || item[1..] != list.sizes()[1..] {
            return Err(
                "more than one item of the first axis at an index that is computed".to_owned()
            );
        }
        let index = self.cast(&starts[0], Element::I64);
        let [first, last] =
            [0.0, list.sizes()[0] as f64 - 1.0].map(|number| self.like(number, &index));
        let index = self.on_elements("Max", &[&index, &first], Element::I64);
        let index = self.on_elements("Min", &[&index, &last], Element::I64);
        let index = self.reshape(&index, &[1]);
        Ok(self.full(&index))
    }
}

/// The values of a loop that are lists of the results of all steps, and are not read by the body.
fn lists(body: &Region, counter: &Counter, x: &[Value]) -> Vec<List> {
    let list = |number: usize| {
        let update = body.operation(&body.results[number])?;
        let [before, item, index, ..] = &update.operands[..] else { return None };
        let is_update = update.name == "dynamic_update_slice"
            && *before == body.arguments[number].0
            && body.reads(before) == 1
            && body.reads(&update.result) == 1
            && i64::try_from(x[number].sizes()[0]) == Ok(counter.steps);
        let (counted, _) = &body.arguments[counter.number];
        let is_reverse = index != counted;
        if is_reverse {
            let of_index = body.operation(index)?;
            let [last, from] = &of_index.operands[..] else { return None };
            let is_from_the_end = of_index.name == "subtract"
                && from == counted
                && body.integer(last) == Some(counter.steps - 1);
            is_from_the_end.then_some(())?;
        }
        is_update.then(|| List { number, item: item.clone(), is_reverse })
    };
    (0..x.len()).filter_map(list).collect()
}
