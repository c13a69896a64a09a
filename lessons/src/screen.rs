//! The output that the learner sees.

use std::io::{self, Stdout, Write};
use std::path::PathBuf;

use crate::check::By;
use crate::folder::Folder;
use lessons::{LESSONS, Lesson};

const BOLD: &str = "1";
const DIM: &str = "2";
const GREEN: &str = "32";
const YELLOW: &str = "33";

/// The output of the program. Writing returns an error, instead of a panic, when the reader has gone.
pub struct Screen {
    output: Stdout,
    colour: bool,
}

impl Screen {
    pub fn new(output: Stdout, colour: bool) -> Self {
        Self { output, colour }
    }

    pub fn colour(&self) -> bool {
        self.colour
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub fn text(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{}", text.trim_end())
    }

    /// Prints a text of several lines, indented.
    fn indented(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            let indented = format!("  {line}");
            writeln!(self.output, "{}", indented.trim_end())?;
        }
        writeln!(self.output)
    }

    fn heading(&mut self, lesson: &Lesson) -> io::Result<()> {
        let heading = format!("Lesson {}, {}: {}", lesson.number(), lesson.name, lesson.title);
        let heading = self.paint(BOLD, &heading);
        writeln!(self.output, "{heading}\n")
    }

    /// Prints `[###.................] 3/31`.
    fn progress(&mut self, passed: usize) -> io::Result<()> {
        let done = self.paint(GREEN, &"#".repeat(passed));
        let to_do = ".".repeat(LESSONS.len() - passed);
        writeln!(self.output, "[{done}{to_do}] {passed}/{}\n", LESSONS.len())
    }

    /// Prints a lesson that has just passed, and what it taught.
    pub fn passed(&mut self, lesson: &Lesson, printed: &str) -> io::Result<()> {
        let mark = self.paint(GREEN, "✓");
        let name = self.paint(BOLD, lesson.name);
        writeln!(self.output, "{mark} {name} passes. What it taught:\n")?;
        self.indented(lesson.taught)?;
        writeln!(self.output, "{}\n", self.paint(DIM, &format!("More: {}", lesson.chapter())))?;
        if !printed.is_empty() {
            writeln!(self.output, "It printed:\n")?;
            self.indented(printed)?;
        }
        Ok(())
    }

    /// Prints a lesson that does not pass yet.
    pub fn stopped(
        &mut self,
        lesson: &Lesson,
        by: &By,
        said: &str,
        folder: &Folder,
    ) -> io::Result<()> {
        self.progress(folder.passed())?;
        self.heading(lesson)?;
        self.indented(&lesson.story())?;
        let (introduction, who) = match by {
            By::Compiler => ("It does not compile:", "the compiler"),
            By::Assertion => ("It compiles, but what it computes is not right:", "the program"),
        };
        writeln!(self.output, "{}\n\n{said}\n", self.paint(YELLOW, introduction))?;

        let shown = folder.shown(&folder.program(lesson));
        let place = line_of(said, &shown).map_or(shown.clone(), |line| format!("{shown}:{line}"));
        let place = self.paint(BOLD, &place);
        writeln!(self.output, "One line is to be changed; {who} stopped at {place}")?;
        if matches!(by, By::Compiler) {
            let manifest = folder.shown(&folder.manifest());
            let name = lesson.name;
            let shapes = format!(
                "With shapes as they are written: cargo shapes check --manifest-path {manifest} --bin {name}"
            );
            writeln!(self.output, "{}", self.paint(DIM, &shapes))?;
        }
        let hint = self.paint(DIM, "A hint: cargo run -p lessons -- hint");
        writeln!(self.output, "{hint}")
    }

    /// Prints how to continue without `watch`.
    pub fn again(&mut self) -> io::Result<()> {
        let again = "When it is repaired, the same command again: cargo run -p lessons";
        writeln!(self.output, "{}", self.paint(DIM, again))
    }

    pub fn watching(&mut self, lesson: &Lesson, folder: &Folder) -> io::Result<()> {
        let shown = folder.shown(&folder.program(lesson));
        let note = format!("Waiting for {shown} to be saved; Ctrl-C ends.");
        writeln!(self.output, "{}\n", self.paint(DIM, &note))?;
        self.output.flush()
    }

    pub fn finished(&mut self) -> io::Result<()> {
        self.progress(LESSONS.len())?;
        writeln!(
            self.output,
            "All lessons pass. Where to go from here: examples/digits/main.rs learns to read digits;\n\
             the book, tensor-core/guide and tensor-nn/guide, has a chapter about each topic."
        )
    }

    pub fn list(&mut self, folder: &Folder) -> io::Result<()> {
        self.progress(folder.passed())?;
        let next = folder.next().map(|lesson| lesson.name);
        for lesson in LESSONS {
            let mark = if folder.has_passed(lesson) {
                self.paint(GREEN, "✓")
            } else if next == Some(lesson.name) {
                self.paint(YELLOW, "→")
            } else {
                " ".into()
            };
            let (number, name, title) = (lesson.number(), lesson.name, lesson.title);
            writeln!(self.output, "{mark} {number:2}  {name:14}  {title}")?;
        }
        Ok(())
    }

    pub fn hint(&mut self, lesson: Option<&Lesson>) -> io::Result<()> {
        let Some(lesson) = lesson else { return self.finished() };
        self.heading(lesson)?;
        self.indented(lesson.hint)?;
        let solution =
            format!("A program that is right: cargo run -p lessons -- solution {}", lesson.name);
        writeln!(self.output, "{}", self.paint(DIM, &solution))
    }

    pub fn show(&mut self, lesson: Option<&Lesson>, folder: &Folder) -> io::Result<()> {
        let Some(lesson) = lesson else { return self.finished() };
        self.heading(lesson)?;
        self.indented(&lesson.story())?;
        if folder.has_passed(lesson) {
            writeln!(self.output, "What it taught:\n")?;
            self.indented(lesson.taught)?;
        }
        writeln!(self.output, "The chapter: {}", lesson.chapter())?;
        writeln!(self.output, "The program: {}", folder.shown(&folder.program(lesson)))
    }

    pub fn reset(
        &mut self,
        lesson: &Lesson,
        backup: Option<PathBuf>,
        folder: &Folder,
    ) -> io::Result<()> {
        let program = folder.shown(&folder.program(lesson));
        match backup {
            Some(kept) => {
                let kept = folder.shown(&kept);
                writeln!(self.output, "{program} is as it was at first. Yours is now {kept}")
            }
            None => {
                writeln!(self.output, "{program} is as it was at first; you had changed nothing.")
            }
        }
    }
}

/// The first line number of the file that a message mentions.
fn line_of(said: &str, file: &str) -> Option<usize> {
    let (_, after) = said.split_once(&format!("{file}:"))?;
    let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..end].parse().ok()
}
