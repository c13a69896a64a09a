//! The tables of `broadcast_pairs.json` and `broadcast_nary.json`.

use super::{HEAD, rows, sizes};
use crate::corpus::{self, Many, Pair, Sizes};

/// `id: [a] + [b] = [result];` and `id: [a] + [b];`
pub fn pairs() -> String {
    let cases: Vec<Pair> = corpus::read("broadcast_pairs.json");
    let written = |case: &Pair| format!("{}: {} + {}", case.id, sizes(&case.a), sizes(&case.b));
    let mut text = HEAD.to_owned();
    let accepted = cases.iter().filter_map(|case| Some((case, case.result.as_ref()?)));
    let accepted = accepted.map(|(case, result)| format!("{} = {}", written(case), sizes(result)));
    rows(&mut text, "accepted_pairs", accepted);
    let refused = cases.iter().filter(|case| !case.ok).map(written);
    rows(&mut text, "refused_pairs", refused);
    text
}

/// `id: [a], [b], [c] = [result];` and `id: ([a], [b]) + [c], ([d]);`, where `[a]` and `[b]`
/// broadcast, but not with `[c]`.
pub fn nary() -> String {
    let cases: Vec<Many> = corpus::read("broadcast_nary.json");
    let mut text = HEAD.to_owned();
    let accepted = cases.iter().filter_map(|case| Some((case, case.result.as_ref()?)));
    let accepted = accepted
        .map(|(case, result)| format!("{}: {} = {}", case.id, list(&case.shapes), sizes(result)));
    rows(&mut text, "accepted_lists", accepted);
    let refused = cases.iter().filter(|case| !case.ok).map(|case| {
        let fails = first_failure(&case.shapes);
        let (lead, rest) = case.shapes.split_at(fails);
        format!("{}: ({}) + {}, ({})", case.id, list(lead), sizes(&rest[0]), list(&rest[1..]))
    });
    rows(&mut text, "refused_lists", refused);
    text
}

fn list(shapes: &[Sizes]) -> String {
    shapes.iter().map(|shape| sizes(shape)).collect::<Vec<_>>().join(", ")
}

/// The number of the first shape that does not broadcast with those before it.
fn first_failure(shapes: &[Sizes]) -> usize {
    let mut result = Some(Vec::new());
    for (number, shape) in shapes.iter().enumerate() {
        result = result.and_then(|result| broadcast(&result, shape));
        if result.is_none() {
            return number;
        }
    }
    panic!("a refused case broadcasts: {shapes:?}")
}

/// The rule on lists of anything that is equal or 1.
pub fn broadcast<A: Copy + PartialEq + From<u8>>(left: &[A], right: &[A]) -> Option<Vec<A>> {
    let one = A::from(1);
    let rank = left.len().max(right.len());
    let axis = |shape: &[A], axis: usize| match (axis + shape.len()).checked_sub(rank) {
        Some(axis) => shape[axis],
        None => one,
    };
    (0..rank)
        .map(|number| match (axis(left, number), axis(right, number)) {
            (a, b) if a == b || b == one => Some(a),
            (a, b) => (a == one).then_some(b),
        })
        .collect()
}
