//! `cargo shapes fix`: lists the corrections of the errors of a program, and applies one.

use std::collections::HashMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::corrections::{COMPILES, is_correction};
use crate::diagnostic::{list, primary, text};
use crate::render::Sources;

/// A correction of an error.
#[derive(Debug, PartialEq)]
struct Correction {
    /// The file and the line of the error, `src/main.rs:4`; with the column if another error is on that line.
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

/// Lists corrections, or applies one of those that were listed: `cargo shapes fix [PLACE [NUMBER]] [-- ARGUMENTS OF
/// CARGO CHECK]`.
///
/// # Errors
///
/// The arguments are others, cargo cannot be run, there is no such correction, or the file has changed since it was
/// checked.
pub fn fix(arguments: &[OsString]) -> Result<String, String> {
    let Wish { chosen, cargo } = read(arguments)?;
    let file = listed(cargo)?;
    let Some((place, number)) = chosen else {
        let start = SystemTime::now();
        let corrections = corrections(cargo)?;
        let failed = |error: std::io::Error| format!("{}: {error}", file.display());
        fs::write(&file, written(start, &corrections).to_string()).map_err(failed)?;
        let at = |place: &str| -> Vec<&Correction> {
            corrections.iter().filter(|correction| correction.place == place).collect()
        };
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
    let list = fs::read_to_string(&file).ok().and_then(|text| listing(&text));
    let (start, corrections) =
        list.ok_or("no corrections have been listed; `cargo shapes fix` lists them")?;
    apply(choose(&corrections, place, number)?, start)
}

/// The correction of this number at a place.
fn choose<'c>(
    corrections: &'c [Correction],
    place: &str,
    number: usize,
) -> Result<&'c Correction, String> {
    let there: Vec<&Correction> =
        corrections.iter().filter(|correction| correction.place == place).collect();
    there.get(number.wrapping_sub(1)).copied().ok_or_else(|| match there.len() {
        0 => {
            let with_column = format!("{place}:");
            let mut columns: Vec<String> = corrections
                .iter()
                .filter(|correction| correction.place.starts_with(&with_column))
                .map(|correction| format!("`{}`", correction.place))
                .collect();
            columns.dedup();
            match columns.is_empty() {
                true => format!("no correction at `{place}`; `cargo shapes fix` lists them"),
                false => {
                    format!("{} errors are at `{place}`: {}", columns.len(), columns.join(", "))
                }
            }
        }
        len => format!("the corrections at `{place}` are 1 to {len}"),
    })
}

/// The file with the corrections that were listed last, in cargo's target folder.
fn listed(cargo: &[OsString]) -> Result<PathBuf, String> {
    let mut metadata = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    metadata.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let mut rest = cargo.iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        if ["--manifest-path", "--config"].contains(&&*text) {
            metadata.arg(argument).args(rest.next());
        } else if text.starts_with("--manifest-path=") || text.starts_with("--config=") {
            metadata.arg(argument);
        }
    }
    let output =
        metadata.output().map_err(|error| format!("cargo shapes cannot run cargo: {error}"))?;
    let about: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned())?;
    let folder = PathBuf::from(text(&about, "target_directory"));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder.join("cargo-shapes-fix.json"))
}

/// The corrections of a check that began at a time, as they are kept.
fn written(start: SystemTime, corrections: &[Correction]) -> Value {
    let start = start.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let start = u64::try_from(start.as_nanos()).unwrap_or_default();
    let each = corrections.iter().map(|Correction { place, words, file, spans }| {
        json!({ "place": place, "words": words, "file": file.to_string_lossy(), "spans": spans })
    });
    let each: Vec<Value> = each.collect();
    json!({ "nanoseconds": start, "corrections": each })
}

/// Reads what [`written`] writes.
fn listing(text_of_file: &str) -> Option<(SystemTime, Vec<Correction>)> {
    let value: Value = serde_json::from_str(text_of_file).ok()?;
    let passed = Duration::from_nanos(value["nanoseconds"].as_u64()?);
    let start = SystemTime::UNIX_EPOCH.checked_add(passed)?;
    let each = list(&value, "corrections").iter().map(|correction| Correction {
        place: text(correction, "place").to_owned(),
        words: text(correction, "words").to_owned(),
        file: PathBuf::from(text(correction, "file")),
        spans: list(correction, "spans").to_vec(),
    });
    Some((start, each.collect()))
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
    Ok(of_messages(&lines.collect::<Vec<_>>(), |line, file| {
        let manifest = Path::new(text(line, "manifest_path"));
        let folders = manifest.ancestors().skip(1).map(Path::to_path_buf);
        Sources::new(folders.collect()).find(file)
    }))
}

/// The corrections in lines of cargo. Of an error that several targets have, those that all of them accept.
fn of_messages(lines: &[Value], find: impl Fn(&Value, &str) -> Option<PathBuf>) -> Vec<Correction> {
    // The lines of each error, one for each target that has it.
    let mut errors: Vec<Vec<&Value>> = Vec::new();
    let mut known = HashMap::new();
    for line in lines.iter().filter(|line| text(&line["message"], "level") == "error") {
        let message = &line["message"];
        let Some(span) = primary(message) else { continue };
        let fields = ["file_name", "line_start", "line_end", "column_start", "column_end"];
        let error = (text(message, "message"), fields.map(|field| span[field].to_string()));
        let at = *known.entry(error).or_insert(errors.len());
        match errors.get_mut(at) {
            Some(same) => same.push(line),
            None => errors.push(vec![line]),
        }
    }
    let mut corrections: Vec<(Place, Correction)> = Vec::new();
    for targets in errors {
        let message = &targets[0]["message"];
        for child in list(message, "children").iter().filter(|child| is_correction(child)) {
            let is_same = |other: &Value| {
                other["message"] == child["message"] && other["spans"] == child["spans"]
            };
            let is_accepted =
                |line: &&Value| list(&line["message"], "children").iter().any(is_same);
            let spans = list(child, "spans").to_vec();
            let Some((span, first)) = primary(message).zip(spans.first()) else { continue };
            let name = text(first, "file_name");
            if let Some(file) = find(targets[0], name).filter(|_| targets.iter().all(is_accepted)) {
                let (line, column) = place(span, name);
                let words = text(child, "message").replacen(COMPILES, "", 1);
                let correction = Correction { place: line.clone(), words, file, spans };
                corrections.push(((line, column), correction));
            }
        }
    }
    let places: Vec<Place> = corrections.iter().map(|(place, _)| place.clone()).collect();
    let named = corrections.into_iter().map(|((line, column), mut correction)| {
        if places.iter().any(|(other, at)| *other == line && *at != column) {
            correction.place = format!("{line}:{column}");
        }
        correction
    });
    named.collect()
}

/// A file with a line, and a column.
type Place = (String, u64);

/// The place of an error in the program: in an assertion, that of its call.
fn place(span: &Value, file: &str) -> Place {
    match text(span, "file_name") == file || !span["expansion"].is_object() {
        true => {
            let column = span["column_start"].as_u64().unwrap_or_default();
            (format!("{file}:{}", span["line_start"]), column)
        }
        false => place(&span["expansion"]["span"], file),
    }
}

/// Applies a correction to its file, if the file is as it was checked, and returns the lines that it changes.
fn apply(correction: &Correction, start: SystemTime) -> Result<String, String> {
    let Correction { file, spans, words, .. } = correction;
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    let saved = fs::metadata(file).and_then(|data| data.modified()).map_err(failed)?;
    let old = fs::read(file).map_err(failed)?;
    let changed = || {
        let file = file.display();
        format!("{file} has changed since it was checked; `cargo shapes fix` lists its corrections")
    };
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

/// The line of cargo for an error of a target at a column, with corrections.
#[cfg(test)]
fn error_line(target: &str, column: u64, corrections: &[&str]) -> Value {
    let span = json!({
        "file_name": "src/main.rs", "line_start": 4, "column_start": column, "is_primary": true, "text": [],
        "suggested_replacement": "x",
    });
    let child = |words: &&str| json!({ "message": format!("{COMPILES}{words}"), "level": "help", "spans": [span] });
    let children: Vec<Value> = corrections.iter().map(child).collect();
    json!({
        "target": target,
        "message": { "level": "error", "code": { "code": "E0277" }, "spans": [span], "children": children },
    })
}

#[cfg(test)]
fn places_and_words(lines: &[Value]) -> Vec<String> {
    let corrections = of_messages(lines, |_, file| Some(file.into()));
    let shown =
        corrections.iter().map(|Correction { place, words, .. }| format!("{place} {words}"));
    shown.collect()
}

#[test]
fn errors_on_one_line_have_their_columns() {
    let one = error_line("a", 5, &["a", "b"]);
    assert_eq!(
        places_and_words(std::slice::from_ref(&one)),
        ["src/main.rs:4 a", "src/main.rs:4 b"]
    );
    let lines = [one, error_line("a", 30, &["c"])];
    let shown = ["src/main.rs:4:5 a", "src/main.rs:4:5 b", "src/main.rs:4:30 c"];
    assert_eq!(places_and_words(&lines), shown);
    let corrections = of_messages(&lines, |_, file| Some(file.into()));
    assert_eq!(choose(&corrections, "src/main.rs:4:30", 1).unwrap().words, "c");
    assert_eq!(
        choose(&corrections, "src/main.rs:4", 1),
        Err("2 errors are at `src/main.rs:4`: `src/main.rs:4:5`, `src/main.rs:4:30`".to_owned())
    );
}

#[test]
fn a_correction_is_one_for_all_targets_with_the_error() {
    let lines = [error_line("a", 5, &["a", "b"]), error_line("b", 5, &["b"])];
    assert_eq!(places_and_words(&lines), ["src/main.rs:4 b"]);
    let lines = [error_line("a", 5, &["a"]), error_line("b", 5, &[])];
    assert!(places_and_words(&lines).is_empty());
    assert_eq!(
        places_and_words(&[error_line("a", 5, &["a"]), error_line("b", 5, &["a"])]).len(),
        1
    );
}

#[test]
fn what_was_listed_is_kept() {
    let corrections = of_messages(&[error_line("a", 5, &["a", "b"])], |_, file| Some(file.into()));
    let start = SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 123);
    let text = written(start, &corrections).to_string();
    assert_eq!(listing(&text), Some((start, corrections)));
    assert_eq!(listing("{"), None);
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
