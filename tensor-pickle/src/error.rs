//! [`PickleError`]: what is wrong with a pickle.

use std::fmt;

/// Why a pickle is not read: what is wrong, and at which byte.
///
/// ```
/// let error = tensor_pickle::tensors(b"\x80\x02}").unwrap_err();
/// assert_eq!(error.to_string(), "the pickle ends at byte 3, before its end is marked");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickleError(String);

impl PickleError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for PickleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PickleError {}
