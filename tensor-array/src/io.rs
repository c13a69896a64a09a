//! Elements and arrays in files: what the formats share, and `.npy`.

use core::fmt;
use std::io;
use std::path::Path;

use tensor_files::element::NAMES;
use tensor_files::escaped;
use tensor_kernels::sizes::error::ShapeError;

#[doc(hidden)]
pub mod bytes;
#[doc(hidden)]
pub mod new_file;
#[cfg(feature = "npy")]
pub(crate) mod npy;

pub use bytes::FileElement;
pub use new_file::NewFile;

/// The error of reading a file.
///
/// ```
/// # #[cfg(feature = "npy")] {
/// use tensor_core::DynTensor;
///
/// let error = DynTensor::<f32>::read_npy(&b"P5 640 480 255"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "not a .npy file: it begins with [50, 35, 20, 36, 34, 30]");
/// # }
/// ```
pub struct ReadError {
    /// The file, and the entry within it.
    location: Vec<String>,
    problem: Problem,
}

/// The problem of a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// Reading it failed.
    Io(io::Error),
    /// It does not have the format, or violates its rules.
    Format(String),
    /// It ends before all elements were read.
    Truncated {
        /// The number of bytes of all elements.
        expected: usize,
        /// The number of bytes found.
        found: usize,
    },
    /// The elements have another type.
    ElementType {
        /// The requested type, as named in Rust.
        expected: &'static str,
        /// The type in the file, as named in Rust, or as in the file if Rust has no such type.
        found: String,
    },
    /// Rust has no such element type, or it is that of a feature that is off.
    UnknownElement {
        /// The type, as the file names it.
        found: String,
    },
    /// A byte of a `bool` is neither 0 nor 1.
    NotABool {
        /// The byte.
        byte: u8,
    },
    /// The tensor has more elements than memory holds.
    TooLarge {
        /// Its sizes.
        sizes: Vec<u64>,
    },
    /// The shape of the tensor differs from that of the type.
    InvalidShape(ShapeError),
    /// There is no entry with this name.
    Missing {
        /// The name.
        name: String,
        /// The names of the entries.
        names: Vec<String>,
    },
}

impl ReadError {
    #[doc(hidden)]
    pub fn format(message: impl Into<String>) -> Self {
        Problem::Format(message.into()).into()
    }

    /// The same error, with an outer location around the one it names.
    #[doc(hidden)]
    pub fn within(mut self, location: impl Into<String>) -> Self {
        self.location.insert(0, location.into());
        self
    }

    /// The problem.
    ///
    /// ```
    /// # #[cfg(feature = "npy")] {
    /// use tensor_core::DynTensor;
    /// use tensor_core::io::Problem;
    ///
    /// let error = DynTensor::<f32>::load_npy("no such file").unwrap_err();
    /// assert!(matches!(error.problem(), Problem::Io(_)));
    /// # }
    /// ```
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl From<Problem> for ReadError {
    fn from(problem: Problem) -> Self {
        Self { location: Vec::new(), problem }
    }
}

impl From<tensor_files::Error> for ReadError {
    fn from(error: tensor_files::Error) -> Self {
        use tensor_files::Problem::{Format, Io, TooLarge, Truncated};

        let problem = match error.problem {
            Io(error) => Problem::Io(error),
            Format(message) => Problem::Format(message),
            Truncated { expected, found } => Problem::Truncated { expected, found },
            TooLarge { sizes } => Problem::TooLarge { sizes },
        };
        Self { location: error.location, problem }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Problem::Io(error).into()
    }
}

impl From<ShapeError> for ReadError {
    fn from(error: ShapeError) -> Self {
        Problem::InvalidShape(error).into()
    }
}

/// What a terminal does not show as it is, in the texts of a file, is escaped.
impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for location in &self.location {
            write!(f, "{}: ", escaped(location))?;
        }
        match &self.problem {
            Problem::InvalidShape(error) => error.fmt(f),
            problem => f.write_str(&escaped(&problem.to_string())),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Format(message) => f.write_str(message),
            &Self::Truncated { expected, found } => {
                tensor_files::Problem::Truncated { expected, found }.fmt(f)
            }
            Self::ElementType { expected, found } => {
                let advice = advice(found).unwrap_or("read them as what they are, then `cast`");
                write!(f, "the elements are {found}, not {expected}: {advice}")
            }
            Self::UnknownElement { found } => {
                let advice = advice(found).unwrap_or(CONVERT);
                write!(f, "the elements are {found}: {advice}")
            }
            Self::NotABool { byte } => write!(f, "a bool is byte 0 or 1, not {byte}"),
            Self::TooLarge { sizes } => {
                tensor_files::Problem::TooLarge { sizes: sizes.clone() }.fmt(f)
            }
            Self::InvalidShape(error) => error.fmt(f),
            Self::Missing { name, names } if names.is_empty() => {
                write!(f, "no `{name}`: there is no tensor")
            }
            Self::Missing { name, names } => {
                let shown = &names[..names.len().min(MOST_NAMES)];
                write!(f, "no `{name}`; there are `{}`", shown.join("`, `"))?;
                match names.len() - shown.len() {
                    0 => Ok(()),
                    others => write!(f, " and {others} others"),
                }
            }
        }
    }
}

/// The most names that a message lists.
const MOST_NAMES: usize = 100;

const CONVERT: &str =
    "no such element type exists here, so convert them where the file was written";

/// What to do about elements of a type that is not read; `None` if it is.
fn advice(found: &str) -> Option<&'static str> {
    match found {
        "f16" | "bf16" if !cfg!(feature = "half") => Some("the feature `half` reads them"),
        _ if NAMES.contains(&found) => None,
        _ => Some(CONVERT),
    }
}

tensor_kernels::__debug_as_display!(ReadError);

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            Problem::InvalidShape(error) => Some(error),
            _ => None,
        }
    }
}

/// The path, as errors show it.
#[doc(hidden)]
pub fn named(path: &Path) -> String {
    path.display().to_string()
}
