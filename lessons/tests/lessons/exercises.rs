//! The exercises as they are delivered: one mistake each, and the message that the course promises.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use lessons::{LESSONS, Lesson};

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// A folder of a learner who has repaired everything.
fn repaired(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(folder.join(".passed")).unwrap();
    for lesson in LESSONS {
        fs::write(folder.join(lesson.file()), lesson.solution).unwrap();
        fs::write(folder.join(".passed").join(lesson.file()), lesson.solution).unwrap();
    }
    folder
}

/// Whether this is an exercise about what is known at run time alone.
fn ran(name: &str) -> bool {
    ["optimizers", "checkpoints"].contains(&name)
}

/// What is wrong with an exercise, as the program shows it to that learner.
fn complaint(lesson: &Lesson, folder: &Path) -> Option<String> {
    let program = folder.join(lesson.file());
    fs::write(&program, lesson.exercise).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_lessons")).arg("--in").arg(folder).output();
    let told = String::from_utf8(output.unwrap().stdout).unwrap();
    fs::write(&program, lesson.solution).unwrap();

    // What is known at run time alone is refused by one panic.
    let compiles = told.contains("It compiles, but");
    let start = if compiles { "thread 'main'" } else { "error" };
    let (_, said) = told.split_once("It does not compile:\n\n").unwrap_or(("", &told));
    let errors = said.lines().filter(|line| line.starts_with(start)).count();
    let is_as_promised = errors == 1 && said.contains(lesson.message);
    (!is_as_promised || compiles != ran(lesson.name))
        .then(|| format!("{}: {}\n{errors} errors\n{said}", lesson.name, lesson.message))
}

#[test]
fn every_exercise_is_refused_by_one_error_in_the_promised_words() {
    let (even, odd): (Vec<_>, Vec<_>) = LESSONS.iter().partition(|lesson| lesson.number() % 2 == 0);
    let broken = |lessons: Vec<&Lesson>, folder| {
        let folder = repaired(folder);
        lessons.iter().filter_map(|lesson| complaint(lesson, &folder)).collect::<Vec<_>>()
    };
    let broken = thread::scope(|scope| {
        let even = scope.spawn(|| broken(even, "even"));
        [broken(odd, "odd"), even.join().unwrap()].concat()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
}

#[test]
fn one_line_repairs_an_exercise() {
    for lesson in LESSONS {
        let exercise: Vec<_> = lesson.exercise.lines().collect();
        let solution: Vec<_> = lesson.solution.lines().collect();
        let same_above = exercise.iter().zip(&solution).take_while(|(a, b)| a == b).count();
        let (exercise, solution) = (&exercise[same_above..], &solution[same_above..]);
        let below = exercise.iter().rev().zip(solution.iter().rev());
        let same_below = below.take_while(|(a, b)| a == b).count();
        let changed = (exercise.len() - same_below, solution.len() - same_below);
        assert_eq!(changed, (1, 1), "{}: lines in the exercise and in the solution", lesson.name);
    }
}

#[test]
fn every_lesson_has_a_story_a_hint_and_something_to_teach() {
    for (index, lesson) in LESSONS.iter().enumerate() {
        assert_eq!(lesson.number(), index + 1, "{} is there twice", lesson.name);
        let story = lesson.story();
        for (what, text) in [("story", &*story), ("hint", lesson.hint), ("taught", lesson.taught)] {
            let ends = text.ends_with(['.', '?', '!']);
            assert!(text.len() > 40 && ends, "{}: {what}: {text}", lesson.name);
            for line in text.lines() {
                assert!(line.chars().count() <= 98, "{}: {what}: a long line: {line}", lesson.name);
            }
        }
        // What is computed is looked at, so that a program which merely compiles has not passed.
        assert!(lesson.solution.contains("assert"), "{} asserts nothing", lesson.name);
    }
}

#[test]
fn every_exercise_is_a_lesson() {
    let entries = fs::read_dir(Path::new(PACKAGE).join("exercises")).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    let mut names: Vec<_> = LESSONS.iter().map(|lesson| lesson.file()).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names.iter().map(AsRef::as_ref).collect::<Vec<&std::ffi::OsStr>>());
}
