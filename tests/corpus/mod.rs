//! The conformance corpus: `tests/conformance/*.json`, whose format its README describes.

#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The sizes of a shape, first axis first.
pub type Sizes = Vec<usize>;

/// A case of `broadcast_pairs.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Pair {
    pub id: String,
    pub a: Sizes,
    pub b: Sizes,
    pub ok: bool,
    pub result: Option<Sizes>,
}

/// A case of `broadcast_nary.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Many {
    pub id: String,
    pub shapes: Vec<Sizes>,
    pub ok: bool,
    pub result: Option<Sizes>,
}

/// A case of `inplace.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct InPlace {
    pub id: String,
    pub op: String,
    pub target: Sizes,
    pub operand: Sizes,
    pub operand2: Option<Sizes>,
    pub target_dtype: Option<String>,
    pub ok: bool,
}

/// The folder of the package, which is the root of the workspace for most tests.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The folder of the corpus.
pub fn folder() -> PathBuf {
    let mut folders = Path::new(ROOT).ancestors().map(|folder| folder.join("tests/conformance"));
    folders.find(|folder| folder.is_dir()).expect("a folder tests/conformance")
}

/// All cases of one file.
pub fn read<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let text = text(file);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[cfg(not(target_family = "wasm"))]
fn text(file: &str) -> String {
    let path = folder().join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A module of WebAssembly has no files.
#[cfg(target_family = "wasm")]
fn text(file: &str) -> &'static str {
    match file {
        "values.json" => include_str!("../conformance/values.json"),
        "ops.json" => include_str!("../conformance/ops.json"),
        _ => panic!("{file} is not part of the module"),
    }
}

/// A case of `values.json` or `ops.json`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Case {
    pub id: String,
    pub op: String,
    #[serde(default)]
    pub attrs: Map<String, Value>,
    pub inputs: Vec<Data>,
    pub ok: bool,
    pub fail: Option<String>,
    pub output: Option<Data>,
    pub outputs: Option<Vec<Data>>,
    pub tol: Option<Tolerance>,
    pub common_dtype: Option<String>,
}

/// A tensor of the corpus: numbers and strings in row-major order.
#[derive(Clone, Debug, Deserialize)]
pub struct Data {
    #[serde(default)]
    pub name: String,
    pub shape: Sizes,
    pub dtype: String,
    pub data: Vec<Value>,
}

/// `|got - want| <= atol + rtol · |want|`
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Tolerance {
    pub rtol: f64,
    pub atol: f64,
}

impl Case {
    /// All cases of `values.json` and `ops.json`, every input with a name and its final type.
    pub fn all() -> Vec<Self> {
        let mut cases: Vec<Self> = read("values.json");
        cases.extend(read::<Self>("ops.json"));
        for case in &mut cases {
            let names: &[_] = match case.inputs.len() {
                1 => &["x"],
                2 => &["a", "b"],
                _ => &["cond", "x", "y"],
            };
            for (input, name) in case.inputs.iter_mut().zip(names) {
                if input.name.is_empty() {
                    input.name = (*name).to_owned();
                }
            }
            if let Some(common) = &case.common_dtype {
                case.inputs.iter_mut().for_each(|input| input.dtype.clone_from(common));
            }
        }
        cases
    }

    /// The results; none where the operation is refused.
    pub fn outputs(&self) -> &[Data] {
        match (&self.outputs, &self.output) {
            (Some(outputs), _) => outputs,
            (None, Some(output)) => std::slice::from_ref(output),
            (None, None) => &[],
        }
    }

    /// The input of this name.
    pub fn input(&self, name: &str) -> Option<&Data> {
        self.inputs.iter().find(|input| input.name == name)
    }

    /// How far a result may be off.
    pub fn tolerance(&self) -> Tolerance {
        self.tol.unwrap_or_default()
    }
}
