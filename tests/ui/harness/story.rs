//! The comment at the top of a mistake.

use std::fs;
use std::path::Path;

/// How many lines one error takes up at most, so that it can be seen at once.
pub const LINES: usize = 12;

/// What the comment at the top of a mistake promises.
pub struct Story {
    pub promises: Vec<String>,
    pub errors: usize,
    /// The number of lines, where it is more than [`LINES`] for each error.
    pub lines: Option<usize>,
}

impl Story {
    /// Reads the comment, or says what it lacks.
    pub fn read(mistake: &Path) -> Result<Self, &'static str> {
        let program = fs::read_to_string(mistake).map_err(|_| "the program cannot be read")?;
        Self::parse(&program)
    }

    fn parse(program: &str) -> Result<Self, &'static str> {
        let mut story = Self { promises: Vec::new(), errors: 1, lines: None };
        let mut told = String::new();
        for line in program.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim) {
            let promise = line.strip_prefix("The compiler says: ").or(line.strip_prefix("And: "));
            if let Some(promise) = promise {
                let quoted = promise.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                story.promises.push(quoted.ok_or("a promise must be in quotes")?.to_owned());
            } else if let Some(stated) = line.strip_prefix("Errors: ") {
                story.errors = number_with_reason(stated)?;
            } else if let Some(stated) = line.strip_prefix("Lines: ") {
                story.lines = Some(number_with_reason(stated)?);
            } else {
                told.push_str(line);
            }
        }
        match (told.is_empty(), story.promises.is_empty()) {
            (true, _) => Err("the first lines tell no story"),
            (_, true) => Err("nothing is promised: `//! The compiler says: \"…\"`"),
            _ => Ok(story),
        }
    }

    /// What is wrong with the length of a message of this many lines.
    pub fn complaint_about_length(&self, lines: usize) -> Option<String> {
        let most = LINES * self.errors;
        match self.lines {
            None if lines > most => Some(format!("{lines} lines, where {most} are the most")),
            Some(stated) if stated != lines => {
                Some(format!("{lines} lines, where `Lines: {stated}` is stated"))
            }
            Some(_) if lines <= most => {
                Some(format!("`Lines: …` is for more than {most} lines: take it away"))
            }
            _ => None,
        }
    }
}

/// The number of `2, because …`.
fn number_with_reason(stated: &str) -> Result<usize, &'static str> {
    let (number, reason) = stated.split_once(", ").ok_or("a number has a reason")?;
    if reason.trim().is_empty() {
        return Err("a number has a reason");
    }
    number.parse().map_err(|_| "a number is written in digits")
}

/// The number of errors in a snapshot.
pub fn errors(said: &str) -> usize {
    said.lines().filter(|line| line.starts_with("error")).count()
}

/// The first error of what the compiler says.
pub fn first_error(said: &str) -> &str {
    let end = said.match_indices("\nerror").map(|(at, _)| at + 1).find(|&at| at > 1);
    &said[..end.unwrap_or(said.len())]
}

#[test]
fn stories_are_read() {
    let story = Story::parse(
        "//! Two mistakes.\n//!\n//! The compiler says: \"a\"\n//! And: \"b\"\n\
         //! Errors: 2, one for each\n//! Lines: 30, because the types are long\n\nfn main() {}\n",
    )
    .unwrap_or_else(|complaint| panic!("{complaint}"));
    assert_eq!(story.promises, ["a", "b"]);
    assert_eq!((story.errors, story.lines), (2, Some(30)));

    assert!(story.complaint_about_length(30).is_none());
    assert!(story.complaint_about_length(31).is_some(), "longer than stated");
    assert!(story.complaint_about_length(24).is_some(), "within the limit");
    let usual = Story { lines: None, ..story };
    assert!(usual.complaint_about_length(24).is_none());
    assert!(usual.complaint_about_length(25).is_some());

    assert!(Story::parse("//! A story that promises nothing.\n").is_err());
    assert!(Story::parse("//! A story.\n//! The compiler says: \"a\"\n//! Lines: 30\n").is_err());
}
