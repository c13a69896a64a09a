//! Which packages use the library.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The packages that programs depend on.
const PACKAGES: [&str; 2] = ["tensor-core", "tensor-nn"];

/// The packages that were looked at.
#[derive(Debug, Default)]
pub struct Packages(HashMap<PathBuf, bool>);

impl Packages {
    /// Whether the package of this manifest uses the library.
    pub fn use_library(&mut self, manifest: &Path) -> bool {
        match self.0.get(manifest) {
            Some(uses) => *uses,
            None => {
                let uses = uses_library(manifest);
                self.0.insert(manifest.to_owned(), uses);
                uses
            }
        }
    }
}

/// Whether a manifest names the library.
pub fn uses_library(manifest: &Path) -> bool {
    let text = fs::read_to_string(manifest).unwrap_or_default();
    PACKAGES.iter().any(|package| names(&text, package))
}

/// Whether a manifest names a package: as a word, and not in a comment.
fn names(manifest: &str, package: &str) -> bool {
    let code = manifest.lines().map(|line| line.split('#').next().unwrap_or_default());
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    code.flat_map(|line| line.match_indices(package).map(move |found| (line, found.0))).any(
        |(line, at)| {
            let (before, after) = (&line[..at], &line[at + package.len()..]);
            !is_part(before.chars().next_back()) && !is_part(after.chars().next())
        },
    )
}

#[test]
fn a_package_is_named_as_a_word() {
    for (manifest, expected) in [
        ("[dependencies]\ntensor-core = \"0.1\"", true),
        ("tensor-nn.workspace = true", true),
        ("t = { package = \"tensor-core\", version = \"0.1\" }", true),
        ("[dependencies.tensor-core]", true),
        ("# tensor-core = \"0.1\"", false),
        ("my-tensor-core = \"1\"\ntensor-core-extra = \"2\"", false),
        ("", false),
    ] {
        assert_eq!(PACKAGES.iter().any(|package| names(manifest, package)), expected, "{manifest}");
    }
}
