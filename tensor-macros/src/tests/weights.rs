//! `weights!`: the files that are read.

use super::tokens;
use crate::check::weights::weights;
use crate::parse::weights::request;

/// A device may have no end, and a pipe no writer.
#[test]
#[cfg(unix)]
fn devices_are_not_read() {
    for (path, problem) in [
        ("/dev/zero", "/dev/zero: neither a file nor a folder: a pipe or a device"),
        ("/dev/null", "/dev/null: neither a file nor a folder: a pipe or a device"),
    ] {
        let request = request(tokens(&format!("Head, {path:?}"))).unwrap();
        let error = weights(request).err().expect("it is refused").to_string();
        assert!(error.starts_with(problem), "{error}");
    }
}
