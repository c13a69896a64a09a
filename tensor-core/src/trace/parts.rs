//! Sums whose parts are not added up yet: the tensors of `Unreduced` of `tensor-xla`.

use core::convert::Infallible;

use tensor_array::array::history::AnyArray;
use tensor_array::array::trace::is_tracing;
use tensor_array::array::trace::loops::{self, Body, MeshAxis, Turns};
use tensor_kernels::element::Number;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use super::scan::Items;
use super::{arrays_of, same_tensors, with_arrays};
use crate::module::{AnyTensor, Module, Path, Role, Visitor, VisitorMut};
use crate::shape::error::ShapeError;
use crate::tensor::DynTensor;

/// A module of sums that are not computed yet: for each of its tensors one with one more axis, the first, of the parts that
/// are added.
#[doc(hidden)]
pub struct Parts<M> {
    /// The fields that are no tensors, and tensors of the same types.
    of: M,
    tensors: Vec<Box<dyn AnyTensor>>,
}

/// What [`Parts::each`] requires of its function.
const SAME_RESULTS: &str = "the results for all items have the same tensors";

/// An operation on parts.
enum Step<'a> {
    Sum,
    Plus(&'a dyn AnyTensor),
    Minus(&'a dyn AnyTensor),
    /// Times a float without axes.
    Times(&'a dyn AnyTensor),
    /// Divided by a float without axes.
    Over(&'a dyn AnyTensor),
}

/// Runs a block on a tensor whose element type is known at run time.
macro_rules! by_class {
    ([$tensor:ident $step:ident] $($(#[$meta:meta])* $T:ident: $class:ident $other:ident;)+) => {
        $($(#[$meta])* by_class! { @$class $T $tensor $step })+
    };
    (@float $T:ident $tensor:ident $step:ident) => {
        if let Some(x) = $tensor.get::<$T>() {
            let number = |number: &dyn AnyTensor| {
                number.get::<$T>().or_else(|| Some(number.to_f32()?.cast())).expect("a float")
            };
            return AnyArray::new(match *$step {
                Step::Times(factor) => fits(&x * number(factor)),
                Step::Over(divisor) => fits(&x / number(divisor)),
                _ => of_numbers(&x, $step),
            });
        }
    };
    (@half $($row:tt)*) => { by_class! { @float $($row)* } };
    (@boolean $($row:tt)*) => {};
    (@$class:ident $T:ident $tensor:ident $step:ident) => {
        if let Some(x) = $tensor.get::<$T>() {
            return AnyArray::new(of_numbers(&x, $step));
        }
    };
}

#[track_caller]
fn after(tensor: &dyn AnyTensor, step: &Step<'_>) -> AnyArray {
    for_each_element!(by_class[tensor step]);
    panic!("a `bool` is not added: `cast` it in the function of the parts")
}

#[track_caller]
fn of_numbers<T: Number>(x: &DynTensor<T>, step: &Step<'_>) -> DynTensor<T> {
    let other = |other: &dyn AnyTensor| other.get::<T>().expect("the same module");
    fits(match *step {
        Step::Sum => x.sum_axis(0),
        Step::Plus(y) => x + other(y),
        Step::Minus(y) => x - other(y),
        Step::Times(_) | Step::Over(_) => {
            panic!(
                "a sum of `{}`s is not multiplied by a float: `cast` it to floats before",
                T::NAME
            )
        }
    })
}

#[track_caller]
fn fits<T>(result: Result<T, ShapeError>) -> T {
    result.expect("parts of the same types, or a number")
}

macro_rules! boxed {
    ([$array:ident] $($(#[$meta:meta])* $T:ident: $class:ident $other:ident;)+) => {
        $($(#[$meta])* if let Some(x) = $array.get::<DynTensor<$T>>() {
            return Box::new(x.clone());
        })+
    };
}

fn boxed(array: &AnyArray) -> Box<dyn AnyTensor> {
    for_each_element!(boxed[array]);
    unreachable!("all element types are in the table")
}

impl<M: Module + Clone> Parts<M> {
    /// The results of a function for each item along the first axis of tensors. In a program it is one step, and one that is
    /// split over a mesh computes each item on the devices at its index of an axis of the mesh.
    #[track_caller]
    pub fn each<X: Items>(
        items: &X,
        mesh: &str,
        axis: &str,
        function: &dyn Fn(&X::Item) -> M,
    ) -> Self {
        let len = items.along();
        if !is_tracing() {
            let results: Vec<M> = (0..len).map(|index| function(&items.item(index))).collect();
            let arrays: Vec<Vec<AnyArray>> = results.iter().map(|of| arrays_of(of)).collect();
            for other in &results[1..] {
                if let Err(message) = same_tensors(&results[0], other, SAME_RESULTS) {
                    panic!("{message}");
                }
            }
            let of = results.into_iter().next().expect("an axis of a mesh has a device");
            let stacked = |number: usize| {
                let of_items = arrays.iter().map(|arrays| arrays[number].clone());
                loops::stacked(&of_items.collect::<Vec<_>>())
            };
            let arrays: Vec<AnyArray> = (0..arrays[0].len()).map(stacked).collect();
            return Self::new(of, &arrays);
        }
        let mut lists = Vec::new();
        items.collect(&mut lists);
        let types: Vec<_> = lists.iter().map(loops::item_type).collect();
        let Ok((body, of)) = Body::trace(&types, 0, |inputs| {
            let of = function(&items.item_of(&mut inputs.iter().cloned()));
            Ok::<_, Infallible>((arrays_of(&of), of))
        });
        let across = Some(MeshAxis { mesh: mesh.into(), axis: axis.into() });
        let turns = Turns { len, reverse: false, across };
        Self::new(of, &loops::scan(&body, turns, &[], &lists))
    }

    /// Sums of this number of parts, which are 0.
    pub fn zeros(of: &M, len: usize) -> Self {
        let zeros = |array: &AnyArray| loops::zeros(len, array);
        let arrays: Vec<AnyArray> = arrays_of(of).iter().map(zeros).collect();
        Self::new(of.clone(), &arrays)
    }

    fn new(of: M, arrays: &[AnyArray]) -> Self {
        Self { of, tensors: arrays.iter().map(boxed).collect() }
    }

    #[track_caller]
    fn after<'a>(&'a self, step: impl Fn(usize) -> Step<'a>) -> Vec<AnyArray> {
        let tensors = self.tensors.iter().enumerate();
        tensors.map(|(number, tensor)| after(&**tensor, &step(number))).collect()
    }

    /// The sums.
    #[track_caller]
    pub fn sum(&self) -> M {
        with_arrays(&self.of, &self.after(|_| Step::Sum))
    }

    #[track_caller]
    pub fn plus(&self, other: &Self) -> Self {
        self.check_types(other);
        Self::new(self.of.clone(), &self.after(|number| Step::Plus(&*other.tensors[number])))
    }

    #[track_caller]
    pub fn minus(&self, other: &Self) -> Self {
        self.check_types(other);
        Self::new(self.of.clone(), &self.after(|number| Step::Minus(&*other.tensors[number])))
    }

    /// # Panics
    ///
    /// If the tensors differ in number, element type or size.
    #[track_caller]
    fn check_types(&self, other: &Self) {
        let types = |parts: &Self| -> Vec<_> {
            let each = parts.tensors.iter();
            each.map(|tensor| (tensor.element_name(), tensor.sizes())).collect()
        };
        let (one, two) = (types(self), types(other));
        assert!(
            one == two,
            "the parts of two sums differ: {:?} and {:?}",
            self.tensors,
            other.tensors
        );
    }

    /// The sums times a float without axes.
    #[track_caller]
    pub fn times(&self, factor: &dyn AnyTensor) -> Self {
        Self::new(self.of.clone(), &self.after(|_| Step::Times(factor)))
    }

    /// The sums divided by a float without axes.
    #[track_caller]
    pub fn over(&self, divisor: &dyn AnyTensor) -> Self {
        Self::new(self.of.clone(), &self.after(|_| Step::Over(divisor)))
    }
}

impl<M: Clone> Clone for Parts<M> {
    fn clone(&self) -> Self {
        let tensors = self.tensors.iter().map(|tensor| boxed(&tensor.to_array()));
        Self { of: self.of.clone(), tensors: tensors.collect() }
    }
}

/// The tensors of the parts, as buffers: they are no parameters.
impl<M> Module for Parts<M> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        for (number, tensor) in self.tensors.iter().enumerate() {
            visitor(&path.index(number), Role::Buffer, &**tensor);
        }
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        for (number, tensor) in self.tensors.iter_mut().enumerate() {
            visitor(&path.index(number), Role::Buffer, &mut **tensor);
        }
    }
}
