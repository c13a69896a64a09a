//! Corrections in what cargo writes: text, JSON, clippy, and `cargo shapes fix`.

mod compiled;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use cargo_shapes::corrections::COMPILES;
use cargo_shapes::diagnostic::{list, text};
use serde_json::Value;

/// The program of the README.
const PROGRAM: &str = "use tensor_core::{Tensor, shape};

fn centre(rows: &Tensor<shape![4, 3]>) -> Tensor<shape![4, 3]> {
    rows - rows.mean_axis::<1>()
}

fn main() {
    println!(\"{}\", centre(&Tensor::ones()));
}
";

fn package(name: &str) -> PathBuf {
    let folder = compiled::package(name, "src/main.rs", PROGRAM);
    // A file that has been saved before the tool is started.
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    fs::File::options()
        .append(true)
        .open(folder.join("src/main.rs"))
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    folder
}

/// Runs the tool; the arguments of cargo are the last.
fn shapes(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = compiled::command(env!("CARGO_BIN_EXE_cargo-shapes"), folder);
    command.arg("shapes").args(arguments).args(compiled::arguments());
    for variable in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_TERM_COLOR"] {
        command.env_remove(variable);
    }
    // A slow machine has the time that it needs.
    command.env("CARGO_SHAPES_CORRECTIONS", "60").output().unwrap()
}

fn errors(output: &Output) -> Vec<Value> {
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let messages = lines.map(|mut line| line["message"].take());
    messages
        .filter(|message| text(message, "level") == "error" && !list(message, "spans").is_empty())
        .collect()
}

/// The text block of a page that begins with these words.
fn block(page: &str, start: &str) -> String {
    let page = fs::read_to_string(compiled::workspace().join(page)).unwrap();
    let at = page.find(&format!("```text\n{start}")).unwrap_or_else(|| panic!("no {start}"));
    page[at..].split("\n```").next().unwrap().trim_start_matches("```text\n").to_owned()
}

#[test]
fn corrections_are_in_text_and_json() {
    let folder = package("corrected_text");
    let output = shapes(&folder, &["check"]);
    let written = String::from_utf8_lossy(&output.stderr);
    if compiled::is_pinned_compiler() {
        for page in ["cargo-shapes/README.md", "tensor-core/guide/errors.md"] {
            let shown = block(
                page,
                "error[E0277]: cannot broadcast an axis of size `3` with one of size `4`",
            );
            assert!(written.contains(&shown), "{page} shows another message than\n{written}");
        }
    }
    for command in ["check", "clippy"] {
        let output = shapes(&folder, &[command, "--message-format=json"]);
        if command == "clippy"
            && String::from_utf8_lossy(&output.stderr).contains("is not installed")
        {
            println!("clippy is not installed");
            continue;
        }
        let error = &errors(&output)[0];
        let corrections = list(error, "children")
            .iter()
            .filter(|child| text(child, "message").starts_with(COMPILES));
        let first =
            corrections.into_iter().next().unwrap_or_else(|| panic!("{command}: {error:#}"));
        let span = &first["spans"][0];
        assert_eq!(text(span, "suggested_replacement"), "mean_axis_keepdims");
        assert_eq!(text(span, "suggestion_applicability"), "MaybeIncorrect");
        assert_eq!(
            (text(span, "file_name"), span["line_start"].as_u64()),
            ("src/main.rs", Some(4))
        );
        let (start, end) =
            (span["byte_start"].as_u64().unwrap(), span["byte_end"].as_u64().unwrap());
        assert_eq!(&PROGRAM[start as usize..end as usize], "mean_axis");
        assert!(text(error, "rendered").contains(text(first, "message")));
    }
}

#[test]
fn one_correction_is_applied() {
    let folder = package("corrected_file");
    let fix = |arguments: &[&str]| {
        let output = shapes(&folder, &[&["fix"], arguments, &["--"]].concat());
        (
            output.status.success(),
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        )
    };
    let (_, listed) = fix(&[]);
    assert!(
        listed.contains("cargo shapes fix src/main.rs:4 1    keeps the axis that is reduced"),
        "{listed}"
    );
    for (arguments, expected) in [
        (&["src/main.rs:1"][..], "no correction at `src/main.rs:1`"),
        (&["src/main.rs:4", "9"], "the corrections at `src/main.rs:4` are 1 to "),
        (&["--all"], "takes a place and a number"),
    ] {
        let (success, text) = fix(arguments);
        assert!(!success && text.contains(expected), "{text}");
    }
    // A file that is saved later than the check begins.
    let file = folder.join("src/main.rs");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(600);
    fs::File::options().append(true).open(&file).unwrap().set_modified(later).unwrap();
    let (success, text) = fix(&["src/main.rs:4"]);
    assert!(!success && text.contains("has changed since it was checked"), "{text}");
    assert_eq!(fs::read_to_string(&file).unwrap(), PROGRAM);

    let folder = package("corrected_file");
    fix(&[]);
    let (success, text) = fix(&["src/main.rs:4", "1"]);
    assert!(success, "{text}");
    let changed = "-    rows - rows.mean_axis::<1>()\n+    rows - rows.mean_axis_keepdims::<1>()\n";
    assert!(text.contains(changed), "{text}");
    let expected = PROGRAM.replace("mean_axis", "mean_axis_keepdims");
    assert_eq!(fs::read_to_string(folder.join("src/main.rs")).unwrap(), expected);
    assert!(shapes(&folder, &["check"]).status.success());
}
