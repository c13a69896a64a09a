//! Reads the command line: lists of sizes, and the position of a mistake in one.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use lexopt::Arg;

/// The request of the arguments.
pub enum Request {
    /// `--help`, or no argument at all.
    Help,
    /// An explanation of these shapes.
    Explain(Shapes),
}

/// Two or more shapes, and the files to write.
#[derive(Default)]
pub struct Shapes {
    /// The sizes of each.
    pub shapes: Vec<Vec<usize>>,
    /// Where to write the picture.
    pub svg: Option<PathBuf>,
    /// Where to write the digraph.
    pub dot: Option<PathBuf>,
}

impl Request {
    /// Reads the arguments after the program's name.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let mut parser = lexopt::Parser::from_args(arguments);
        let mut request = Shapes::default();
        let mut is_empty = true;
        loop {
            // `-1,3` is a list with a mistake and not an option.
            let number = request.shapes.len() + 1;
            let is_negative = |argument: &str| {
                argument.strip_prefix('-').is_some_and(|rest| rest.starts_with(char::is_numeric))
            };
            if let Some(raw) = parser.try_raw_args()
                && let Some(argument) = raw.peek().and_then(|argument| argument.to_str())
                && is_negative(argument)
            {
                sizes(argument).map_err(|mistake| mistake.in_shape(number, argument))?;
            }
            let Some(argument) = parser.next().map_err(|error| error.to_string())? else { break };
            is_empty = false;
            match argument {
                Arg::Short('h') | Arg::Long("help") => return Ok(Self::Help),
                Arg::Long("svg") => request.svg = Some(file(&mut parser, "--svg")?),
                Arg::Long("dot") => request.dot = Some(file(&mut parser, "--dot")?),
                Arg::Value(list) => {
                    let list = list.to_string_lossy();
                    let sizes = sizes(&list).map_err(|mistake| mistake.in_shape(number, &list))?;
                    request.shapes.push(sizes);
                }
                other => return Err(other.unexpected().to_string()),
            }
        }
        match request.shapes.len() {
            _ if is_empty => Ok(Self::Help),
            0 => Err("there is no shape: give two or more, such as 4,3 and 3".to_owned()),
            1 => Err("there is one shape: give two or more, such as 4,3 and 3".to_owned()),
            _ => Ok(Self::Explain(request)),
        }
    }
}

/// The value of an option that takes a file.
fn file(parser: &mut lexopt::Parser, option: &str) -> Result<PathBuf, String> {
    match parser.value() {
        Ok(file) => Ok(file.into()),
        Err(_) => Err(format!("{option} needs the name of a file")),
    }
}

/// The mistake in a list of sizes, and its character position.
struct Mistake {
    place: usize,
    problem: String,
}

impl Mistake {
    fn at(place: usize, problem: impl fmt::Display) -> Self {
        Self { place, problem: problem.to_string() }
    }

    /// The mistake with the list and a caret under its position.
    fn in_shape(&self, number: usize, list: &str) -> String {
        // Characters that a terminal does not show are written as escapes.
        let shown =
            |c: char| c.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\"");
        let before: String = list.chars().take(self.place).map(shown).collect();
        let line: String = list.chars().map(shown).collect();
        let caret = " ".repeat(before.chars().count());
        format!("shape {number}: {}\n  |\n  | {line}\n  | {caret}^", self.problem)
    }
}

/// The sizes of a list such as `8,1,6,1`, `[8, 1]` or `scalar`.
fn sizes(list: &str) -> Result<Vec<usize>, Mistake> {
    if list.trim() == "scalar" {
        return Ok(Vec::new());
    }
    let characters: Vec<char> = list.chars().collect();
    let is_space = |place: &usize| characters[*place].is_whitespace();
    let start = (0..characters.len()).find(|place| !is_space(place)).unwrap_or(0);
    let end =
        (start..characters.len()).rfind(|place| !is_space(place)).map_or(start, |end| end + 1);
    if start == end {
        return Err(Mistake::at(0, "the list is empty; a scalar is written `scalar`, [] or ()"));
    }
    let closing = match characters[start] {
        '[' => ']',
        '(' => ')',
        _ => return entries(&characters, start, end),
    };
    if characters[end - 1] != closing {
        return Err(Mistake::at(end, format!("`{closing}` is missing")));
    }
    let (start, end) = (start + 1, end - 1);
    if characters[start..end].iter().all(|c| c.is_whitespace()) {
        return Ok(Vec::new());
    }
    // `(3,)` is how Python writes a shape of one axis.
    let end = if closing == ')' && characters[end - 1] == ',' { end - 1 } else { end };
    entries(&characters, start, end)
}

/// The sizes between two positions, separated by commas.
fn entries(characters: &[char], start: usize, end: usize) -> Result<Vec<usize>, Mistake> {
    let mut sizes = Vec::new();
    let mut from = start;
    for entry in characters[start..end].split(|c| *c == ',') {
        sizes.push(size(entry, from)?);
        from += entry.len() + 1;
    }
    Ok(sizes)
}

/// One size, at this position.
fn size(entry: &[char], from: usize) -> Result<usize, Mistake> {
    let spaces = entry.iter().take_while(|c| c.is_whitespace()).count();
    let text: String = entry.iter().collect();
    let text = text.trim();
    if text.is_empty() {
        return Err(Mistake::at(from, "expected a size here, found nothing"));
    }
    let from = from + spaces;
    if let Some(wrong) = text.chars().position(|c| !c.is_ascii_digit()) {
        let found = text.chars().nth(wrong).unwrap_or_default();
        let problem = match found {
            '-' => "a size is not negative: expected a number such as 6, found `-`".to_owned(),
            '.' => "a size is an integer, found `.`".to_owned(),
            'x' | '×' | ' ' | ';' if wrong > 0 => {
                format!("sizes have commas between them, as in 8,1,6,1; found `{found}`")
            }
            _ => format!("expected a size, a number such as 6, found `{}`", found.escape_debug()),
        };
        return Err(Mistake::at(from + wrong, problem));
    }
    let too_large = format!("a size is at most {}", usize::MAX);
    text.parse().map_err(|_| Mistake::at(from, too_large))
}
