//! The program that leads through the lessons, from outside: in folders of learners who do various
//! things.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use lessons::{LESSONS, Lesson};

/// A learner with a separate folder.
struct Learner {
    folder: PathBuf,
}

impl Learner {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        Self { folder }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lessons"));
        command.args(words).arg("--in").arg(&self.folder);
        command
    }

    /// The output of the program with these arguments.
    fn told(&self, words: &[&str]) -> String {
        let output = self.command(words).output().unwrap();
        let said = text(&output);
        assert!(output.status.success(), "{words:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(&self, lesson: &Lesson, program: &str) {
        fs::write(self.folder.join(lesson.file()), program).unwrap();
    }

    fn program(&self, lesson: &Lesson) -> String {
        fs::read_to_string(self.folder.join(lesson.file())).unwrap()
    }
}

fn text(output: &Output) -> String {
    let bytes = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(bytes).unwrap()
}

#[track_caller]
fn says(text: &str, expected: &str) {
    assert!(text.contains(expected), "`{expected}` is not said in\n{text}");
}

fn passed(number: usize) -> String {
    format!("] {number}/{}", LESSONS.len())
}

#[test]
fn a_walk_through_all_lessons() {
    let learner = Learner::new("walk");
    let [first, second, third, ..] = LESSONS else { panic!("there are three lessons and more") };
    let last = LESSONS.last().unwrap();

    // The first lesson as it is delivered: story, message, place, progress.
    let told = learner.told(&[]);
    says(&told, &passed(0));
    says(&told, &format!("Lesson 1, {}: {}", first.name, first.title));
    says(&told, first.story().lines().next().unwrap());
    says(&told, "It does not compile:\n\nerror[E0");
    let place = Path::new("walk").join(first.file());
    says(&told, "the compiler stopped at ");
    says(&told, &format!("{}:13\n", place.display()));
    assert!(!told.contains("aborting"), "{told}");
    let manifest = Path::new("walk").join("Cargo.toml");
    says(&told, "shapes as they are written: cargo shapes check --manifest-path ");
    says(&told, &format!("{} --bin {}\n", manifest.display(), first.name));
    says(&learner.told(&["hint"]), first.hint.lines().next().unwrap());

    // It is repaired, and the next one is shown.
    learner.write(first, first.solution);
    let told = learner.told(&[]);
    says(&told, first.taught.lines().next().unwrap());
    says(&told, "More: tensor-core/guide/shapes.md");
    says(&told, &passed(1));
    says(&told, &format!("Lesson 2, {}", second.name));
    says(&learner.told(&["hint"]), second.hint.lines().next().unwrap());

    // A program that compiles and computes something else has not passed.
    let wrong = second.solution.replacen("+ 32.0", "+ 33.0", 1);
    learner.write(second, &wrong);
    let told = learner.told(&[]);
    says(&told, "It compiles, but what it computes is not right:");
    assert!(!told.contains("cargo shapes"), "{told}");
    says(&told, "assertion failed");
    says(&told, "the program stopped at ");
    says(&told, &passed(1));

    // A reset loses nothing, and a second one neither.
    says(&learner.told(&["reset", second.name]), "numbers-1.rs");
    assert_eq!(learner.program(second), second.exercise);
    assert_eq!(fs::read_to_string(learner.folder.join("backup/numbers-1.rs")).unwrap(), wrong);
    says(&learner.told(&["reset", second.name]), "you had changed nothing");
    learner.write(second, "fn main() {}\n");
    says(&learner.told(&["reset", "2"]), "numbers-2.rs");
    assert_eq!(fs::read_to_string(learner.folder.join("backup/numbers-1.rs")).unwrap(), wrong);

    // Everything else is repaired at once: every solution compiles and runs.
    for lesson in LESSONS {
        assert_eq!(learner.told(&["solution", lesson.name]).trim_end(), lesson.solution.trim_end());
        learner.write(lesson, lesson.solution);
    }
    let told = learner.told(&[]);
    for lesson in &LESSONS[1..] {
        says(&told, &format!("✓ {} passes", lesson.name));
        says(&told, lesson.taught.lines().next().unwrap());
    }
    says(&told, &passed(LESSONS.len()));
    says(&told, "All lessons pass.");
    says(&learner.told(&["show", third.name]), "What it taught:");
    assert_eq!(learner.told(&["list"]).matches('✓').count(), LESSONS.len());

    // A lesson that has passed is checked again when it changes.
    learner.write(third, third.exercise);
    says(&learner.told(&["list"]), "→  3  shapes");
    says(&learner.told(&[]), &format!("Lesson 3, {}", third.name));
    learner.write(third, third.solution);

    // While the program watches, the last lesson is repaired: then all have passed, and it ends.
    learner.write(last, last.exercise);
    let mut watching = learner.command(&["watch"]).stdout(Stdio::piped()).spawn().unwrap();
    // Time to find the mistake; should this machine need longer, the solution is found at once.
    sleep(Duration::from_secs(2));
    assert!(watching.try_wait().unwrap().is_none(), "it ended before the program was repaired");
    learner.write(last, last.solution);
    says(&ended(watching), "All lessons pass.");
}

/// The output of a program, which has to end within a minute.
fn ended(mut child: Child) -> String {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it is still running: {}", text(&child.wait_with_output().unwrap()));
        }
        sleep(Duration::from_millis(50));
    }
    text(&child.wait_with_output().unwrap())
}

#[test]
fn what_is_mistyped_is_answered() {
    let learner = Learner::new("mistyped");
    for (words, answer) in [
        (&["next"][..], "error: `next` is nothing that can be done here"),
        (&["hint", "tensors"], "error: there is no lesson `tensors`: they are scalars, numbers,"),
        (&["hint", "0"], "error: there is no lesson `0`"),
        (&["hint", "999"], "or 1 to 35"),
        (&["reset"], "error: `reset` is followed by a lesson"),
        (&["solution"], "error: `solution` is followed by a lesson"),
        (&["list", "scalars"], "error: `scalars` is one word too many"),
        (&["hint", "scalars", "please"], "error: `please` is one word too many"),
    ] {
        let output = learner.command(words).output().unwrap();
        let said = text(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        says(&said, answer);
        says(&said, "cargo run -p lessons -- hint [LESSON]");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_lessons")).arg("--in").output().unwrap();
    says(&text(&output), "error: `--in` is followed by a folder");
    assert!(!learner.folder.exists(), "a mistyped command changes nothing");

    says(&learner.told(&["help"]), "cargo run -p lessons -- watch");
    says(&learner.told(&["hint", "3"]), "Lesson 3, shapes");
    says(&learner.told(&["show", "some/folder/shapes.rs"]), "Lesson 3, shapes");
}

#[test]
fn the_folder_is_a_package_for_editors() {
    let learner = Learner::new("editor");
    learner.told(&["list"]);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(&learner.folder).args(["metadata", "--no-deps", "--format-version", "1"]);
    let output = cargo.output().unwrap();
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    for lesson in LESSONS {
        says(&said, lesson.name);
    }
    assert!(learner.folder.join("Cargo.lock").exists());
}

#[test]
fn what_cannot_be_read_or_written_is_reported() {
    // There is a file at the path of the folder.
    let learner = Learner::new("no-folder");
    fs::write(&learner.folder, "").unwrap();
    let output = learner.command(&["list"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    says(&text(&output), "error: cannot make the folder");
    fs::remove_file(&learner.folder).unwrap();

    // A program that is not text.
    let learner = Learner::new("not-text");
    learner.told(&["list"]);
    fs::write(learner.folder.join(LESSONS[0].file()), [0xff, 0xfe]).unwrap();
    let output = learner.command(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    says(&text(&output), "error: cannot read");
    says(&learner.told(&["reset", LESSONS[0].name]), "scalars-1.rs");
    assert_eq!(learner.program(&LESSONS[0]), LESSONS[0].exercise);
}
