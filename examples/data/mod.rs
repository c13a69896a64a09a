//! The folder of the repository, for the files that come with the examples and those that they write.

use std::path::Path;

/// The folder of the workspace, in which the package of the example is.
pub fn repository() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("Cargo.lock").exists()).expect("a workspace has a lock file")
}
