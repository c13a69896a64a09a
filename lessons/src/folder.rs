//! The folder of the learner's programs, which git ignores.
//!
//! ```text
//! scalars.rs, …             copies of the exercises, for the learner to edit
//! Cargo.toml, Cargo.lock    for editors, which show types and messages in a package of cargo
//! .compiled/scalars         the program as the compiler made it
//! .passed/scalars.rs        the program as it was when it passed
//! backup/scalars-1.rs       what the learner had written before a reset
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Problem, repository};
use lessons::{LESSONS, Lesson};

/// A folder that contains everything that a lesson needs.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates the folder and its missing files. What the learner wrote is kept.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        fs::create_dir_all(path).map_err(cannot("make the folder", path))?;
        let path = std::path::absolute(path).map_err(cannot("find the folder", path))?;
        let folder = Self { path };
        let manifest = folder.manifest();
        let lock = folder.path.join("Cargo.lock");
        if fs::read_to_string(&manifest).ok().as_deref() != Some(&manifest_text()) || !lock.exists()
        {
            write(&manifest, manifest_text())?;
            // The same versions of all crates as in the repository: nothing more to download.
            let original = repository().join("Cargo.lock");
            if original.exists() {
                fs::copy(&original, &lock).map_err(cannot("write", &lock))?;
            }
        }
        for lesson in LESSONS {
            let program = folder.program(lesson);
            if !program.exists() {
                write(&program, lesson.exercise)?;
            }
        }
        Ok(folder)
    }

    /// The learner's program.
    pub fn program(&self, lesson: &Lesson) -> PathBuf {
        self.path.join(lesson.file())
    }

    /// The manifest of the package of the learner's programs.
    pub fn manifest(&self) -> PathBuf {
        self.path.join("Cargo.toml")
    }

    /// The path of the compiled program.
    pub fn executable(&self, lesson: &Lesson) -> PathBuf {
        let name = format!("{}{}", lesson.name, std::env::consts::EXE_SUFFIX);
        self.path.join(".compiled").join(name)
    }

    /// A path as cargo shows it: relative to the repository, if it is within.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(repository()).unwrap_or(path).display().to_string()
    }

    /// The learner's program.
    pub fn read(&self, lesson: &Lesson) -> Result<String, Problem> {
        let path = self.program(lesson);
        Ok(fs::read_to_string(&path).map_err(cannot("read", &path))?)
    }

    /// Whether the program is the same as when it passed.
    pub fn has_passed(&self, lesson: &Lesson) -> bool {
        let passed = fs::read(self.path.join(".passed").join(lesson.file()));
        let now = fs::read(self.program(lesson));
        passed.is_ok_and(|passed| now.is_ok_and(|now| now == passed))
    }

    /// Records that this program passes.
    pub fn keep_as_passed(&self, lesson: &Lesson, program: &str) -> Result<(), Problem> {
        write(&self.path.join(".passed").join(lesson.file()), program)
    }

    /// The number of lessons that have passed.
    pub fn passed(&self) -> usize {
        LESSONS.iter().filter(|lesson| self.has_passed(lesson)).count()
    }

    /// The first lesson that has not passed.
    pub fn next(&self) -> Option<&'static Lesson> {
        LESSONS.iter().find(|lesson| !self.has_passed(lesson))
    }

    /// Restores the original program, and returns the path of a backup of the learner's program; `None` if
    /// nothing was changed.
    pub fn reset(&self, lesson: &Lesson) -> Result<Option<PathBuf>, Problem> {
        let path = self.program(lesson);
        // Bytes, not text: the file is kept whatever it contains.
        let written = fs::read(&path).map_err(cannot("read", &path))?;
        if written == lesson.exercise.as_bytes() {
            return Ok(None);
        }
        let backup = (1..)
            .map(|number| self.path.join("backup").join(format!("{}-{number}.rs", lesson.name)))
            .find(|path| !path.exists())
            .ok_or("the folder `backup` is full")?;
        write(&backup, written)?;
        write(&path, lesson.exercise)?;
        Ok(Some(backup))
    }
}

/// The package of the learner's programs. It is a separate workspace, so that its errors are not
/// errors of the repository.
fn manifest_text() -> String {
    let [core, nn] = ["tensor-core", "tensor-nn"].map(|package| {
        let path = repository().join(package).display().to_string();
        path.replace('\\', "\\\\").replace('"', "\\\"")
    });
    let mut text = format!(
        r#"# Written by `cargo run -p lessons`.
[package]
name = "yours"
edition = "2024"
publish = false

[workspace]

[dependencies]
tensor-core = {{ path = "{core}" }}
tensor-nn = {{ path = "{nn}" }}
"#
    );
    for lesson in LESSONS {
        text += &format!("\n[[bin]]\nname = \"{}\"\npath = \"{}\"\n", lesson.name, lesson.file());
    }
    text
}

/// Creates the parent folder of a file.
pub fn make_folder(file: &Path) -> Result<(), Problem> {
    let Some(folder) = file.parent() else { return Ok(()) };
    Ok(fs::create_dir_all(folder).map_err(cannot("make the folder", folder))?)
}

/// Writes a file, and creates its parent folder.
fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Problem> {
    make_folder(path)?;
    Ok(fs::write(path, contents).map_err(cannot("write", path))?)
}

/// Describes an action on a file that failed.
fn cannot(action: &str, path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("cannot {action} {}: {error}", path.display())
}
