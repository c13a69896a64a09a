//! `cargo run --example broadcast`: what it prints, writes and refuses.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tensor_core::explain::explain_sizes;

use crate::corpus::ROOT;

#[path = "../../examples/broadcast/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod broadcast;

use broadcast::{Answer, USAGE, run};

fn answer(arguments: &[&str]) -> Answer {
    run(arguments.iter().map(OsString::from))
}

/// A file that does not exist yet.
fn new_file(name: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if file.exists() {
        fs::remove_file(&file).unwrap();
    }
    file
}

#[test]
fn shapes_are_read_however_they_are_written() {
    let expected = format!("{}\n", explain_sizes(&[&[8, 1, 6, 1], &[7, 1, 5]]));
    for (a, b) in [
        ("8,1,6,1", "7,1,5"),
        ("[8,1,6,1]", "(7,1,5)"),
        ("[8, 1, 6, 1]", " 7, 1, 5 "),
        ("( 8,1,6,1,)", "007,1,5"),
    ] {
        let found = answer(&[a, b]);
        assert_eq!(found, Answer { text: expected.clone(), error: String::new(), code: 0 });
    }
    let scalar = format!("{}\n", explain_sizes(&[&[], &[3], &[2, 1]]));
    for written in ["scalar", "()", "[]", "[ ]"] {
        assert_eq!(answer(&[written, "3", "2,1"]).text, scalar, "{written}");
    }
}

#[test]
fn shapes_that_do_not_broadcast_are_explained() {
    let found = answer(&["4,3", "4"]);
    assert_eq!(found.text, format!("{}\n", explain_sizes(&[&[4, 3], &[4]])));
    assert_eq!((found.error, found.code), (String::new(), 1));
}

#[test]
fn help_has_the_usage_and_an_example() {
    for arguments in [&[][..], &["--help"], &["-h"], &["4,3", "--help"]] {
        let found = answer(arguments);
        assert!(found.text.starts_with(USAGE), "{}", found.text);
        let lines = explain_sizes(&[&[8, 1, 6, 1], &[7, 1, 5]]).to_string();
        assert!(lines.lines().all(|line| found.text.contains(line)), "{}", found.text);
        assert_eq!((found.error, found.code), (String::new(), 0));
    }
}

/// The message about the first shape, and the position above the caret.
fn mistake(list: &str) -> (String, usize) {
    let found = answer(&[list, "3"]);
    assert_eq!((found.text.as_str(), found.code), ("", 2), "{list}");
    let lines: Vec<_> = found.error.lines().collect();
    assert_eq!(lines[1], "  |");
    let caret = lines[3].strip_prefix("  | ").unwrap().strip_suffix('^').unwrap();
    assert!(caret.chars().all(|c| c == ' '), "{}", found.error);
    assert!(lines[2].starts_with("  | "), "{}", found.error);
    assert!(lines.iter().any(|line| line.starts_with("usage: cargo run --example broadcast")));
    (lines[0].strip_prefix("error: shape 1: ").unwrap().to_owned(), caret.chars().count())
}

#[test]
fn a_mistake_in_a_list_has_its_place() {
    let expected = "expected a size, a number such as 6, found `x`";
    assert_eq!(mistake("8,x,6"), (expected.to_owned(), 2));
    assert_eq!(mistake(" [4,  x]"), (expected.to_owned(), 6));
    assert_eq!(mistake("x"), (expected.to_owned(), 0));
    assert_eq!(mistake("4,,3"), ("expected a size here, found nothing".to_owned(), 2));
    assert_eq!(mistake("4,3,").1, 4);
    assert_eq!(mistake(",4").1, 0);
    assert_eq!(mistake("[4,3,]").1, 5);
    assert_eq!(mistake("").1, 0);
    assert_eq!(mistake("   ").1, 0);
    assert_eq!(mistake("[4,3"), ("`]` is missing".to_owned(), 4));
    assert_eq!(mistake("(4,3]"), ("`)` is missing".to_owned(), 4));
    assert_eq!(mistake("4,3]").1, 3);
    assert_eq!(mistake("["), ("`]` is missing".to_owned(), 1));
    assert_eq!(mistake("4x3").0, "sizes have commas between them, as in 8,1,6,1; found `x`");
    assert_eq!(mistake("4 3").1, 1);
    assert_eq!(mistake("2,1.5").0, "a size is an integer, found `.`");
    assert_eq!(mistake("2,-1").0, "a size is not negative: expected a number such as 6, found `-`");
    assert_eq!(mistake("-1,2").1, 0);
    assert_eq!(mistake("2,+1").1, 2);
    assert_eq!(mistake("2,١").1, 2);
    assert_eq!(mistake("18446744073709551616").0, "a size is at most 18446744073709551615");
    // A line break is shown as two characters.
    assert_eq!(mistake("4\n3,x").1, 1);
}

#[test]
fn mistakes_in_the_arguments() {
    let error = |arguments: &[&str]| {
        let found = answer(arguments);
        assert_eq!((found.text.as_str(), found.code), ("", 2), "{arguments:?}");
        found.error.lines().next().unwrap().to_owned()
    };
    assert_eq!(error(&["3"]), "error: there is one shape: give two or more, such as 4,3 and 3");
    assert_eq!(
        error(&["--svg", "x.svg"]),
        "error: there is no shape: give two or more, such as 4,3 and 3"
    );
    assert_eq!(error(&["3", "3", "--svg"]), "error: --svg needs the name of a file");
    assert_eq!(error(&["3", "3", "--png", "x"]), "error: invalid option '--png'");
    assert_eq!(error(&["3", "3", "-x"]), "error: invalid option '-x'");
    assert!(error(&["3", "4,y"]).starts_with("error: shape 2: "));
}

#[test]
fn files_are_written() {
    let (svg, dot) = (new_file("explained.svg"), new_file("explained.dot"));
    let found = answer(&[
        "4,3",
        "--svg",
        svg.to_str().unwrap(),
        "3",
        &format!("--dot={}", dot.to_str().unwrap()),
    ]);
    assert_eq!((found.error, found.code), (String::new(), 0));
    let explanation = explain_sizes(&[&[4, 3], &[3]]);
    assert_eq!(fs::read_to_string(svg).unwrap(), explanation.to_svg().unwrap());
    assert_eq!(fs::read_to_string(dot).unwrap(), explanation.to_dot());
}

#[test]
fn files_that_cannot_be_written() {
    let file = new_file("large.svg");
    let found = answer(&["60000,784", "784", "--svg", file.to_str().unwrap()]);
    assert!(found.text.starts_with("axis"), "the table is printed all the same");
    assert!(found.error.starts_with("error: cannot draw "), "{}", found.error);
    assert!(found.error.contains("a has 60000 cells along an axis"), "{}", found.error);
    assert_eq!(found.code, 2);
    assert!(!file.exists());

    let found = answer(&["3", "3", "--dot", "no/such/folder/x.dot"]);
    assert!(found.error.starts_with("error: cannot write no/such/folder/x.dot: "));
    assert_eq!(found.code, 2);
}

/// The program itself: its output and exit codes.
#[test]
fn the_program_runs() {
    let program = |arguments: &[&str]| -> Output {
        let mut command = Command::new(env!("CARGO"));
        command.args(["run", "--quiet", "--example", "broadcast", "--"]).args(arguments);
        command.current_dir(ROOT).output().expect("cargo runs")
    };
    for arguments in [&["8,1,6,1", "7,1,5"][..], &["4,3", "4"], &["4,x", "4"]] {
        let (found, expected) = (program(arguments), answer(arguments));
        assert_eq!(String::from_utf8_lossy(&found.stdout), expected.text);
        assert_eq!(String::from_utf8_lossy(&found.stderr), expected.error);
        assert_eq!(found.status.code(), Some(expected.code.into()));
    }
}
