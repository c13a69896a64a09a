//! Generated programs, and what it costs to compile them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a package in the workspace")
}

/// A folder for this benchmark, in the target folder.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a writable target folder");
    folder
}

/// Milliseconds that a command took.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// By the clock: more where other programs run.
    pub clock: f64,
    /// On processors, one after the other; by the clock where the system does not say.
    pub processor: f64,
}

/// The milliseconds on processors of all commands that have ended, in steps of ten.
fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may hold spaces.
    let (_, fields) = text.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(13).take(2);
    let ticks: f64 = times.map(|time| time.parse().unwrap_or(0.0)).sum();
    Some(ticks * 10.0)
}

/// Runs cargo without incremental compilation.
pub fn cargo(within: &Path, target: &Path, arguments: &[&str]) -> Cost {
    let (start, before) = (Instant::now(), processor());
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--quiet")
        .current_dir(within)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .env("CARGO_TARGET_DIR", target)
        .stdout(Stdio::null())
        .status()
        .expect("cargo starts");
    assert!(status.success(), "cargo {} succeeds", arguments.join(" "));
    let clock = start.elapsed().as_secs_f64() * 1e3;
    let processor = before.zip(processor()).map_or(clock, |(before, after)| after - before);
    Cost { clock, processor }
}

/// A package in the target folder that depends on tensor-core.
pub struct Package {
    folder: PathBuf,
}

impl Package {
    /// A package without a program.
    pub fn new(name: &str) -> Self {
        let folder = folder(name);
        std::fs::create_dir_all(folder.join("src")).expect("a writable target folder");
        let manifest = format!(
            "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             [dependencies]\ntensor-core = {{ path = {:?} }}\n[workspace]\n",
            root().join("tensor-core")
        );
        std::fs::write(folder.join("Cargo.toml"), manifest).expect("a writable target folder");
        std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
        Package { folder }
    }

    /// What `cargo check` or another command takes for this program.
    pub fn time(&self, program: &str, arguments: &[&str]) -> Cost {
        let main = self.folder.join("src/main.rs");
        std::fs::write(main, program).expect("a writable file");
        cargo(&self.folder, &self.folder.join("target"), &[arguments, &["--offline"]].concat())
    }

    /// The bytes of the program that `cargo build --release` made, without symbols.
    pub fn bytes(&self) -> u64 {
        bytes(&self.folder.join("target/release/program"))
    }
}

/// The bytes of a program.
pub fn bytes(program: &Path) -> u64 {
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    std::fs::metadata(program).expect("a program that was built").len()
}
