//! [`PickleError`]: what is wrong with a pickle.

use std::fmt;

use crate::error::{Error, escaped};

/// Why a pickle is not read: what is wrong, and at which byte.
///
/// ```
/// let error = tensor_files::pickle::read(b"\x80\x02}").unwrap_err();
/// assert_eq!(error.to_string(), "the pickle ends at byte 3, before its end is marked");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PickleError {
    message: String,
    /// Whether more bytes could be a pickle.
    pub(crate) is_short: bool,
}

impl PickleError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_short: false }
    }

    /// The error of a pickle of `len` bytes that lacks its end.
    pub(crate) fn short(len: usize) -> Self {
        let message = format!("the pickle ends at byte {len}, before its end is marked");
        Self { message, is_short: true }
    }
}

/// Characters that change what a terminal shows are escaped: a pickle chooses its names.
impl fmt::Display for PickleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escaped(&self.message))
    }
}

/// The message, which is what `fn main() -> Result<(), PickleError>` prints.
impl fmt::Debug for PickleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for PickleError {}

impl From<PickleError> for Error {
    fn from(error: PickleError) -> Self {
        Self::format(error.message)
    }
}
