//! Links from the codes in messages to the error index.

use crate::diagnostic::entry;

/// The error indices of tensor-core and tensor-nn.
const INDICES: [&str; 3] = [
    include_str!(concat!(env!("OUT_DIR"), "/errors.md")),
    include_str!(concat!(env!("OUT_DIR"), "/errors_of_layers.md")),
    include_str!(concat!(env!("OUT_DIR"), "/errors_of_devices.md")),
];

/// The URL of an entry: `T…` of tensor-core, `N…` of tensor-nn, `X…` of tensor-xla.
pub fn page(code: &str) -> String {
    let name = match &code[..1] {
        "N" => "nn",
        "X" => "xla",
        _ => "core",
    };
    let anchor = title(code).map_or(String::new(), |title| format!("#{}", slug(title)));
    format!("https://docs.rs/tensor-{name}/latest/tensor_{name}/guide/errors/index.html{anchor}")
}

/// All entries: the code, and the text that starts with the title.
pub fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    INDICES.into_iter().flat_map(|index| index.split("\n## ").skip(1)).filter_map(|entry| {
        let (code, _) = entry.split_once(": ")?;
        let is_code =
            code.starts_with(['T', 'N', 'X', 'E']) && code[1..].bytes().all(|b| b.is_ascii_digit());
        is_code.then_some((code, entry))
    })
}

/// The title of an entry, `T101: two sizes differ`.
fn title(code: &str) -> Option<&'static str> {
    let (_, text) = entries().find(|(known, _)| *known == code)?;
    text.lines().next()
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
    let page = "https://docs.rs/tensor-core/latest/tensor_core/guide/errors/index.html#t101-two-sizes-differ";
    assert!(text.contains(&format!("\x1b]8;;{page}\x1b\\[T101]")), "{text:?}");
}
