//! Errors of conversions.

use std::fmt;

use tensor_files::escaped;

/// Why a model is not converted.
#[derive(Clone, Debug)]
pub enum Error {
    /// The file is no model, or not all of one.
    Damaged(String),
    /// Nodes that cannot be written in Rust, all of them.
    Refused(Vec<Refusal>),
    /// Options that do not fit the model.
    Options(String),
}

/// A node, an input or an output that cannot be written in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The operator, `input` or `output`.
    pub operator: String,
    /// The version of the operators that the model uses; 0 for an input or an output.
    pub opset: i64,
    /// The name of the node, or of its first output; of the input or the output.
    pub node: String,
    /// Why it cannot be written.
    pub reason: String,
    /// What would do.
    pub instead: String,
    /// Inputs of the model that have to be constants for it.
    pub constants: Vec<String>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operator, opset, node, reason, instead, .. } = self;
        let line = match opset {
            0 => format!("{operator} `{node}`: {reason}; {instead}"),
            _ => format!("{operator} (opset {opset}), node `{node}`: {reason}; {instead}"),
        };
        f.write_str(&escaped(&line))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(problem) | Self::Options(problem) => f.write_str(problem),
            Self::Refused(refusals) => {
                let count = refusals.len();
                let is_node = refusals.iter().all(|refusal| refusal.opset != 0);
                let part = if is_node { "node" } else { "part" };
                let s = if count == 1 { "" } else { "s" };
                write!(f, "{count} {part}{s} of the model cannot be written in Rust:")?;
                refusals.iter().try_for_each(|refusal| write!(f, "\n  {refusal}"))
            }
        }
    }
}

impl std::error::Error for Error {}
