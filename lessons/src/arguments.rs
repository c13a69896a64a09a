//! The command-line arguments.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use lessons::{LESSONS, Lesson};

/// The help text, for `--help` and for mistakes.
pub const USAGE: &str = "\
cargo run -p lessons                       go on with the first lesson that does not pass
cargo run -p lessons -- watch              the same again whenever its program is saved
cargo run -p lessons -- list               all lessons, and which have passed
cargo run -p lessons -- hint [LESSON]      where to look
cargo run -p lessons -- show [LESSON]      its story, and what it taught once it has passed
cargo run -p lessons -- solution LESSON    a program that is right
cargo run -p lessons -- reset LESSON       its program as it was at first; yours is kept aside

LESSON is a name, such as `scalars`, or a number. With `--in FOLDER` your programs are in another
folder than lessons/yours.
";

/// A command, and the folder of programs to use.
pub struct Arguments {
    pub task: Task,
    /// The folder of the learner's programs, unless it is the default one.
    pub folder: Option<PathBuf>,
}

/// The command. Without a lesson, it applies to the first one that has not passed.
#[derive(Clone, Copy)]
pub enum Task {
    GoOn,
    Watch,
    List,
    Hint(Option<&'static Lesson>),
    Show(Option<&'static Lesson>),
    Solution(&'static Lesson),
    Reset(&'static Lesson),
    Help,
}

impl Arguments {
    /// Parses the arguments after the program's name, or returns what is wrong with them.
    pub fn parse(words: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut folder = None;
        let mut plain = Vec::new();
        let mut words = words;
        while let Some(word) = words.next() {
            if word == "--in" {
                let named = words.next().filter(|path| !path.is_empty());
                folder = Some(PathBuf::from(named.ok_or("`--in` is followed by a folder")?));
            } else {
                plain.push(word.to_string_lossy().into_owned());
            }
        }
        let mut plain = plain.iter().map(String::as_str);
        let task = plain.next().unwrap_or_default();
        let named = plain.next();
        if let Some(more) = plain.next() {
            return Err(format!("`{more}` is one word too many"));
        }
        Ok(Self { task: Task::parse(task, named)?, folder })
    }
}

impl Task {
    fn parse(task: &str, named: Option<&str>) -> Result<Self, String> {
        let lesson = named.map(lesson).transpose();
        let needed = || lesson.clone()?.ok_or(format!("`{task}` is followed by a lesson"));
        let alone = |this: Self| match named {
            Some(word) => Err(format!("`{word}` is one word too many")),
            None => Ok(this),
        };
        match task {
            "" => alone(Self::GoOn),
            "watch" => alone(Self::Watch),
            "list" => alone(Self::List),
            "help" | "--help" | "-h" => alone(Self::Help),
            "hint" => Ok(Self::Hint(lesson?)),
            "show" => Ok(Self::Show(lesson?)),
            "solution" => Ok(Self::Solution(needed()?)),
            "reset" => Ok(Self::Reset(needed()?)),
            other => Err(format!("`{other}` is nothing that can be done here")),
        }
    }
}

/// The lesson with this name, number or file.
fn lesson(named: &str) -> Result<&'static Lesson, String> {
    let number = named.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some(lesson) = number.and_then(|index| LESSONS.get(index)) {
        return Ok(lesson);
    }
    let name = Path::new(named).file_stem().unwrap_or_default();
    LESSONS.iter().find(|lesson| name == lesson.name).ok_or_else(|| {
        let names: Vec<_> = LESSONS.iter().map(|lesson| lesson.name).collect();
        let last = LESSONS.len();
        format!("there is no lesson `{named}`: they are {}, or 1 to {last}", names.join(", "))
    })
}
