//! Optimiser steps in traced programs: the rules on symbols, each of which represents a whole
//! tensor.
//!
//! The numbers of a step (rates, counts, bias corrections) are vectors with one element for each parameter of the model, so
//! that a program computes them in a few operations, however many parameters there are.

use core::cell::{Cell, RefCell};
use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Neg, Sub};
use std::collections::HashMap;

use tensor_core::{DynTensor, Element, Float, ShapeError};

use super::real::{Real, Scalar};

thread_local! {
    static OF_F32: RefCell<Symbols<f32>> = RefCell::default();
    static OF_F64: RefCell<Symbols<f64>> = RefCell::default();
    /// The index of the parameter that is updated.
    static PARAMETER: Cell<usize> = const { Cell::new(0) };
}

/// The tensors that symbols of one element type represent.
#[derive(Default)]
pub struct Symbols<T: Element> {
    tensors: Vec<DynTensor<T>>,
    /// The results of operations, by name and operands.
    known: HashMap<(&'static str, (u64, u64)), usize>,
}

/// The element types of symbols.
pub trait Symbolic: Float + Real {
    fn with<R>(then: impl FnOnce(&mut Symbols<Self>) -> R) -> R;
}

impl Symbolic for f32 {
    fn with<R>(then: impl FnOnce(&mut Symbols<f32>) -> R) -> R {
        OF_F32.with_borrow_mut(then)
    }
}

impl Symbolic for f64 {
    fn with<R>(then: impl FnOnce(&mut Symbols<f64>) -> R) -> R {
        OF_F64.with_borrow_mut(then)
    }
}

/// A tensor of a program, with the arithmetic of a number.
#[derive(Debug)]
pub struct Symbol<T> {
    index: usize,
    of: PhantomData<T>,
}

impl<T> Clone for Symbol<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Symbol<T> {}

/// Symbols are not compared: no rule chooses by its numbers.
impl<T> PartialEq for Symbol<T> {
    fn eq(&self, _: &Self) -> bool {
        unreachable!("a rule compares no numbers")
    }
}

impl<T> PartialOrd for Symbol<T> {
    fn partial_cmp(&self, _: &Self) -> Option<Ordering> {
        unreachable!("a rule compares no numbers")
    }
}

impl<T: Symbolic> Symbol<T> {
    pub(super) fn new(tensor: DynTensor<T>) -> Self {
        let index = T::with(|symbols| {
            symbols.tensors.push(tensor);
            symbols.tensors.len() - 1
        });
        Self { index, of: PhantomData }
    }

    pub(super) fn tensor(self) -> DynTensor<T> {
        T::with(|symbols| symbols.tensors[self.index].clone())
    }

    /// A number, or the result of an operation, which is recorded once: the numbers of a step are those of all parameters.
    fn once(
        operation: &'static str,
        operands: (u64, u64),
        compute: impl FnOnce() -> DynTensor<T>,
    ) -> Self {
        let key = (operation, operands);
        if let Some(index) = T::with(|symbols| symbols.known.get(&key).copied()) {
            return Self { index, of: PhantomData };
        }
        let result = Self::new(compute());
        T::with(|symbols| symbols.known.insert(key, result.index));
        result
    }

    fn with(
        self,
        operation: &'static str,
        other: Self,
        compute: impl FnOnce(&DynTensor<T>, &DynTensor<T>) -> Result<DynTensor<T>, ShapeError>,
    ) -> Self {
        Self::once(operation, (self.index as u64, other.index as u64), || {
            compute(&self.tensor(), &other.tensor()).expect("numbers and tensors of one shape")
        })
    }

    fn number(number: f64) -> Self {
        Self::once("number", (number.to_bits(), 0), || {
            DynTensor::full(&[], <T as Real>::of(number))
        })
    }
}

impl Symbol<f64> {
    /// The number of the parameter that is updated.
    fn of_parameter(self) -> DynTensor<f64> {
        let tensor = self.tensor();
        if tensor.rank() == 0 {
            return tensor;
        }
        tensor.index(0, PARAMETER.get()).expect("an element for each parameter")
    }
}

/// Begins the update of the parameter of this index.
pub(super) fn begin(parameter: usize) {
    PARAMETER.set(parameter);
}

/// Forgets all symbols of this thread after a step.
pub(super) fn clear() {
    f32::with(|symbols| *symbols = Symbols::default());
    f64::with(|symbols| *symbols = Symbols::default());
}

macro_rules! arithmetic {
    ($($Operator:ident $method:ident)*) => {$(
        impl<T: Symbolic> $Operator for Symbol<T> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.with(stringify!($method), other, |a, b| $Operator::$method(a, b))
            }
        }
    )*};
}

arithmetic!(Add add Sub sub Mul mul Div div);

impl<T: Symbolic> Neg for Symbol<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(self.tensor().neg())
    }
}

impl Scalar for Symbol<f64> {
    fn of(number: f64) -> Self {
        Self::number(number)
    }

    fn sqrt(self) -> Self {
        Self::once("sqrt", (self.index as u64, 0), || self.tensor().sqrt())
    }

    fn exponent_of(self, base: f64) -> Self {
        self.with("exponent_of", Self::number(base), |exponent, base| base.pow(exponent))
    }
}

macro_rules! real {
    ($($T:ident)*) => {$(
        impl Real for Symbol<$T> {
            type Number = Symbol<f64>;

            fn of(number: f64) -> Self {
                Self::number(number)
            }

            fn round(number: Symbol<f64>) -> Self {
                Self::new(number.of_parameter().cast())
            }

            fn sqrt(self) -> Self {
                Self::new(self.tensor().sqrt())
            }

            fn sign(self) -> Self {
                Self::new(self.tensor().sign())
            }

            fn first_or(count: Symbol<f64>, first: Self, later: Self) -> Self {
                let is_first = count.of_parameter().equal(&DynTensor::full(&[], 1.0));
                let is_first = is_first.expect("a number");
                first.with("first_or", later, |first, later| is_first.select(first, later))
            }
        }
    )*};
}

real!(f32 f64);
