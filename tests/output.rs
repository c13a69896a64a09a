//! Examples whose output is lost, to a full disk or to a closed pipe: no panic, and an exit status that
//! reports it.
#![cfg(target_os = "linux")]

use std::env;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Once;

/// The command that runs an example, which `cargo test --workspace` has compiled.
fn example(name: &str, arguments: &[&str]) -> Command {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--quiet", "--workspace"]);
        command.args(EXAMPLES.iter().flat_map(|(name, _)| ["--example", name]));
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(command.status().expect("cargo runs").success());
    });
    let tests = env::current_exe().expect("the path of this test");
    let folder = tests.ancestors().nth(2).expect("the folder of the profile").join("examples");
    let mut command = Command::new(folder.join(name));
    command.args(arguments).stderr(Stdio::piped());
    command
}

const EXAMPLES: [(&str, &[&str]); 3] =
    [("digits", &[]), ("broadcast", &["8,1,6,1", "7,1,5"]), ("broadcast", &["--help"])];

#[test]
fn a_full_disk_is_an_error() {
    for (name, arguments) in EXAMPLES {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let output = example(name, arguments).stdout(full).output().expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{name}: {}", output.status);
        assert!(said.starts_with("error: ") && said.contains("No space left"), "{name}: {said}");
        assert!(!said.contains("panicked"), "{name}: {said}");
    }
}

#[test]
fn a_closed_pipe_is_an_error() {
    for (name, arguments) in EXAMPLES {
        let command = &mut example(name, arguments);
        // Nobody reads from the start.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command.stdout(writer).output().expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{name}: {}", output.status);
        assert!(said.contains("Broken pipe") && !said.contains("panicked"), "{name}: {said}");
    }
    // As `head -1`: the first line is read.
    let mut process = example("digits", &[]).stdout(Stdio::piped()).spawn().expect("cargo runs");
    let mut first = String::new();
    let mut output = BufReader::new(process.stdout.take().expect("its output"));
    output.read_line(&mut first).expect("a line");
    drop(output);
    let output = process.wait_with_output().expect("its status");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(first.contains("digits to train"), "{first}");
    assert!(!output.status.success() && !said.contains("panicked"), "{}: {said}", output.status);
}
