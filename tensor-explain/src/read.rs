//! Shapes as text, as NumPy, PyTorch and Rust programs write them.

use core::fmt;
use core::str::FromStr;

use crate::analysis::{AxisSize, ExplainedOperand, Explanation, default_name};
use crate::program::KEYWORDS;

/// The largest number of axes of a shape, as of arrays of NumPy.
const MOST_AXES: usize = 64;

/// A text that is no list of shapes.
///
/// ```
/// use tensor_core::explain::Explanation;
///
/// let error = "(4, 3) (3, -1)".parse::<Explanation>().unwrap_err();
/// assert_eq!(error.position(), 11);
/// assert_eq!(
///     error.to_string(),
///     "a size is not negative: expected a number such as 6, found `-`"
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ParseShapesError {
    position: usize,
    problem: String,
}

impl ParseShapesError {
    /// Where the mistake is: the number of characters before it.
    ///
    /// ```
    /// use tensor_core::explain::parse_shape;
    ///
    /// assert_eq!(parse_shape("[4, x]").unwrap_err().position(), 4);
    /// ```
    pub fn position(&self) -> usize {
        self.position
    }
}

impl fmt::Display for ParseShapesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

/// The message.
impl fmt::Debug for ParseShapesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for ParseShapesError {}

/// Reads one shape: `8,1,6,1`, `(8, 1)`, `(3,)`, `[8, 1]`, `shape![Batch, 1]`, `torch.Size([8, 1])`, `scalar`.
///
/// A name begins with a capital letter; its size is given as `Batch(32)`, or not known.
///
/// # Errors
///
/// If the text is no shape, or more than one.
///
/// ```
/// use tensor_core::explain::{AxisSize, parse_shape};
///
/// let expected = [AxisSize::named("Batch", Some(32)), AxisSize::new(3)];
/// assert_eq!(parse_shape("shape![Batch(32), 3]")?, expected);
/// assert_eq!(parse_shape("()")?, []);
/// # Ok::<(), tensor_core::explain::ParseShapesError>(())
/// ```
pub fn parse_shape(text: &str) -> Result<Vec<AxisSize>, ParseShapesError> {
    let mut reader = Reader::new(text);
    reader.skip_spaces();
    if reader.peek().is_none() {
        return Err(Reader::error(
            0,
            "the list is empty; a scalar is written `scalar`, [] or ()".to_owned(),
        ));
    }
    let axes = reader.shape()?;
    let end = reader.at;
    reader.skip_spaces();
    match reader.peek() {
        None => Ok(axes),
        Some(_) => Err(reader.unexpected(end)),
    }
}

/// Reads two or more shapes, which a space, `+`, `,` or `;` separates; a name and `=` or `:` may precede each.
///
/// The forms of a shape are those of [`parse_shape`].
///
/// ```
/// use tensor_core::explain::{Explanation, explain_sizes};
///
/// for text in ["(8,1,6,1) (7,1,5)", "[8, 1, 6, 1], [7, 1, 5]", "8,1,6,1 + shape![7, 1, 5]"] {
///     assert_eq!(text.parse(), Ok(explain_sizes(&[&[8, 1, 6, 1], &[7, 1, 5]])));
/// }
/// let named: Explanation = "image = (256, 256, 3)  scale = (3,)".parse()?;
/// assert_eq!(named.operands()[1].name, "scale");
/// # Ok::<(), tensor_core::explain::ParseShapesError>(())
/// ```
impl FromStr for Explanation {
    type Err = ParseShapesError;

    fn from_str(text: &str) -> Result<Self, ParseShapesError> {
        let mut reader = Reader::new(text);
        let mut operands: Vec<(Option<String>, Vec<AxisSize>)> = Vec::new();
        loop {
            let mut separators = if operands.is_empty() { 0 } else { 1 };
            while let Some(sign) = reader.peek() {
                match sign {
                    '+' | ',' | ';' if separators > 0 => separators -= 1,
                    _ if sign.is_whitespace() => (),
                    _ => break,
                }
                reader.at += 1;
            }
            match reader.peek() {
                None => break,
                Some(')' | ']' | '}') => return Err(reader.unexpected(reader.at)),
                Some(_) => (),
            }
            let start = reader.at;
            let name = reader.operand_name()?;
            if name.is_some() && operands.iter().any(|(other, _)| *other == name) {
                let name = name.unwrap_or_default();
                return Err(Reader::error(start, format!("two shapes are called `{name}`")));
            }
            operands.push((name, reader.shape()?));
        }
        if operands.len() < 2 {
            let found =
                if operands.is_empty() { "there is no shape" } else { "there is one shape" };
            let problem = format!("{found}: write two or more, such as (4, 3) (3)");
            return Err(Reader::error(reader.characters.len(), problem));
        }
        let given: Vec<_> = operands.iter().filter_map(|(name, _)| name.clone()).collect();
        let operand = |(number, (name, axes)): (usize, (Option<String>, _))| {
            let name = name.unwrap_or_else(|| {
                let name = default_name(number);
                if given.contains(&name) { format!("x{number}") } else { name }
            });
            ExplainedOperand { name, axes }
        };
        Ok(Self::of_operands(operands.into_iter().enumerate().map(operand).collect()))
    }
}

/// A text, and the number of characters that are read.
struct Reader {
    characters: Vec<char>,
    at: usize,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self { characters: text.chars().collect(), at: 0 }
    }

    fn error(position: usize, problem: String) -> ParseShapesError {
        ParseShapesError { position, problem }
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Reads this sign, if it is next.
    fn takes(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(sign);
        self.at += usize::from(is_next);
        is_next
    }

    /// Reads this text, if it is next.
    fn takes_text(&mut self, text: &str) -> bool {
        let is_next = text.chars().eq(self.characters[self.at..].iter().copied().take(text.len()));
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Reads the letters, digits and underscores that are next.
    fn word(&mut self) -> String {
        let rest = self.characters[self.at..].iter().copied();
        let word: String = rest.take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        self.at += word.chars().count();
        word
    }

    /// The name before a shape: `image =`, `image:`.
    fn operand_name(&mut self) -> Result<Option<String>, ParseShapesError> {
        let start = self.at;
        let name = self.word();
        self.skip_spaces();
        let has_name = !name.is_empty() && (self.takes('=') || self.takes(':'));
        if !has_name {
            self.at = start;
            return Ok(None);
        }
        let is_identifier = name.is_ascii() && !name.starts_with(|c: char| c.is_ascii_digit());
        let problem = match () {
            () if !is_identifier => {
                format!("`{name}` is no name of a variable: expected ASCII letters, digits and `_`")
            }
            () if KEYWORDS.contains(&name.as_str()) => {
                format!("`{name}` has another meaning in Rust or Python: choose another name")
            }
            () => {
                self.skip_spaces();
                return Ok(Some(name));
            }
        };
        Err(Self::error(start, problem))
    }

    /// A shape in one of its forms.
    fn shape(&mut self) -> Result<Vec<AxisSize>, ParseShapesError> {
        if self.takes_text("scalar") {
            return Ok(Vec::new());
        }
        let is_pytorch = self.takes_text("torch.Size(");
        let is_macro = self.takes_text("shape!");
        self.skip_spaces();
        let start = self.at;
        let axes = match self.peek() {
            Some('[') => self.list(']', is_macro)?,
            Some('(') => self.list(')', true)?,
            Some('{') if is_macro => self.list('}', true)?,
            _ if is_macro || is_pytorch => {
                return Err(Self::error(start, "`[` is missing".to_owned()));
            }
            _ => self.axes(None, false)?,
        };
        if is_pytorch && !self.takes(')') {
            return Err(Self::error(self.at, "`)` is missing".to_owned()));
        }
        match axes.len() {
            0..=MOST_AXES => Ok(axes),
            _ => Err(Self::error(start, format!("a shape has at most {MOST_AXES} axes here"))),
        }
    }

    /// The axes in brackets.
    fn list(&mut self, end: char, takes_comma: bool) -> Result<Vec<AxisSize>, ParseShapesError> {
        self.at += 1;
        self.skip_spaces();
        if self.takes(end) {
            return Ok(Vec::new());
        }
        if self.peek().is_none() {
            return Err(Self::error(self.at, format!("`{end}` is missing")));
        }
        self.axes(Some(end), takes_comma)
    }

    /// Axes with commas between them, up to the bracket if there is one; `(3,)` is how Python writes a shape of one axis.
    fn axes(
        &mut self,
        end: Option<char>,
        takes_comma: bool,
    ) -> Result<Vec<AxisSize>, ParseShapesError> {
        let mut axes = Vec::new();
        loop {
            let before = self.at;
            self.skip_spaces();
            if end.is_some() && takes_comma && !axes.is_empty() && end == self.peek() {
                self.at += 1;
                return Ok(axes);
            }
            axes.push(self.axis(before, &axes)?);
            let after = self.at;
            self.skip_spaces();
            match (self.peek(), end) {
                (Some(','), Some(_)) => self.at += 1,
                // Without brackets, a comma before a bracket separates two shapes.
                (Some(','), None) if !self.is_before_a_bracket() => self.at += 1,
                (found, Some(bracket)) if found == Some(bracket) => {
                    self.at += 1;
                    return Ok(axes);
                }
                (None | Some(')' | ']' | '}'), Some(bracket)) => {
                    return Err(Self::error(self.at, format!("`{bracket}` is missing")));
                }
                (_, Some(_)) => return Err(self.unexpected(after)),
                (found, None) => {
                    self.at = after;
                    let is_end = found.is_none_or(|c| "+;,".contains(c)) || self.is_space();
                    return if is_end { Ok(axes) } else { Err(self.unexpected(after)) };
                }
            }
        }
    }

    fn is_space(&self) -> bool {
        self.peek().is_some_and(char::is_whitespace)
    }

    /// Whether a bracket follows the comma that is next.
    fn is_before_a_bracket(&self) -> bool {
        let mut rest = self.characters[self.at + 1..].iter().filter(|c| !c.is_whitespace());
        rest.next().is_some_and(|c| "[(".contains(*c))
    }

    /// A size, or a name with or without its size. `before` is the end of what precedes it.
    fn axis(&mut self, before: usize, axes: &[AxisSize]) -> Result<AxisSize, ParseShapesError> {
        let start = self.at;
        if !self.peek().is_some_and(char::is_uppercase) {
            return Ok(AxisSize::new(self.size(before)?));
        }
        let name = self.word();
        let size = if self.takes('(') {
            self.skip_spaces();
            let size = self.size(self.at)?;
            self.skip_spaces();
            if !self.takes(')') {
                return Err(Self::error(self.at, "`)` is missing".to_owned()));
            }
            Some(size)
        } else {
            None
        };
        let axis = AxisSize::named(name, size);
        let is_other = |other: &&AxisSize| other.name == axis.name && **other != axis;
        match axes.iter().find(is_other) {
            Some(other) => {
                Err(Self::error(start, format!("{other} and {axis}: a name has one size")))
            }
            None => Ok(axis),
        }
    }

    fn size(&mut self, before: usize) -> Result<usize, ParseShapesError> {
        let start = self.at;
        let rest = self.characters[start..].iter();
        let digits: String = rest.take_while(|c| c.is_ascii_digit()).collect();
        self.at += digits.len();
        if !digits.is_empty() {
            let too_large = || Self::error(start, format!("a size is at most {}", usize::MAX));
            return digits.parse().map_err(|_| too_large());
        }
        let problem = match self.peek() {
            None | Some(',' | ')' | ']' | '}' | ';') => {
                return Err(Self::error(before, "expected a size here, found nothing".to_owned()));
            }
            Some('-') => {
                "a size is not negative: expected a number such as 6, found `-`".to_owned()
            }
            Some(found) => {
                let word = self.word();
                match word.chars().count() {
                    2.. if found.is_alphabetic() => format!(
                        "the name of an axis begins with a capital letter, as `Batch`; found `{word}`"
                    ),
                    _ => {
                        let found = found.escape_debug();
                        format!("expected a size, a number such as 6, found `{found}`")
                    }
                }
            }
        };
        Err(Self::error(start, problem))
    }

    /// The mistake after a size or a shape.
    fn unexpected(&self, position: usize) -> ParseShapesError {
        let found = self.characters.get(position).copied().unwrap_or_default();
        let problem = match found {
            '.' => "a size is an integer, found `.`".to_owned(),
            ')' | ']' | '}' => format!("there is no bracket that `{found}` closes"),
            _ => {
                let found = found.escape_debug();
                format!("sizes have commas between them, as in 8,1,6,1; found `{found}`")
            }
        };
        Self::error(position, problem)
    }
}
