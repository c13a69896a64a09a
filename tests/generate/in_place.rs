//! The table of `inplace.json`.

use super::{HEAD, rows, sizes};
use crate::corpus::{self, InPlace};

/// `id: op [target], [operand] ([operand2]);`
///
/// Left out are the cases that the test checks one by one, because they ask for more than shapes.
pub fn table() -> String {
    let cases: Vec<InPlace> = corpus::read("inplace.json");
    let mut text = HEAD.to_owned();
    for (name, ok) in [("accepted_in_place", true), ("refused_in_place", false)] {
        let chosen = cases.iter().filter(|case| case.ok == ok && is_by_shape(case));
        rows(&mut text, name, chosen.map(written));
    }
    text
}

fn written(case: &InPlace) -> String {
    let InPlace { id, op, target, operand, operand2, .. } = case;
    let second = operand2.as_deref().map(sizes).unwrap_or_default();
    format!("{id}: {op} {}, {} ({second})", sizes(target), sizes(operand))
}

/// Whether the case is about nothing but shapes, by the rule that all in-place operations share.
fn is_by_shape(case: &InPlace) -> bool {
    let drops_axes = case.op == "setitem" && case.ok && case.operand.len() > case.target.len();
    case.target_dtype.is_none() && !drops_axes
}
