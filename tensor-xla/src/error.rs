//! The errors of this crate.

use core::fmt;
use std::path::PathBuf;

use tensor_core::trace::InputError;

use crate::find::VARIABLE;

/// The command that gets a plugin for CPUs, and the path of its library afterwards.
///
/// ```
/// assert!(tensor_xla::GET_PLUGIN.starts_with("pip install "));
/// ```
pub const GET_PLUGIN: &str = "pip install --no-deps --target xla-plugin lammps-jax-pjrt-cpu==0.11.2 \
                              && export TENSOR_XLA_PLUGIN=$PWD/xla-plugin/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so";

/// The error of loading a plugin, of compiling, saving or running a program, and of moving arrays.
///
/// ```
/// use tensor_xla::{Engine, Error};
///
/// // SAFETY: there is no such file.
/// let error = unsafe { Engine::load("no such file") }.err().unwrap();
/// assert!(matches!(error, Error::Library { .. }));
/// assert!(error.to_string().starts_with("no such file: "));
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is no plugin in the usual folders, or none of those that are there works.
    NoPlugin {
        /// The plugins that were found, each with the reason why it does not work or was not tried.
        tried: Vec<String>,
    },
    /// A library is not a plugin that this crate can use.
    Library {
        /// The library.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The plugin refused something: for a program with a mistake, the message has its line and column.
    Plugin {
        /// The function of the PJRT interface.
        function: &'static str,
        /// The kind of error.
        code: Code,
        /// The words of the plugin.
        message: String,
    },
    /// The text of a program is not what its signature states, or has what this crate does not support.
    Program(String),
    /// Inputs of a call, or elements of a buffer, are not what the signature or the type requires.
    Argument(String),
    /// A tensor cannot be split over the devices of a mesh as requested.
    Sharding(String),
    /// A file cannot be written, or is not an executable that this plugin can load.
    Saved {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl Error {
    pub(crate) fn plugin(function: &'static str, code: Code, message: &str) -> Self {
        Self::Plugin { function, code, message: message.trim_end().to_owned() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlugin { tried } => {
                write!(
                    f,
                    "no PJRT plugin found: `{VARIABLE}` is unset or empty, and no active Python environment has a plugin \
                     that starts; this command gets one for CPUs: {GET_PLUGIN}"
                )?;
                tried.iter().try_for_each(|reason| write!(f, "\n  {reason}"))
            }
            Self::Library { path, reason } | Self::Saved { path, reason } => {
                write!(f, "{}: {reason}", path.display())
            }
            Self::Plugin { function, code, message } => write!(f, "{function}: {code}: {message}"),
            Self::Program(message) | Self::Argument(message) | Self::Sharding(message) => {
                f.write_str(message)
            }
        }
    }
}

tensor_core::diagnostics::debug_as_display!(Error);

impl core::error::Error for Error {}

/// The kinds of errors of plugins, with their names and numbers.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $number:literal $words:literal;)*) => {
        /// The kind of an error of a plugin: the status codes of Abseil.
        ///
        /// ```
        /// assert_eq!(tensor_xla::Code::InvalidArgument.to_string(), "invalid argument");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            pub(crate) fn from_number(number: i32) -> Self {
                match number {
                    $($number => Self::$name,)*
                    _ => Self::Unknown,
                }
            }
        }

        impl fmt::Display for Code {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $words,)* })
            }
        }
    };
}

codes! {
    /// The operation was cancelled.
    Cancelled 1 "cancelled";
    /// No other kind fits; plugins give this for mistakes in the text of a program.
    Unknown 2 "unknown error";
    /// An argument is wrong.
    InvalidArgument 3 "invalid argument";
    /// The operation took too long.
    DeadlineExceeded 4 "deadline exceeded";
    /// Something does not exist.
    NotFound 5 "not found";
    /// Something exists already.
    AlreadyExists 6 "already exists";
    /// The caller may not do this.
    PermissionDenied 7 "permission denied";
    /// Memory or another resource is used up.
    ResourceExhausted 8 "resource exhausted";
    /// The state of the system does not allow the operation.
    FailedPrecondition 9 "failed precondition";
    /// The operation was aborted.
    Aborted 10 "aborted";
    /// An index or offset is out of range.
    OutOfRange 11 "out of range";
    /// The plugin does not have this operation.
    Unimplemented 12 "unimplemented";
    /// An invariant of the plugin does not hold.
    Internal 13 "internal error";
    /// The service is not available at the moment.
    Unavailable 14 "unavailable";
    /// Data are lost or corrupt.
    DataLoss 15 "data loss";
    /// The caller is not known.
    Unauthenticated 16 "unauthenticated";
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Self::Argument(error.to_string())
    }
}
