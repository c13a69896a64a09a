//! Closures in the function that is written: the bodies of loops and branches.
//!
//! A variable of a body has a name that no other variable of the function has, so that none hides another.

use std::collections::HashSet;

use super::{Function, Statement, Value, tuple};
use crate::element::Element;
use crate::reason::{Reasoned, reason};
use crate::sym::Sym;

/// The most elements of a tuple that is a model in `tensor-core`, and that `scan` has items and results in.
const MOST_STATES: usize = 12;
const MOST_ITEMS: usize = 3;

/// A body that is being written: what the function had before it.
pub struct Body {
    statements: Vec<Statement>,
    found: usize,
    named: usize,
}

/// A value that each step of a loop replaces.
pub struct State<'a> {
    /// The name of the variable for the last one.
    pub hint: &'a str,
    pub start: Value<'a>,
    /// The parameter of the body.
    pub before: Value<'a>,
    pub next: Value<'a>,
}

/// A loop whose body is written, over the items of tensors along their first axis.
pub struct Loop<'a> {
    pub states: Vec<State<'a>>,
    /// The parameter of the body, and the tensor: without one, the items are the numbers of the steps.
    pub items: Vec<(Value<'a>, Option<Value<'a>>)>,
    /// The size of the axis.
    pub len: Sym,
    /// The names and values of what each step gives.
    pub results: Vec<(&'a str, Value<'a>)>,
    pub is_reverse: bool,
}

/// The names and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// A closure with these parameters, each a tuple.
fn closure(parameters: &[(Vec<String>, usize)], block: &str) -> String {
    let used: HashSet<&str> = words(block).collect();
    let shown =
        |name: &String| format!("{}{name}", if used.contains(&name[..]) { "" } else { "_" });
    let tuples =
        parameters.iter().map(|(names, most)| tuple(names.iter().map(shown).collect(), *most));
    format!("|{}| {block}", tuples.collect::<Vec<_>>().join(", "))
}

/// The variable for a value with further axes in front.
fn declaration<'h>(hint: &'h str, value: &Value<'_>, lead: &[Sym]) -> (&'h str, Element, Vec<Sym>) {
    (hint, value.element, [lead, &value.dims].concat())
}

impl<'a> Function<'a> {
    /// Begins a body: what is emitted from here on is in it. It is not ended where a node of it is refused, because then
    /// nothing is written.
    pub fn begin(&mut self) -> Body {
        self.depth += 1;
        let statements = std::mem::take(&mut self.statements);
        Body { statements, found: self.found.len(), named: self.named.len() }
    }

    /// Ends a body, whose result is this expression: its block.
    fn end(&mut self, body: Body, result: &str) -> String {
        self.depth -= 1;
        for variable in self.found.drain(body.found..) {
            self.axes[variable].size = None;
        }
        for variable in self.named.drain(body.named..) {
            self.size_names.remove(&variable);
        }
        let statements = std::mem::replace(&mut self.statements, body.statements);
        format!("{{\n{}\n}}", super::lines(statements, result))
    }

    /// Whether the body that is being written, with these results, reads a parameter.
    fn reads(&self, parameter: &str, results: &[String]) -> bool {
        let statements = self.statements.iter().map(|statement| &statement.value);
        statements.chain(results).any(|text| words(text).any(|word| word == parameter))
    }

    /// The values as owned tensors in a tuple.
    fn owned_tuple<'v>(
        &mut self,
        values: impl Iterator<Item = &'v Value<'a>>,
        most: usize,
    ) -> Reasoned<String>
    where
        'a: 'v,
    {
        let texts = values.map(|value| self.owned(value)).collect::<Result<Vec<_>, _>>()?;
        Ok(tuple(texts, most))
    }

    /// A reference to a tensor, or to a tuple of several.
    fn borrowed_tuple(&mut self, values: &[&Value<'a>], most: usize) -> Reasoned<String> {
        match values {
            [one] => Ok(self.argument(one)?),
            all => Ok(format!("&{}", self.owned_tuple(all.iter().copied(), most)?)),
        }
    }

    /// The value with the type of another: sizes that are not known to be equal are compared at run time.
    pub fn with_type_of(
        &mut self,
        like: &Value<'a>,
        x: &Value<'a>,
        what: &str,
    ) -> Reasoned<Value<'a>> {
        let mut dims = x.dims.iter().zip(&like.dims);
        let differ = |(a, b): (&Sym, &Sym)| a != b && a.number().is_some() && b.number().is_some();
        if x.element != like.element || x.rank() != like.rank() || dims.any(differ) {
            let [from, to] = [like, x].map(|value| self.tensor(value.element, &value.dims));
            return reason(format!("{what}: `{from}` and `{to}`, which differ"));
        }
        let mut x = x.clone();
        for (axis, dim) in like.dims.iter().enumerate() {
            if x.dims[axis] != *dim {
                x = self.renamed("same", &x, axis, dim)?;
            }
        }
        Ok(x)
    }

    /// Ends the body of a branch, whose results these are: its block.
    pub fn end_branch(&mut self, body: Body, results: &[Value<'a>]) -> Reasoned<String> {
        let results = self.owned_tuple(results.iter(), MOST_STATES)?;
        Ok(self.end(body, &results))
    }

    /// Emits the branch whose block is the first of two where the condition is true: its results, of the types of `like`.
    pub fn cond(
        &mut self,
        condition: &Value<'a>,
        [then, otherwise]: [String; 2],
        like: &[(&str, Value<'a>)],
    ) -> Reasoned<Vec<Value<'a>>> {
        let condition = self.argument(condition)?;
        let text = format!("cond({condition}, &(), |()| {then}, |()| {otherwise})");
        let results: Vec<_> =
            like.iter().map(|(hint, value)| declaration(hint, value, &[])).collect();
        Ok(self.emit_tuples(&[(&results, MOST_STATES)], &text))
    }

    /// Ends the body of a loop and emits its call: the last states, and the results of all steps along a new first axis.
    pub fn scan(&mut self, body: Body, of: Loop<'a>) -> Reasoned<Vec<Value<'a>>> {
        let next = self.owned_tuple(of.states.iter().map(|state| &state.next), MOST_STATES)?;
        let results = self.owned_tuple(of.results.iter().map(|(_, value)| value), MOST_ITEMS)?;
        let block = self.end(body, &format!("({next}, {results})"));
        let before = of.states.iter().map(|state| self.receiver(&state.before));
        let before = before.collect::<Result<Vec<_>, _>>()?;
        let items = of.items.iter().map(|(item, _)| self.receiver(item));
        let items = items.collect::<Result<Vec<_>, _>>()?;
        let body = closure(&[(before, MOST_STATES), (items, MOST_ITEMS)], &block);
        let starts: Vec<&Value<'a>> = of.states.iter().map(|state| &state.start).collect();
        let starts = self.borrowed_tuple(&starts, MOST_STATES)?;
        let mut lists = Vec::new();
        for (_, list) in of.items {
            lists.push(match list {
                Some(list) => list,
                None => self.arange("steps", &of.len)?,
            });
        }
        let lists = self.borrowed_tuple(&lists.iter().collect::<Vec<_>>(), MOST_ITEMS)?;
        let name = if of.is_reverse { "scan_reverse" } else { "scan" };
        let text = format!("{name}({starts}, {lists}, {body})");
        let states: Vec<_> =
            of.states.iter().map(|state| declaration(state.hint, &state.start, &[])).collect();
        let results = of.results.iter();
        let results: Vec<_> = results
            .map(|(hint, value)| declaration(hint, value, std::slice::from_ref(&of.len)))
            .collect();
        Ok(self.emit_tuples(&[(&states, MOST_STATES), (&results, MOST_ITEMS)], &text))
    }

    /// Ends the body of a loop that runs while a condition holds, and fewer than `limit` times, and emits its call: the last
    /// states. `step` is the parameter that counts; `holds` is the condition before the first step, and after one.
    pub fn while_loop(
        &mut self,
        body: Body,
        states: &[State<'a>],
        step: &Value<'a>,
        limit: Option<&Value<'a>>,
        holds: Option<(Value<'a>, Value<'a>)>,
    ) -> Reasoned<Vec<Value<'a>>> {
        let counter = self.receiver(step)?;
        let (mut starts, mut names, mut next) = (Vec::new(), Vec::new(), Vec::new());
        let (mut conditions, mut declared) = (Vec::new(), Vec::new());
        for value in holds.iter().map(|(_, after)| after).chain(states.iter().map(|x| &x.next)) {
            next.push(self.owned(value)?);
        }
        let counts = limit.is_some() || self.reads(&counter, &next);
        if counts {
            let following = self.add("next", step, &self.scalar(Element::I64, 1.0))?;
            next.insert(0, self.owned(&following)?);
        }
        let block = self.end(body, &tuple(next, MOST_STATES));
        if counts {
            starts.push("Tensor::scalar(0_i64)".to_owned());
            names.push(counter.clone());
            declared.push(declaration("step", step, &[]));
        }
        if let Some(limit) = limit {
            let limit = match self.literal(limit, 0) {
                Some(literal) => literal,
                None => self.argument(limit)?,
            };
            conditions.push(format!("{counter}.less({limit})"));
        }
        if let Some((before, _)) = &holds {
            let name = self.input("goes_on", Element::Bool, Vec::new()).0;
            starts.push(self.owned(before)?);
            declared.push(declaration("goes_on", before, &[]));
            conditions.push(match conditions.is_empty() {
                true => format!("{name}.clone()"),
                false => name.clone(),
            });
            names.push(name);
        }
        if conditions.is_empty() {
            return reason("a loop without an end");
        }
        for state in states {
            starts.push(self.owned(&state.start)?);
            names.push(self.receiver(&state.before)?);
            declared.push(declaration(state.hint, &state.start, &[]));
        }
        let parameters = [(names, MOST_STATES)];
        let condition = closure(&parameters, &conditions.join(" & "));
        let body = closure(&parameters, &block);
        let text = format!("while_loop(&{}, {condition}, {body})", tuple(starts, MOST_STATES));
        let mut values = self.emit_tuples(&[(&declared, MOST_STATES)], &text);
        Ok(values.split_off(values.len() - states.len()))
    }
}
