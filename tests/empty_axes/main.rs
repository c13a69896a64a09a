//! Every operation of the list on tensors that have an axis of size 0 at each position, with other axes of 1
//! and 17 elements: the sizes of the results are those of NumPy and PyTorch, gradients have the sizes of the
//! operands, and operations without a result are errors.

mod one_operand;
mod two_operands;

use std::collections::BTreeSet;
use std::error::Error;
use std::panic::catch_unwind;

use tensor_core::{DynTensor, operations};

type Floats = DynTensor<f64>;

/// The sizes of each result, and the results that are floats.
#[derive(Default)]
struct Outcome {
    sizes: Vec<Vec<usize>>,
    floats: Vec<Floats>,
}

/// The result of an operation.
trait Results {
    fn add_to(self, outcome: &mut Outcome);
}

impl Results for Floats {
    fn add_to(self, outcome: &mut Outcome) {
        outcome.sizes.push(self.sizes().to_vec());
        outcome.floats.push(self);
    }
}

macro_rules! results {
    ($($T:ident)*) => {$(
        impl Results for DynTensor<$T> {
            fn add_to(self, outcome: &mut Outcome) {
                outcome.sizes.push(self.sizes().to_vec());
            }
        }
    )*};
    ($(($($X:ident)*))*) => {$(
        impl<$($X: Results),*> Results for ($($X,)*) {
            #[allow(non_snake_case, reason = "the names of the types")]
            fn add_to(self, outcome: &mut Outcome) {
                let ($($X,)*) = self;
                $($X.add_to(outcome);)*
            }
        }
    )*};
}
results! { i64 bool }
results! { (A B) (A B C D) }

impl<R: Results> Results for Vec<R> {
    fn add_to(self, outcome: &mut Outcome) {
        self.into_iter().for_each(|result| result.add_to(outcome));
    }
}

type Computed = Result<Outcome, Box<dyn Error>>;

fn all(results: impl Results) -> Computed {
    let mut outcome = Outcome::default();
    results.add_to(&mut outcome);
    Ok(outcome)
}

fn checked<R: Results, E: Error + 'static>(results: Result<R, E>) -> Computed {
    all(results?)
}

/// The expected results for an operand of these sizes and an axis: the sizes of all results, and the value
/// of all their elements if it is known; `None` if an error is expected.
type Expected = Option<(Vec<Vec<usize>>, Option<f64>)>;

/// One result, of any value.
fn one(sizes: impl Into<Vec<usize>>) -> Expected {
    Some((vec![sizes.into()], None))
}

/// One result, whose elements all have this value.
fn filled(sizes: impl Into<Vec<usize>>, value: f64) -> Expected {
    Some((vec![sizes.into()], Some(value)))
}

/// The name of an operation, what it computes of an operand and an axis, and what is right.
type Row = (&'static str, fn(&Floats, usize) -> Computed, fn(&[usize], usize) -> Expected);

/// The sizes with another one along an axis.
fn with(sizes: &[usize], axis: usize, size: usize) -> Vec<usize> {
    let mut sizes = sizes.to_vec();
    sizes[axis] = size;
    sizes
}

/// The sizes without an axis.
fn without(sizes: &[usize], axis: usize) -> Vec<usize> {
    let mut sizes = sizes.to_vec();
    sizes.remove(axis);
    sizes
}

/// Every shape up to rank 4 of these sizes, and some of rank 5, that has an axis of size 0.
fn shapes() -> impl Iterator<Item = Vec<usize>> + Clone {
    let all = (1..=5_u32).flat_map(|rank| {
        let choices: &[usize] = if rank == 5 { &[0, 17] } else { &[0, 1, 17] };
        let count = choices.len().pow(rank);
        (0..count).map(move |number| {
            (0..rank)
                .map(|axis| choices[number / choices.len().pow(axis) % choices.len()])
                .collect()
        })
    });
    all.filter(|sizes: &Vec<usize>| sizes.contains(&0))
}

/// The difference from the expected results for an operand of these sizes; `None` if there is none.
fn mistake(&(_, compute, expected): &Row, sizes: &[usize], axis: usize) -> Option<String> {
    let x = Floats::zeros(sizes).requires_grad();
    let outcome = match catch_unwind(|| compute(&x, axis)) {
        Ok(outcome) => outcome,
        Err(_) => return Some("panics".to_owned()),
    };
    match (outcome, expected(sizes, axis)) {
        (Err(error), None) => {
            let message = error.to_string();
            (message.len() < 20).then(|| format!("has the message {message:?}"))
        }
        (Err(_), Some((expected, _))) if expected.iter().any(|sizes| is_too_large(sizes)) => None,
        (Err(error), Some(_)) => Some(format!("is refused: {error}")),
        (Ok(outcome), None) => Some(format!("has results of sizes {:?}", outcome.sizes)),
        (Ok(outcome), Some((expected, value))) => {
            if outcome.sizes != expected {
                return Some(format!("has sizes {:?}, not {expected:?}", outcome.sizes));
            }
            let is_other =
                |x: f64, y: f64| x.to_bits() != y.to_bits() && !(x.is_nan() && y.is_nan());
            let is_wrong = |&x: &f64| value.is_some_and(|value| is_other(x, value));
            if let Some(x) = outcome.floats.iter().flat_map(Floats::to_vec).find(is_wrong) {
                return Some(format!("has the element {x}, not {value:?}"));
            }
            outcome.floats.iter().filter(|result| result.is_tracked()).find_map(|result| {
                // The second one as well, where there is one.
                let gradients = catch_unwind(|| {
                    let first = result.tracked_gradients(&[&x]).remove(0);
                    let is_curved = first.is_tracked();
                    let second =
                        if is_curved { first.gradients(&[&x]).remove(0) } else { first.clone() };
                    [first, second]
                });
                match gradients {
                    Ok(gradients) if gradients.iter().all(|of| of.sizes() == sizes) => None,
                    Ok(gradients) => Some(format!(
                        "has gradients of sizes {:?}",
                        gradients.map(|of| of.sizes().to_vec())
                    )),
                    Err(_) => Some("panics in its gradient".to_owned()),
                }
            })
        }
    }
}

/// Whether a tensor of these sizes has more than `isize::MAX` bytes.
fn is_too_large(sizes: &[usize]) -> bool {
    let bytes =
        sizes.iter().try_fold(8, |bytes: isize, &size| bytes.checked_mul(size.try_into().ok()?));
    bytes.is_none() && !sizes.contains(&0)
}

/// Lists what is wrong with operations on operands of these sizes, along each axis.
fn check(rows: &[Row], shapes: impl Iterator<Item = Vec<usize>> + Clone) {
    let mut wrong = Vec::new();
    for row in rows {
        let cases = shapes.clone();
        let cases = cases.flat_map(|sizes| (0..sizes.len()).map(move |axis| (sizes.clone(), axis)));
        let found: Vec<String> = cases
            .filter_map(|(sizes, axis)| {
                let mistake = mistake(row, &sizes, axis)?;
                Some(format!("{} of {sizes:?} along axis {axis} {mistake}", row.0))
            })
            .collect();
        // The first ones tell what is wrong.
        wrong.extend(found.iter().take(3).cloned());
        if found.len() > 3 {
            wrong.push(format!("{}: {} more", row.0, found.len() - 3));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_operation_on_axes_of_size_0() {
    let rows = [one_operand::rows(), two_operands::rows()].concat();
    let named: BTreeSet<&str> = rows.iter().map(|row| row.0).collect();
    let listed: BTreeSet<&str> = operations().map(|operation| operation.name).collect();
    assert_eq!(named, listed, "the rows here and those of the list");
    check(&rows, shapes());
}

/// Operations on one operand that has no elements, though the other sizes multiply to more than memory holds.
#[test]
fn axes_of_size_0_beside_huge_ones() {
    // These take or return something for each index of an axis.
    let by_index = [
        "trace",
        "chunk",
        "repeat_each",
        "iter_axis",
        "chunks_axis",
        "unique_axis",
        "unique_all_axis",
    ];
    let rows: Vec<Row> =
        one_operand::rows().into_iter().filter(|row| !by_index.contains(&row.0)).collect();
    const HUGE: usize = 1 << 40;
    let shapes = [[0, HUGE, HUGE], [HUGE, 0, HUGE], [HUGE, HUGE, 0]];
    check(&rows, shapes.into_iter().map(Vec::from));
}
