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
    run(within, target, arguments, "0")
}

/// Runs cargo with incremental compilation, as it is in debug builds and `cargo check`.
pub fn incremental(within: &Path, target: &Path, arguments: &[&str]) -> Cost {
    run(within, target, arguments, "1")
}

fn run(within: &Path, target: &Path, arguments: &[&str], incremental: &str) -> Cost {
    let (start, before) = (Instant::now(), processor());
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--quiet")
        .current_dir(within)
        .env("CARGO_INCREMENTAL", incremental)
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

/// The line of a manifest that depends on the crate.
pub const TENSOR_CORE: &str =
    concat!("tensor-core = { path = '", env!("CARGO_MANIFEST_DIR"), "/../tensor-core' }");

/// A package with one program, in the target folder.
pub struct Package {
    name: String,
    folder: PathBuf,
    manifest: String,
}

impl Package {
    /// A package without a program that depends on tensor-core.
    pub fn new(name: &str) -> Self {
        Self::with(name, TENSOR_CORE)
    }

    /// A package without a program, with lines of dependencies.
    pub fn with(name: &str, dependencies: &str) -> Self {
        let folder = folder(name);
        std::fs::create_dir_all(folder.join("src")).expect("a writable target folder");
        std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             [workspace]\n[dependencies]\n{dependencies}\n"
        );
        let package = Package { name: name.to_string(), folder, manifest };
        package.configure("");
        package
    }

    /// Where its manifest is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Ends the manifest with these lines.
    pub fn configure(&self, lines: &str) {
        let manifest = format!("{}{lines}", self.manifest);
        std::fs::write(self.folder.join("Cargo.toml"), manifest).expect("a writable file");
    }

    /// Adds a module, whose path is relative to that of the program.
    pub fn add(&self, module: &str, text: &str) {
        let path = self.folder.join("src").join(module);
        let folder = path.parent().expect("a file is in a folder");
        std::fs::create_dir_all(folder).expect("a writable folder");
        std::fs::write(path, text).expect("a writable file");
    }

    /// The time of `cargo check` or another command for this program. All packages share their
    /// built dependencies.
    pub fn time(&self, program: &str, arguments: &[&str]) -> Cost {
        self.add("main.rs", program);
        cargo(&self.folder, &folder("programs"), &[arguments, &["--offline"]].concat())
    }

    fn program(&self, profile: &str) -> PathBuf {
        let program = folder("programs").join(profile).join(&self.name);
        program.with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// The bytes of the program that `cargo build --release` made, without symbols.
    pub fn bytes(&self) -> u64 {
        std::fs::metadata(self.program("release")).expect("a program that was built").len()
    }

    /// The output of the program, built as `debug` or `release`, on one thread.
    pub fn run(&self, profile: &str) -> String {
        let mut command = Command::new(self.program(profile));
        let output = command.env("RAYON_NUM_THREADS", "1").output().expect("a program that starts");
        assert!(output.status.success(), "{} runs", self.name);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
