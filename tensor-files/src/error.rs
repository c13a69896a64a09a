//! [`Error`]: why a file is not read.

use std::{fmt, io};

/// Why a file is not read.
#[derive(Debug)]
pub struct Error {
    /// The file, and the entry within it.
    pub location: Vec<String>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// Reading it failed.
    Io(io::Error),
    /// It does not have the format, or violates its rules.
    Format(String),
    /// It ends before its elements end.
    Truncated {
        /// The number of bytes of all elements.
        expected: usize,
        /// The number of bytes found.
        found: usize,
    },
    /// A tensor has more elements than memory holds.
    TooLarge {
        /// Its sizes.
        sizes: Vec<u64>,
    },
}

impl Error {
    /// A violation of the format.
    pub fn format(message: impl Into<String>) -> Self {
        Problem::Format(message.into()).into()
    }

    /// The same error, with an outer location around the one it names.
    #[must_use]
    pub fn within(mut self, location: impl Into<String>) -> Self {
        self.location.insert(0, location.into());
        self
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self { location: Vec::new(), problem }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Problem::Io(error).into()
    }
}

/// Characters that change what a terminal shows are escaped: a file chooses its names.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.location.iter().try_for_each(|location| write!(f, "{}: ", escaped(location)))?;
        f.write_str(&escaped(&self.problem.to_string()))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Format(message) => f.write_str(message),
            Self::Truncated { expected, found } => {
                write!(f, "the elements take {expected} bytes, and the file ends after {found}")
            }
            Self::TooLarge { sizes } => {
                write!(f, "a tensor of shape {sizes:?} does not fit into memory")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// A text of a file for a terminal: control characters, those that change the direction of text, and others that cannot be
/// seen are written as in Rust, `\u{1b}`.
///
/// ```
/// assert_eq!(tensor_files::escaped("fc.weight é \"0\""), "fc.weight é \"0\"");
/// assert_eq!(tensor_files::escaped("\x1b[2J\n\u{202e}"), "\\u{1b}[2J\\n\\u{202e}");
/// ```
pub fn escaped(text: &str) -> String {
    let parts = text.split_inclusive(['\'', '"', '\\']);
    parts.fold(String::with_capacity(text.len()), |mut escaped, part| {
        let plain = part.strip_suffix(['\'', '"', '\\']).unwrap_or(part);
        escaped.extend(plain.escape_debug());
        escaped + &part[plain.len()..]
    })
}
