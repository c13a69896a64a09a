//! Lessons: small programs with one wrong shape each, to be repaired one after the other.
//!
//! ```text
//! cargo run -p lessons
//! ```
//!
//! The learner's programs are copies, in a folder that git ignores: the originals in `exercises/` and
//! `solutions/` are part of this program (`course.rs`). A program has passed when it compiles and its
//! assertions hold; the only record of this is a copy of the program.

mod arguments;
mod check;
mod folder;
mod screen;
mod walk;

use std::error::Error;
use std::io::{ErrorKind, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use arguments::{Arguments, Task};
use folder::Folder;
use screen::Screen;

/// An error, in words for the learner.
type Problem = Box<dyn Error>;

/// The folder of the repository.
fn repository() -> &'static Path {
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR"));
    lessons.parent().unwrap_or(lessons)
}

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(complaint) => {
            eprintln!("error: {complaint}\n\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe early: `cargo run -p lessons -- list | head -3`.
        Err(problem) if is_broken_pipe(&problem) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(problem: &Problem) -> bool {
    let error = problem.downcast_ref::<std::io::Error>();
    error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

fn run(Arguments { task, folder }: Arguments) -> Result<(), Problem> {
    let output = std::io::stdout();
    let colour = output.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let mut screen = Screen::new(output, colour);
    match task {
        Task::Help => return Ok(screen.text(arguments::USAGE)?),
        Task::Solution(lesson) => return Ok(screen.text(lesson.solution)?),
        _ => {}
    }

    let folder = folder.unwrap_or_else(|| repository().join("lessons").join("yours"));
    let folder = Folder::open(&folder)?;
    match task {
        Task::GoOn => match walk::go_on(&folder, &mut screen)? {
            Some(_) => Ok(screen.again()?),
            None => Ok(()),
        },
        Task::Watch => walk::watch(&folder, &mut screen),
        Task::List => Ok(screen.list(&folder)?),
        Task::Hint(lesson) => Ok(screen.hint(lesson.or_else(|| folder.next()))?),
        Task::Show(lesson) => Ok(screen.show(lesson.or_else(|| folder.next()), &folder)?),
        Task::Reset(lesson) => Ok(screen.reset(lesson, folder.reset(lesson)?, &folder)?),
        Task::Help | Task::Solution(_) => Ok(()),
    }
}
