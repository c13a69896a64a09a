//! Access to a compiler message as raw JSON, so that unknown fields are preserved.

use serde_json::Value;

/// The text of a field; empty if there is none.
pub fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// The elements of a field; none if it is not a list.
pub fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map_or(&[], Vec::as_slice)
}

/// The list of a field, mutably.
pub fn list_mut<'a>(value: &'a mut Value, field: &str) -> Option<&'a mut Vec<Value>> {
    value.get_mut(field)?.as_array_mut()
}

/// The code of an error, `E0277`.
pub fn code(diagnostic: &Value) -> &str {
    text(&diagnostic["code"], "code")
}

/// Changes the text of a field, if there is one.
pub fn change(value: &mut Value, field: &str, new: impl FnOnce(&str) -> String) {
    if let Some(old) = value.get(field).and_then(Value::as_str) {
        let new = new(old);
        value[field] = Value::String(new);
    }
}

/// The primary span: the code that the message is about.
pub fn primary(diagnostic: &Value) -> Option<&Value> {
    list(diagnostic, "spans").iter().find(|span| span["is_primary"] == true)
}

/// The text that a span covers, if it is within one line.
pub fn covered(span: &Value) -> Option<String> {
    let [line] = list(span, "text") else { return None };
    let column = |field: &str| line[field].as_u64()?.checked_sub(1)?.try_into().ok();
    let (start, end): (usize, usize) = (column("highlight_start")?, column("highlight_end")?);
    Some(text(line, "text").chars().skip(start).take(end.saturating_sub(start)).collect())
}

/// The texts of a message and of its children: messages and labels.
pub fn texts(diagnostic: &Value) -> Vec<&str> {
    let labels = list(diagnostic, "spans").iter().map(|span| text(span, "label"));
    let below = list(diagnostic, "children").iter().flat_map(texts);
    [text(diagnostic, "message")].into_iter().chain(labels).chain(below).collect()
}

/// The code of an entry of the error index that a text has in brackets, such as `T101`.
pub fn entry(text: &str) -> Option<&str> {
    text.match_indices('[').find_map(|(start, _)| {
        let code = text.get(start + 1..start + 5)?;
        let is_code =
            code.starts_with(['T', 'N', 'X']) && code[1..].bytes().all(|b| b.is_ascii_digit());
        (is_code && text[start + 5..].starts_with(']')).then_some(code)
    })
}

/// The parts of a text in backticks.
pub fn quoted(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split('`').collect();
    let closed = parts.len().saturating_sub(1) / 2 * 2;
    parts[..closed].iter().skip(1).step_by(2).copied().collect()
}

/// `A` and `B` of "required for `A` to implement `B`".
pub fn requirement(message: &str) -> Option<(&str, &str)> {
    let (left, right) = message.strip_prefix("required for `")?.split_once("` to implement `")?;
    Some((left, right.strip_suffix('`')?))
}

/// Whether a message names an entry of the library's error index.
pub fn is_of_library(diagnostic: &Value) -> bool {
    texts(diagnostic).into_iter().any(|text| entry(text).is_some())
}
