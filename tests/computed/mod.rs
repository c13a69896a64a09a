//! Runs the cases of the corpus: reads the inputs, compares the results.

#![allow(dead_code, unused_imports, reason = "each test uses its part")]

mod layers;

use std::collections::BTreeMap;

use serde_json::Value;
use tensor_core::{DynTensor, Element, IntoTensor, Shape, StaticShape, Tensor};

pub use self::layers::{layer_norm, lower};
use super::corpus::{Case, Tolerance};

/// A tensor whose sizes the values decided, in the shape that the corpus has.
pub fn known<S: Shape, R: StaticShape, T: Element>(x: Tensor<S, T>) -> Tensor<R, T> {
    DynTensor::from(x).into_tensor().expect("the shape of the corpus")
}

/// An element as the corpus writes it.
pub trait Written: Element {
    fn read(value: &Value) -> Self;
    fn number(self) -> Number;
}

/// An element of a result, without its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Float(f64),
    Integer(i64),
    Truth(bool),
}

macro_rules! floats {
    ($($T:ident)*) => {$(
        impl Written for $T {
            fn read(value: &Value) -> Self {
                match value.as_str() {
                    Some("nan") => Self::NAN,
                    Some("inf") => Self::INFINITY,
                    Some("-inf") => Self::NEG_INFINITY,
                    Some(other) => panic!("`{other}` is not a number"),
                    None => value.as_f64().expect("a number") as Self,
                }
            }

            fn number(self) -> Number {
                Number::Float(self.into())
            }
        }
    )*};
}

floats!(f32 f64);

macro_rules! integers {
    ($($T:ident)*) => {$(
        impl Written for $T {
            fn read(value: &Value) -> Self {
                let value = value.as_i64().expect("an integer");
                value.try_into().expect("an integer of the type")
            }

            fn number(self) -> Number {
                Number::Integer(self.into())
            }
        }
    )*};
}

integers!(i64 i32 u8);

impl Written for bool {
    fn read(value: &Value) -> Self {
        value.as_bool().expect("true or false")
    }

    fn number(self) -> Number {
        Number::Truth(self)
    }
}

impl Number {
    /// The number of type `dtype` that the corpus writes so.
    fn read(value: &Value, dtype: &str) -> Self {
        match dtype {
            "f32" => f32::read(value).number(),
            "f64" => f64::read(value).number(),
            "bool" => bool::read(value).number(),
            _ => i64::read(value).number(),
        }
    }

    /// Whether this is the number that is wanted: near it by the tolerance, or without one, the
    /// same number with the same sign. NaN is NaN.
    fn is_close(self, wanted: Self, tolerance: Tolerance) -> bool {
        let (Self::Float(got), Self::Float(want)) = (self, wanted) else { return self == wanted };
        if got.is_nan() || want.is_nan() {
            return got.is_nan() && want.is_nan();
        }
        let Tolerance { rtol, atol } = tolerance;
        if rtol == 0.0 && atol == 0.0 {
            return got.total_cmp(&want).is_eq();
        }
        got == want || (want.is_finite() && (got - want).abs() <= atol + rtol * want.abs())
    }
}

#[test]
fn a_number_is_close_within_its_tolerance_only() {
    let [exact, near] = [0.0, 0.1].map(|rtol| Tolerance { rtol, atol: 0.0 });
    let close = |got, want, tolerance| Number::Float(got).is_close(Number::Float(want), tolerance);
    assert!(close(1.0, 1.0, exact) && close(f64::NAN, f64::NAN, exact));
    assert!(!close(1.0 + f64::EPSILON, 1.0, exact) && !close(0.0, -0.0, exact));
    assert!(close(10.5, 10.0, near) && !close(12.0, 10.0, near) && !close(10.0, f64::NAN, near));
    assert!(close(f64::INFINITY, f64::INFINITY, near) && !close(1.0, f64::INFINITY, near));
    assert!(!Number::Integer(1).is_close(Number::Float(1.0), near));
}

/// A run through the cases, one after the other.
pub struct Run {
    cases: BTreeMap<String, Case>,
    current: Option<Case>,
    results: usize,
    done: Vec<String>,
    failures: Vec<String>,
}

impl Run {
    pub fn new(cases: Vec<Case>) -> Self {
        let cases = cases.into_iter().map(|case| (case.id.clone(), case)).collect();
        Self { cases, current: None, results: 0, done: Vec::new(), failures: Vec::new() }
    }

    /// Goes on to the case of this name.
    pub fn start(&mut self, id: &str) {
        self.end();
        self.current = Some(self.cases.remove(id).expect("a case of the corpus, once"));
    }

    /// The current case is done; all of its results were compared.
    fn end(&mut self) {
        let Some(case) = self.current.take() else { return };
        assert_eq!(self.results, case.outputs().len(), "results of {}", case.id);
        self.results = 0;
        self.done.push(case.id);
    }

    /// The names of all cases that were run, and what was wrong.
    pub fn finish(mut self) -> (Vec<String>, Vec<String>) {
        self.end();
        (std::mem::take(&mut self.done), std::mem::take(&mut self.failures))
    }

    /// The input of this name, whose sizes and type the corpus gives too.
    pub fn input<S: StaticShape, T: Written>(&self, name: &str) -> Tensor<S, T> {
        match self.dynamic::<T>(name).into_tensor() {
            Ok(tensor) => tensor,
            Err(error) => panic!("the shape of `{name}`: {error}"),
        }
    }

    /// The same without the shape as a type.
    pub fn dynamic<T: Written>(&self, name: &str) -> DynTensor<T> {
        let (sizes, elements) = self.read(name, T::NAME);
        let elements = elements.iter().map(T::read).collect();
        DynTensor::from_vec(sizes, elements).expect("as many elements as the shape has")
    }

    fn read(&self, name: &str, dtype: &str) -> (&[usize], &[Value]) {
        let case = self.current.as_ref().expect("a case");
        let input = case.input(name).expect("an input of this name");
        assert_eq!(input.dtype, dtype, "the type of `{name}` in {}", case.id);
        (&input.shape, &input.data)
    }

    /// Compares the next result.
    pub fn check<S: StaticShape, T: Written>(&mut self, result: Tensor<S, T>) {
        self.check_dynamic(result.into());
    }

    /// The same without the shape as a type.
    pub fn check_dynamic<T: Written>(&mut self, result: DynTensor<T>) {
        let numbers = result.to_vec().into_iter().map(T::number).collect();
        self.compare(result.sizes(), T::NAME, numbers);
    }

    /// Leaves the current case out.
    pub fn skip(&mut self) {
        self.current = None;
    }

    /// The same for a result whose element type is gone.
    pub fn compare(&mut self, sizes: &[usize], dtype: &str, numbers: Vec<Number>) {
        let case = self.current.as_ref().expect("a case");
        let wanted = &case.outputs()[self.results];
        self.results += 1;
        assert_eq!(wanted.shape, sizes, "the shape of a result of {}", case.id);
        assert_eq!(wanted.dtype, dtype, "the type of a result of {}", case.id);
        let tolerance = case.tolerance();
        let wanted: Vec<_> = wanted.data.iter().map(|value| Number::read(value, dtype)).collect();
        assert_eq!(wanted.len(), numbers.len(), "elements of a result of {}", case.id);
        let different =
            numbers.iter().zip(&wanted).position(|(got, want)| !got.is_close(*want, tolerance));
        if let Some(place) = different {
            let (got, want) = (numbers[place], wanted[place]);
            let message =
                format!("{} ({}): element {place} is {got:?}, not {want:?}", case.id, case.op);
            self.failures.push(message);
        }
    }
}

/// Says which case a panic came from.
impl Drop for Run {
    fn drop(&mut self) {
        if let (true, Some(case)) = (std::thread::panicking(), &self.current) {
            eprintln!("in case {}", case.id);
        }
    }
}
