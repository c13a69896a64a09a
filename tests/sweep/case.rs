//! A case of the sweep: an operation, its attributes and operands, and what PyTorch computes for it.

use std::error::Error;
use std::io::Read;

use flate2::read::GzDecoder;
use half::{bf16, f16};
use serde::Deserialize;
use serde_json::{Map, Value};
use tensor_core::element::{CastTo, Signed};
use tensor_core::{DynTensor, Float};

/// The sizes and elements of a tensor.
#[derive(Clone, Debug, Deserialize)]
pub struct Data {
    #[serde(rename = "s")]
    pub sizes: Vec<usize>,
    #[serde(rename = "v")]
    pub elements: Vec<Value>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    pub op: String,
    #[serde(rename = "a")]
    pub attributes: Map<String, Value>,
    #[serde(rename = "x")]
    pub floats: Vec<Data>,
    #[serde(rename = "i")]
    pub integers: Vec<Data>,
    #[serde(rename = "m")]
    pub masks: Vec<Data>,
    #[serde(rename = "y")]
    pub results: Vec<Data>,
    /// The gradients of the float operands; `None` where no result depends on them.
    #[serde(rename = "g")]
    pub gradients: Option<Vec<Vec<Value>>>,
    /// The gradients of the sum of these; `None` where PyTorch has none.
    #[serde(rename = "h")]
    pub second: Option<Vec<Vec<Value>>>,
}

impl Case {
    /// All cases.
    pub fn read() -> Vec<Self> {
        let mut json = String::new();
        let compressed = &include_bytes!("pytorch.json.gz")[..];
        GzDecoder::new(compressed).read_to_string(&mut json).expect("compressed text");
        serde_json::from_str(&json).expect("a list of cases")
    }

    /// The operation, its attributes and the sizes of its operands.
    pub fn name(&self) -> String {
        let operands = self.floats.iter().chain(&self.integers).chain(&self.masks);
        let sizes: Vec<_> = operands.map(|data| &data.sizes).collect();
        format!("{}{} of {sizes:?}", self.op, Value::from(self.attributes.clone()))
    }
}

/// An element type of the sweep, with its extreme numbers.
pub trait Real: Float + CastTo<f64> + CastTo<f32> {
    const MAX: Self;
    const MIN_POSITIVE: Self;

    /// The numbers rounded to `f32`.
    fn rounded(x: &DynTensor<Self>) -> DynTensor<Self>;
}

macro_rules! real {
    ($($T:ident)*) => {$(
        impl Real for $T {
            const MAX: Self = $T::MAX;
            const MIN_POSITIVE: Self = $T::MIN_POSITIVE;

            fn rounded(x: &DynTensor<Self>) -> DynTensor<Self> {
                x.cast::<f32>().cast()
            }
        }
    )*};
}

real!(f32 f64 f16 bf16);

/// A number of the file in an element type: `max`, `min` and `sub` differ between types.
pub fn number<T: Real>(value: &Value) -> T {
    let Some(name) = value.as_str() else {
        return T::from_f64(value.as_f64().expect("a number"));
    };
    let magnitude = match name.trim_start_matches('-') {
        "nan" => T::NAN,
        "inf" => T::INFINITY,
        "max" => <T as Real>::MAX,
        "min" => <T as Real>::MIN_POSITIVE,
        // The smallest normal number times the distance of 1 to the next number.
        "sub" => <T as Real>::MIN_POSITIVE.mul(T::EPSILON),
        other => panic!("a number `{other}`"),
    };
    if name.starts_with('-') { Signed::neg(magnitude) } else { magnitude }
}

/// The operands of a case.
#[derive(Clone)]
pub struct Operands<'a, T: Real> {
    pub case: &'a Case,
    pub floats: Vec<DynTensor<T>>,
    pub integers: Vec<DynTensor<i64>>,
    pub masks: Vec<DynTensor<bool>>,
}

/// A result, whatever its element type.
#[derive(Debug)]
pub enum Output<T: Real> {
    Float(DynTensor<T>),
    Integer(DynTensor<i64>),
    Mask(DynTensor<bool>),
}

pub type Results<T> = Result<Vec<Output<T>>, Box<dyn Error>>;

impl<T: Real> Output<T> {
    pub fn sizes(&self) -> &[usize] {
        match self {
            Self::Float(x) => x.sizes(),
            Self::Integer(x) => x.sizes(),
            Self::Mask(x) => x.sizes(),
        }
    }

    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Float(x) => x.iter().map(|x| x.to_f64()).collect(),
            Self::Integer(x) => x.iter().map(|&x| x as f64).collect(),
            Self::Mask(x) => x.iter().map(|&x| f64::from(u8::from(x))).collect(),
        }
    }
}

impl<'a, T: Real> Operands<'a, T> {
    pub fn new(case: &'a Case) -> Self {
        let tensor = |data: &Data| {
            DynTensor::from_vec(&data.sizes, data.elements.iter().map(number).collect()).unwrap()
        };
        let integers = |data: &Data| {
            let elements = data.elements.iter().map(|x| x.as_i64().expect("an integer"));
            DynTensor::from_vec(&data.sizes, elements.collect()).unwrap()
        };
        let masks = |data: &Data| integers(data).map(|x| x != 0);
        Self {
            case,
            floats: case.floats.iter().map(tensor).collect(),
            integers: case.integers.iter().map(integers).collect(),
            masks: case.masks.iter().map(masks).collect(),
        }
    }

    /// The same numbers in `f64`.
    pub fn widened(&self) -> Operands<'a, f64> {
        Operands {
            case: self.case,
            floats: self.floats.iter().map(DynTensor::cast::<f64>).collect(),
            integers: self.integers.clone(),
            masks: self.masks.clone(),
        }
    }

    pub fn x(&self) -> &DynTensor<T> {
        &self.floats[0]
    }

    pub fn y(&self) -> &DynTensor<T> {
        &self.floats[1]
    }

    pub fn indices(&self) -> &DynTensor<i64> {
        &self.integers[0]
    }

    pub fn has(&self, name: &str) -> bool {
        self.case.attributes.contains_key(name)
    }

    pub fn text(&self, name: &str) -> &'a str {
        self.case.attributes[name].as_str().expect("a text")
    }

    pub fn flag(&self, name: &str) -> bool {
        self.case.attributes[name].as_bool().expect("a flag")
    }

    pub fn real(&self, name: &str) -> f64 {
        self.case.attributes[name].as_f64().expect("a number")
    }

    pub fn integer(&self, name: &str) -> isize {
        self.case.attributes[name].as_i64().expect("an integer") as isize
    }

    pub fn size(&self, name: &str) -> usize {
        self.integer(name).try_into().expect("a size")
    }

    pub fn axis(&self) -> isize {
        self.integer("axis")
    }

    pub fn list(&self, name: &str) -> Vec<isize> {
        let list = self.case.attributes[name].as_array().expect("a list");
        list.iter().map(|x| x.as_i64().expect("an integer") as isize).collect()
    }

    pub fn sizes(&self, name: &str) -> Vec<usize> {
        self.list(name).into_iter().map(|size| size.try_into().expect("a size")).collect()
    }
}
