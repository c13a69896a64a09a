//! Results and gradients compared with PyTorch's, `f32` compared with `f64`, and the intended
//! differences.

use std::collections::BTreeMap;

use crate::case::{Case, Operands, number};
use crate::gradients::{Computed, Difference, differences};

/// A difference: an operation, what differs, how many elements of all its cases do, and why.
type Decision = (&'static str, &'static str, Count, &'static str);

/// How many elements differ.
#[derive(Clone, Copy)]
enum Count {
    Exactly(usize),
    /// The order in which a sum is computed depends on the vector width of the machine.
    Any,
}

use Count::{Any, Exactly};

/// Differences from PyTorch.
const FROM_PYTORCH: &[Decision] = &[
    ("atan2", "gradient", Exactly(16), "exact at subnormal numbers; PyTorch's squares underflow"),
    (
        "clamp",
        "gradient",
        Exactly(11),
        "at NaN, where another limit is equal or the limits cross, all or half goes to one operand; PyTorch's goes to several",
    ),
    ("cumprod", "gradient", Any, "a term overflows; PyTorch divides by the element"),
    (
        "cumprod",
        "second gradient",
        Any,
        "exact at subnormal numbers; PyTorch divides by the element",
    ),
    ("gelu", "result", Exactly(1), "0, the limit; PyTorch has `∞ · 0`"),
    ("gelu_tanh", "result", Exactly(1), "0, the limit; PyTorch has `∞ · 0`"),
    (
        "hypot",
        "gradient",
        Exactly(5),
        "exact at subnormal numbers, of which PyTorch's result is rounded",
    ),
    ("layer_norm", "gradient", Any, "the two overflow at different steps"),
    ("layer_norm", "result", Any, "the two overflow at different steps"),
    (
        "logcumsumexp",
        "gradient",
        Exactly(16),
        "exact where elements differ by more than the logarithms of floats; PyTorch's overflow",
    ),
    (
        "logcumsumexp",
        "second gradient",
        Exactly(16),
        "exact where elements differ widely; PyTorch's overflow",
    ),
    (
        "median",
        "gradient",
        Exactly(6),
        "NaN: the elements in the middle of the order, of which NaN is last; PyTorch's is that of NaN",
    ),
    (
        "pow",
        "second gradient",
        Exactly(6),
        "exact at an exponent of 0, where PyTorch's first gradient is a constant",
    ),
    ("prod", "second gradient", Any, "exact at subnormal numbers; PyTorch divides by the element"),
    (
        "quantile",
        "gradient",
        Exactly(68),
        "NaN: the elements in the middle of the order, of which NaN is last; PyTorch's is that of NaN",
    ),
    ("rem", "result", Exactly(11), "exact where the quotient overflows; PyTorch's is NaN"),
    ("remainder", "result", Exactly(11), "exact where the quotient overflows; PyTorch's is NaN"),
    ("rms_norm", "gradient", Any, "the two overflow at different steps"),
    ("sign", "result", Exactly(1), "NaN gives NaN; PyTorch's `sign` of NaN is 0"),
    ("silu", "result", Exactly(1), "0, the limit; PyTorch has `∞ · 0`"),
    ("standardize", "gradient", Any, "NaN where squares overflow"),
    ("standardize", "result", Any, "NaN where squares overflow"),
    ("std", "gradient", Any, "0 where the squares overflow to ∞; PyTorch's is NaN"),
    ("std", "result", Any, "∞: the squares overflow"),
    ("var", "gradient", Any, "the two overflow at different steps"),
    ("var", "result", Any, "∞: the squares overflow"),
    (
        "var",
        "second gradient",
        Exactly(8),
        "NaN or the formula where the correction leaves no divisor; PyTorch's is 0",
    ),
];

/// Differences between `f32` and the same in `f64`.
const FROM_DOUBLE: &[Decision] = &[
    ("cumprod", "gradient", Any, "a product overflows by rounding"),
    ("cumprod", "result", Any, "a product overflows by rounding"),
    ("hypot", "gradient", Any, "the result overflows or is subnormal"),
    ("layer_norm", "gradient", Any, "the squares overflow"),
    ("layer_norm", "result", Any, "the squares overflow"),
    ("mean", "result", Any, "the sum overflows"),
    ("norm", "gradient", Any, "the squares overflow or underflow"),
    ("norm", "result", Any, "the squares overflow"),
    ("pow", "gradient", Any, "a power overflows"),
    ("prod", "gradient", Any, "another order of the factors overflows"),
    ("prod", "result", Any, "another order of the factors overflows"),
    ("rms_norm", "gradient", Any, "the squares overflow"),
    ("rms_norm", "result", Any, "the squares overflow"),
    ("standardize", "gradient", Any, "the squares overflow"),
    ("standardize", "result", Any, "the squares overflow"),
    ("std", "gradient", Any, "the squares overflow"),
    ("std", "result", Any, "the squares overflow"),
    ("var", "gradient", Any, "twice the distance overflows"),
];

/// Fails with differences that are not decided, and with decisions that no longer hold.
fn check(all: impl Iterator<Item = Difference>, decisions: &[Decision]) {
    let mut found: BTreeMap<(String, &str), Vec<String>> = BTreeMap::new();
    for Difference { op, quantity, text, .. } in all {
        found.entry((op, quantity)).or_default().push(text);
    }
    let mut wrong = Vec::new();
    for &(op, quantity, count, reason) in decisions {
        let texts = found.remove(&(op.to_owned(), quantity)).unwrap_or_default();
        if let Exactly(count) = count
            && texts.len() != count
        {
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
    let all = Case::read();
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
    // A gradient of 0 is 0 whatever it is multiplied by, as the guide states; PyTorch has `0 · ∞ = NaN`.
    let found = found.filter(|it| it.quantity == "result" || !it.is_number_for_nan);
    check(found, FROM_PYTORCH);
}

#[test]
fn single_precision_is_double_precision_rounded() {
    let all = Case::read();
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
    check(found, FROM_DOUBLE);
}
