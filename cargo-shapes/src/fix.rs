//! `cargo shapes fix`: lists the corrections of the errors of a program, and applies one.

use std::collections::HashSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use serde_json::Value;

use crate::corrections::{COMPILES, is_correction};
use crate::diagnostic::{list, primary, text};
use crate::render::Sources;

/// A correction of an error.
#[derive(Debug)]
struct Correction {
    /// The file and the line of the error: `src/main.rs:4`.
    place: String,
    words: String,
    file: PathBuf,
    spans: Vec<Value>,
}

/// What the arguments ask for.
#[derive(Debug, PartialEq)]
struct Wish<'a> {
    /// The place and the number of the correction to apply.
    chosen: Option<(&'a str, usize)>,
    /// The arguments of `cargo check`.
    cargo: &'a [OsString],
}

/// Lists corrections, or applies one: `cargo shapes fix [PLACE [NUMBER]] [-- ARGUMENTS OF CARGO CHECK]`.
///
/// # Errors
///
/// The arguments are others, cargo cannot be run, there is no such correction, or the file has changed since it was
/// checked.
pub fn fix(arguments: &[OsString]) -> Result<String, String> {
    let Wish { chosen, cargo } = read(arguments)?;
    let start = SystemTime::now();
    let corrections = corrections(cargo)?;
    let at = |place: &str| -> Vec<&Correction> {
        corrections.iter().filter(|correction| correction.place == place).collect()
    };
    let Some((place, number)) = chosen else {
        let lines = corrections.iter().map(|correction| {
            let same = at(&correction.place);
            let number = same.iter().take_while(|other| !std::ptr::eq(**other, correction)).count();
            format!(
                "cargo shapes fix {} {}    {}\n",
                correction.place,
                number + 1,
                correction.words
            )
        });
        let lines: String = lines.collect();
        return match lines.is_empty() {
            true => {
                Err("no correction is known; `cargo shapes check` prints the errors".to_owned())
            }
            false => Ok(lines),
        };
    };
    let there = at(place);
    let correction = there.get(number.wrapping_sub(1)).ok_or_else(|| match there.len() {
        0 => format!("no correction at `{place}`; `cargo shapes fix` lists them"),
        len => format!("the corrections at `{place}` are 1 to {len}"),
    })?;
    apply(correction, start)
}

fn read(arguments: &[OsString]) -> Result<Wish<'_>, String> {
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let cargo = arguments.get(end + 1..).unwrap_or_default();
    let own: Option<Vec<&str>> = arguments[..end].iter().map(|own| own.to_str()).collect();
    let chosen = match own.as_deref() {
        Some([]) => None,
        Some([place]) if !place.starts_with('-') => Some((*place, 1)),
        Some([place, number]) => number.parse().ok().map(|number| (*place, number)),
        _ => return Err(USAGE.to_owned()),
    };
    match (end, chosen) {
        (1.., None) => Err(USAGE.to_owned()),
        _ => Ok(Wish { chosen, cargo }),
    }
}

const USAGE: &str = "`cargo shapes fix` takes a place and a number, such as `src/main.rs:4 1`, and arguments of \
                     `cargo check` after `--`";

/// Runs `cargo shapes check`, and returns the corrections in its messages.
fn corrections(cargo: &[OsString]) -> Result<Vec<Correction>, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(this)
        .args(["check", "--message-format=json"].map(OsStr::new))
        .args(cargo)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo shapes cannot run cargo: {error}"))?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut seen = HashSet::new();
    let mut corrections = Vec::new();
    for line in lines {
        let (message, manifest) = (&line["message"], Path::new(text(&line, "manifest_path")));
        let folders = manifest.ancestors().skip(1).map(Path::to_path_buf);
        let sources = Sources::new(folders.collect());
        for child in list(message, "children").iter().filter(|child| is_correction(child)) {
            let spans = list(child, "spans").to_vec();
            let Some((span, first)) = primary(message).zip(spans.first()) else { continue };
            // Another target may have the same error.
            let is_new = seen.insert(format!("{}{}", text(child, "message"), child["spans"]));
            if let Some(file) = sources.find(text(first, "file_name")).filter(|_| is_new) {
                let place = place(span, text(first, "file_name"));
                let words = text(child, "message").replacen(COMPILES, "", 1);
                corrections.push(Correction { place, words, file, spans });
            }
        }
    }
    Ok(corrections)
}

/// The place of an error in the program: in an assertion, that of its call.
fn place(span: &Value, file: &str) -> String {
    match text(span, "file_name") == file || !span["expansion"].is_object() {
        true => format!("{file}:{}", span["line_start"]),
        false => place(&span["expansion"]["span"], file),
    }
}

/// Applies a correction to its file, if the file is as it was checked, and returns the lines that it changes.
fn apply(correction: &Correction, start: SystemTime) -> Result<String, String> {
    let Correction { file, spans, words, .. } = correction;
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    let saved = fs::metadata(file).and_then(|data| data.modified()).map_err(failed)?;
    let old = fs::read(file).map_err(failed)?;
    let changed = || format!("{} has changed since it was checked", file.display());
    if saved >= start || !spans.iter().all(|span| is_there(span, &old)) {
        return Err(changed());
    }
    let mut new = old.clone();
    let byte =
        |span: &Value, name: &str| span[name].as_u64().and_then(|at| usize::try_from(at).ok());
    let mut spans: Vec<&Value> = spans.iter().collect();
    spans.sort_by_key(|span| std::cmp::Reverse(byte(span, "byte_start")));
    for span in spans {
        let range = byte(span, "byte_start").zip(byte(span, "byte_end"));
        let (from, to) =
            range.filter(|(from, to)| from <= to && *to <= new.len()).ok_or_else(changed)?;
        new.splice(from..to, text(span, "suggested_replacement").bytes());
    }
    fs::write(file, &new).map_err(failed)?;
    let lines = |bytes: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
    };
    let (old, new) = (lines(&old), lines(&new));
    let front = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[front..], &new[front..]);
    let back = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let shown = |sign: char, lines: &[String]| -> String {
        lines[..lines.len() - back].iter().map(|line| format!("{sign}{line}\n")).collect()
    };
    Ok(format!("{}: {words}\n{}{}", correction.place, shown('-', old), shown('+', new)))
}

/// Whether a file has the lines of a span where it says.
fn is_there(span: &Value, file: &[u8]) -> bool {
    let first = span["line_start"].as_u64().and_then(|line| usize::try_from(line).ok());
    let Some(first) = first.and_then(|line| line.checked_sub(1)) else { return false };
    let file = String::from_utf8_lossy(file);
    let mut lines = file.lines().skip(first);
    list(span, "text")
        .iter()
        .all(|line| lines.next() == Some(text(line, "text").trim_end_matches('\r')))
}

#[test]
fn arguments_are_a_place_and_a_number() {
    let of = |line: &str| line.split_whitespace().map(OsString::from).collect::<Vec<_>>();
    for (line, chosen, cargo) in [
        ("", None, 0),
        ("-- --all-targets -p a", None, 3),
        ("src/main.rs:4", Some(("src/main.rs:4", 1)), 0),
        ("src/main.rs:4 2 -- --tests", Some(("src/main.rs:4", 2)), 1),
    ] {
        let arguments = of(line);
        let wish = read(&arguments).unwrap();
        assert_eq!((wish.chosen, wish.cargo.len()), (chosen, cargo), "{line}");
    }
    for line in ["--all-targets", "src/main.rs:4 x", "a b c"] {
        assert_eq!(read(&of(line)), Err(USAGE.to_owned()), "{line}");
    }
}
