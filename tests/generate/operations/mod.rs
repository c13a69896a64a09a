//! The tables of `values.json` and `ops.json`: every case as an expression on tensors, as types
//! that have no impl, or with the reason why it is left out.

mod elementwise;
mod indexing;
mod joining;
mod layers;
mod products;
mod reductions;
mod refusals;
mod slicing;
mod views;
mod windows;

use std::collections::BTreeMap;

use super::{HEAD, rows, sizes};
use crate::corpus::{Case, Data};

/// The outcome of a case.
enum Outcome {
    /// Expressions for the results.
    Computes(Vec<String>),
    /// An expression that compiles and panics, because it requires an element of an empty axis, or a size
    /// that cannot be inferred from the others.
    Panics(String),
    /// An expression that compiles and is an error, because an index is out of range.
    Fails(String),
    /// Types that are not related, which is what makes the operation refused.
    Refused(String),
    /// The reason why the case is left out.
    LeftOut(&'static str),
}

/// How many cases are in one function: more make it slow to compile.
const CHUNK: usize = 50;

/// `id(a: [2, 1] f32, b: [3] f32) -> ([2, 3] f32 = &a + &b);` for what is computed,
/// `id: Relation<…>;` for what is refused, `id(x: [0] f32) = x.max();` for what panics or is an error,
/// and `"reason": id id;` for what is left out.
pub fn table() -> String {
    let mut text = HEAD.to_owned();
    let mut computed = Vec::new();
    let mut accepted = Vec::new();
    let mut refused = Vec::new();
    let mut panicking = Vec::new();
    let mut failing = Vec::new();
    let mut left_out = BTreeMap::<_, Vec<_>>::new();
    for case in Case::all() {
        match outcome(&case) {
            Outcome::Computes(expressions) => {
                computed.push(row(&case, &expressions));
                accepted.extend(
                    refusals::relation(&case).map(|relation| format!("{}: {relation}", case.id)),
                );
            }
            Outcome::Panics(expression) => {
                panicking.push(format!(
                    "{}(x: {}) = {expression}",
                    case.id,
                    typed(&case.inputs[0])
                ));
            }
            Outcome::Fails(expression) => failing.push(format!("{} = {expression}", inputs(&case))),
            Outcome::Refused(relation) => refused.push(format!("{}: {relation}", case.id)),
            Outcome::LeftOut(reason) => left_out.entry(reason).or_default().push(case.id),
        }
    }
    for (number, chunk) in computed.chunks(CHUNK).enumerate() {
        let name = format!("part_{}", number + 1);
        rows(&mut text, "computed", [name].iter().chain(chunk));
    }
    let parts = 1..=computed.len().div_ceil(CHUNK);
    rows(&mut text, "parts", parts.map(|number| format!("part_{number}")));
    rows(&mut text, "related", accepted);
    rows(&mut text, "unrelated", refused);
    rows(&mut text, "panicking", panicking);
    rows(&mut text, "failing", failing);
    let left_out =
        left_out.into_iter().map(|(reason, ids)| format!("{reason:?}: {}", ids.join(" ")));
    rows(&mut text, "left_out", left_out);
    text
}

fn outcome(case: &Case) -> Outcome {
    if case.fail.as_deref() == Some("value") {
        let fails = indexing::fails(case).map(Outcome::Fails);
        return fails.unwrap_or_else(|| Outcome::LeftOut(missing(&case.op)));
    }
    if !case.ok {
        return match (refusals::reason(case), refusals::relation(case)) {
            (Some(reason), _) => Outcome::LeftOut(reason),
            (None, Some(relation)) if is_too_wide(&relation) => {
                Outcome::LeftOut("a number that `usize` of the target does not hold")
            }
            (None, Some(relation)) => Outcome::Refused(relation),
            (None, None) => match reductions::expression(case).or_else(|| views::left_out(case)) {
                Some(Ok(expression)) => Outcome::Panics(expression),
                _ => Outcome::LeftOut(missing(&case.op)),
            },
        };
    }
    let found = elementwise::expression(case)
        .or_else(|| reductions::expression(case))
        .or_else(|| products::expression(case))
        .or_else(|| views::expression(case))
        .or_else(|| joining::expression(case).map(Ok))
        .or_else(|| windows::expression(case))
        .map(|found| found.map(|expression| vec![expression]))
        .or_else(|| slicing::expressions(case).map(Ok))
        .or_else(|| layers::expressions(case).map(Ok))
        .or_else(|| indexing::expressions(case));
    match found {
        Some(Ok(expressions)) => Outcome::Computes(expressions),
        Some(Err(reason)) => Outcome::LeftOut(reason),
        None => Outcome::LeftOut(missing(&case.op)),
    }
}

/// Whether a number of a type does not fit into `usize` of the target.
fn is_too_wide(relation: &str) -> bool {
    let width = std::env::var("CARGO_CFG_TARGET_POINTER_WIDTH");
    let width = width.map_or(64, |width| width.parse().expect("a number of bits"));
    let numbers = relation.split(|c: char| !c.is_ascii_digit());
    let mut numbers = numbers.filter_map(|number| number.parse::<u64>().ok());
    numbers.any(|number| number.checked_shr(width).is_some_and(|rest| rest > 0))
}

/// Why an operation that no module here knows is left out.
fn missing(op: &str) -> &'static str {
    match op {
        "compress" | "nonzero" | "unique" => "the length of the result depends on the values",
        _ => panic!("no module here writes the operation `{op}`"),
    }
}

/// `id(a: [2, 1] f32, b: [3] f32) -> ([2, 3] f32 = &a + &b)`
fn row(case: &Case, expressions: &[String]) -> String {
    let outputs = case.outputs().iter().zip(expressions);
    let outputs = outputs.map(|(output, expression)| format!("{} = {expression}", typed(output)));
    format!("{} -> ({})", inputs(case), outputs.collect::<Vec<_>>().join(", "))
}

/// `id(a: [2, 1] f32, b: [3] f32)`
fn inputs(case: &Case) -> String {
    let inputs = case.inputs.iter().map(|input| format!("{}: {}", input.name, typed(input)));
    format!("{}({})", case.id, inputs.collect::<Vec<_>>().join(", "))
}

/// `[2, 1] f32`
fn typed(data: &Data) -> String {
    format!("{} {}", sizes(&data.shape), data.dtype)
}

/// Attributes as the modules here ask for them; one that is missing or `null` is `None`.
trait Attributes {
    fn number(&self, name: &str) -> Option<f64>;
    fn integer(&self, name: &str) -> Option<isize>;
    fn flag(&self, name: &str) -> bool;
    fn list(&self, name: &str) -> Option<Vec<isize>>;
}

impl Attributes for Case {
    fn number(&self, name: &str) -> Option<f64> {
        self.attrs.get(name)?.as_f64()
    }

    fn integer(&self, name: &str) -> Option<isize> {
        self.attrs.get(name)?.as_i64()?.try_into().ok()
    }

    fn flag(&self, name: &str) -> bool {
        self.attrs.get(name).and_then(serde_json::Value::as_bool).unwrap_or(false)
    }

    fn list(&self, name: &str) -> Option<Vec<isize>> {
        let list = self.attrs.get(name)?.as_array()?;
        Some(list.iter().map(|item| item.as_i64().unwrap().try_into().unwrap()).collect())
    }
}

/// The rank of the input `x`.
fn rank(case: &Case) -> isize {
    shape(case, "x").len().try_into().unwrap()
}

fn shape<'a>(case: &'a Case, name: &str) -> &'a [usize] {
    &case.input(name).unwrap_or_else(|| panic!("{}: no input `{name}`", case.id)).shape
}

/// A number as a literal of an element type.
fn literal(value: f64, dtype: &str) -> String {
    match dtype {
        "f32" => format!("{:?}_f32", value as f32),
        "f64" => format!("{value:?}_f64"),
        _ => format!("{value}_{dtype}"),
    }
}

/// `shape![2, 3]`
fn shape_type(shape: &[usize]) -> String {
    format!("shape!{}", sizes(shape))
}
