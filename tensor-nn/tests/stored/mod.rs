//! Results of PyTorch, written by `pytorch.py`.

#![allow(dead_code, reason = "each test reads what it needs")]

use serde_json::Value;
use tensor_core::module::Module;
use tensor_core::{DynTensor, Element, IntoTensor, Shape, Tensor};

/// The tensors of one case, by name.
pub struct Case {
    name: &'static str,
    tensors: Value,
}

impl Case {
    /// A case of a file.
    pub fn read(file: &str, name: &'static str) -> Self {
        let path = format!("{}/tests/pytorch/{file}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a file of cases");
        let mut cases: Value = serde_json::from_str(&text).expect("JSON");
        let tensors = cases[name].take();
        assert!(tensors.is_object(), "no case {name}");
        Self { name, tensors }
    }

    fn dynamic<T: Element>(&self, name: &str, read: impl Fn(&Value) -> Option<T>) -> DynTensor<T> {
        let tensor = &self.tensors[name];
        let numbers = |field: &str| {
            let numbers = tensor[field].as_array();
            numbers.unwrap_or_else(|| panic!("{} has no tensor {name}", self.name))
        };
        let sizes: Vec<usize> =
            numbers("shape").iter().map(|size| size.as_u64().expect("a size") as usize).collect();
        let elements = numbers("data").iter().map(|x| read(x).expect("a number")).collect();
        DynTensor::from_vec(&sizes, elements).expect("as many elements as the shape has")
    }

    /// A tensor of this shape.
    pub fn get<S: Shape>(&self, name: &str) -> Tensor<S, f64> {
        self.dynamic(name, Value::as_f64).into_tensor().unwrap_or_else(|error| {
            panic!("{} {name}: {error}", self.name);
        })
    }

    /// Indices, or classes.
    pub fn integers<S: Shape>(&self, name: &str) -> Tensor<S, i64> {
        self.dynamic(name, Value::as_i64).into_tensor().expect("this shape")
    }

    /// A mask.
    pub fn mask<S: Shape>(&self, name: &str) -> Tensor<S, bool> {
        self.dynamic(name, |x| Some(x.as_i64()? != 0)).into_tensor().expect("this shape")
    }

    /// The same layer with the parameters of the case, which have the same names.
    pub fn fill<M: Module>(&self, mut layer: M) -> M {
        let mut count = 0;
        for (name, _, tensor) in layer.tensors_mut() {
            let name = if self.tensors[&name].is_null() && self.tensors.get("y0").is_some() {
                // Resets the batch statistics of a layer.
                continue;
            } else {
                name
            };
            let values = self.dynamic(&name, Value::as_f64);
            tensor.assign(values).unwrap_or_else(|error| panic!("{} {name}: {error}", self.name));
            count += 1;
        }
        assert!(count > 0, "no parameter of {}", self.name);
        layer
    }

    /// That a result is what PyTorch has, to 1e-11 of the largest of both.
    #[track_caller]
    pub fn check<S: Shape>(&self, name: &str, result: &Tensor<S, f64>) {
        let expected = self.get::<S>(name);
        assert_eq!(result.sizes(), expected.sizes(), "{} {name}", self.name);
        let largest = expected.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
        for (place, (&result, &expected)) in result.iter().zip(expected.iter()).enumerate() {
            assert!(
                (result - expected).abs() <= 1e-11 * largest,
                "{} {name}: element {place} is {result}, and {expected} in PyTorch",
                self.name
            );
        }
    }
}
