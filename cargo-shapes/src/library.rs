//! Finds out which packages use the library.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

/// The packages of the library.
const PACKAGES: [&str; 2] = ["tensor-core", "tensor-nn"];

/// A cache of the packages that were checked.
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

/// Whether the package of a manifest depends on the library: directly by its manifest, or indirectly by the
/// lock file.
pub fn uses_library(manifest: &Path) -> bool {
    let text = fs::read_to_string(manifest).unwrap_or_default();
    PACKAGES.iter().any(|package| names(&text, package)) || reaches_library(manifest, &text)
}

/// Whether the package depends on the library according to the nearest lock file.
fn reaches_library(manifest: &Path, text: &str) -> bool {
    let Some(package) = name(text) else { return false };
    let locks = manifest.ancestors().skip(1).map(|folder| folder.join("Cargo.lock"));
    let lock = locks.map(fs::read_to_string).find_map(Result::ok).unwrap_or_default();
    leads_to_library(&lock, &package)
}

/// The name of the package of a manifest.
fn name(manifest: &str) -> Option<String> {
    let table: Table = manifest.parse().ok()?;
    Some(table.get("package")?.get("name")?.as_str()?.to_owned())
}

/// Whether a package depends on the library according to a lock file. cargo writes each field, and each dependency,
/// on a separate line.
fn leads_to_library(lock: &str, package: &str) -> bool {
    let mut dependencies: HashMap<&str, Vec<&str>> = HashMap::new();
    for entry in lock.split("[[package]]").skip(1) {
        let Some(name) = entry.split('"').nth(1) else { continue };
        let (_, list) = entry.split_once("dependencies = [").unwrap_or_default();
        // A dependency is a name, followed by the version if there are several.
        let names = list.split('"').skip(1).step_by(2).filter_map(|text| text.split(' ').next());
        dependencies.entry(name).or_default().extend(names);
    }
    let mut seen = HashSet::new();
    let mut rest = vec![package];
    while let Some(package) = rest.pop() {
        if PACKAGES.contains(&package) {
            return true;
        }
        if seen.insert(package) {
            rest.extend(dependencies.get(package).into_iter().flatten());
        }
    }
    false
}

/// Whether a manifest contains the name of a package, as a word and outside of comments.
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

#[test]
fn packages_lead_to_others_by_the_lock_file() {
    let lock = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"layers\",\n]\n\n\
                [[package]]\nname = \"layers\"\nversion = \"0.1.0\"\ndependencies = [\n \"tensor-core 0.1.0\",\n]\n\n\
                [[package]]\nname = \"other\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"tensor-core\"\n";
    assert!(leads_to_library(lock, "app") && leads_to_library(lock, "layers"));
    assert!(!leads_to_library(lock, "other") && !leads_to_library(lock, "missing"));
    assert_eq!(name("[package]\nversion = \"1\"\nname = \"app\"\n").as_deref(), Some("app"));
    assert_eq!(name("[workspace]\nmembers = []\n[lib]\nname = \"app\"\n"), None);
}
