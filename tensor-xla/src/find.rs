//! Finds plugins in the packages of an active Python environment.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The environment variable that names the library of a plugin.
pub(crate) const VARIABLE: &str = "TENSOR_XLA_PLUGIN";

/// The environment variables that name the folder of an active Python environment.
const ENVIRONMENTS: [&str; 2] = ["VIRTUAL_ENV", "CONDA_PREFIX"];

/// The folder of plugins that JAX finds: for each, a package with its library.
const JAX_PLUGINS: &str = "jax_plugins";

/// Other packages with plugins and their libraries: TPUs first, then CPUs.
const LIBRARIES: [&str; 4] = [
    "libtpu/libtpu.so",
    "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
    "fastatomstruct_xla_cpu/libpjrt_cpu.so",
    "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
];

/// The libraries of plugins in the active Python environments, given the variables of the process.
pub(crate) fn candidates(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for environment in ENVIRONMENTS.iter().filter_map(|name| variable(name)) {
        for packages in site_packages(Path::new(&environment)) {
            for plugin in sorted_entries(&packages.join(JAX_PLUGINS)) {
                let is_library = |path: &PathBuf| path.extension().is_some_and(|end| end == "so");
                found.extend(sorted_entries(&plugin).into_iter().filter(is_library));
            }
            found.extend(
                LIBRARIES
                    .map(|library| packages.join(library))
                    .into_iter()
                    .filter(|path| path.exists()),
            );
        }
    }
    found
}

/// The folders with the packages of a Python environment: `lib/python3.12/site-packages`.
fn site_packages(environment: &Path) -> Vec<PathBuf> {
    let pythons = sorted_entries(&environment.join("lib"));
    let packages = pythons.into_iter().map(|python| python.join("site-packages"));
    packages.filter(|packages| packages.is_dir()).collect()
}

/// The entries of a folder, by name; none if there is no such folder.
fn sorted_entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_are_found_in_the_active_environment() {
        let folder = std::env::temp_dir().join(format!("tensor-xla-find-{}", std::process::id()));
        let packages = folder.join("lib/python3.12/site-packages");
        let libraries = [
            "jax_plugins/xla_cuda12/xla_cuda_plugin.so",
            "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
            "fastatomstruct_xla_cpu/libpjrt_cpu.so",
        ]
        .map(|library| packages.join(library));
        for library in &libraries {
            fs::create_dir_all(library.parent().unwrap()).unwrap();
            fs::write(library, "").unwrap();
            fs::write(library.with_file_name("__init__.py"), "").unwrap();
        }
        for name in ENVIRONMENTS {
            let found = candidates(|asked| (asked == name).then(|| folder.clone().into()));
            assert_eq!(found, libraries, "{name}");
        }
        assert!(candidates(|_| None).is_empty());
        fs::remove_dir_all(folder).unwrap();
    }
}
