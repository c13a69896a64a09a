//! [`PickleError`]: what is wrong with a pickle.

use std::{fmt, io};

/// Why a pickle is not read: what is wrong, and at which byte.
///
/// ```
/// let error = tensor_pickle::read(b"\x80\x02}").unwrap_err();
/// assert_eq!(error.to_string(), "the pickle ends at byte 3, before its end is marked");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl std::error::Error for PickleError {}

/// Why a file of PyTorch before version 1.6 is not read.
///
/// ```
/// use std::io::Cursor;
///
/// use tensor_pickle::{LegacyError, read_legacy};
///
/// assert!(matches!(read_legacy(Cursor::new(b"\x80\x02}.")), Err(LegacyError::Malformed(_))));
/// ```
#[derive(Debug)]
pub enum LegacyError {
    /// Reading it failed.
    Io(io::Error),
    /// It does not have the format, or is not complete.
    Malformed(PickleError),
}

impl From<io::Error> for LegacyError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<PickleError> for LegacyError {
    fn from(error: PickleError) -> Self {
        Self::Malformed(error)
    }
}

impl fmt::Display for LegacyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Malformed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LegacyError {}

/// A text of a file for a terminal: control characters, those that change the direction of text, and others that cannot be
/// seen are written as in Rust, `\u{1b}`.
///
/// ```
/// assert_eq!(tensor_pickle::escaped("fc.weight é \"0\""), "fc.weight é \"0\"");
/// assert_eq!(tensor_pickle::escaped("\x1b[2J\n\u{202e}"), "\\u{1b}[2J\\n\\u{202e}");
/// ```
pub fn escaped(text: &str) -> String {
    let parts = text.split_inclusive(['\'', '"', '\\']);
    parts.fold(String::with_capacity(text.len()), |mut escaped, part| {
        let plain = part.strip_suffix(['\'', '"', '\\']).unwrap_or(part);
        escaped.extend(plain.escape_debug());
        escaped + &part[plain.len()..]
    })
}
