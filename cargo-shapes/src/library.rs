//! Finds out which packages use the library.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// The packages of the library: a program that depends on one of them has its messages.
pub const PACKAGES: [&str; 10] = [
    "tensor-array",
    "tensor-array-macros",
    "tensor-core",
    "tensor-core-macros",
    "tensor-explain",
    "tensor-files",
    "tensor-kernels",
    "tensor-nn",
    "tensor-sizes",
    "tensor-xla",
];

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

/// Whether the package of a manifest depends on the library, directly or indirectly, by the nearest lock file.
pub fn uses_library(manifest: &Path) -> bool {
    let Some(package) = fs::read_to_string(manifest).ok().and_then(|text| name(&text)) else {
        return false;
    };
    let locks = manifest.ancestors().skip(1).map(|folder| folder.join("Cargo.lock"));
    let lock = locks.map(fs::read_to_string).find_map(Result::ok).unwrap_or_default();
    leads_to_library(&lock, &package)
}

/// The name of the package of a manifest.
fn name(manifest: &str) -> Option<String> {
    let table: Table = manifest.parse().ok()?;
    Some(table.get("package")?.get("name")?.as_str()?.to_owned())
}

/// Whether a package is one of the library, or depends on one according to a lock file.
fn leads_to_library(lock: &str, package: &str) -> bool {
    let lock: Table = lock.parse().unwrap_or_default();
    let mut dependencies: HashMap<&str, Vec<&str>> = HashMap::new();
    for entry in list(lock.get("package")) {
        let Some(name) = entry.get("name").and_then(Value::as_str) else { continue };
        // A dependency is a name, followed by the version if there are several.
        let names = list(entry.get("dependencies")).iter().filter_map(Value::as_str);
        let names = names.filter_map(|text| text.split(' ').next());
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

/// The elements of a list; none if it is missing.
fn list(of: Option<&Value>) -> &[Value] {
    of.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[test]
fn packages_lead_to_others_by_the_lock_file() {
    let lock = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"layers\",\n]\n\n\
                [[package]]\nname = \"layers\"\nversion = \"0.1.0\"\ndependencies = [\n \"tensor-core 0.1.0\",\n]\n\n\
                [[package]]\nname = \"other\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"tensor-core\"\n";
    assert!(leads_to_library(lock, "app") && leads_to_library(lock, "layers"));
    assert!(!leads_to_library(lock, "other") && !leads_to_library(lock, "missing"));
    assert!(leads_to_library("", "tensor-xla"));
    assert_eq!(name("[package]\nversion = \"1\"\nname = \"app\"\n").as_deref(), Some("app"));
    assert_eq!(name("[workspace]\nmembers = []\n[lib]\nname = \"app\"\n"), None);
}
