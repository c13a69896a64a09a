//! What the generated programs share: reading inputs, comparing outputs. It is compiled into each of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tensor_core::element::CastTo;
use tensor_core::io::{Checkpoint, FileElement};
use tensor_core::{DynTensor, Shape, Tensor};

/// The data of a case.
pub struct Data {
    file: Checkpoint,
    relative: f64,
    absolute: f64,
}

impl Data {
    pub fn open(folder: &Path, relative: f64, absolute: f64) -> Self {
        let file = Checkpoint::open(folder.join("data.safetensors")).expect("data");
        Self { file, relative, absolute }
    }

    pub fn input<S: Shape, T: FileElement>(&self, index: usize) -> Tensor<S, T> {
        self.file.tensor(&format!("in.{index}")).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn check<S: Shape, T: FileElement + CastTo<f64>>(&self, index: usize, result: Tensor<S, T>) {
        self.compare(index, DynTensor::from(result));
    }

    /// As NumPy's `assert_allclose`.
    fn compare<T: FileElement + CastTo<f64>>(&self, index: usize, result: DynTensor<T>) {
        let wanted: DynTensor<T> = match self.file.dyn_tensor(&format!("out.{index}")) {
            Ok(wanted) => wanted,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(result.sizes(), wanted.sizes(), "the sizes of output {index}");
        let (found, all) = (result.cast::<f64>().to_vec(), wanted.cast::<f64>().to_vec());
        for (position, (&x, &y)) in found.iter().zip(&all).enumerate() {
            let is_close = x == y
                || x.is_nan() && y.is_nan()
                || (x - y).abs() <= self.absolute + self.relative * y.abs();
            assert!(is_close, "output {index}, element {position}: {x} instead of {y}");
        }
    }
}

/// Runs a case, and prints its name with `passed`, or with what went wrong.
pub fn run(name: &str, folder: &str, relative: f64, absolute: f64, case: fn(&Data, &Path)) {
    let folder = Path::new(folder);
    let passed = catch_unwind(AssertUnwindSafe(|| {
        case(&Data::open(folder, relative, absolute), folder);
    }));
    let result = match passed {
        Ok(()) => "passed".to_owned(),
        Err(error) => {
            let text = error.downcast_ref::<String>().cloned();
            let text = text.or_else(|| error.downcast_ref::<&str>().map(|&text| text.to_owned()));
            text.unwrap_or_default().replace('\n', " ")
        }
    };
    println!("{name}: {result}");
}
