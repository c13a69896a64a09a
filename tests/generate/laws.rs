//! The tables of the laws: every shape of the corpus, and all pairs of a grid of small shapes.

use std::collections::BTreeSet;
use std::fmt;

use super::broadcast::broadcast;
use super::{HEAD, rows, sizes};
use crate::corpus::{self, InPlace, Many, Pair, Sizes};

/// An axis of the grid: a size, or a name.
#[derive(Clone, Copy, PartialEq)]
enum Axis {
    Size(u8),
    Named(&'static str),
}

impl From<u8> for Axis {
    fn from(size: u8) -> Self {
        Self::Size(size)
    }
}

impl Axis {
    /// Whether the size is known only when the program runs.
    fn is_run_time(&self) -> bool {
        matches!(self, Self::Named("Batch" | "Seq"))
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => write!(f, "{size}"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

/// The axes of the grid: what stretches, what is empty, a size, axes of two names that get their
/// size at run time, and one of a name and a known size.
const AXES: [Axis; 6] = [
    Axis::Size(0),
    Axis::Size(1),
    Axis::Size(2),
    Axis::Named("Batch"),
    Axis::Named("Seq"),
    Axis::Named("Hidden"),
];

/// All shapes of at most two axes.
fn grid() -> Vec<Vec<Axis>> {
    let one = AXES.iter().map(|&axis| vec![axis]);
    let two = AXES.iter().flat_map(|&first| AXES.map(|second| vec![first, second]));
    [Vec::new()].into_iter().chain(one).chain(two).collect()
}

fn written(shape: &[Axis]) -> String {
    let axes: Vec<_> = shape.iter().map(Axis::to_string).collect();
    format!("[{}]", axes.join(", "))
}

/// `[s];` for every shape of the corpus, `[a], [b], [c] = [result];` for its lists of three and
/// more, and `[a] + [b] = [result];` or `[a] + [b];` for all pairs of the grid.
pub fn table() -> String {
    let mut text = HEAD.to_owned();
    rows(&mut text, "shapes", corpus_shapes().iter().map(|shape| sizes(shape)));
    rows(&mut text, "triples", triples());
    let grid = grid();
    let pairs: Vec<_> = grid.iter().flat_map(|a| grid.iter().map(move |b| [a, b])).collect();
    let gives = |[a, b]: &[&Vec<Axis>; 2]| {
        Some(format!("{} + {} = {}", written(a), written(b), written(&broadcast(a, b)?)))
    };
    rows(&mut text, "accepted_pairs", pairs.iter().filter_map(gives));
    let is_named =
        |pair: &&[&Vec<Axis>; 2]| pair.iter().all(|shape| shape.iter().any(Axis::is_run_time));
    rows(&mut text, "named_pairs", pairs.iter().filter(is_named).filter_map(gives));
    let refused = pairs.iter().filter(|[a, b]| broadcast(a, b).is_none());
    rows(
        &mut text,
        "refused_pairs",
        refused.map(|[a, b]| format!("{} + {}", written(a), written(b))),
    );
    text
}

/// Every shape of the three files about shapes, once.
fn corpus_shapes() -> BTreeSet<Sizes> {
    let pairs = corpus::read("broadcast_pairs.json").into_iter();
    let pairs = pairs.flat_map(|case: Pair| [Some(case.a), Some(case.b), case.result]);
    let many = corpus::read("broadcast_nary.json").into_iter();
    let many = many.flat_map(|case: Many| case.shapes.into_iter().map(Some).chain([case.result]));
    let in_place = corpus::read("inplace.json").into_iter();
    let in_place =
        in_place.flat_map(|case: InPlace| [Some(case.target), Some(case.operand), case.operand2]);
    pairs.chain(many).chain(in_place).flatten().collect()
}

/// Every three neighbours in an accepted list, once.
fn triples() -> BTreeSet<String> {
    let lists: Vec<Many> = corpus::read("broadcast_nary.json");
    let accepted = lists.iter().filter(|case| case.ok);
    let neighbours = accepted.flat_map(|case| case.shapes.windows(3));
    neighbours
        .map(|three| {
            let result =
                broadcast(&three[0], &three[1]).and_then(|lead| broadcast(&lead, &three[2]));
            let result = result.expect("part of a list that broadcasts");
            let [a, b, c] = [0, 1, 2].map(|number| sizes(&three[number]));
            format!("{a}, {b}, {c} = {}", sizes(&result))
        })
        .collect()
}
