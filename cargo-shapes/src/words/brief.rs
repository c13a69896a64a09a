//! Shortens messages for terminals: editors show definitions as links, and suggestions as actions.

use serde_json::{Value, json};

use crate::corrections::is_correction;
use crate::diagnostic::{covered, entry, is_of_library, list, primary, text};
use crate::render::{ORIGIN, is_suggestion, plain};

use super::bound::restricts;

/// The message with fewer children.
pub fn brief(diagnostic: &Value) -> Value {
    let mut brief = diagnostic.clone();
    let children = list(diagnostic, "children");
    // A message of the library states what to write if a bound helps.
    let in_words = children.iter().any(|child| entry(text(child, "message")).is_some());
    let kept = children.iter().filter(|child| !(restricts(child) && in_words));
    brief["children"] = kept
        .map(|child| {
            definition(child).or_else(|| correction(child)).unwrap_or_else(|| child.clone())
        })
        .collect();
    if is_of_library(diagnostic) {
        // The note that an error originates in a macro of the library is omitted.
        let rendered = plain(text(diagnostic, "rendered"));
        let kept = rendered.lines().filter(|line| !line.contains(ORIGIN));
        brief["rendered"] = kept.collect::<Vec<_>>().join("\n").into();
    }
    brief
}

/// Shortens a correction to two lines, of which the second is that of the program.
fn correction(child: &Value) -> Option<Value> {
    let spans = list(child, "spans");
    let [line] = list(spans.first().filter(|_| is_correction(child))?, "text") else { return None };
    let old = text(line, "text");
    let (mut new, mut at) = (String::new(), 0);
    for span in spans {
        let column = |name: &str| usize::try_from(span[name].as_u64()?.checked_sub(1)?).ok();
        let byte = |column: usize| old.char_indices().nth(column).map_or(old.len(), |(at, _)| at);
        let (start, end) = (byte(column("column_start")?), byte(column("column_end")?));
        let is_in_line =
            span["line_start"] == spans[0]["line_start"] && span["line_end"] == span["line_start"];
        new += old.get(at..start).filter(|_| is_in_line)?;
        new += text(span, "suggested_replacement");
        at = end;
    }
    new += old.get(at..)?;
    let message = format!("{}\n    {}", text(child, "message"), new.trim());
    (!new.contains('\n'))
        .then(|| json!({ "level": "help", "message": message, "spans": [], "children": [] }))
}

/// Shortens a definition to one line.
fn definition(child: &Value) -> Option<Value> {
    let words =
        text(child, "message").strip_suffix(" defined here").filter(|_| !is_suggestion(child))?;
    let span = primary(child)?;
    let place =
        format!("{}:{}:{}", text(span, "file_name"), span["line_start"], span["column_start"]);
    let name = covered(span).map_or(String::new(), |name| format!(" `{name}`"));
    let message = format!("{words}{name} defined here: {place}");
    Some(json!({ "level": "note", "message": message, "spans": [], "children": [] }))
}
