//! Steps of optimisers in programs that are traced: the rules on symbols, which stand for whole tensors.

use core::cell::RefCell;
use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Neg, Sub};

use tensor_core::{DynTensor, Float, ShapeError};

use super::real::{Real, Scalar};

thread_local! {
    /// The tensors that symbols of this thread stand for, by element type.
    static TENSORS: RefCell<(Vec<DynTensor<f32>>, Vec<DynTensor<f64>>)> =
        const { RefCell::new((Vec::new(), Vec::new())) };
}

/// The element types of symbols.
pub trait Symbolic: Float {
    fn with<R>(then: impl FnOnce(&mut Vec<DynTensor<Self>>) -> R) -> R;
}

impl Symbolic for f32 {
    fn with<R>(then: impl FnOnce(&mut Vec<DynTensor<f32>>) -> R) -> R {
        TENSORS.with_borrow_mut(|tensors| then(&mut tensors.0))
    }
}

impl Symbolic for f64 {
    fn with<R>(then: impl FnOnce(&mut Vec<DynTensor<f64>>) -> R) -> R {
        TENSORS.with_borrow_mut(|tensors| then(&mut tensors.1))
    }
}

/// A tensor of a program, with the arithmetic of a number.
#[derive(Debug)]
pub struct Symbol<T> {
    place: usize,
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
        let place = T::with(|tensors| {
            tensors.push(tensor);
            tensors.len() - 1
        });
        Self { place, of: PhantomData }
    }

    pub(super) fn tensor(self) -> DynTensor<T> {
        T::with(|tensors| tensors[self.place].clone())
    }

    fn number(number: T) -> Self {
        Self::new(DynTensor::full(&[], number))
    }

    fn with(
        self,
        other: Self,
        then: impl FnOnce(&DynTensor<T>, &DynTensor<T>) -> Result<DynTensor<T>, ShapeError>,
    ) -> Self {
        let (a, b) = (self.tensor(), other.tensor());
        Self::new(then(&a, &b).expect("numbers and tensors of one shape"))
    }
}

/// Forgets all symbols of this thread after a step.
pub(super) fn clear() {
    TENSORS.set((Vec::new(), Vec::new()));
}

macro_rules! arithmetic {
    ($($Operator:ident $method:ident)*) => {$(
        impl<T: Symbolic> $Operator for Symbol<T> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.with(other, |a, b| $Operator::$method(a, b))
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
        Self::new(self.tensor().sqrt())
    }

    fn exponent_of(self, base: f64) -> Self {
        Self::number(base).with(self, |base, exponent| base.pow(exponent))
    }
}

macro_rules! real {
    ($($T:ident)*) => {$(
        impl Real for Symbol<$T> {
            type Number = Symbol<f64>;

            fn of(number: f64) -> Self {
                Self::number(number as $T)
            }

            fn round(number: Symbol<f64>) -> Self {
                Self::new(number.tensor().cast())
            }

            fn sqrt(self) -> Self {
                Self::new(self.tensor().sqrt())
            }

            fn sign(self) -> Self {
                Self::new(self.tensor().sign())
            }

            fn first_or(count: Symbol<f64>, first: Self, later: Self) -> Self {
                let is_first = count.tensor().equal(&DynTensor::full(&[], 1.0));
                let is_first = is_first.expect("a number");
                first.with(later, |first, later| is_first.select(first, later))
            }
        }
    )*};
}

real!(f32 f64);
