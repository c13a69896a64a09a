//! `cargo shapes explain T101`: prints an entry of the error index.

use serde_json::{Value, json};

use crate::diagnostic::requirement;
use crate::links::{entries, page};
use crate::text::message;
use crate::words::table;

/// The titles of all entries, in order: `T101: two sizes differ`.
pub fn titles() -> Vec<&'static str> {
    entries().filter_map(|(_, text)| text.lines().next()).collect()
}

/// The entry for a code, in any case, also in brackets as messages have it; `None` if there is none.
pub fn entry(code: &str) -> Option<String> {
    let code = code.trim_start_matches('[').trim_end_matches(']');
    let (code, text) = entries().find(|(known, _)| known.eq_ignore_ascii_case(code))?;
    let (title, body) = text.split_once('\n')?;
    Some(format!("{title}\n{}\n{}", page(code), shown(body)))
}

/// Indents programs and messages, and rewrites the messages.
fn shown(body: &str) -> String {
    let mut result = String::new();
    let mut lines = body.lines().filter(|line| !line.starts_with("<!--"));
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            result += &format!("{line}\n");
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        let block = if language == "text" { in_better_words(&block) } else { block.join("\n") };
        for line in block.lines() {
            result += format!("    {line}").trim_end();
            result.push('\n');
        }
    }
    let mut blank = false;
    let lines = result.lines().filter(|line| {
        let kept = !(blank && line.is_empty());
        blank = line.is_empty();
        kept
    });
    lines.fold(String::new(), |text, line| text + line + "\n").trim_end().to_owned() + "\n"
}

/// Rewrites a message of rustc: shapes in brackets, and a table instead of the requirements.
fn in_better_words(block: &[&str]) -> String {
    let note = |line: &str| line.trim_start().strip_prefix("= note: ").map(str::to_owned);
    let required: Vec<String> = block
        .iter()
        .filter_map(|line| note(line))
        .filter(|note| requirement(note).is_some())
        .collect();
    let children: Vec<Value> = required.iter().map(|note| json!({ "message": note })).collect();
    let title = block.first().and_then(|line| line.split_once(": ")).map_or("", |(_, title)| title);
    let span = block.iter().find_map(|line| marked(block, line));
    let diagnostic = json!({ "message": title, "children": children, "spans": span.into_iter().collect::<Vec<_>>() });
    let mut lines = Vec::new();
    let mut table = table(&diagnostic);
    for line in block {
        let is_required = note(line).is_some_and(|note| requirement(&note).is_some());
        let margin = line.len() - line.trim_start().len();
        match is_required.then(|| table.take()).flatten() {
            Some(table) => {
                for (number, row) in table.lines().enumerate() {
                    let start = if number == 0 { "= note: " } else { "        " };
                    lines.push(format!("{:margin$}{start}{row}", ""));
                }
            }
            None if is_required || line.trim_start().starts_with("= help: the trait `") => {}
            None => lines.push(message(line)),
        }
    }
    lines.join("\n")
}

/// The operator above `^`, as the span of a message gives it.
fn marked(block: &[&str], line: &str) -> Option<Value> {
    let at = line.find('^')?;
    let end = at + line[at..].bytes().take_while(|b| *b == b'^').count();
    let number = block.iter().position(|other| other == &line)?;
    let code = block.get(number.checked_sub(1)?)?;
    Some(json!({
        "is_primary": true,
        "text": [{ "text": code, "highlight_start": at + 1, "highlight_end": end + 1 }],
    }))
}

#[test]
fn every_entry_is_found() {
    assert!(titles().len() > 80, "{:?}", titles());
    for title in titles() {
        let (code, _) = title.split_once(": ").unwrap();
        let text = entry(&code.to_lowercase()).unwrap();
        assert_eq!(entry(&format!("[{code}]")).as_ref(), Some(&text));
        assert_eq!(text.lines().next(), Some(title));
        // Shapes with axes that have parameters, such as `In<Dim<768>>`, stay as the compiler writes them.
        let has_types = |line: &str| line.contains("(((") && !line.contains("In<");
        assert!(
            !text.contains("```")
                && (code.starts_with('E') || !text.lines().any(has_types))
                && !text.contains("<!--"),
            "{text}"
        );
    }
    assert_eq!(entry("T999"), None);
}

#[test]
fn the_picture_of_a_broadcast_is_shown() {
    let text = entry("T101").unwrap();
    let table = "      = note: left   [4, 3, ..]\n              right     [4, ..]\n                         ^ left has 3";
    assert!(text.contains(table), "{text}");
}
