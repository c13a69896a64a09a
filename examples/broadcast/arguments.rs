//! Reads the command line: lists of sizes, and the position of a mistake in one.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::Arg;
use tensor_explain::{AxisSize, ParseShapesError, parse_shape};

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
    /// The axes of each.
    pub shapes: Vec<Vec<AxisSize>>,
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
                parse_shape(argument).map_err(|mistake| in_shape(number, argument, &mistake))?;
            }
            let Some(argument) = parser.next().map_err(|error| error.to_string())? else { break };
            is_empty = false;
            match argument {
                Arg::Short('h') | Arg::Long("help") => return Ok(Self::Help),
                Arg::Long("svg") => request.svg = Some(file(&mut parser, "--svg")?),
                Arg::Long("dot") => request.dot = Some(file(&mut parser, "--dot")?),
                Arg::Value(list) => {
                    let list = list.to_string_lossy();
                    let shape = parse_shape(&list);
                    let shape = shape.map_err(|mistake| in_shape(number, &list, &mistake))?;
                    request.shapes.push(shape);
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

/// The mistake in a shape, with the text and a caret under its position.
fn in_shape(number: usize, list: &str, mistake: &ParseShapesError) -> String {
    // Characters that a terminal does not show are written as escapes.
    let shown = |c: char| c.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\"");
    let before: String = list.chars().take(mistake.position()).map(shown).collect();
    let line: String = list.chars().map(shown).collect();
    let caret = " ".repeat(before.chars().count());
    format!("shape {number}: {mistake}\n  |\n  | {line}\n  | {caret}^")
}
