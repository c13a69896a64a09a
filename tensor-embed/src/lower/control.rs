//! Loops and branches.

use tensor_onnx::stablehlo::{Element, Operation, Region, Type};

use super::{Lowering, Value, check, names_read};
use crate::expression::{Kind, View};
use crate::steps::{Place, Step};

impl Lowering {
    /// Stores what the regions of an operation read of the steps before it.
    fn store_what_is_read(&mut self, operation: &Operation) {
        let mut names = Vec::new();
        names_read(operation, &mut names);
        for name in names {
            if let Some(value) = self.values.get(&name).cloned() {
                let leaf = self.leaf(&value);
                self.values.insert(name, leaf);
            }
        }
    }

    /// The steps of a region, and its results, which have these types.
    fn region(
        &mut self,
        region: &Region,
        types: &[Type],
    ) -> Result<(Vec<Step>, Vec<Value>), String> {
        let outer = std::mem::take(&mut self.steps);
        self.operations(&region.operations, &region.results);
        let results = region.results.iter().map(|name| self.value(name));
        let results = results.collect::<Result<Vec<Value>, _>>();
        let steps = std::mem::replace(&mut self.steps, outer);
        let results = results?;
        check::types("region's result", results.iter().map(|value| &value.ty), types)?;
        Ok((steps, results))
    }

    /// [`region`](Self::region), with a truth value that is stored.
    fn condition(&mut self, region: &Region) -> Result<(Vec<Step>, usize), String> {
        let (steps, results) = self.region(region, &[Type::new(&[], Element::Bool)])?;
        let outer = std::mem::replace(&mut self.steps, steps);
        let condition = self.row_major(&results[0]);
        Ok((std::mem::replace(&mut self.steps, outer), condition))
    }

    pub fn while_loop(&mut self, operation: &Operation, x: &[Value]) -> Result<Vec<Value>, String> {
        let [condition, body] = &operation.regions[..] else {
            return Err("it has not two regions".to_owned());
        };
        check::types("result", &operation.results, x.iter().map(|value| &value.ty))?;
        for region in [condition, body] {
            let arguments = region.arguments.iter().map(|(_, ty)| ty);
            check::types("region's argument", arguments, &operation.results)?;
        }
        if body.results.len() != x.len() {
            return Err(format!("its body has {} results, not {}", body.results.len(), x.len()));
        }
        self.store_what_is_read(operation);
        let x = operation.operands.iter().map(|name| self.value(name));
        let x = x.collect::<Result<Vec<Value>, _>>()?;
        // Values that the body returns as they are do not change.
        let changes: Vec<bool> =
            body.arguments.iter().zip(&body.results).map(|(of, result)| of.0 != *result).collect();
        let mut carried = Vec::new();
        for (value, changes) in x.iter().zip(&changes) {
            carried.push(match changes {
                false => value.clone(),
                true => {
                    let out = self.buffer(value.element(), value.ty.len(), Place::Workspace);
                    self.write("while", value, out, View::row_major(value.sizes()));
                    self.whole(out, value.sizes())
                }
            });
        }
        for region in [condition, body] {
            for ((name, _), value) in region.arguments.iter().zip(&carried) {
                self.values.insert(name.clone(), value.clone());
            }
        }
        let (before, condition) = self.condition(condition)?;
        let (steps, results) = self.region(body, &operation.results)?;
        let outer = std::mem::replace(&mut self.steps, steps);
        // A result that is computed from values that change is stored before one of them does.
        let mut next = Vec::new();
        for (number, result) in results.iter().enumerate().filter(|(number, _)| changes[*number]) {
            let old = self.view(&carried[number]).0;
            let is_new = match &result.node.kind {
                Kind::Load { buffer, view } => {
                    view.is_row_major(result.sizes())
                        && self.buffers[*buffer].len == result.ty.len()
                        && self.is_written(*buffer)
                        && !next.iter().any(|&(_, _, other)| other == *buffer)
                }
                _ => false,
            };
            let new = if is_new { self.view(result).0 } else { self.view_of_copy(result) };
            next.push((number, old, new));
        }
        for &(number, old, new) in &next {
            if old != new && self.may_share(old, new) {
                self.shared.push([old, new]);
            }
            let value = self.whole(new, results[number].sizes());
            self.write("while", &value, old, View::row_major(results[number].sizes()));
        }
        let body = std::mem::replace(&mut self.steps, outer);
        self.steps.push(Step::While { before, condition, body });
        Ok(carried)
    }

    fn view_of_copy(&mut self, value: &Value) -> usize {
        let out = self.buffer(value.element(), value.ty.len(), Place::Workspace);
        self.write("while", value, out, View::row_major(value.sizes()));
        out
    }

    /// Whether a step of the body that is lowered writes the buffer.
    fn is_written(&self, buffer: usize) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Loop(of) if of.out == buffer))
    }

    /// Whether the new value of a loop can be written over the old one: nothing reads the old one afterwards.
    fn may_share(&self, old: usize, new: usize) -> bool {
        let mut is_new = false;
        for step in &self.steps {
            let Step::Loop(of) = step else {
                // What is within it is not looked at.
                return false;
            };
            let reads_old = of.reads().contains(&old);
            if of.out == new && !is_new {
                is_new = true;
                if reads_old && !of.is_in_place(old) {
                    return false;
                }
            } else if is_new && reads_old {
                return false;
            }
        }
        is_new
    }

    pub fn branch(&mut self, operation: &Operation, x: &[Value]) -> Result<Vec<Value>, String> {
        let [condition] = x else { return Err("it has no condition".to_owned()) };
        let element = if operation.name == "if" { Element::Bool } else { condition.element() };
        check::types("condition", [&condition.ty], [&Type::new(&[], element)])?;
        if operation.regions.is_empty() || operation.name == "case" && !element.is_integer() {
            return Err("it has nothing to choose from".to_owned());
        }
        let mut outs = Vec::new();
        for ty in &operation.results {
            outs.push(self.buffer(ty.element, ty.len(), Place::Workspace));
        }
        self.store_what_is_read(operation);
        let mut bodies = Vec::new();
        for region in &operation.regions {
            let (steps, results) = self.region(region, &operation.results)?;
            let outer = std::mem::replace(&mut self.steps, steps);
            for (value, &out) in results.iter().zip(&outs) {
                self.write(&operation.name, value, out, View::row_major(value.sizes()));
            }
            bodies.push(std::mem::replace(&mut self.steps, outer));
        }
        if operation.name == "if" {
            let condition = self.row_major(condition);
            let [then, otherwise] =
                <[_; 2]>::try_from(bodies).map_err(|_| "it has not two regions".to_owned())?;
            self.steps.push(Step::If { condition, then, otherwise });
        } else {
            self.choice(condition, bodies);
        }
        Ok(operation.results.iter().zip(outs).map(|(ty, out)| self.whole(out, &ty.sizes)).collect())
    }

    /// One of several bodies: that of the index, the last one if there is none.
    fn choice(&mut self, index: &Value, bodies: Vec<Vec<Step>>) {
        let index = self.leaf(index);
        let mut steps = self.chosen(&index, 0, bodies);
        self.steps.append(&mut steps);
    }

    /// [`choice`](Self::choice) of the bodies from a number on, by halves: many bodies are not nested deeply.
    fn chosen(&mut self, index: &Value, first: usize, mut bodies: Vec<Vec<Step>>) -> Vec<Step> {
        if bodies.len() == 1 {
            return bodies.remove(0);
        }
        let rest = bodies.split_off(bodies.len() / 2);
        let end = first + bodies.len();
        let is_lower = match first == 0 && !index.element().is_signed() {
            true => format!("$0 < {end}"),
            false => format!("$0 >= {first} && $0 < {end}"),
        };
        let ty = Type::new(&[], Element::Bool);
        let is_lower = self.call("compare", is_lower, ty, std::slice::from_ref(index));
        let condition = self.row_major(&is_lower);
        let then = self.chosen(index, first, bodies);
        let otherwise = self.chosen(index, end, rest);
        vec![Step::If { condition, then, otherwise }]
    }
}
