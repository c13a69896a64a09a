//! Links from the codes in messages to the error index.

use crate::diagnostic::entry;
use crate::explain;

/// The URL of an entry: `T…` of tensor-core, `N…` of tensor-nn, `X…` of tensor-xla.
pub fn page(code: &str) -> String {
    let name = match &code[..1] {
        "N" => "nn",
        "X" => "xla",
        _ => "core",
    };
    let anchor = explain::title(code).map_or(String::new(), |title| format!("#{}", slug(title)));
    format!("https://docs.rs/tensor-{name}/latest/tensor_{name}/guide/errors/index.html{anchor}")
}

/// The anchor that rustdoc gives a heading.
fn slug(title: &str) -> String {
    let kept = title.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// Replaces the codes in a text, `[T101]`, by terminal hyperlinks.
pub fn linked(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(code) = entry(rest) {
        let marked = format!("[{code}]");
        let Some((before, after)) = rest.split_once(&marked) else { break };
        result.push_str(before);
        result.push_str(&format!("\x1b]8;;{}\x1b\\{marked}\x1b]8;;\x1b\\", page(code)));
        rest = after;
    }
    result + rest
}

#[test]
fn codes_are_links() {
    let text = linked("sizes differ [T101]; or [T1]");
    assert_eq!(crate::render::plain(&text), "sizes differ [T101]; or [T1]");
    let page = "https://docs.rs/tensor-core/latest/tensor_core/guide/errors/index.html#t101-two-sizes-meet-that-differ";
    assert!(text.contains(&format!("\x1b]8;;{page}\x1b\\[T101]")), "{text:?}");
}
