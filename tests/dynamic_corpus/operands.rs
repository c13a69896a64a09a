//! The operands and attributes of a case, and its results.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use serde_json::Value;
use tensor_core::{DynTensor, Element, ShapeError};

use crate::computed::{Number, Run, Written};
use crate::corpus::Case;

/// A result without its element type.
pub struct Output {
    pub sizes: Vec<usize>,
    pub dtype: &'static str,
    pub numbers: Vec<Number>,
    /// The tensor itself.
    pub tensor: Box<dyn Any>,
}

thread_local! {
    /// Operands that take the place of those of the case, by their names.
    pub static GIVEN: RefCell<HashMap<String, Box<dyn Any>>> = RefCell::default();
    /// Whether the results are traced, and have no elements.
    static IS_TRACED: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function whose results are traced.
pub fn traced<R>(compute: impl FnOnce() -> R) -> R {
    /// Ends it, also where the function panics.
    struct Traced;
    impl Drop for Traced {
        fn drop(&mut self) {
            IS_TRACED.set(false);
        }
    }
    IS_TRACED.set(true);
    let _traced = Traced;
    compute()
}

/// The operand that takes the place of one of the case.
fn given<T: Element>(name: &str) -> Option<DynTensor<T>> {
    GIVEN.with_borrow(|given| given.get(name)?.downcast_ref().cloned())
}

impl<T: Written> From<DynTensor<T>> for Output {
    fn from(tensor: DynTensor<T>) -> Self {
        let elements = if IS_TRACED.get() { Vec::new() } else { tensor.to_vec() };
        let numbers = elements.into_iter().map(T::number).collect();
        let sizes = tensor.sizes().to_vec();
        Self { sizes, dtype: T::NAME, numbers, tensor: Box::new(tensor) }
    }
}

/// One result.
pub fn one<T: Written>(
    result: Result<DynTensor<T>, ShapeError>,
) -> Result<Option<Vec<Output>>, Box<dyn std::error::Error>> {
    Ok(Some(vec![result?.into()]))
}

/// A case whose main operands have elements of type `T`.
pub struct Operands<'a, T> {
    pub case: &'a Case,
    run: &'a Run,
    element: std::marker::PhantomData<T>,
}

impl<'a, T: Written> Operands<'a, T> {
    pub fn new(case: &'a Case, run: &'a Run) -> Self {
        Self { case, run, element: std::marker::PhantomData }
    }

    pub fn op(&self) -> &'a str {
        &self.case.op
    }

    /// The operand of this name, of type `T`.
    pub fn get(&self, name: &str) -> DynTensor<T> {
        self.of(name)
    }

    /// The operand of this name, of its own element type.
    pub fn of<U: Written>(&self, name: &str) -> DynTensor<U> {
        given(name).unwrap_or_else(|| self.run.dynamic(name))
    }

    pub fn has(&self, name: &str) -> bool {
        self.case.input(name).is_some()
    }

    pub fn dtype(&self, name: &str) -> &'a str {
        self.case.input(name).map_or("", |input| &input.dtype)
    }

    /// `x0`, `x1`, …
    pub fn all(&self) -> Vec<DynTensor<T>> {
        (0..self.case.inputs.len()).map(|number| self.get(&format!("x{number}"))).collect()
    }

    /// The rank of the first operand.
    pub fn rank(&self) -> usize {
        self.case.inputs[0].shape.len()
    }

    /// An attribute that is a number of the type of the elements.
    pub fn scalar(&self, name: &str) -> Option<T> {
        match self.case.attrs.get(name)? {
            Value::Null => None,
            value => Some(T::read(value)),
        }
    }
}

/// A tensor of rank 0.
pub fn scalar<T: Element>(value: T) -> DynTensor<T> {
    DynTensor::scalar(value)
}

impl Case {
    pub fn number(&self, name: &str) -> Option<f64> {
        self.attrs.get(name)?.as_f64()
    }

    pub fn integer(&self, name: &str) -> Option<isize> {
        self.attrs.get(name)?.as_i64().map(|value| value as isize)
    }

    pub fn flag(&self, name: &str) -> bool {
        self.attrs.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A list of integers; `None` if it is missing or null.
    pub fn list(&self, name: &str) -> Option<Vec<isize>> {
        let list = self.attrs.get(name)?.as_array()?;
        Some(list.iter().map(|item| item.as_i64().expect("an integer") as isize).collect())
    }

    /// A list of pairs.
    #[allow(dead_code, reason = "for operations on windows and edges")]
    pub fn pairs(&self, name: &str) -> Option<Vec<(isize, isize)>> {
        let list = self.attrs.get(name)?.as_array()?;
        let pair = |value: &Value| {
            let number = |place: usize| value[place].as_i64().expect("an integer") as isize;
            (number(0), number(1))
        };
        Some(list.iter().map(pair).collect())
    }
}
