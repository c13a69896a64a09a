//! The results of a case with its first and second gradients, and their comparison with PyTorch's.

use std::error::Error;

use tensor_core::DynTensor;

use crate::case::{Case, Operands, Output, Real, number};
use crate::compute;

/// The compared results of a case.
pub struct Computed {
    pub results: Vec<(Vec<usize>, Vec<f64>)>,
    pub gradients: Vec<Vec<f64>>,
    pub second: Vec<Vec<f64>>,
}

/// The weights that `pytorch.py` gives to the elements of a result or of a gradient.
fn weighted<T: Real>(x: &DynTensor<T>, step: usize) -> DynTensor<T> {
    let weight = |k: usize| T::from_f64(0.5 + ((k * step) % 11) as f64 * 0.25);
    let weights = DynTensor::from_vec(x.sizes(), (0..x.len()).map(weight).collect()).unwrap();
    (x * &weights).unwrap().sum()
}

fn sum<T: Real>(terms: impl Iterator<Item = DynTensor<T>>) -> Option<DynTensor<T>> {
    terms.filter(DynTensor::is_tracked).reduce(|a, b| (&a + &b).unwrap())
}

fn numbers<T: Real>(x: &DynTensor<T>) -> Vec<f64> {
    x.iter().map(|x| x.to_f64()).collect()
}

impl Computed {
    /// The results of operands, with the gradients of all floats.
    pub fn new<T: Real>(operands: &Operands<'_, T>) -> Result<Self, Box<dyn Error>> {
        let mut operands = operands.clone();
        operands.floats.iter_mut().for_each(|x| *x = x.requires_grad());
        Self::of(&operands, &operands.floats)
    }

    /// The results of operands, with the gradients of variables that they were computed from.
    pub fn of<T: Real>(
        operands: &Operands<'_, T>,
        variables: &[DynTensor<T>],
    ) -> Result<Self, Box<dyn Error>> {
        let results = compute(operands)?;
        let variables: Vec<_> = variables.iter().collect();
        let zeros = || variables.iter().map(|x| DynTensor::zeros(x.sizes())).collect::<Vec<_>>();
        let losses = results.iter().filter_map(|result| match result {
            Output::Float(x) => Some(weighted(x, 7)),
            _ => None,
        });
        let gradients = sum(losses).map_or_else(zeros, |loss| loss.tracked_gradients(&variables));
        let loss = sum(gradients.iter().map(|gradient| weighted(gradient, 5)));
        let second = loss.map_or_else(zeros, |loss| loss.gradients(&variables));
        Ok(Self {
            results: results.iter().map(|y| (y.sizes().to_vec(), y.numbers())).collect(),
            gradients: gradients.iter().map(numbers).collect(),
            second: second.iter().map(numbers).collect(),
        })
    }
}

/// Whether two numbers are the same kind of special number, or nearly the same.
fn is_close(got: f64, want: f64, relative: f64, absolute: f64) -> bool {
    got == want
        || got.is_nan() && want.is_nan()
        || (got - want).abs() <= absolute + relative * want.abs()
}

/// An element that differs.
pub struct Difference {
    pub op: String,
    /// `result`, `gradient` or `second gradient`.
    pub quantity: &'static str,
    /// Whether it is a number and is to be NaN.
    pub is_number_for_nan: bool,
    pub text: String,
}

/// The elements that differ by more than rounding; gradients that are missing in `want` are not compared.
pub fn differences(case: &Case, got: &Computed, want: &Computed, relative: f64) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut check = |quantity, operand: usize, got: &[f64], want: &[f64]| {
        assert_eq!(got.len(), want.len(), "{}: {quantity} {operand}", case.name());
        let moderate = want.iter().map(|x| x.abs()).filter(|&x| x < 1e6).fold(0.0, f64::max);
        // The rest of terms that cancel each other.
        let noise = if quantity == "result" { 0.0 } else { 1e-5 * relative };
        let absolute = 0.1 * relative * moderate + noise;
        for (index, (&got, &want)) in got.iter().zip(want).enumerate() {
            if is_close(got, want, relative, absolute) {
                continue;
            }
            // Where operands are as long as the result, the point.
            let at = case.floats.iter().filter_map(|x| x.elements.get(index)).map(number::<f64>);
            let (name, at) = (case.name(), at.collect::<Vec<_>>());
            let text =
                format!("{name}: {quantity} {operand}[{index}] at {at:?} is {got:?}, not {want:?}");
            let is_number_for_nan = want.is_nan();
            found.push(Difference { op: case.op.clone(), quantity, is_number_for_nan, text });
        }
    };
    for (index, ((sizes, got), want)) in got.results.iter().zip(&want.results).enumerate() {
        assert_eq!(*sizes, want.0, "{}: sizes of result {index}", case.name());
        check("result", index, got, &want.1);
    }
    for (number, (got, want)) in got.gradients.iter().zip(&want.gradients).enumerate() {
        check("gradient", number, got, want);
    }
    for (number, (got, want)) in got.second.iter().zip(&want.second).enumerate() {
        check("second gradient", number, got, want);
    }
    found
}
