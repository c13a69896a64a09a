//! The main example: its accuracy, and its messages about files that are not digits.

use std::fs;
use std::path::{Path, PathBuf};

#[path = "../examples/digits/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod digits;

fn bundled() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/digits.csv")
}

#[test]
fn nine_of_ten_digits_are_read_right() {
    let accuracy = digits::run(&bundled(), &mut std::io::sink()).unwrap();
    assert!(accuracy >= 0.9, "{accuracy}");
}

/// The program's message about a file with these bytes, without the path before it.
fn complaint(name: &str, bytes: &[u8]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, bytes).unwrap();
    let message = digits::run(&file, &mut std::io::sink()).unwrap_err().to_string();
    let start = format!("{}: ", file.display());
    message.strip_prefix(&start).unwrap_or_else(|| panic!("{message} names the file")).to_string()
}

/// Rows that are right, with one replaced.
fn lines_with(number: usize, line: &str) -> Vec<u8> {
    let right = format!("{}7", "16,".repeat(64));
    let mut lines = vec![right; 5];
    lines[number - 1] = line.to_string();
    lines.join("\n").into_bytes()
}

#[test]
fn a_missing_file() {
    let message =
        digits::run(Path::new("nowhere.csv"), &mut std::io::sink()).unwrap_err().to_string();
    assert!(message.starts_with("nowhere.csv: expected a file of digits, but cannot open it"));
}

#[test]
fn a_truncated_file() {
    let whole = fs::read(bundled()).unwrap();
    let message = complaint("truncated", &whole[..whole.len() / 2 + 10]);
    let (line, problem) = message.split_once(": ").unwrap();
    let number: usize = line.strip_prefix("line ").unwrap().parse().unwrap();
    assert!((500..1500).contains(&number), "{message}");
    assert!(problem.starts_with("expected "), "{message}");
}

#[test]
fn a_file_that_is_no_text() {
    let message = complaint("bytes", &[0x1f, 0x8b, 8, 0, 0xff]);
    assert!(message.starts_with("line 1: expected text, but cannot read it"), "{message}");
}

#[test]
fn malformed_lines() {
    let with = |name: &str, line: &str| complaint(name, &lines_with(3, line));
    assert_eq!(
        with("short", "1,2,3"),
        "line 3: expected 65 numbers (64 pixels and the digit), found 3"
    );
    assert_eq!(
        with("dark", &format!("17,{}7", "0,".repeat(63))),
        "line 3: expected a pixel from 0 to 16 as number 1 of the line, found `17`"
    );
    assert_eq!(
        with("letter", &format!("{}x", "0,".repeat(64))),
        "line 3: expected a digit from 0 to 9 as number 65 of the line, found `x`"
    );
}

#[test]
fn too_few_digits() {
    let right = format!("{}7", "0,".repeat(64));
    assert_eq!(
        complaint("few", vec![right; 497].join("\n").as_bytes()),
        "expected more than 497 digits, to hold 497 out and train on the others, found 497"
    );
}
