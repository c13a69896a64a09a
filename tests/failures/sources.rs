//! The failures in the sources: sites of panics, texts of errors, and sections of the
//! documentation.

use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The crates of this project that are linked into a user's program.
const CRATES: [&str; 4] =
    ["tensor-array/src", "tensor-core/src", "tensor-explain/src", "tensor-nn/src"];

/// Functions and macros that panic. `debug_assert!` ends with one of them.
const PANICS: [&str; 8] = [
    "panic!(",
    "unreachable!(",
    "assert!(",
    "assert_eq!(",
    "assert_ne!(",
    ".expect(",
    ".unwrap(",
    ".expect_err(",
];

/// A source of the crates.
pub struct Source {
    /// From the root of the repository.
    pub path: String,
    /// All of it.
    pub text: String,
    /// The text without comments and tests.
    pub code: String,
}

/// The sources of the crates, by path.
pub fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders: Vec<_> = CRATES.map(|folder| Path::new(ROOT).join(folder)).into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !path.ends_with("tests.rs")
            {
                let text = fs::read_to_string(&path).expect("a source");
                let path = path.strip_prefix(ROOT).expect("within").display().to_string();
                sources.push(Source { path, code: without_tests(&without_comments(&text)), text });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

fn without_comments(text: &str) -> String {
    let code = text.lines().map(|line| match line.split_once("//") {
        // Not the `//` of an address within a text.
        Some((code, _)) if code.matches('"').count() % 2 == 0 => code,
        _ => line,
    });
    code.collect::<Vec<_>>().join("\n")
}

/// The code without the items below `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut parts = code.split("#[cfg(test)]");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = match (part.find('{'), part.find(';')) {
            (Some(brace), semicolon) if semicolon.is_none_or(|at| brace < at) => {
                brace + 1 + balanced(&part[brace + 1..]).len()
            }
            (_, semicolon) => semicolon.unwrap_or(part.len()),
        };
        kept.push_str(&part[end..]);
    }
    kept
}

/// The text up to the bracket that closes the one in front of it.
fn balanced(text: &str) -> &str {
    let (mut open, mut in_text) = (1, false);
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if in_text => _ = bytes.next(),
            // A character, not the start of a text.
            b'\'' if text[at..].starts_with("'\"'") => _ = bytes.nth(1),
            b'"' => in_text = !in_text,
            b'(' | b'[' | b'{' if !in_text => open += 1,
            b')' | b']' | b'}' if !in_text => {
                open -= 1;
                if open == 0 {
                    return &text[..at];
                }
            }
            _ => {}
        }
    }
    text
}

/// The texts in quotes, as they are printed.
fn quoted(code: &str) -> impl Iterator<Item = String> {
    let mut rest = code;
    std::iter::from_fn(move || {
        let (_, text) = rest.split_once('"')?;
        let is_end = |(at, _): &(usize, &str)| !text[..*at].ends_with('\\');
        let (end, _) = text.match_indices('"').find(is_end)?;
        rest = &text[end + 1..];
        // A `\` at the end of a line joins it with the next.
        let lines: Vec<&str> = text[..end].split("\\\n").map(str::trim_start).collect();
        Some(lines.concat().replace("\\n", "\n"))
    })
}

/// A location in the sources that may panic.
pub struct Site {
    /// The location without its line: `tensor-core/src/random.rs: assert!("the range …")`.
    pub place: String,
    /// The printed message, with `{…}` for values.
    pub template: String,
}

impl Site {
    /// The sites of a source.
    pub fn all(source: &Source) -> Vec<Self> {
        let code = &source.code;
        let mut sites = Vec::new();
        for name in PANICS {
            for (at, _) in code.match_indices(name) {
                let before = code[..at].chars().next_back().unwrap_or(' ');
                // An example that a macro writes, or another macro whose name ends so.
                if before == '"'
                    || before == '('
                    || (before.is_alphanumeric() && !name.starts_with('.'))
                {
                    continue;
                }
                let arguments = balanced(&code[at + name.len()..]);
                let template = quoted(arguments).next().unwrap_or_default();
                let place =
                    format!("{}: {}{:?})", source.path, name.trim_start_matches('.'), template);
                sites.push(Self { place, template });
            }
        }
        sites
    }
}

/// The literal parts of a template, between `{…}`.
fn pieces(template: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for part in template.split('{') {
        pieces.push(part.split_once('}').map_or(part, |(_, behind)| behind));
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Whether a template has words, by which a message can be known.
pub fn has_words(template: &str) -> bool {
    pieces(template).concat().chars().filter(|c| c.is_alphabetic()).count() >= 3
}

/// Whether this template prints this message, or a part of it.
pub fn prints(template: &str, message: &str) -> bool {
    let mut rest = message;
    pieces(template).iter().all(|piece| match rest.split_once(piece) {
        Some((_, behind)) => {
            rest = behind;
            true
        }
        None => false,
    })
}

/// The texts that errors print: those of `Display` in the sources that have an error, and those in the rows of macros that
/// generate it.
pub fn texts_of_errors(source: &Source) -> Vec<String> {
    if !source.code.contains("Error for ") {
        return Vec::new();
    }
    let bodies = ["Display for ", "_errors! "].into_iter().flat_map(|before| {
        let texts = source.code.split(before).skip(1);
        texts.filter_map(|rest| rest.split_once('{').map(|(_, body)| balanced(body)))
    });
    bodies.flat_map(quoted).filter(|text| has_words(text)).collect()
}

/// A section `# Panics` or `# Errors`.
pub struct Section {
    /// Its text on one line.
    pub text: String,
    /// The line of the item.
    pub item: String,
}

/// The text of the line that begins a section: `# Panics`, or `Panics: …` for the macro
/// `method_docs`.
fn section(line: &str) -> Option<&str> {
    let text = line.strip_prefix("///").unwrap_or(line).trim_start();
    ["Panics", "Errors"].iter().find_map(|name| {
        let is_heading = text.strip_prefix("# ") == Some(name);
        if is_heading { Some("") } else { text.strip_prefix(name)?.strip_prefix(": ") }
    })
}

impl Section {
    /// The sections of what is not `pub(crate)`.
    pub fn all(source: &Source) -> Vec<Self> {
        let lines: Vec<&str> = source.text.lines().map(str::trim_start).collect();
        let mut sections = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let Some(first) = section(line) else { continue };
            let below = &lines[at + 1..];
            let texts = below.iter().map_while(|line| line.strip_prefix("///"));
            let is_text = |line: &&str| {
                !line.starts_with(" #") && !line.starts_with(" ```") && section(line).is_none()
            };
            let text = [first].into_iter().chain(texts.take_while(is_text)).collect::<String>();
            let is_item = |line: &&&str| {
                !line.starts_with("///") && !line.starts_with("#[") && !line.starts_with("$(#[")
            };
            let item = below.iter().find(is_item).unwrap_or(&"").to_string();
            // Another section, or one that a macro fills, has the words.
            let refers = text.trim().is_empty()
                || text.trim().starts_with("As ")
                || text.trim() == "The same.";
            if !item.starts_with("pub(") && !refers {
                sections.push(Self { text: text.trim().to_owned(), item });
            }
        }
        sections
    }
}

fn is_panics(line: &str) -> bool {
    line == "/// # Panics" || line.starts_with("/// Panics: ")
}

/// Public functions that panic themselves, without saying so in their documentation.
pub fn silent(source: &Source) -> Vec<String> {
    let mut silent = Vec::new();
    let lines: Vec<&str> = source.text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if !line.trim_start().starts_with("pub fn ") {
            continue;
        }
        let end = line.len() - line.trim_start().len();
        let closing = format!("{}}}", " ".repeat(end));
        let body: Vec<&str> =
            lines[at..].iter().copied().take_while(|line| *line != closing).collect();
        let code = without_comments(&body.join("\n"));
        let panics =
            ["panic!(", " assert!(", " assert_eq!("].iter().any(|name| code.contains(name));
        let above = lines[..at].iter().rev().take_while(|line| {
            let line = line.trim_start();
            line.starts_with("///")
                || line.starts_with("#[")
                || line.starts_with(')')
                || !line.ends_with(['}', ';', '{']) && !line.is_empty()
        });
        let above: Vec<&str> = above.copied().collect();
        let is_shown = !above.iter().any(|line| line.contains("doc(hidden)"));
        if panics && is_shown && !above.iter().any(|line| is_panics(line.trim_start())) {
            silent.push(format!("{}: {}", source.path, line.trim()));
        }
    }
    silent
}
