//! What `cargo shapes` makes of the messages about every mistake of `tests/ui`: snapshots, and what holds for all.
//!
//! `.ci/bless shapes` writes the snapshots, `tests/messages/`, and the
//! picture of the README. The programs are
//! compiled once, with the packages that the tests of messages have compiled.

mod compiled;
mod picture;
mod properties;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use compiled::{Program, programs};
use serde_json::Value;

/// The topic of which the JSON is kept as well.
const TOPIC_IN_JSON: &str = "annotation";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages")
}

fn picture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guide/pictures/terminal.svg")
}

#[test]
fn messages_are_in_better_words() {
    let programs = programs();
    properties::check(&programs);
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for program in &programs {
        let (topic, _) = program.name.split_once('/').unwrap();
        let text = texts.entry(format!("{topic}.txt")).or_default();
        writeln!(text, "==== {}\n\n{}", program.name, program.text()).unwrap();
        if topic == TOPIC_IN_JSON {
            let text = texts.entry(format!("{topic}.json")).or_default();
            writeln!(text, "// {}\n{}", program.name, program.json()).unwrap();
        }
    }
    if !compiled::is_pinned_compiler() {
        println!("not compared: the snapshots are those of the compiler in rust-toolchain.toml");
        return;
    }
    if env::var_os("BLESS").is_some_and(|value| value != "0") {
        let _ = fs::remove_dir_all(folder());
        fs::create_dir_all(folder()).unwrap();
        for (file, text) in &texts {
            fs::write(folder().join(file), text).unwrap();
        }
        fs::create_dir_all(picture().parent().unwrap()).unwrap();
        fs::write(picture(), picture::picture(&programs)).unwrap();
        return;
    }
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let files: Vec<String> = files.map(|file| file.into_string().unwrap()).collect();
    let unknown: Vec<_> = files.iter().filter(|file| !texts.contains_key(*file)).collect();
    assert!(unknown.is_empty(), "snapshots of no topic: {unknown:?}");
    let kept = fs::read_to_string(picture()).unwrap_or_default();
    assert!(kept == picture::picture(&programs), "the picture shows another message");
    for (file, text) in &texts {
        let kept = fs::read_to_string(folder().join(file)).unwrap_or_default();
        let differs =
            kept.lines().zip(text.lines()).enumerate().find(|(_, (kept, new))| kept != new);
        assert!(
            kept == *text,
            "{file} differs{}; `.ci/bless shapes` writes it anew",
            differs.map_or(String::new(), |(line, (kept, new))| format!(
                " in line {}:\n{kept}\n{new}\n",
                line + 1
            ))
        );
    }
}

/// Two operands that differ in one axis: the table has their shapes, and marks this axis.
#[test]
fn tables_show_the_operands() {
    const OPERATIONS: [&str; 10] = [
        "a + b",
        "a - b",
        "a * b",
        "a / b",
        "*a += b",
        "*a -= b",
        "a.maximum(b)",
        "a.minimum(b)",
        "a.less(b)",
        "a.matmul(b)",
    ];
    let mut source = "use tensor_core::{Tensor, shape}; fn main() {}\n".to_owned();
    let mut cases = Vec::new();
    for operation in OPERATIONS {
        // Their last two axes match.
        let trailing = if operation.contains("matmul") { 2 } else { 0 };
        for (left, right) in (1..=4).flat_map(|left| (1..=4).map(move |right| (left, right))) {
            for from_end in 1..=left.min(right) {
                let mut shapes =
                    [left, right].map(|rank| vec!["8", "3", "5", "7"].split_off(4 - rank));
                shapes[1][right - from_end] = "40";
                let different = [shapes[0][left - from_end], "40"];
                if trailing > 0 {
                    shapes.iter_mut().for_each(|shape| shape.extend(["6", "6"]));
                }
                let shapes = shapes.map(|shape| shape.join(", "));
                let [a, b] = &shapes;
                source += &format!(
                    "fn f{}(a: &mut Tensor<shape![{a}]>, b: &Tensor<shape![{b}]>) {{ let a = {}a; let _ = {operation}; }}\n",
                    cases.len(),
                    if operation.contains('=') { "" } else { "&*" },
                );
                let axis = left.max(right) - from_end;
                cases.push((operation, shapes, different, axis));
            }
        }
    }
    let program = compiled::generated(&source);
    let mut found = vec![false; cases.len()];
    for message in program.messages.iter().filter_map(|message| message.new.as_ref()) {
        let Some(line) = message["spans"][0]["line_start"].as_u64() else { continue };
        let number = line as usize - 2;
        let (operation, shapes, different, axis) = &cases[number];
        // Without a table, the message is that the target has too few axes.
        let Some(table) = properties::table(message) else { continue };
        found[number] = true;
        let is_whole = !table[0].contains("..");
        for ((line, shape), different) in table.iter().zip(shapes).zip(different) {
            let row = properties::row(line);
            let is_right = match row.strip_suffix(", ..") {
                Some(front) => shape.starts_with(front) && "+-*/".contains(&operation[2..3]),
                None => row == *shape,
            };
            let marks = table[2].find('^').unwrap()..=table[2].rfind('^').unwrap();
            let marked = line[marks].trim_start_matches(['[', ' ']);
            assert!(
                is_right && marked == *different,
                "{operation} {shapes:?}\n{}",
                table.join("\n")
            );
        }
        let is_numbered = table[2].contains(&format!("axis {axis}, "));
        assert_eq!(is_numbered, is_whole, "{operation} {shapes:?}\n{}", table.join("\n"));
    }
    let missing = cases.iter().zip(found).filter(|(_, found)| !found).map(|(case, _)| case);
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "no table: {missing:?}");
}

/// Most mistakes are one error of at most ten lines.
#[test]
fn most_messages_are_one_short_error() {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.filter(|file| file.extension().is_some_and(|end| end == "txt"));
    let all: String = texts.map(|file| fs::read_to_string(file).unwrap()).collect();
    let programs: Vec<&str> = all.split("==== ").skip(1).collect();
    let errors = |text: &str| text.lines().filter(|line| line.starts_with("error")).count();
    let first = |text: &str| text.split("\n\n").nth(1).unwrap_or_default().lines().count();
    let share = |count: usize| count as f64 / programs.len() as f64;
    let one = share(programs.iter().filter(|text| errors(text) == 1).count());
    let short = share(programs.iter().filter(|text| first(text) <= 10).count());
    assert!(one >= 0.97 && short >= 0.95, "one error: {one:.3}, at most ten lines: {short:.3}");
}

impl Program {
    /// What a terminal shows.
    fn text(&self) -> String {
        let shown = self.messages.iter().filter_map(|message| message.new.as_ref());
        let texts: Vec<&str> = shown.map(|new| new["rendered"].as_str().unwrap()).collect();
        let folded = match self.messages.iter().filter(|message| message.new.is_none()).count() {
            0 => String::new(),
            folded => format!("({folded} that follows)\n\n"),
        };
        (texts.concat() + &folded).trim_end().to_owned() + "\n"
    }

    /// What an editor gets, less the text for a terminal.
    fn json(&self) -> String {
        let shown = self.messages.iter().filter_map(|message| message.new.clone());
        let lines = shown.map(|mut new| {
            new["rendered"].take();
            new["code"].take();
            without_definitions(&mut new);
            format!("{new}\n")
        });
        lines.collect()
    }
}

/// Leaves out where macros are defined, which every change of their source moves.
fn without_definitions(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("def_site_span");
            fields.values_mut().for_each(without_definitions);
        }
        Value::Array(values) => values.iter_mut().for_each(without_definitions),
        _ => {}
    }
}
