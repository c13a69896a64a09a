//! The weights of the examples, for their tests.

/// What was found, a file for example. `None` if there is none, which skips a test; `.ci/run weights` has all files.
pub fn or_skip<T>(found: Result<T, String>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(error) => {
            assert!(std::env::var_os("WEIGHTS_REQUIRED").is_none(), "{error}");
            println!("skipped: {error}");
            None
        }
    }
}
