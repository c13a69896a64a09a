//! The compiler, given single files: with `tensor-core` as `cargo test` has compiled it, so that nothing
//! is compiled once more.

#![allow(dead_code, reason = "no test has need of everything")]

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Compiler {
    library: PathBuf,
}

impl Compiler {
    /// For the test of this name.
    pub fn new(test: &str) -> Self {
        Self::of_library(test, "tensor_core")
    }

    /// For programs that use this library.
    pub fn of_library(test: &str, name: &str) -> Self {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
        cargo.args(["test", "--workspace", "--no-run", "--test", test, "--message-format", "json"]);
        let compiled = cargo.output().expect("cargo starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let told = String::from_utf8(compiled.stdout).expect("JSON");
        let files = told.lines().flat_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let is_library = message["target"]["name"] == name;
            let files = message["filenames"].as_array().filter(|_| is_library).cloned();
            files.unwrap_or_default()
        });
        let mut files = files.filter_map(|file| file.as_str().map(PathBuf::from));
        let library = files.find(|file| file.extension().is_some_and(|end| end == "rlib"));
        Self { library: library.expect("the library") }
    }

    /// The file of the library.
    pub fn library(&self) -> &Path {
        &self.library
    }

    /// A compiler for programs in which the library has this name.
    pub fn rustc(&self, name: &str) -> Command {
        self.command(program("RUSTC", "rustc"), name)
    }

    /// A compiler of documentation.
    pub fn rustdoc(&self) -> Command {
        self.command(program("RUSTDOC", "rustdoc"), "tensor_core")
    }

    fn command(&self, program: OsString, name: &str) -> Command {
        let mut command = Command::new(program);
        command.arg("--edition=2024").arg("-L").arg(self.library.parent().expect("a folder"));
        command.arg("--extern").arg(format!("{name}={}", self.library.display()));
        command
    }
}

fn program(variable: &str, name: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| name.into())
}

/// A folder for what a test writes.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}
