//! The error indices, for `cargo shapes explain`: in the repository those of their packages, to which links in `guide/`
//! lead; a published package has them in place of the links.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let package = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let output = env::var("OUT_DIR").map_err(io::Error::other)?;
    for (name, repository) in [
        ("errors.md", "../tensor-core/guide/errors.md"),
        ("errors_of_layers.md", "../tensor-nn/guide/errors.md"),
        ("errors_of_devices.md", "../tensor-xla/guide/errors.md"),
    ] {
        let repository = Path::new(&package).join(repository);
        let published = Path::new(&package).join("guide").join(name);
        let index = if repository.exists() { repository } else { published };
        println!("cargo::rerun-if-changed={}", index.display());
        fs::copy(index, Path::new(&output).join(name))?;
    }
    Ok(())
}
