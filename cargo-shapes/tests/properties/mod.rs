//! What holds for every message: no false word, nothing lost from the JSON, and text as rustc would write it.

use cargo_shapes::diagnostic::{list, quoted, text, texts};
use cargo_shapes::render::{Sources, Style, plain, render};
use serde_json::Value;

use crate::compiled::{Message, Program, workspace};

/// Programs about which rustc writes what its JSON does not have.
const NOT_IN_JSON: [&str; 2] = ["derive/copy_of_a_tensor", "axis/constant_out_of_range"];

pub fn check(programs: &[Program]) {
    let mut complaints = Vec::new();
    for program in programs {
        for message in &program.messages {
            let found = [
                translated_back(message),
                without_pairs(message),
                of_operands(message),
                same_json(message),
                as_rustc(program, message),
            ];
            complaints.extend(
                found
                    .into_iter()
                    .flatten()
                    .map(|complaint| format!("{}: {complaint}", program.name)),
            );
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Every shape and size that is printed is one that rustc wrote about the same thing.
fn translated_back(message: &Message) -> Option<String> {
    let new = message.new.as_ref()?;
    let old = tokens(&[texts(&message.old).join(" "), lines(&message.old)].concat());
    // A part that is 0 may be left out.
    let old = old.replace(",0>", ">").replace(",0>", ">");
    let is_old = |written: &str| old.contains(&tokens(written));
    for text in texts(new) {
        for (indices, written) in lists(text) {
            // The axes that rustc does not name.
            let written = written.trim_end_matches(", ..").to_owned();
            let pairs = pairs(&written, indices);
            if !is_old(&written) && !is_old(&pairs) && !is_old(&with_sizes(&written)) {
                return Some(format!("`{written}` is not in what rustc wrote, nor is `{pairs}`"));
            }
        }
        for size in quoted(text).into_iter().filter_map(|part| part.parse::<u64>().ok()) {
            if !is_old(&format!("`{size}`")) && !is_old(&axis(&size.to_string())) {
                return Some(format!("the size {size} is not in what rustc wrote"));
            }
        }
    }
    None
}

/// The lines of the table in a message: two shapes and a mark.
pub fn table(message: &Value) -> Option<Vec<&str>> {
    let tables = list(message, "children").iter().map(|child| text(child, "message"));
    tables.map(|table| table.lines().collect::<Vec<_>>()).find(|lines| {
        lines.len() == 3 && !lines[0].contains('`') && lines[2].trim_start().starts_with('^')
    })
}

/// A shape of a table without alignment.
pub fn row(line: &str) -> String {
    line[line.find('[').unwrap()..].replace([' ', '[', ']'], "").replace(',', ", ")
}

/// A table shows shapes of a requirement on both operands, or marks that axes are missing.
fn of_operands(message: &Message) -> Option<String> {
    let table = table(message.new.as_ref()?)?;
    let required = list(&message.old, "children").iter().map(|child| text(child, "message"));
    let required: Vec<&str> = required.filter(|text| text.starts_with("required for")).collect();
    let is_partial = |text: &str| text.contains("BroadcastOf<") || text.contains("AssignTo<");
    let rows = table[..2].iter().map(|line| row(line));
    let is_of = |row: &String| match row.strip_suffix(", ..") {
        Some(front) => required.iter().any(|text| text.contains(&pairs(front, false))),
        None => required
            .iter()
            .any(|text| !is_partial(text) && tokens(text).contains(&tokens(&pairs(row, false)))),
    };
    rows.filter(|row| !is_of(row)).map(|row| format!("[{row}] is no operand's")).next()
}

/// `Out<768>` as rustc writes it, `Out<Dim<768>>`.
fn with_sizes(written: &str) -> String {
    let mut parts = written.split('<');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at(number);
        match number {
            "" => result += &format!("<{rest}"),
            _ => result += &format!("<Dim<{number}>{rest}"),
        }
    }
    result
}

/// The lines of programs and of the library that a message shows.
fn lines(diagnostic: &Value) -> String {
    let spans = list(diagnostic, "spans").iter().flat_map(|span| list(span, "text"));
    let below = list(diagnostic, "children").iter().map(lines);
    spans.map(|line| text(line, "text").to_owned()).chain(below).collect()
}

/// The text without spaces and lines, which are for alignment.
fn tokens(text: &str) -> String {
    text.split_whitespace().collect()
}

/// What is in brackets, innermost first, and whether these are indices of axes.
fn lists(text: &str) -> Vec<(bool, String)> {
    let list = |open: usize| {
        let len = text[open..].find([']', '\n'])?;
        let written = text[open + 1..open + len].split_whitespace().collect::<Vec<_>>().join(" ");
        let first = written.chars().next()?;
        let is_entry = written.len() == 4 && written[1..].bytes().all(|b| b.is_ascii_digit());
        let is_list = !is_entry
            && !written.contains(['[', '`', ';', '('])
            && (first.is_alphanumeric() || "_-".contains(first));
        let is_indices = text[..open].ends_with("axes!");
        // Other macros are code of a program.
        (is_list && (is_indices || !text[..open].ends_with('!'))).then_some((is_indices, written))
    };
    text.match_indices('[').filter_map(|(open, _)| list(open)).collect()
}

/// `(((), Batch), Dim<64>)` for `Batch, 64`.
fn pairs(list: &str, indices: bool) -> String {
    // A size that this crate does not write has commas already.
    let axes = list.split(", ").fold(Vec::new(), |mut axes: Vec<String>, part| {
        match axes.last_mut() {
            Some(open) if open.contains('<') && !open.contains('>') => {
                *open += &format!(", {part}")
            }
            _ => axes.push(part.to_owned()),
        }
        axes
    });
    let mut axes = axes.iter().map(String::as_str).peekable();
    let lead = axes.next_if(|first| first.ends_with(".."));
    let lead = lead.map_or("()".to_owned(), |lead| lead.trim_end_matches("..").to_owned());
    let last = |next: &str| if indices { format!("AxisIndex<{next}>") } else { axis(next) };
    axes.fold(lead, |lead, next| format!("({lead}, {})", last(next)))
}

/// `Dim<50000, 257>` for 50257.
fn axis(written: &str) -> String {
    let Ok(size) = written.parse::<u64>() else { return written.to_owned() };
    match size {
        1 => "One".to_owned(),
        0..10_000 => format!("Dim<{size}>"),
        _ => {
            let parts = [size / 1_000_000 * 1_000_000, size / 1_000 % 1_000 * 1_000, size % 1_000];
            let parts = parts.into_iter().filter(|part| *part > 0).map(|part| part.to_string());
            format!("Dim<{}>", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// No list of pairs is left in what a terminal shows.
fn without_pairs(message: &Message) -> Option<String> {
    let rendered = text(message.new.as_ref()?, "rendered");
    let words = rendered
        .lines()
        .filter(|line| !line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    let pair = |line: &&str| {
        line.match_indices("((").any(|(at, _)| {
            let inner = line[at + 2..].trim_start_matches('(');
            inner.starts_with(')') && inner[1..].starts_with(", ")
        })
    };
    words.into_iter().find(pair).map(|line| format!("a list of pairs: {line}"))
}

/// The JSON is what it was, but for its words, what is folded, and notes that are new.
fn same_json(message: &Message) -> Option<String> {
    let new = message.new.as_ref()?;
    let (old, new) = (without_words(&message.old), without_words(new));
    let (mut old_top, mut new_top) = (old.clone(), new.clone());
    (old_top["children"], new_top["children"]) = (Value::Null, Value::Null);
    if old_top != new_top {
        return Some(format!("{old_top}\nis now\n{new_top}"));
    }
    let mut rest = list(&old, "children").iter();
    let is_new = |child: &&Value| list(child, "spans").is_empty();
    let lost = list(&new, "children")
        .iter()
        .filter(|child| !is_new(child))
        .find(|child| !rest.any(|old| old == *child));
    lost.map(|child| format!("{child} was not there"))
}

fn without_words(value: &Value) -> Value {
    const WORDS: [&str; 4] = ["message", "label", "rendered", "suggested_replacement"];
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !WORDS.contains(&name.as_str()));
            kept.map(|(name, value)| (name.clone(), without_words(value))).collect()
        }
        Value::Array(values) => values.iter().map(without_words).collect(),
        other => other.clone(),
    }
}

/// A message that is drawn again without other words is what rustc wrote.
fn as_rustc(program: &Program, message: &Message) -> Option<String> {
    let sources = Sources::new(vec![workspace().to_path_buf()]);
    let style = Style { width: 100_000, ..Style::default() };
    let drawn = render(&message.old, style, &sources);
    let written = plain(text(&message.old, "rendered"));
    let is_excepted = NOT_IN_JSON.contains(&program.name.as_str());
    (drawn.trim_end() != written.trim_end() && !is_excepted)
        .then(|| format!("rustc wrote\n{written}not\n{drawn}"))
}
