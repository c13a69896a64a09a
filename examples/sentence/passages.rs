//! Markdown, cut into passages that answer one question each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A passage is at least this long, in bytes, if its section is.
const SHORT: usize = 300;
/// Tables and lists that are longer than this are cut between two lines.
const LONG: usize = 800;

/// A part of a section of Markdown.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The file.
    pub file: PathBuf,
    /// The number of its first line, from 1 on.
    pub line: usize,
    /// The headings of the file and of the section.
    pub heading: String,
    /// Its text.
    pub text: String,
}

/// The passages of all Markdown files of a folder, by the names of the files.
pub fn read(folder: &Path) -> io::Result<Vec<Passage>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "md"));
    files.sort();
    let mut passages = Vec::new();
    for file in files {
        passages.extend(cut(&file, &fs::read_to_string(&file)?));
    }
    Ok(passages)
}

/// Cuts Markdown at headings, then at empty lines, and tables and lists between two lines; never inside of code.
pub fn cut(file: &Path, markdown: &str) -> Vec<Passage> {
    let (mut title, mut heading, mut is_code) = ("", String::new(), false);
    let mut passages: Vec<Passage> = Vec::new();
    // Whether the next line belongs to the last passage.
    let mut goes_on = false;
    for (number, line) in markdown.lines().enumerate() {
        is_code ^= line.trim_start().starts_with("```");
        let text = line.trim_start_matches('#');
        if !is_code && line.starts_with('#') && text.starts_with(' ') {
            let is_title = line.starts_with("# ");
            heading = if is_title { String::new() } else { format!("{title}: ") } + text.trim();
            title = if is_title { text.trim() } else { title };
            goes_on = false;
            continue;
        }
        match passages.last_mut().filter(|_| goes_on) {
            Some(passage) => passage.text = format!("{}\n{line}", passage.text),
            None if line.is_empty() => continue,
            None => passages.push(Passage {
                file: file.to_owned(),
                line: number + 1,
                heading: heading.clone(),
                text: line.to_owned(),
            }),
        }
        let len = passages.last().map_or(0, |passage| passage.text.len());
        goes_on = is_code || len < SHORT || (len < LONG && !line.is_empty());
    }
    for passage in &mut passages {
        passage.text.truncate(passage.text.trim_end().len());
    }
    passages
}
