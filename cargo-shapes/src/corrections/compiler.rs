//! Runs rustc once more on a changed copy of one source file.
//!
//! The other files of the crate are links in a temporary folder, where relative paths lead to the same files. rustc
//! runs in the same folder as before with the same options, and writes to the temporary folder alone.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use crate::diagnostic::text;

/// The options of a call of rustc that are of use for another one.
#[derive(Debug)]
pub struct Compiler {
    program: OsString,
    arguments: Vec<OsString>,
    /// The root of the crate, as it was passed.
    root: PathBuf,
    /// The folder that rustc runs in.
    folder: PathBuf,
    /// The list of the crate's files that rustc has written.
    list: PathBuf,
}

impl Compiler {
    /// Reads the arguments of a call, of which the first is the compiler; `None` if they have no root, or no folder
    /// for the results.
    pub fn read(call: &[OsString]) -> Option<Self> {
        let (mut program, mut rest) = call.split_first()?;
        // Clippy takes the path of rustc as its first argument.
        if Path::new(program).file_stem()? == "clippy-driver" {
            (program, rest) = rest.split_first()?;
        }
        let (mut root, mut output, mut name, mut suffix) = (None, None, None, String::new());
        let mut arguments: Vec<OsString> = Vec::new();
        let mut rest = rest.iter();
        while let Some(argument) = rest.next() {
            let written = argument.to_string_lossy();
            match &*written {
                "--out-dir" => output = rest.next().map(PathBuf::from),
                "--emit" | "--json" | "-o" => _ = rest.next(),
                "-C" => {
                    let value = rest.next()?;
                    let written = value.to_string_lossy();
                    if let Some(value) = written.strip_prefix("extra-filename=") {
                        suffix = value.to_owned();
                    }
                    if !written.starts_with("incremental=") {
                        arguments.extend([argument.clone(), value.clone()]);
                    }
                }
                "--crate-name" => {
                    name = rest.next();
                    arguments.extend([argument.clone(), name?.clone()]);
                }
                _ if is_option(&written, &["--emit=", "--json=", "-Cincremental="]) => {}
                _ if written.starts_with("--out-dir=") => {
                    output = written.strip_prefix("--out-dir=").map(PathBuf::from);
                }
                _ if written.ends_with(".rs") && !written.starts_with('-') && root.is_none() => {
                    root = Some(PathBuf::from(argument));
                }
                _ => arguments.push(argument.clone()),
            }
        }
        if !arguments.iter().any(|argument| argument.to_string_lossy().starts_with("--cap-lints")) {
            arguments.push("--cap-lints=allow".into());
        }
        let list = format!("{}{suffix}.d", name?.to_string_lossy());
        Some(Self {
            program: program.clone(),
            arguments,
            root: root?,
            folder: std::env::current_dir().ok()?,
            list: output?.join(list),
        })
    }

    /// The path of a file that rustc names.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The files that the crate consists of.
    fn files(&self) -> Vec<PathBuf> {
        let list = fs::read_to_string(self.folder.join(&self.list)).unwrap_or_default();
        // Each file is a rule without dependencies: `src/main.rs:`
        let names = list.lines().filter_map(|line| line.strip_suffix(':'));
        names.map(|name| self.path(&name.replace("\\ ", " "))).collect()
    }

    /// The errors of the crate with another text for one of its files; `None` if there is no time for them, or the
    /// file is none of the crate.
    pub fn check(&self, file: &str, text: &str, limit: &Limit) -> Option<Vec<Value>> {
        let file = self.path(file);
        let files = self.files();
        let place = |path: &Path| -> PathBuf {
            path.components().fold(PathBuf::new(), |mut below, part| {
                match part {
                    Component::Normal(name) => below.push(name),
                    Component::ParentDir => _ = below.pop(),
                    _ => {}
                }
                below
            })
        };
        let changed = place(&file);
        files.iter().any(|path| place(path) == changed).then_some(())?;
        let copy = tempfile::Builder::new().prefix("cargo-shapes-").tempdir().ok()?;
        for path in &files {
            let at = copy.path().join(place(path));
            fs::create_dir_all(at.parent()?).ok()?;
            match place(path) == changed {
                true => fs::write(&at, text).ok()?,
                false => link(path, &at).ok()?,
            }
        }
        self.run(&copy, &place(&self.folder), limit)
    }

    fn run(&self, copy: &TempDir, folder: &Path, limit: &Limit) -> Option<Vec<Value>> {
        let remap = |from: &Path, to: &str| {
            let mut option = OsString::from("--remap-path-prefix=");
            option.push(from);
            option.push("=");
            option.push(to);
            option
        };
        let root = self.folder.join(&self.root);
        let root = root.strip_prefix(&self.folder).unwrap_or(&root);
        let output = copy.path().join("output of rustc");
        fs::create_dir(&output).ok()?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .args(["--emit=metadata".as_ref(), "--out-dir".as_ref(), output.as_os_str()])
            // The last one that fits is used.
            .arg(remap(copy.path(), std::path::MAIN_SEPARATOR_STR))
            .arg(remap(&copy.path().join(folder), ""))
            .arg(copy.path().join(folder).join(root));
        let stderr = limit.output(&mut command)?;
        let messages = stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let is_error = |message: &Value| {
            text(message, "level").starts_with("error")
                && !text(message, "message").starts_with("aborting due to")
        };
        Some(messages.filter(is_error).collect())
    }
}

fn is_option(argument: &str, names: &[&str]) -> bool {
    names.iter().any(|name| argument.starts_with(name))
}

#[cfg(unix)]
fn link(file: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(file, at)
}

#[cfg(not(unix))]
fn link(file: &Path, at: &Path) -> io::Result<()> {
    fs::copy(file, at).map(|_| ())
}

/// How long corrections are tried: until a time, and as long as the file is not saved again.
#[derive(Clone, Debug)]
pub struct Limit {
    start: Instant,
    end: Instant,
    file: PathBuf,
    saved: Option<SystemTime>,
}

impl Limit {
    /// A limit for the file as it is now.
    pub fn new(end: Instant, file: PathBuf) -> Self {
        let saved = saved(&file);
        Self { start: Instant::now(), end, file, saved }
    }

    /// The part of the time that has passed.
    pub fn passed(&self) -> f64 {
        self.start.elapsed().as_secs_f64() / (self.end - self.start).as_secs_f64()
    }

    /// Whether there is time left.
    pub fn holds(&self) -> bool {
        Instant::now() < self.end && saved(&self.file) == self.saved
    }

    /// What a successful or failing command writes to the standard error; `None` if it was ended before.
    fn output(&self, command: &mut Command) -> Option<String> {
        if !self.holds() {
            return None;
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let mut stderr = child.stderr.take()?;
        let reader = thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
        });
        loop {
            match child.try_wait() {
                // A compiler that fails without a message has not accepted the program.
                Ok(Some(status)) => {
                    let text = reader.join().ok()?.ok()?;
                    let says_why = text.contains("\"level\":\"error");
                    return (status.success() || says_why).then_some(text);
                }
                Ok(None) if self.holds() => thread::sleep(Duration::from_millis(5)),
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return None;
                }
            }
        }
    }
}

fn saved(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|data| data.modified()).ok()
}

#[test]
fn options_of_results_are_replaced() {
    let arguments = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
    let line = "clippy-driver rustc --crate-name a --edition=2024 src/main.rs --json=artifacts --emit=link \
                -C incremental=i -C extra-filename=-7 --out-dir target/deps --cap-lints warn";
    let compiler = Compiler::read(&arguments(line)).unwrap();
    assert_eq!(compiler.program, "rustc");
    assert_eq!(
        compiler.arguments,
        arguments("--crate-name a --edition=2024 -C extra-filename=-7 --cap-lints warn")
    );
    assert_eq!(compiler.root, Path::new("src/main.rs"));
    assert_eq!(compiler.list, Path::new("target/deps/a-7.d"));
    assert!(Compiler::read(&arguments("rustc --crate-name a src/main.rs")).is_none());
}

#[cfg(unix)]
#[test]
fn tries_end_when_the_time_is_over_or_the_file_is_saved() {
    let sleeps = |limit: &Limit| {
        let start = Instant::now();
        let output = limit.output(Command::new("sleep").arg("60"));
        (output, start.elapsed() < Duration::from_secs(30))
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    let limit = |time| Limit::new(Instant::now() + time, file.path().to_path_buf());
    assert_eq!(sleeps(&limit(Duration::from_millis(50))), (None, true));
    let long = limit(Duration::from_secs(60));
    assert!(long.holds());
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            let later = SystemTime::now() + Duration::from_secs(9);
            file.as_file().set_modified(later).unwrap();
        });
        assert_eq!(sleeps(&long), (None, true));
    });
    assert!(!long.holds());
}
