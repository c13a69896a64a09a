//! Renders messages as text for a terminal, with rustc's own renderer.

mod source;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use serde_json::Value;

use crate::diagnostic::{code, list, text};

use source::Lines;
pub use source::Sources;

/// The style in which messages are rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// Whether to render each message on one line.
    pub short: bool,
    /// The maximum width of a source line, in columns.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, short: false, width: 140 }
    }
}

/// Renders a message as rustc would. The field `rendered` contains the original text of rustc, which shows where
/// suggestions belong.
pub fn render(diagnostic: &Value, style: Style, sources: &Sources) -> String {
    let level = level(text(diagnostic, "level"));
    let mut title = level.clone().primary_title(text(diagnostic, "message"));
    let code = code(diagnostic);
    if code.strip_prefix('E').is_some_and(|number| number.parse::<u32>().is_ok()) {
        title = title.id(code);
    }
    let rendered = plain(text(diagnostic, "rendered"));
    let children = list(diagnostic, "children");
    let inline: Vec<&Value> = children
        .iter()
        .filter(|child| is_suggestion(child) && placement(child, &rendered) == Placement::Label)
        .collect();
    let origin = origin(&rendered);
    let mut group = Group::with_title(title);
    for snippet in snippets(list(diagnostic, "spans"), &inline, &rendered, sources) {
        group = group.element(snippet);
    }
    let mut report = Vec::new();
    let before_suggestions = children.iter().take_while(|child| !is_suggestion(child)).count();
    for (number, child) in children.iter().enumerate() {
        if number == before_suggestions
            && let Some(note) = origin
        {
            group = group.element(Level::NOTE.message(note));
        }
        let level = self::level(text(child, "level"));
        let message = text(child, "message");
        if is_suggestion(child) {
            if placement(child, &rendered) != Placement::Block {
                continue;
            }
            report.push(std::mem::replace(
                &mut group,
                Group::with_title(level.secondary_title(message)),
            ));
            for patches in alternatives(list(child, "spans")) {
                if let Some(snippet) = patched(&patches, sources) {
                    group = group.element(snippet);
                }
            }
        } else if list(child, "spans").is_empty() {
            group = group.element(level.message(message));
        } else {
            report.push(std::mem::replace(
                &mut group,
                Group::with_title(level.secondary_title(message)),
            ));
            for snippet in snippets(list(child, "spans"), &[], &rendered, sources) {
                group = group.element(snippet);
            }
        }
    }
    if let Some(note) = origin.filter(|_| before_suggestions == children.len()) {
        group = group.element(Level::NOTE.message(note));
    }
    report.push(group);
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(style.width);
    let mut rendered = renderer.short_message(style.short).render(&report);
    rendered.push_str(if style.short { "\n" } else { "\n\n" });
    rendered
}

fn level(name: &str) -> Level<'static> {
    match name {
        "error" => Level::ERROR,
        "warning" => Level::WARNING,
        "note" => Level::NOTE,
        "help" => Level::HELP,
        "failure-note" => Level::NOTE.no_name(),
        _ => Level::ERROR.with_name(Some("error: internal compiler error")),
    }
}

/// The position of a suggestion of rustc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placement {
    /// Below the message, with the suggested code.
    Block,
    /// As a label at the code to be changed.
    Label,
    /// Not shown: it is only for tools.
    Hidden,
}

/// Whether a part of a message suggests other code.
pub fn is_suggestion(child: &Value) -> bool {
    list(child, "spans").iter().any(|span| !span["suggested_replacement"].is_null())
}

/// Finds a suggestion in the text of rustc: its placement is not in the JSON.
fn placement(child: &Value, rendered: &str) -> Placement {
    let help = format!("{}: {}", text(child, "level"), text(child, "message"));
    let mut hidden = Placement::Hidden;
    for line in rendered.lines() {
        if line.starts_with(&help) {
            return Placement::Block;
        }
        if line.contains(&help) {
            hidden = Placement::Label;
        }
    }
    hidden
}

/// The note about the macro that a message originates in, which is missing in the JSON.
fn origin(rendered: &str) -> Option<&str> {
    rendered.lines().find_map(|line| {
        let note = line.trim_start().strip_prefix("= note: ")?;
        note.starts_with(ORIGIN).then_some(note)
    })
}

/// The beginning of that note.
pub const ORIGIN: &str = "this error originates in the ";

/// Removes colours and links from a text.
pub fn plain(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\x1b') {
        result.push_str(before);
        rest = match escape.chars().next() {
            Some('[') => {
                escape.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, rest)| rest)
            }
            Some(']') => escape.split_once("\x1b\\").map_or("", |(_, rest)| rest),
            _ => escape,
        };
    }
    result + rest
}

/// A span of source code, and its label.
struct Mark<'a> {
    place: &'a Value,
    is_primary: bool,
    label: String,
}

impl<'a> Mark<'a> {
    fn of_span(span: &'a Value, rendered: &str) -> Self {
        let label = text(span, "label").to_owned();
        Self { place: in_program(span, rendered), is_primary: span["is_primary"] == true, label }
    }

    /// A suggestion that rustc shows as a label, with the suggested code, if any.
    fn of_suggestion(child: &'a Value) -> impl Iterator<Item = Self> {
        list(child, "spans").iter().map(move |span| {
            let code = text(span, "suggested_replacement");
            let code = if code.trim().is_empty() { String::new() } else { format!(": `{code}`") };
            let label = format!("{}: {}{code}", text(child, "level"), text(child, "message"));
            Self { place: span, is_primary: false, label }
        })
    }

    fn file(&self) -> &'a str {
        text(self.place, "file_name")
    }
}

/// The span of a macro call, for a span inside a macro of another crate: rustc does not show that file.
fn in_program<'a>(span: &'a Value, rendered: &str) -> &'a Value {
    let mut place = span;
    while !rendered.contains(text(place, "file_name")) && place["expansion"].is_object() {
        place = &place["expansion"]["span"];
    }
    place
}

/// The source snippets of the spans, by file; the file of the primary span is first.
fn snippets<'a>(
    spans: &'a [Value],
    inline: &[&'a Value],
    rendered: &str,
    sources: &Sources,
) -> Vec<Snippet<'a, Annotation<'a>>> {
    let suggested = inline.iter().flat_map(|child| Mark::of_suggestion(child));
    let mut marks: Vec<Mark<'_>> =
        spans.iter().map(|span| Mark::of_span(span, rendered)).chain(suggested).collect();
    if let Some(primary) = marks.iter().position(|mark| mark.is_primary) {
        let file = marks[primary].file();
        marks.sort_by_key(|mark| mark.file() != file);
    }
    let files = marks.chunk_by(|a, b| a.file() == b.file());
    files.filter_map(|marks| snippet(marks, sources)).collect()
}

fn snippet<'a>(marks: &[Mark<'a>], sources: &Sources) -> Option<Snippet<'a, Annotation<'a>>> {
    let places: Vec<&Value> = marks.iter().map(|mark| mark.place).collect();
    let lines = Lines::of(&places, sources)?;
    let annotation = |mark: &Mark<'a>| {
        let kind = if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let label = Some(mark.label.clone()).filter(|label| !label.is_empty());
        Some(kind.span(lines.range(mark.place)?).label(label))
    };
    let annotations: Vec<_> = marks.iter().map(annotation).collect::<Option<_>>()?;
    let snippet = Snippet::source(lines.source()).line_start(lines.first());
    Some(snippet.path(marks.first()?.file()).annotations(annotations))
}

/// The alternatives of a suggestion, which are one list in the JSON: each starts at the first line again.
fn alternatives(spans: &[Value]) -> Vec<Vec<&Value>> {
    let mut alternatives: Vec<Vec<&Value>> = Vec::new();
    for span in spans {
        match alternatives.last_mut() {
            Some(last)
                if last.last().is_some_and(|before| {
                    before["byte_end"].as_u64() <= span["byte_start"].as_u64()
                        && before["byte_start"] != span["byte_start"]
                }) =>
            {
                last.push(span)
            }
            _ => alternatives.push(vec![span]),
        }
    }
    alternatives
}

fn patched<'a>(spans: &[&'a Value], sources: &Sources) -> Option<Snippet<'a, Patch<'a>>> {
    let lines = Lines::of(spans, sources)?;
    let mut snippet =
        Snippet::source(lines.source()).line_start(lines.first()).path(text(spans[0], "file_name"));
    for span in spans {
        let replacement = text(span, "suggested_replacement");
        snippet = snippet.patch(Patch::new(lines.range(span)?, replacement));
    }
    Some(snippet)
}
