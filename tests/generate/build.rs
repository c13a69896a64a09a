//! Writes the cases of the corpus as Rust, with every shape a type, for the tests that include them.

#[path = "../corpus/mod.rs"]
mod corpus;
#[path = "mod.rs"]
mod generate;

use std::env;
use std::fs;
use std::path::Path;

fn main() {
    for read in ["conformance", "corpus", "generate"] {
        println!("cargo::rerun-if-changed={}", corpus::folder().with_file_name(read).display());
    }
    let folder = env::var_os("OUT_DIR").expect("cargo gives build scripts a folder");
    for (name, text) in generate::files() {
        fs::write(Path::new(&folder).join(name), text).expect("a writable folder");
    }
}
