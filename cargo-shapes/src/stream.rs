//! Rewrites the lines that cargo writes with `--message-format=json`.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use crate::corrections::is_correction;
use crate::diagnostic::{list, text};
use crate::library::{PACKAGES, Packages};
use crate::links;
use crate::render::{Sources, Style, render};
use crate::words::{Folded, Surroundings, brief, explains, may_be_explained, reword};

/// The result for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The line is unchanged.
    Same,
    /// The line repeats others, and is omitted.
    Folded,
    /// The line has been rewritten.
    Changed(Box<Value>),
}

/// The state between the lines of a build.
#[derive(Debug, Default)]
pub struct Stream {
    /// The style in which messages are rendered.
    pub style: Style,
    /// Whether the terminal supports hyperlinks.
    pub links: bool,
    packages: Packages,
    surroundings: Surroundings,
    sources: HashMap<String, Sources>,
    folded: HashMap<String, Folded>,
    /// A line that is held back, because the next one may explain it.
    held: Option<String>,
}

impl Stream {
    /// Processes lines, with messages rendered in this style.
    pub fn new(style: Style, links: bool) -> Self {
        Self { style, links, ..Self::default() }
    }

    /// The number of errors that were omitted.
    pub fn left_out(&self) -> usize {
        self.folded.values().map(Folded::left_out).sum()
    }

    /// Processes a line, and returns the lines that are decided by now with their results: a line may be held
    /// back until the next one has been read.
    pub fn lines(&mut self, line: &str) -> Vec<(String, Line)> {
        let mut known = Vec::new();
        let value =
            line.starts_with('{').then(|| serde_json::from_str::<Value>(line).ok()).flatten();
        if let Some(held) = self.held.take() {
            let old: Value = serde_json::from_str(&held).unwrap_or_default();
            let is_explained =
                value.as_ref().is_some_and(|next| explains(&next["message"], &old["message"]));
            let becomes = match is_explained {
                true => {
                    self.folded.entry(key(&old)).or_default().leave_out(&old["message"]);
                    Line::Folded
                }
                false => self.line(old),
            };
            known.push((held, becomes));
        }
        match value {
            Some(value) if may_be_explained(&value["message"]) && self.uses_library(&value) => {
                self.held = Some(line.to_owned());
            }
            Some(value) => known.push((line.to_owned(), self.line(value))),
            None => known.push((line.to_owned(), Line::Same)),
        }
        known
    }

    /// Whether a line is about a package that uses the library.
    fn uses_library(&mut self, line: &Value) -> bool {
        self.packages.use_library(Path::new(text(line, "manifest_path")))
    }

    fn line(&mut self, mut value: Value) -> Line {
        match text(&value, "reason") {
            "compiler-artifact" => self.note_library(&value),
            "compiler-message" if self.uses_library(&value) => {
                let manifest = text(&value, "manifest_path").to_owned();
                let key = key(&value);
                let Some(message) = value.get_mut("message") else { return Line::Same };
                return match self.message(message, &manifest, key) {
                    Line::Changed(_) => Line::Changed(Box::new(value)),
                    other => other,
                };
            }
            _ => {}
        }
        Line::Same
    }

    /// Rewrites a message of the compiler, with its text for a terminal.
    fn message(&mut self, message: &mut Value, manifest: &str, key: String) -> Line {
        if self.folded.entry(key).or_default().follows(message) {
            return Line::Folded;
        }
        let is_corrected = list(message, "children").iter().any(is_correction);
        if !reword(message, &self.surroundings) && !is_corrected {
            return Line::Same;
        }
        let sources = self.sources.entry(manifest.to_owned()).or_insert_with(|| {
            let folders = Path::new(manifest).ancestors().skip(1);
            Sources::new(folders.map(Path::to_path_buf).collect())
        });
        let rendered = render(&brief(message), self.style, sources);
        let rendered = if self.links { links::linked(&rendered) } else { rendered };
        message["rendered"] = Value::String(rendered);
        Line::Changed(Box::default())
    }

    /// Records the location of the library, whose source lines are not shown.
    fn note_library(&mut self, artifact: &Value) {
        let folder = Path::new(text(artifact, "manifest_path")).parent();
        let is_library = PACKAGES.contains(&package(text(artifact, "package_id")));
        if let Some(folder) = folder.filter(|_| is_library) {
            self.surroundings.library.push(folder.display().to_string());
        }
    }
}

/// The warnings of targets, counted like cargo does.
#[derive(Debug, Default)]
pub struct Warnings {
    shown: HashSet<String>,
    counts: HashMap<String, [usize; 2]>,
}

impl Warnings {
    /// Whether a message is to be printed: like cargo, repeated messages of other targets are omitted.
    pub fn is_new(&mut self, line: &Value) -> bool {
        let message = &line["message"];
        let is_new = self.shown.insert(text(message, "rendered").to_owned());
        if text(message, "level") == "warning" {
            let [all, repeated] = self.counts.entry(key(line)).or_default();
            *all += 1;
            *repeated += usize::from(!is_new);
        }
        is_new
    }

    /// The summary that cargo prints when a target with warnings has been compiled.
    pub fn summary(&mut self, artifact: &Value) -> Option<String> {
        let [all, repeated] = self.counts.remove(&key(artifact))?;
        let s = if all == 1 { "" } else { "s" };
        let again = match repeated {
            0 => String::new(),
            1 => " (1 duplicate)".to_owned(),
            _ => format!(" ({repeated} duplicates)"),
        };
        Some(format!("{} generated {all} warning{s}{again}", target(artifact)))
    }
}

/// A key that identifies a target.
fn key(line: &Value) -> String {
    format!("{} {}", line["package_id"], line["target"])
}

/// `` `package` (bin "name" test) ``, as cargo names a target.
fn target(artifact: &Value) -> String {
    let target = &artifact["target"];
    let kind = list(target, "kind").first().and_then(Value::as_str).unwrap_or_default();
    let (name, package) = (text(target, "name"), package(text(artifact, "package_id")));
    let test = if artifact["profile"]["test"] == true && kind != "test" { " test" } else { "" };
    match kind {
        "bin" | "test" | "bench" | "example" => format!("`{package}` ({kind} \"{name}\"{test})"),
        "custom-build" => format!("`{package}` (build script)"),
        _ => format!("`{package}` (lib{test})"),
    }
}

/// The name in `path+file:///folder/package#0.1.0` or `path+file:///folder#package@0.1.0`.
fn package(id: &str) -> &str {
    let (source, version) = id.rsplit_once('#').unwrap_or((id, ""));
    match version.split_once('@') {
        Some((name, _)) => name,
        None => source.rsplit('/').next().unwrap_or(source),
    }
}

#[test]
fn targets_are_named_as_cargo_names_them() {
    assert_eq!(package("path+file:///tmp/probe#0.1.0"), "probe");
    assert_eq!(package("path+file:///tmp/folder#probe@0.1.0"), "probe");
    let artifact = serde_json::json!({
        "package_id": "path+file:///tmp/probe#0.1.0", "profile": { "test": true },
        "target": { "kind": ["bin"], "name": "other" },
    });
    let line = serde_json::json!({
        "package_id": artifact["package_id"], "target": artifact["target"],
        "message": { "level": "warning", "rendered": "unused" },
    });
    let mut warnings = Warnings::default();
    assert_eq!([warnings.is_new(&line), warnings.is_new(&line)], [true, false]);
    let summary = "`probe` (bin \"other\" test) generated 2 warnings (1 duplicate)";
    assert_eq!(warnings.summary(&artifact).as_deref(), Some(summary));
    assert_eq!(warnings.summary(&artifact), None);
}
