//! The conformance corpus: `tests/conformance/*.json`, whose format its README describes.

#![allow(dead_code, reason = "each test uses its part")]

use serde::Deserialize;
use serde::de::DeserializeOwned;

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

/// The root folder of the workspace.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All cases of one file.
pub fn read<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = format!("{ROOT}/tests/conformance/{file}");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}
