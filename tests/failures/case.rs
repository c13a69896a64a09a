//! One call that fails, and what it prints.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a call that does not fail as listed.
pub const UNEXPECTED: &str = "does not fail so";

/// A call that fails when it runs.
pub struct Case {
    /// The call, as it is written.
    pub code: String,
    /// The type of the error, or `None` of a panic.
    pub error: Option<String>,
    /// The printed message.
    pub message: String,
}

impl Case {
    /// A call that panics.
    pub fn panicking(code: &str, call: impl FnOnce()) -> Self {
        let payload = catch_unwind(AssertUnwindSafe(call));
        let Err(payload) = payload else { return Self::unexpected(code) };
        let message = match payload.downcast::<String>() {
            Ok(message) => *message,
            Err(payload) => (*payload.downcast::<&str>().expect("a text")).to_owned(),
        };
        Self { code: one_line(code), error: None, message }
    }

    /// A call that returns an error.
    pub fn failing<T, E: Error>(code: &str, call: impl FnOnce() -> Result<T, E>) -> Self {
        let result = catch_unwind(AssertUnwindSafe(call));
        let Ok(Err(error)) = result else { return Self::unexpected(code) };
        let name = std::any::type_name::<E>();
        let name = name.split('<').next().and_then(|path| path.rsplit("::").next());
        Self { code: one_line(code), error: name.map(str::to_owned), message: error.to_string() }
    }

    /// A call that does something else.
    fn unexpected(code: &str) -> Self {
        Self { code: one_line(code), error: None, message: UNEXPECTED.to_owned() }
    }

    /// The lines of the page.
    pub fn lines(&self) -> String {
        let kind = self.error.as_deref().map_or("panic".into(), |name| format!("Err({name})"));
        let message: Vec<&str> = self.message.lines().collect();
        format!("{}\n    {kind}: {}\n", self.code, message.join("\n    "))
    }
}

/// Joins the lines of an output of `stringify!`.
fn one_line(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".").replace("{ ", "{")
}

/// A call that panics.
macro_rules! panics {
    ($code:expr) => {
        $crate::case::Case::panicking(stringify!($code), || {
            let _ = $code;
        })
    };
}

/// A call that returns an error.
macro_rules! fails {
    ($code:expr) => {
        $crate::case::Case::failing(stringify!($code), || $code)
    };
}

pub(crate) use {fails, panics};
