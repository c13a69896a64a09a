//! The same mistakes under the next trait solver, on a nightly compiler: `measures_next.txt`.
//!
//! Rust replaces its trait solver, and the next one is to be the default of a stable compiler. What it says is
//! measured and not compared word for word: the words of a nightly change.

use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::measures::{self, Measures};
use super::sizes::Sizes;
use super::{is_asked, mistakes, name, workspace};

/// Another toolchain than the newest nightly that is installed.
const TOOLCHAIN: &str = "NEXT_TOOLCHAIN";

/// The solver, and the attribute that stable compilers ignore.
const FLAGS: [&str; 2] = ["-Znext-solver=globally", "-Zcrate-attr=feature(diagnostic_on_move)"];

/// A program for which the compiler takes longer does not come to an end.
const LONGEST: Duration = Duration::from_secs(60);

fn in_workspace(mistake: &Path) -> &Path {
    mistake.strip_prefix(workspace()).unwrap()
}

/// `rustc 1.97.0-nightly (e50aa6fba 2026-05-19)`
fn version(toolchain: &str) -> Option<String> {
    let version = Command::new("rustup").args(["run", toolchain, "rustc", "--version"]).output();
    let version = version.ok().filter(|output| output.status.success())?.stdout;
    Some(String::from_utf8(version).expect("UTF-8").trim().to_owned())
}

fn newest_nightly() -> Option<String> {
    let listed = Command::new("rustup").args(["toolchain", "list"]).output().ok()?.stdout;
    let listed = String::from_utf8(listed).expect("UTF-8");
    let names = listed.lines().filter_map(|line| line.split(' ').next());
    let nightly = names.filter(|name| name.starts_with("nightly"));
    // By its date, the last word.
    let date = |name: &&str| version(name)?.split(' ').next_back().map(str::to_owned);
    nightly.max_by_key(date).map(str::to_owned)
}

/// A compiler with the next trait solver, and the crates as it has checked them.
struct Next {
    version: String,
    rustc: PathBuf,
    deps: PathBuf,
    /// `name=file` of each crate that the programs use.
    crates: [String; 3],
}

impl Next {
    /// The compiler, if it is installed.
    fn installed() -> Option<Self> {
        let toolchain = env::var(TOOLCHAIN).ok().or_else(newest_nightly)?;
        let version = version(&toolchain)?;
        let target = workspace().join("target/next");
        let mut cargo = Command::new("rustup");
        cargo.args(["run", &toolchain, "cargo", "check", "-q", "-p", "messages", "--tests"]);
        cargo
            .current_dir(workspace())
            .env("CARGO_TARGET_DIR", &target)
            .env("RUSTFLAGS", FLAGS.join(" "));
        // Of the toolchain that runs this test.
        for variable in ["RUSTC", "RUSTDOC", "CARGO", "RUSTUP_TOOLCHAIN"] {
            cargo.env_remove(variable);
        }
        assert!(
            cargo.status().expect("rustup").success(),
            "the crates do not build with {version}"
        );
        let rustc =
            Command::new("rustup").args(["which", "--toolchain", &toolchain, "rustc"]).output();
        let rustc = String::from_utf8(rustc.expect("rustup").stdout).expect("UTF-8");
        let deps = target.join("debug/deps");
        let crates = ["tensor_core", "tensor_nn", "tensor_xla"]
            .map(|krate| format!("{krate}={}", Self::metadata(&deps, krate).display()));
        Some(Self { version, rustc: rustc.trim().into(), deps, crates })
    }

    /// The newest file of a crate.
    fn metadata(deps: &Path, krate: &str) -> PathBuf {
        let of_crate = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(&format!("lib{krate}-")) && name.ends_with(".rmeta")
        };
        let files = fs::read_dir(deps).expect("a folder").map(|entry| entry.unwrap().path());
        let newest = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
        files.filter(of_crate).max_by_key(newest).expect("the crate is built")
    }

    /// What the compiler says about a program: errors, without the last one, which counts them.
    fn says(&self, program: &Path, result: &Path) -> String {
        let mut rustc = Command::new(&self.rustc);
        rustc.args(["--edition=2024", "--emit=metadata"]).args(FLAGS);
        rustc.args(["--cap-lints=allow", "--color=never", "-o"]).arg(result);
        rustc.arg("-L").arg(format!("dependency={}", self.deps.display()));
        rustc.args(self.crates.iter().flat_map(|krate| ["--extern", krate]));
        // Where the sources of the crates are found, as those of a dependency are.
        rustc.arg(program).current_dir(workspace()).stderr(Stdio::piped());
        let mut running = rustc.spawn().expect("rustup");
        let mut stderr = running.stderr.take().expect("piped");
        let reader = thread::spawn(move || {
            let mut said = String::new();
            stderr.read_to_string(&mut said).map(|_| said)
        });
        let start = Instant::now();
        while running.try_wait().expect("a process").is_none() {
            if start.elapsed() > LONGEST {
                running.kill().expect("a process");
            }
            thread::sleep(Duration::from_millis(5));
        }
        let said = reader.join().expect("a reader").expect("UTF-8");
        let end = said.find("error: aborting due to").unwrap_or(said.len());
        said[..end].trim_end().to_owned() + "\n"
    }

    /// What it says about each mistake.
    fn measured(&self, sizes: &Sizes) -> Measures {
        let mistakes = mistakes();
        let left = Mutex::new(mistakes.iter());
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let work = |thread: usize| {
            let result =
                env::temp_dir().join(format!("next-{}-{thread}.rmeta", std::process::id()));
            let mut said = Vec::new();
            loop {
                let Some(mistake) = left.lock().expect("no panic").next() else { break };
                said.push((mistake.clone(), self.says(in_workspace(mistake), &result)));
            }
            said
        };
        let mut said: Vec<_> = thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
        });
        said.sort();
        if is_asked("SHOW") {
            for (mistake, said) in &said {
                println!("## {}\n{said}", name(mistake));
            }
        }
        measures::of(sizes, said)
    }
}

#[test]
#[ignore = "needs a nightly toolchain, which it looks for: .ci/run next"]
fn measures_under_the_next_solver_do_not_get_worse() {
    let Some(next) = Next::installed() else {
        println!("skipped: no nightly toolchain is installed: rustup toolchain install nightly");
        return;
    };
    let sizes = Sizes::read().unwrap_or_else(|complaint| panic!("{complaint}"));
    let now = next.measured(&sizes);
    let compiler = format!("# {} {}\n", next.version, FLAGS.join(" "));
    let table = format!("{compiler}{}", measures::written(&now));
    let file = super::folder().join("measures_next.txt");
    if is_asked("BLESS") {
        fs::write(file, table).unwrap();
        return;
    }
    let recorded = fs::read_to_string(file).unwrap();
    if !recorded.starts_with(&compiler) {
        println!("not compared, as measures_next.txt is of another compiler:\n{table}");
        return;
    }
    let was = measures::parse(&recorded).unwrap_or_else(|complaint| panic!("{complaint}"));
    let worse = measures::worse(&now, &was);
    assert!(worse.is_empty(), "messages got worse under the next solver:\n{}", worse.join("\n"));
    assert!(
        recorded == table,
        "messages changed, and none for the worse: record it by \
         `.ci/bless next`\n{table}"
    );
}
