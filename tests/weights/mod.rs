//! The weights of the examples, for their tests.

use std::path::PathBuf;

/// The file that was found. `None` if there is none, which skips a test; `.ci/run weights` has all files.
pub fn or_skip(found: Result<PathBuf, String>) -> Option<PathBuf> {
    match found {
        Ok(file) => Some(file),
        Err(error) => {
            assert!(std::env::var_os("WEIGHTS_REQUIRED").is_none(), "{error}");
            println!("skipped: {error}");
            None
        }
    }
}
