//! The plugin of tests, which are skipped where there is none.

use std::io::Write;
use std::sync::Once;

use tensor_xla::{Engine, Error, Options};

/// Says in one line that tests are skipped, and why: `println!` and `eprintln!` are shown for failed tests alone.
pub fn skipped(why: &dyn std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// An engine with these options; `None`, and one line in each process, if there is no plugin.
///
/// # Panics
///
/// If there is a plugin that does not work: that is no reason to skip tests.
pub fn engine(options: &Options) -> Option<Engine> {
    static ONCE: Once = Once::new();
    match Engine::find_with(options) {
        Ok(engine) => Some(engine),
        Err(Error::NoPlugin { ref tried }) if !tried.is_empty() => panic!("{tried:?}"),
        Err(error @ Error::NoPlugin { .. }) => {
            ONCE.call_once(|| skipped(&format!("tests that need a plugin of XLA: {error}")));
            None
        }
        Err(error) => panic!("{error}"),
    }
}
