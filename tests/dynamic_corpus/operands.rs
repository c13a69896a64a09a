//! Tensors of any element type, and the operands and attributes of a case.

use std::any::Any;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde_json::Value;
use tensor_core::module::{Module, Path, Visitor, VisitorMut};
use tensor_core::{DynTensor, Element, ShapeError};

use crate::Results;
use crate::computed::{Number, Written};
use crate::corpus::{Case, Data};

macro_rules! arrays {
    ($($name:literal $Variant:ident $T:ident;)*) => {
        /// A tensor of any element type of the corpus.
        #[derive(Clone, Debug)]
        pub enum Array {
            $($Variant(DynTensor<$T>),)*
        }

        impl Array {
            pub fn read(data: &Data) -> Self {
                match data.dtype.as_str() {
                    $($name => {
                        let elements = data.data.iter().map(<$T as Written>::read).collect();
                        Self::$Variant(DynTensor::from_vec(&data.shape, elements).expect("an element for each"))
                    })*
                    other => panic!("elements of type {other}"),
                }
            }

            /// The tensor, if this is its element type.
            pub fn get<T: Element>(&self) -> Option<DynTensor<T>> {
                let tensor: &dyn Any = match self {
                    $(Self::$Variant(x) => x,)*
                };
                tensor.downcast_ref().cloned()
            }

            pub fn dtype(&self) -> &'static str {
                match self {
                    $(Self::$Variant(_) => $name,)*
                }
            }

            pub fn sizes(&self) -> &[usize] {
                match self {
                    $(Self::$Variant(x) => x.sizes(),)*
                }
            }

            pub fn numbers(&self) -> Vec<Number> {
                match self {
                    $(Self::$Variant(x) => x.to_vec().into_iter().map(Written::number).collect(),)*
                }
            }

            /// Zeros of the same sizes.
            pub fn zeros(&self) -> Self {
                match self {
                    $(Self::$Variant(x) => DynTensor::full(x.sizes(), $T::default()).into(),)*
                }
            }
        }

        impl<T: Element> From<DynTensor<T>> for Array {
            fn from(tensor: DynTensor<T>) -> Self {
                let tensor: &dyn Any = &tensor;
                $(if let Some(x) = tensor.downcast_ref::<DynTensor<$T>>() {
                    return Self::$Variant(x.clone());
                })*
                panic!("elements of type {}", T::NAME)
            }
        }

        impl Module for Array {
            fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
                match self {
                    $(Self::$Variant(x) => x.visit(path, visitor),)*
                }
            }

            fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
                match self {
                    $(Self::$Variant(x) => x.visit_mut(path, visitor),)*
                }
            }
        }
    };
}

arrays! {
    "f32" F32 f32;
    "f64" F64 f64;
    "i64" I64 i64;
    "i32" I32 i32;
    "u8" U8 u8;
    "bool" Bool bool;
}

/// Operands by their names.
pub type Inputs = BTreeMap<String, Array>;

/// The operands that are listed.
pub fn inputs(listed: &[Data]) -> Inputs {
    listed.iter().map(|data| (data.name.clone(), Array::read(data))).collect()
}

/// One result.
pub fn one<T: Element>(result: Result<DynTensor<T>, ShapeError>) -> Results {
    Ok(Some(vec![result?.into()]))
}

/// A case whose main operands have elements of type `T`.
pub struct Operands<'a, T> {
    pub case: &'a Case,
    inputs: &'a Inputs,
    element: PhantomData<T>,
}

impl<'a, T: Written> Operands<'a, T> {
    pub fn new(case: &'a Case, inputs: &'a Inputs) -> Self {
        Self { case, inputs, element: PhantomData }
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
        self.inputs[name]
            .get()
            .unwrap_or_else(|| panic!("`{name}` has elements of type {}", U::NAME))
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
