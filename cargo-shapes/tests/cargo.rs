//! `cargo shapes` runs cargo: arguments, exit codes, colours, and what a crate that does not use the library gets.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cargo_shapes::cargo::{Format, Invocation, Terminal};

/// A package without dependencies whose program is `main`.
fn package(name: &str, main: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What an older build of the tool has compiled there is compiled again, and cargo says so.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/main.rs"), main).unwrap();
    folder
}

fn command(program: &str, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    for variable in [
        "RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_TERM_COLOR",
        "CARGO_TARGET_DIR",
    ] {
        command.env_remove(variable);
    }
    command.args(arguments).current_dir(folder).output().unwrap()
}

/// Runs `cargo shapes` with these arguments.
fn shapes(folder: &Path, arguments: &[&str]) -> Output {
    let arguments: Vec<&str> = ["shapes"].iter().chain(arguments).copied().collect();
    command(env!("CARGO_BIN_EXE_cargo-shapes"), folder, &arguments)
}

fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    command(env!("CARGO"), folder, arguments)
}

/// The output of cargo without times, which differ from run to run. The line of cargo that counts errors is
/// the last one here: cargo may print it before the last line of rustc.
fn without_times(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines =
        text.lines().filter(|line| !line.contains("Finished") && !line.contains("Blocking"));
    // Cargo proposes `cargo fix`, which would not go through this program.
    let lines = lines.map(|line| line.split(" (run `cargo ").next().unwrap());
    let (of_cargo, mut lines): (Vec<_>, Vec<_>) =
        lines.partition(|line| line.contains("could not compile"));
    lines.extend(of_cargo);
    lines.join("\n")
}

#[test]
fn a_crate_without_the_library_gets_what_cargo_writes() {
    let main =
        "fn main() { let unused = ((), (1, \"a\")); let x: u8 = ((), 1); let y: u8 = \"\"; }\n";
    let folder = package("foreign", main);
    for arguments in [
        &["check", "--offline", "--message-format=json"][..],
        &["check", "--offline", "--message-format", "json-diagnostic-rendered-ansi"],
    ] {
        let (ours, plain) = (shapes(&folder, arguments), cargo(&folder, arguments));
        assert!(!plain.stdout.is_empty());
        assert_eq!(ours.stdout, plain.stdout, "{arguments:?}");
        assert_eq!(ours.status.code(), plain.status.code());
    }
    for arguments in [
        &["check", "--offline"][..],
        &["check", "--offline", "--color=always"],
        &["check", "--offline", "--message-format=short"],
    ] {
        let (ours, plain) = (shapes(&folder, arguments), cargo(&folder, arguments));
        assert_eq!(ours.status.code(), plain.status.code());
        assert!(ours.stdout.is_empty());
        assert_eq!(without_times(&ours.stderr), without_times(&plain.stderr), "{arguments:?}");
    }
}

#[test]
fn warnings_are_counted_and_programs_get_their_arguments() {
    let main = "fn main() { let unused = 1;\n    print!(\"{:?}\", std::env::args().skip(1).collect::<Vec<_>>());\n    \
                std::process::exit(7) }\n";
    let folder = package("program", main);
    let ours = shapes(&folder, &["run", "--offline", "--", "--color", "-a"]);
    assert_eq!(String::from_utf8_lossy(&ours.stdout), "[\"--color\", \"-a\"]");
    assert_eq!(ours.status.code(), Some(7));
    let text = String::from_utf8_lossy(&ours.stderr);
    assert!(text.contains("warning: `program` (bin \"program\") generated 1 warning\n"), "{text}");
    let again = shapes(&folder, &["check", "--offline"]);
    let plain = cargo(&folder, &["check", "--offline"]);
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(without_times(&again.stderr), without_times(&plain.stderr));
}

#[test]
fn lints_of_clippy_are_kept() {
    if !cargo(Path::new("."), &["clippy", "--version"]).status.success() {
        println!("clippy is not installed");
        return;
    }
    let folder = package("linted", "fn main() { let x = 5 / 1; println!(\"{x}\"); }\n");
    let arguments = ["clippy", "--offline", "--", "-D", "clippy::identity_op"];
    let (ours, plain) = (shapes(&folder, &arguments), cargo(&folder, &arguments));
    assert_eq!(ours.status.code(), plain.status.code());
    let text = String::from_utf8_lossy(&ours.stderr);
    assert!(text.contains("this operation has no effect"), "{text}");
}

/// A wrapper that notes its calls, and runs rustc.
#[cfg(unix)]
fn noting_wrapper(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let wrapper = folder.join("wrapper.sh");
    let script = "#!/bin/sh\necho \"$@\" >> \"$(dirname \"$0\")/calls\"\nexec \"$@\"\n";
    fs::write(&wrapper, script).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    wrapper
}

#[cfg(unix)]
#[test]
fn wrappers_of_the_user_are_run() {
    let calls = |name: &str, config: &str, arguments: &[&str], variable: Option<&str>| {
        let folder = package(name, "fn main() {}\n");
        let wrapper = noting_wrapper(&folder);
        fs::create_dir_all(folder.join(".cargo")).unwrap();
        fs::write(folder.join(".cargo/config.toml"), config).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-shapes"));
        command.env_remove("RUSTC_WRAPPER").env_remove("RUSTC_WORKSPACE_WRAPPER");
        command.env_remove("CARGO_TARGET_DIR").current_dir(&folder).arg("shapes").args(arguments);
        if let Some(variable) = variable {
            command.env(variable, wrapper);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let calls = fs::read_to_string(folder.join("calls")).unwrap_or_default();
        calls.lines().filter(|line| line.contains(&format!("--crate-name {name}"))).count()
    };
    let check = &["check", "--offline"][..];
    let workspace = "[build]\nrustc-workspace-wrapper = \"./wrapper.sh\"\n";
    let all = "[build]\nrustc-wrapper = \"./wrapper.sh\"\n";
    assert_eq!(calls("in_no_file", "", check, None), 0);
    assert_eq!(calls("in_a_file", workspace, check, None), 1);
    assert_eq!(calls("for_all", all, check, None), 1);
    assert_eq!(calls("in_a_variable", "", check, Some("RUSTC_WORKSPACE_WRAPPER")), 1);
    assert_eq!(calls("in_another", "", check, Some("RUSTC_WRAPPER")), 1);
    let argument = "build.rustc-workspace-wrapper=\"./wrapper.sh\"";
    let argued = ["check", "--offline", "--config", argument];
    assert_eq!(calls("in_an_argument", "", &argued, None), 1);
    let clippy = &["clippy", "--offline"][..];
    if cargo(Path::new("."), &["clippy", "--version"]).status.success() {
        assert_eq!(calls("of_clippy", all, clippy, None), 1);
    }
}

/// A package that reaches the library through another one of its workspace, as its messages name the types.
#[test]
fn a_crate_that_reaches_the_library_through_another_has_readable_shapes() {
    let folder = package("indirect", "");
    let write = |file: &str, text: &str| {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let manifest = |name: &str, rest: &str| {
        write(
            &format!("{name}/Cargo.toml"),
            &format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{rest}"
            ),
        );
    };
    fs::remove_dir_all(folder.join("src")).unwrap();
    write("Cargo.toml", "[workspace]\nmembers = [\"app\", \"layers\"]\nresolver = \"3\"\n");
    manifest("tensor-core", "");
    write(
        "tensor-core/src/lib.rs",
        "pub struct Dim<const N: usize>;\npub struct Tensor<S>(pub core::marker::PhantomData<S>);\n",
    );
    manifest("layers", "[dependencies]\ntensor-core = { path = \"../tensor-core\" }\n");
    write(
        "layers/src/lib.rs",
        "use tensor_core::*;\npub fn weight() -> Tensor<(((), Dim<20>), Dim<30>)> { todo!() }\n\
         pub fn takes(_: Tensor<(((), Dim<20>), Dim<31>)>) {}\n",
    );
    manifest("app", "[dependencies]\nlayers = { path = \"../layers\" }\n");
    write("app/src/main.rs", "fn main() { layers::takes(layers::weight()) }\n");
    let output = shapes(&folder, &["check", "--offline", "-p", "app"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("[20, 31]") && text.contains("[20, 30]"), "{text}");
    assert!(!text.contains("((),"), "{text}");
}

#[test]
fn errors_have_a_message_and_a_status() {
    for (arguments, status, expected) in [
        (&["chek"][..], 2, "no command `chek`"),
        (&["model"], 2, "`cargo shapes model` takes a file"),
        (&["model", "no such file"], 1, "no such file: "),
        (&["explain", "T999"], 1, "no entry `T999`"),
        (&["doctor", "--jsn"], 2, "`cargo shapes doctor` takes `--json` alone"),
    ] {
        let ours = shapes(Path::new("."), arguments);
        assert_eq!(ours.status.code(), Some(status), "{arguments:?}");
        assert!(String::from_utf8_lossy(&ours.stderr).contains(expected), "{arguments:?}");
    }
}

#[test]
fn help_is_printed_for_commands_of_our_own() {
    for arguments in [
        &["--help"][..],
        &["model", "--help"],
        &["inspect", "-h"],
        &["explain", "-h"],
        &["doctor", "-h"],
    ] {
        let ours = shapes(Path::new("."), arguments);
        assert!(ours.status.success(), "{arguments:?}");
        assert!(String::from_utf8_lossy(&ours.stdout).contains("Usage: cargo shapes <COMMAND>"));
    }
}

#[test]
fn arguments_are_read_as_cargo_reads_them() {
    let read = |line: &str, color: bool| {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let invocation = Invocation::read(&arguments, Terminal { color, width: Some(90) });
        let arguments: Vec<_> =
            invocation.arguments.iter().map(|argument| argument.to_str().unwrap()).collect();
        (arguments.join(" "), invocation.format, invocation.style.color)
    };
    let json = "--message-format=json";
    let ansi = "--message-format=json,json-diagnostic-rendered-ansi";
    for (line, color, arguments, format, colored) in [
        ("check", false, format!("check {json}"), Format::Human, false),
        ("check", true, format!("check {ansi}"), Format::Human, true),
        ("check --color never", true, format!("check {json} --color never"), Format::Human, false),
        (
            "check --color=always",
            false,
            format!("check {ansi} --color=always"),
            Format::Human,
            true,
        ),
        (
            "run a --color=b -- --color never",
            true,
            format!("run {json} a --color=b -- --color never"),
            Format::Human,
            false,
        ),
        ("check --message-format=json", true, format!("check {json}"), Format::Json, false),
        (
            "check --message-format json-render-diagnostics",
            true,
            format!("check {ansi}"),
            Format::Rendered,
            true,
        ),
        (
            "c --message-format=short",
            false,
            "c --message-format=json,json-diagnostic-short".to_owned(),
            Format::Human,
            false,
        ),
    ] {
        assert_eq!(read(line, color), (arguments, format, colored), "{line}");
    }
}
