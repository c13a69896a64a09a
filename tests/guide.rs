//! The guide's error index agrees with the compiler: the wrong programs are UI tests, the messages
//! are their snapshots, and every code in a message has an entry. Its list of operations is
//! generated from their table.

mod repository;
mod snapshots;

use std::collections::BTreeSet;

use repository::{compare, files, read};
use snapshots::Case;
use tensor_core::{Operation, operations};

const PAGE: &str = "tensor-core/guide/errors.md";

/// The page of the codes of `tensor-nn`, whose own test compares them with those of its messages.
const LAYERS: &str = "tensor-nn/guide/errors.md";

/// The page of the codes of `tensor-xla`.
const DEVICES: &str = "tensor-xla/guide/errors.md";

/// Other chapters that show messages.
const CHAPTERS: [&str; 5] = [
    "tensor-core/guide/start.md",
    "tensor-core/guide/mistakes.md",
    "tensor-nn/guide/layers.md",
    "tensor-nn/guide/generic_models.md",
    "tensor-xla/guide/devices.md",
];

const OPERATIONS: &str = "tensor-core/guide/operations.md";

/// The line before the list of all operations.
const ALL_OPERATIONS: &str = "<!-- all operations: tests/guide.rs -->";

/// The line before the table of all entries.
const TABLE: &str = "<!-- all entries: tests/guide.rs -->";

/// An entry of the page, under a heading such as `## T101: two sizes differ`.
struct Entry<'a> {
    code: &'a str,
    title: &'a str,
    text: &'a str,
}

impl Entry<'_> {
    /// Whether the code is one of ours, and not one of the compiler's.
    fn is_ours(&self) -> bool {
        self.code.starts_with('T')
    }

    /// Where the heading is linked, on the pages that rustdoc and GitHub make.
    fn anchor(&self) -> String {
        let heading = format!("{} {}", self.code, self.title).to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    }

    /// The UI tests that are shown.
    fn places(&self) -> Vec<&str> {
        self.text.lines().filter_map(place).collect()
    }
}

/// A letter and digits: `T101`, `E0308`.
fn is_code(word: &str, letters: &[char], digits: usize) -> bool {
    let number = word.strip_prefix(letters).unwrap_or_default();
    number.len() == digits && number.chars().all(|c| c.is_ascii_digit())
}

fn entries(page: &str) -> Vec<Entry<'_>> {
    let sections = page.split("\n## ").skip(1);
    let headed = sections.filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        let (code, title) = heading.split_once(": ")?;
        let is_entry = is_code(code, &['T'], 3) || is_code(code, &['E'], 4);
        is_entry.then_some(Entry { code, title, text })
    });
    headed.collect()
}

/// The UI test that a comment such as `<!-- tests/ui/broadcast/two_names -->` asks for.
fn place(line: &str) -> Option<&str> {
    let named = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    named.starts_with("tests/ui/").then_some(named)
}

/// The program and the message of a UI test, as the page shows them.
fn blocks(place: &str) -> String {
    let Case { program, message } = Case::read(place);
    let first = message.lines().next().unwrap_or_default();
    // Errors of macros have no code that rustdoc could expect.
    let code = first.strip_prefix("error[").and_then(|rest| rest.split_once(']'));
    let code = code.map(|(code, _)| format!(",{code}")).unwrap_or_default();
    format!("```rust,compile_fail{code}\n{program}```\n\n```text\n{message}```\n")
}

/// The table of all entries.
fn table(page: &str) -> String {
    let row =
        |entry: Entry| format!("| [{}](#{}) | {} |\n", entry.code, entry.anchor(), entry.title);
    let rows: String = entries(page).into_iter().map(row).collect();
    format!("| code | the mistake |\n| --- | --- |\n{rows}")
}

/// The page with the programs, the messages and the table as they should be.
fn renewed(page: &str) -> String {
    let mut renewed = String::new();
    let mut lines = page.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        if let Some(place) = place(line.trim_end()) {
            for fence in ["```rust,compile_fail", "```text"] {
                if lines.peek().is_some_and(|next| next.starts_with(fence)) {
                    // Through the fence that closes the block.
                    lines.by_ref().skip(1).find(|line| line.trim_end() == "```");
                }
                while lines.next_if(|next| next.trim().is_empty()).is_some() {}
            }
            renewed.push_str(&blocks(place));
            renewed.push('\n');
        } else if line.trim_end() == TABLE {
            while lines.next_if(|next| next.starts_with('|')).is_some() {}
            renewed.push_str(&table(page));
        }
    }
    renewed
}

/// The error index as it should be, whether or not the file is.
fn page() -> String {
    renewed_file(PAGE)
}

fn renewed_file(path: &str) -> String {
    renewed(&read(path))
}

#[test]
fn programs_messages_and_table_are_up_to_date() {
    for path in [PAGE, LAYERS, DEVICES].into_iter().chain(CHAPTERS) {
        compare(path, &renewed_file(path), "guide");
    }
}

/// The tables of the operations, one for each topic, in the order in which the topics appear.
fn tables(operations: &[Operation]) -> String {
    let mut topics: Vec<&str> = Vec::new();
    for operation in operations {
        if !topics.contains(&operation.topic) {
            topics.push(operation.topic);
        }
    }
    let elsewhere = |name: Option<&str>| {
        // An expression may be on several lines.
        let on_one_line = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ");
        name.map_or("–".to_owned(), |name| format!("`{}`", on_one_line(name)))
    };
    let mut tables = String::new();
    for topic in topics {
        tables += &format!(
            "\n## {topic}\n\n\
             | name | operands | elements | NumPy | PyTorch | StableHLO |\n\
             | --- | --- | --- | --- | --- | --- |\n"
        );
        for operation in operations.iter().filter(|operation| operation.topic == topic) {
            let Operation { name, operands, elements, .. } = operation;
            let [numpy, pytorch, stablehlo] =
                [operation.numpy, operation.pytorch, operation.stablehlo].map(elsewhere);
            tables += &format!(
                "| `{name}` | {operands} | `{elements}` | {numpy} | {pytorch} | {stablehlo} |\n"
            );
        }
    }
    tables
}

#[test]
fn the_list_of_operations_is_up_to_date() {
    let operations: Vec<Operation> = operations().collect();
    assert!(operations.len() > 60, "{} operations", operations.len());
    let page = read(OPERATIONS);
    let (above, _) = page.split_once(ALL_OPERATIONS).expect(ALL_OPERATIONS);
    let expected = format!("{above}{ALL_OPERATIONS}\n{}", tables(&operations));
    compare(OPERATIONS, &expected, "guide");
}

#[test]
fn entries_are_complete_and_in_order() {
    let page = page();
    let entries = entries(&page);
    assert!(entries.len() > 30, "{} entries: is this how they are headed?", entries.len());
    let order = |entry: &Entry| (!entry.is_ours(), entry.code.to_owned());
    for pair in entries.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        assert!(order(before) < order(after), "{} stands before {}", before.code, after.code);
    }
    for entry in &entries {
        let code = entry.code;
        assert_eq!(entry.places().len(), 1, "{code} shows one wrong program");
        let (_, after) = entry.text.split_once("```text\n").expect(code);
        let (_, after) = after.split_once("```\n").expect(code);
        let (why, fix) = after.split_once("```rust\n").unwrap_or_else(|| {
            panic!("{code}: a program that compiles follows the message and the reason")
        });
        let sentences = why.matches(['.', '?']).count();
        assert!(sentences >= 2, "{code} says why in {sentences} sentences");
        assert!(fix.contains("assert"), "{code}: the fix shows that it does what was meant");
    }
}

#[test]
fn messages_point_into_the_programs() {
    let page = page() + &renewed_file(LAYERS) + &CHAPTERS.map(renewed_file).concat();
    let mut pointed = 0;
    for place in page.lines().filter_map(place) {
        let Case { program, message } = Case::read(place);
        let lines: Vec<&str> = message.lines().collect();
        // A line with a caret below it; other lines may be what the compiler suggests.
        for pair in lines.windows(2).filter(|pair| pair[1].contains('^')) {
            let Some((row, shown)) = pair[0].split_once(" | ") else { continue };
            let Ok(row) = row.trim().parse::<usize>() else { continue };
            pointed += 1;
            assert_eq!(program.lines().nth(row - 1), Some(shown), "{place}");
        }
    }
    assert!(pointed > 30, "{pointed} lines of programs in messages");
}

/// The codes in brackets, as in `[T101]`.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    words.map(|(word, _)| word).filter(|word| is_code(word, &['T'], 3))
}

#[test]
fn every_code_has_an_entry() {
    let page = page();
    let known: BTreeSet<&str> = entries(&page).iter().map(|entry| entry.code).collect();
    for folder in [
        "tensor-kernels/src",
        "tensor-array/src",
        "tensor-core/src",
        "tensor-macros/src",
        "tests/ui",
    ] {
        for path in files(folder, &[".rs", ".stderr"]) {
            let text = read(&path);
            for code in codes(&text) {
                assert!(known.contains(code), "{PAGE} has no entry {code}: {}", path.display());
            }
        }
    }
}

#[test]
fn every_message_names_its_entry() {
    let page = page();
    let mut silent = Vec::new();
    for entry in entries(&page) {
        let place = entry.places()[0];
        let message = Case::read(place).message;
        let is_named = match entry.is_ours() {
            true => codes(&message).any(|code| code == entry.code),
            false => message.starts_with(&format!("error[{}]", entry.code)),
        };
        if !is_named {
            silent.push(format!("{} is not named in {place}.stderr", entry.code));
        }
    }
    assert!(silent.is_empty(), "messages without the code of their entry:\n{}", silent.join("\n"));
}

/// The messages of meshes name the entries of their page, and no others.
#[test]
fn messages_of_devices_have_entries() {
    let page = read(DEVICES);
    let headed = page.lines().filter_map(|line| line.strip_prefix("## ")?.split_once(": "));
    let entries: BTreeSet<&str> = headed.map(|(code, _)| code).collect();
    let sources = [
        "tensor-xla/src/sharding.rs",
        "tensor-xla/src/sharding/check.rs",
        "tensor-core/src/module/walk_shapes.rs",
    ];
    let sources = sources.map(|path| read(path)).concat();
    let notes = sources.lines().filter(|line| line.trim_start().starts_with("note = "));
    let said: Vec<&str> = notes.map(|note| note.rsplit_once('[').unwrap().1).collect();
    let said: BTreeSet<&str> = said.iter().map(|code| code.split_once(']').unwrap().0).collect();
    assert_eq!(said, entries);
}
