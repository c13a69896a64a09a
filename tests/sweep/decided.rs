//! Results and gradients beside PyTorch's and `f32` beside `f64`, and where they differ for a reason.

use std::collections::BTreeMap;

use crate::case::{Case, Operands, number};
use crate::gradients::{Computed, Difference, differences};

/// A difference: an operation, what differs, how many elements of all its cases do, and why.
type Decision = (&'static str, &'static str, usize, &'static str);

/// Differences from PyTorch.
const FROM_PYTORCH: &[Decision] = &[
    ("abs", "gradient", 1, "NaN gives NaN; PyTorch's `sign` of NaN is 0"),
    ("asinh", "second gradient", 2, "0, the limit; PyTorch has `∞ · 0`"),
    ("atanh", "second gradient", 2, "0, the limit; PyTorch has `∞ · 0`"),
    ("cumprod", "gradient", 26, "exact at infinities; PyTorch divides by the element"),
    (
        "cumprod",
        "second gradient",
        28,
        "exact at infinities and subnormal numbers; PyTorch divides by the element",
    ),
    ("erf", "second gradient", 2, "0, the limit; PyTorch has `∞ · 0`"),
    ("gelu", "result", 1, "0, the limit; PyTorch has `∞ · 0`"),
    ("gelu_tanh", "gradient", 4, "the limits 0 and 1; PyTorch's square overflows"),
    ("gelu_tanh", "result", 1, "0, the limit; PyTorch has `∞ · 0`"),
    ("gelu_tanh", "second gradient", 4, "the limit 0; PyTorch's square overflows"),
    ("layer_norm", "gradient", 8, "the two overflow at different steps"),
    ("layer_norm", "result", 16, "the two overflow at different steps"),
    ("logaddexp", "second gradient", 168, "0, the limit; PyTorch has `∞ · 0`"),
    ("logsumexp", "gradient", 4, "0 where all elements are -∞"),
    (
        "median",
        "gradient",
        6,
        "NaN: the elements in the middle of the order, of which NaN is last; PyTorch's is that of NaN",
    ),
    ("norm_l1", "gradient", 9, "NaN gives NaN; PyTorch's `sign` of NaN is 0"),
    ("norm_max", "gradient", 16, "NaN gives NaN for the whole lane; PyTorch's gradient is 0"),
    ("prod", "gradient", 2, "products of the others, in another order"),
    (
        "prod",
        "second gradient",
        33,
        "exact at infinities and subnormal numbers; PyTorch divides by the element",
    ),
    (
        "quantile",
        "gradient",
        68,
        "NaN: the elements in the middle of the order, of which NaN is last; PyTorch's is that of NaN",
    ),
    ("rem", "result", 11, "exact where the quotient overflows; PyTorch's is NaN"),
    ("remainder", "result", 11, "exact where the quotient overflows; PyTorch's is NaN"),
    ("rms_norm", "gradient", 3, "the two overflow at different steps"),
    ("sign", "result", 1, "NaN gives NaN; PyTorch's `sign` of NaN is 0"),
    ("silu", "result", 1, "0, the limit; PyTorch has `∞ · 0`"),
    ("softplus", "second gradient", 4, "0, the limit; PyTorch has `∞ · 0`"),
    ("standardize", "gradient", 8, "NaN where squares overflow"),
    ("standardize", "result", 16, "NaN where squares overflow"),
    ("std", "gradient", 16, "0 where the squares overflow to ∞; PyTorch's is NaN"),
    ("std", "result", 2, "∞: the squares overflow"),
    ("var", "gradient", 3, "the two overflow at different steps"),
    ("var", "result", 2, "∞: the squares overflow"),
    (
        "var",
        "second gradient",
        8,
        "NaN or the formula where the correction leaves no divisor; PyTorch's is 0",
    ),
];

/// Differences from PyTorch that are faults: an entry goes with the fault.
const FAULTS: &[Decision] = &[
    ("atan2", "gradient", 32, "NaN or ∞ at 0 and where squares overflow or underflow"),
    ("atan2", "second gradient", 16, "squares overflow"),
    ("clamp", "gradient", 17, "the shares at limits and at NaN"),
    ("logcumsumexp", "gradient", 29, "elements far apart"),
    ("logcumsumexp", "second gradient", 29, "elements far apart"),
    ("maximum", "gradient", 54, "0 at NaN"),
    ("minimum", "gradient", 54, "0 at NaN"),
    ("pow", "second gradient", 17, "NaN at an exponent of 0"),
    ("relu", "gradient", 1, "0 at NaN"),
    ("scatter_mul", "gradient", 3, "0 where a factor is NaN"),
    ("scatter_mul", "second gradient", 3, "an update of 0 counts as a constant"),
    ("std", "second gradient", 45, "NaN where all elements are equal"),
];

/// Differences between `f32` and the same in `f64`.
const FROM_DOUBLE: &[Decision] = &[
    ("cumprod", "gradient", 2, "a product overflows by rounding"),
    ("cumprod", "result", 2, "a product overflows by rounding"),
    ("layer_norm", "gradient", 32, "the squares overflow"),
    ("layer_norm", "result", 26, "the squares overflow"),
    ("mean", "result", 4, "the sum overflows"),
    ("norm", "gradient", 36, "the squares overflow or underflow"),
    ("norm", "result", 3, "the squares overflow"),
    ("pow", "gradient", 2, "a power overflows"),
    ("prod", "gradient", 2, "another order of the factors overflows"),
    ("prod", "result", 2, "another order of the factors overflows"),
    ("rms_norm", "gradient", 26, "the squares overflow"),
    ("rms_norm", "result", 20, "the squares overflow"),
    ("standardize", "gradient", 24, "the squares overflow"),
    ("standardize", "result", 26, "the squares overflow"),
    ("std", "gradient", 22, "the squares overflow"),
    ("std", "result", 7, "the squares overflow"),
    ("var", "gradient", 19, "twice the distance overflows"),
];

/// Differences between `f32` and `f64` that are faults.
const FAULTS_OF_SINGLE: &[Decision] = &[
    ("atan2", "gradient", 54, "squares overflow or underflow"),
    ("hypot", "gradient", 41, "squares overflow or underflow"),
];

/// Fails with differences that are not decided, and with decisions that no longer hold.
fn check(all: impl Iterator<Item = Difference>, decisions: [&[Decision]; 2]) {
    let mut found: BTreeMap<(String, &str), Vec<String>> = BTreeMap::new();
    for Difference { op, quantity, text } in all {
        found.entry((op, quantity)).or_default().push(text);
    }
    let mut wrong = Vec::new();
    for &(op, quantity, count, reason) in decisions.into_iter().flatten() {
        let texts = found.remove(&(op.to_owned(), quantity)).unwrap_or_default();
        if texts.len() != count {
            let (len, texts) = (texts.len(), texts.join("\n"));
            wrong.push(format!(
                "{len} elements of a {quantity} of {op} differ, not {count} ({reason}):\n{texts}"
            ));
        }
    }
    wrong.extend(found.into_values().flatten());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn computed<T: crate::case::Real>(operands: &Operands<'_, T>) -> Computed {
    let name = operands.case.name();
    Computed::new(operands).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn results_and_gradients_are_those_of_pytorch() {
    let read = |values: &Vec<_>| values.iter().map(number).collect();
    let all = Case::all();
    let found = all.iter().flat_map(|case| {
        let got = computed(&Operands::<f64>::new(case));
        let results = case.results.iter().map(|data| (data.sizes.clone(), read(&data.elements)));
        let want = Computed {
            results: results.collect(),
            gradients: case.gradients.iter().flatten().map(read).collect(),
            second: case.second.iter().flatten().map(read).collect(),
        };
        differences(case, &got, &want, 1e-9)
    });
    check(found, [FROM_PYTORCH, FAULTS]);
}

#[test]
fn single_precision_is_double_precision_rounded() {
    let all = Case::all();
    let found = all.iter().flat_map(|case| {
        let operands = Operands::<f32>::new(case);
        let mut want = computed(&operands.widened());
        let rounded = |numbers: &mut Vec<f64>| {
            numbers.iter_mut().for_each(|x| *x = f64::from(*x as f32));
        };
        want.results.iter_mut().for_each(|(_, numbers)| rounded(numbers));
        want.gradients.iter_mut().for_each(rounded);
        // Second gradients of `f32` have few digits left.
        want.second.clear();
        differences(case, &computed(&operands), &want, 1e-5)
    });
    check(found, [FROM_DOUBLE, FAULTS_OF_SINGLE]);
}

#[test]
fn cases_that_are_known_to_panic_do() {
    for case in Case::read().iter().filter(|case| case.panics()) {
        let attempt =
            std::panic::catch_unwind(|| Computed::new(&Operands::<f64>::new(case)).is_ok());
        assert!(attempt.is_err(), "{} does not panic any more", case.name());
    }
}
