//! Goes from lesson to lesson.

use std::thread::sleep;
use std::time::Duration;

use crate::Problem;
use crate::check::{Compiled, Outcome};
use crate::folder::Folder;
use crate::screen::Screen;
use lessons::{LESSONS, Lesson};

/// The interval at which `watch` checks the program for changes.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// Advances to the first lesson that does not pass, shows it, and returns it with the program that was
/// checked.
pub fn go_on(
    folder: &Folder,
    screen: &mut Screen,
) -> Result<Option<(&'static Lesson, String)>, Problem> {
    let compiled = Compiled::new()?;
    for lesson in LESSONS {
        if folder.has_passed(lesson) {
            continue;
        }
        let program = folder.read(lesson)?;
        match compiled.check(lesson, folder, screen.colour())? {
            Outcome::Passes(printed) => {
                folder.keep_as_passed(lesson, &program)?;
                screen.passed(lesson, &printed)?;
            }
            Outcome::Stopped(by, said) => {
                screen.stopped(lesson, &by, &said, folder)?;
                return Ok(Some((lesson, program)));
            }
        }
    }
    screen.finished()?;
    Ok(None)
}

/// Advances, and again whenever the program of the lesson has changed, until all lessons pass.
pub fn watch(folder: &Folder, screen: &mut Screen) -> Result<(), Problem> {
    while let Some((lesson, checked)) = go_on(folder, screen)? {
        screen.watching(lesson, folder)?;
        // An editor may replace the file: for a moment it does not exist.
        while folder.read(lesson).is_ok_and(|program| program == checked)
            || !folder.program(lesson).exists()
        {
            sleep(LOOK_EVERY);
        }
    }
    Ok(())
}
