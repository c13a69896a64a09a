//! The source lines that are shown in messages.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;

use serde_json::Value;

use crate::diagnostic::{list, text};

/// A cache of source files, each read once.
#[derive(Debug, Default)]
pub struct Sources {
    /// The folders that paths are relative to: rustc runs in the root of the workspace.
    pub folders: Vec<PathBuf>,
    files: RefCell<HashMap<String, Option<Rc<str>>>>,
}

impl Sources {
    /// Paths are relative to these folders; the first folder that contains the file is used.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, files: RefCell::default() }
    }

    /// The path of a file, if it is in one of the folders.
    pub fn find(&self, file: &str) -> Option<PathBuf> {
        self.folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())
    }

    fn read(&self, file: &str) -> Option<Rc<str>> {
        let mut files = self.files.borrow_mut();
        let read = || {
            let mut folders = self.folders.iter();
            folders.find_map(|folder| fs::read_to_string(folder.join(file)).ok()).map(Rc::from)
        };
        files.entry(file.to_owned()).or_insert_with(read).clone()
    }
}

/// The lines from the first span in a file to the last.
pub struct Lines {
    first: usize,
    lines: Vec<String>,
}

impl Lines {
    /// The lines of the file; if it has changed or cannot be read, those in the message.
    pub fn of(spans: &[&Value], sources: &Sources) -> Option<Self> {
        let first = spans.iter().filter_map(|span| number(span, "line_start")).min()?;
        let last = spans.iter().filter_map(|span| number(span, "line_end")).max()?;
        let mut known: Vec<Option<&str>> = vec![None; last.checked_sub(first)? + 1];
        for span in spans {
            let start = number(span, "line_start")?;
            for (at, line) in list(span, "text").iter().enumerate() {
                *known.get_mut(start - first + at)? = Some(text(line, "text"));
            }
        }
        let file = sources.read(text(spans.first()?, "file_name"));
        let read: Vec<&str> =
            file.as_deref().map(|file| file.lines().skip(first - 1).collect()).unwrap_or_default();
        let agree = known.iter().enumerate().all(|(at, line)| match line {
            Some(line) => read.get(at).is_some_and(|read| read.trim_end() == line.trim_end()),
            None => true,
        });
        let lines = known.iter().enumerate().map(|(at, line)| match line {
            Some(line) => (*line).to_owned(),
            None if agree => read.get(at).copied().unwrap_or_default().to_owned(),
            None => String::new(),
        });
        Some(Self { first, lines: lines.collect() })
    }

    /// The number of the first line.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The lines, joined to one text.
    pub fn source(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    /// The byte range of a span in the text.
    pub fn range(&self, span: &Value) -> Option<Range<usize>> {
        let offset = |line: &str, column: &str| {
            let line = number(span, line)?.checked_sub(self.first)?;
            let before: usize = self.lines.get(..line)?.iter().map(|line| line.len() + 1).sum();
            let text = self.lines.get(line)?;
            let column = number(span, column)?.saturating_sub(1);
            Some(before + text.char_indices().nth(column).map_or(text.len(), |(at, _)| at))
        };
        let start = offset("line_start", "column_start")?;
        Some(start..offset("line_end", "column_end")?.max(start))
    }
}

fn number(span: &Value, field: &str) -> Option<usize> {
    span[field].as_u64()?.try_into().ok()
}
