//! StableHLO text in the generic form.

use crate::element::Element;

/// How deep operations with regions may be nested.
const DEEPEST: usize = 100;

/// The type of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// The sizes of all axes.
    pub sizes: Vec<usize>,
    /// The element type.
    pub element: Element,
}

#[allow(clippy::len_without_is_empty, reason = "nothing asks")]
impl Type {
    /// A tensor of these sizes.
    pub fn new(sizes: &[usize], element: Element) -> Self {
        Self { sizes: sizes.to_vec(), element }
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.sizes.iter().product()
    }
}

/// The function `main`.
#[derive(Debug)]
pub struct Function {
    /// The names and types of the arguments.
    pub arguments: Vec<(String, Type)>,
    /// In the order in which they are computed.
    pub operations: Vec<Operation>,
    /// The names of the results.
    pub results: Vec<String>,
}

/// An operation, of the function or of a region.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The name of the result, without the number of results.
    pub result: String,
    /// The number of results.
    pub count: usize,
    /// Without `stablehlo.`.
    pub name: String,
    /// The names of the operands.
    pub operands: Vec<String>,
    /// Functions: the combination of a reduction, the body of a loop.
    pub regions: Vec<Region>,
    /// Names and values.
    pub attributes: Vec<(String, String)>,
    /// The types of the results.
    pub results: Vec<Type>,
}

/// A function: of scalars, the condition or body of a loop, or one of a branch, which has no arguments.
#[derive(Clone, Debug)]
pub struct Region {
    /// The names and types of the arguments.
    pub arguments: Vec<(String, Type)>,
    /// In the order in which they are computed.
    pub operations: Vec<Operation>,
    /// The names of the results.
    pub results: Vec<String>,
}

impl Operation {
    /// The names of the results.
    pub fn names(&self) -> Vec<String> {
        match self.count {
            1 => vec![self.result.clone()],
            count => (0..count).map(|number| format!("{}#{number}", self.result)).collect(),
        }
    }

    /// The value of an attribute.
    ///
    /// # Errors
    ///
    /// If there is none of this name.
    pub fn attribute(&self, name: &str) -> Result<&str, String> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| &value[..]).ok_or_else(|| format!("it has no attribute `{name}`"))
    }

    /// An attribute `array<i64: 1, 2>`, or the list after `name = ` within an attribute such as `#stablehlo.gather<…>`.
    ///
    /// # Errors
    ///
    /// If there is none of this name, or if it has other elements.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>, String> {
        integers(self.attribute(name)?)
    }

    /// [`integers`](Self::integers) that are not negative.
    ///
    /// # Errors
    ///
    /// As `integers`.
    pub fn usizes(&self, name: &str) -> Result<Vec<usize>, String> {
        not_negative(name, self.integers(name)?)
    }

    /// An attribute such as `3 : i64`.
    ///
    /// # Errors
    ///
    /// As [`integers`](Self::integers).
    pub fn integer(&self, name: &str) -> Result<i64, String> {
        let value = self.attribute(name)?;
        let number = value.split_once(':').map_or(value, |(number, _)| number).trim();
        number.parse().map_err(|_| format!("the attribute `{name}` is no integer"))
    }

    /// A list within a structured attribute, `name = [0, 1]` or `name = 1`; empty if it is not there.
    ///
    /// # Errors
    ///
    /// As [`integers`](Self::integers).
    pub fn within(&self, attribute: &str, name: &str) -> Result<Vec<usize>, String> {
        let value = self.attribute(attribute)?;
        let Some((_, rest)) = value.split_once(&format!("{name} = ")) else {
            return Ok(Vec::new());
        };
        let end = if rest.starts_with('[') { rest.find(']') } else { rest.find([',', '>']) };
        let list = &rest[..end.ok_or("an attribute does not end")?];
        not_negative(name, integers(list)?)
    }

    /// An attribute `dense<[[0, 1]]> : tensor<1x2xi64>` of pairs.
    ///
    /// # Errors
    ///
    /// As [`integers`](Self::integers).
    pub fn pairs(&self, name: &str) -> Result<Vec<[i64; 2]>, String> {
        let value = self.attribute(name)?;
        let value = value.split_once(" : ").map_or(value, |(value, _)| value);
        let numbers = integers(value.trim_start_matches("dense"))?;
        Ok(numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
    }

    /// The bytes of the elements of a constant; those of one element if all are the same.
    ///
    /// # Errors
    ///
    /// If they are written in another way than by `Program::to_stablehlo`.
    pub fn elements(&self) -> Result<Vec<u8>, String> {
        let (value, element) = (self.attribute("value")?, self.results[0].element);
        let (_, rest) = value.split_once("dense<").ok_or("a constant that is not dense")?;
        let end = rest.rfind("> :").ok_or("a constant that does not end")?;
        let elements = &rest[..end];
        match elements.strip_prefix("\"0x").and_then(|rest| rest.strip_suffix('"')) {
            Some(bytes) => bytes_of_hex(bytes),
            None if elements.is_empty() => Ok(element.bytes_of(0.0)),
            None => scalar(elements, element),
        }
    }
}

fn not_negative(name: &str, numbers: Vec<i64>) -> Result<Vec<usize>, String> {
    let numbers = numbers.into_iter().map(usize::try_from).collect::<Result<_, _>>();
    numbers.map_err(|_| format!("`{name}` has a negative number"))
}

/// All integers of a text, such as `array<i64: 1, 2>`.
fn integers(text: &str) -> Result<Vec<i64>, String> {
    let text = text.strip_prefix("array<i64").map_or(text, |rest| rest.trim_start_matches(':'));
    let numbers =
        text.split(|c: char| !(c.is_ascii_digit() || c == '-')).filter(|part| !part.is_empty());
    numbers.map(|part| part.parse().map_err(|_| format!("`{part}` is no integer"))).collect()
}

/// Reads a module with the function `main`.
///
/// # Errors
///
/// If the text has none, or not in the generic form.
pub fn parse(text: &str) -> Result<Function, String> {
    let start = text.find("@main(").ok_or("the text has no function `main`")? + "@main".len();
    let mut reader = Reader { text, at: start, depth: DEEPEST };
    let arguments = split(reader.group('(', ')')?);
    let arguments = arguments.iter().map(|argument| {
        let (name, ty) = argument.split_once(':').ok_or("an argument has no type")?;
        // A type may have attributes, such as a sharding.
        let ty = ty.split_once('{').map_or(ty, |(ty, _)| ty);
        Ok((name.trim().to_owned(), type_of(ty)?))
    });
    let arguments = arguments.collect::<Result<Vec<_>, String>>()?;
    reader.skip_to('{', "the body of the function")?;
    // The types of results may have attributes in braces.
    while !reader.rest().starts_with("{\n") {
        reader.group('{', '}')?;
        reader.skip_to('{', "the body of the function")?;
    }
    reader.at += 1;
    let (operations, results) = reader.operations("return")?;
    reader.skip_to('\n', "the end of the function")?;
    if !reader.take("}") {
        return Err("the text ends before the end of the function".to_owned());
    }
    Ok(Function { arguments, operations, results })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// How many more regions may be nested.
    depth: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn skip_to(&mut self, what: char, of: &str) -> Result<(), String> {
        self.at += self.rest().find(what).ok_or_else(|| format!("the text ends before {of}"))?;
        Ok(())
    }

    fn take(&mut self, expected: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(expected);
        self.at += if found { expected.len() } else { 0 };
        found
    }

    /// What is between two brackets, the first of which comes next.
    fn group(&mut self, open: char, close: char) -> Result<&'a str, String> {
        self.skip_spaces();
        let rest = self.rest();
        if !rest.starts_with(open) {
            let found: String = rest.chars().take(30).collect();
            return Err(format!(
                "`{open}` is expected, and there is `{found}`: is the text in the generic form?"
            ));
        }
        let (mut depth, mut is_quoted) = (0_usize, false);
        for (index, c) in rest.char_indices() {
            match c {
                '"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                c if c == open => depth += 1,
                c if c == close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at += index + 1;
                return Ok(&rest[1..index]);
            }
        }
        Err(format!("the text ends before `{close}`"))
    }

    /// A name such as `%12`, `%arg0` or `%3#1`.
    fn name(&mut self) -> Result<String, String> {
        self.skip_spaces();
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '%' | '#');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if end == 0 || !rest.starts_with('%') {
            let found: String = rest.chars().take(30).collect();
            return Err(format!(
                "a name is expected, and there is `{found}`: is the text in the generic form?"
            ));
        }
        self.at += end;
        Ok(rest[..end].to_owned())
    }

    /// Operations up to the one that returns, and what it returns.
    fn operations(&mut self, last: &str) -> Result<(Vec<Operation>, Vec<String>), String> {
        let mut operations = Vec::new();
        loop {
            if self.take(last) {
                let end = self.rest().find([':', '\n']).unwrap_or(self.rest().len());
                let names = self.rest()[..end].trim().trim_start_matches('(').trim_end_matches(')');
                return Ok((operations, split(names).into_iter().map(str::to_owned).collect()));
            }
            operations.push(self.operation()?);
        }
    }

    fn operation(&mut self) -> Result<Operation, String> {
        let mut result = self.name()?;
        let mut count = 1;
        if self.rest().starts_with(':') {
            let digits: String =
                self.rest()[1..].chars().take_while(char::is_ascii_digit).collect();
            self.at += 1 + digits.len();
            count = digits.parse().map_err(|_| "the number of results is missing")?;
            if count == 1 {
                result += "#0";
            }
        }
        if !self.take("=") || !self.take("\"stablehlo.") {
            let found: String = self.rest().chars().take(30).collect();
            return Err(format!(
                "an operation of StableHLO is expected, and there is `{found}`: is the text in the generic form?"
            ));
        }
        let end = self.rest().find('"').ok_or("the name of an operation does not end")?;
        let name = self.rest()[..end].to_owned();
        self.at += end + 1;
        let operands = split(self.group('(', ')')?).into_iter().map(str::to_owned).collect();
        self.skip_spaces();
        let mut regions = Vec::new();
        if self.rest().starts_with('(') {
            let depth = self.depth.checked_sub(1);
            let depth = depth.ok_or_else(|| format!("regions are nested {DEEPEST} deep"))?;
            let mut inner = Reader { text: self.group('(', ')')?, at: 0, depth };
            loop {
                let text = inner.group('{', '}')?;
                regions.push(region(text, depth)?);
                if !inner.take(",") {
                    break;
                }
            }
        }
        self.skip_spaces();
        let mut attributes = Vec::new();
        if self.rest().starts_with('{') {
            for attribute in split(self.group('{', '}')?) {
                let (key, value) = attribute.split_once('=').ok_or("an attribute has no value")?;
                attributes.push((key.trim().to_owned(), value.trim().to_owned()));
            }
        }
        if !self.take(":") {
            return Err(format!("`{name}` has no type: is the text in the generic form?"));
        }
        self.group('(', ')')?;
        if !self.take("->") {
            return Err(format!("`{name}` has no type of results"));
        }
        self.skip_spaces();
        let types = match self.rest().starts_with('(') {
            true => self.group('(', ')')?,
            false => {
                let end = self.rest().find('>').ok_or("a type does not end")? + 1;
                let ty = &self.rest()[..end];
                self.at += end;
                ty
            }
        };
        let results = split(types).into_iter().map(type_of).collect::<Result<Vec<_>, _>>()?;
        if results.len() != count {
            return Err(format!("`{name}` has {count} results and {} types", results.len()));
        }
        Ok(Operation { result, count, name, operands, regions, attributes, results })
    }
}

/// `^bb0(%a: tensor<f32>, …): operations`; without arguments the operations alone.
fn region(text: &str, depth: usize) -> Result<Region, String> {
    let mut reader = Reader { text, at: 0, depth };
    let mut arguments = Vec::new();
    if reader.take("^") {
        reader.skip_to('(', "the arguments of a region")?;
        for argument in split(reader.group('(', ')')?) {
            let (name, ty) = argument.split_once(':').ok_or("an argument has no type")?;
            arguments.push((name.trim().to_owned(), type_of(ty)?));
        }
        if !reader.take(":") {
            return Err("a region has no operations".to_owned());
        }
    }
    let (operations, results) = reader.operations("\"stablehlo.return\"")?;
    Ok(Region { arguments, operations, results })
}

/// The parts between commas that are in no brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut is_quoted, mut last) =
        (Vec::new(), 0_usize, 0, false, ' ');
    for (index, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' | '<' => depth += 1,
            // Not that of an arrow.
            '>' if last == '-' => {}
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
        last = c;
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// A type such as `tensor<2x3xf32>`.
fn type_of(text: &str) -> Result<Type, String> {
    let text = text.trim();
    let inner = text.strip_prefix("tensor<").and_then(|rest| rest.strip_suffix('>'));
    let inner =
        inner.ok_or_else(|| format!("`{text}` is not the type of a tensor of static sizes"))?;
    let mut parts: Vec<&str> = inner.split('x').collect();
    let element = parts.pop().unwrap_or("");
    let sizes = parts.iter().map(|part| part.parse());
    let sizes = sizes.collect::<Result<Vec<usize>, _>>();
    let sizes =
        sizes.map_err(|_| format!("`{text}` is not the type of a tensor of static sizes"))?;
    let rust = match element.strip_prefix("ui") {
        Some(bits) => format!("u{bits}"),
        None if element == "i1" => "bool".to_owned(),
        None => element.to_owned(),
    };
    let element = Element::named(&rust).ok_or_else(|| format!("elements of `{text}`"))?;
    // With the bytes of an element, as far as there are any.
    let bytes = sizes.iter().filter(|&&size| size > 0).try_fold(8_usize, |bytes, &size| {
        bytes.checked_mul(size).filter(|&bytes| isize::try_from(bytes).is_ok())
    });
    bytes.ok_or_else(|| format!("`{text}` has more elements than there are addresses"))?;
    Ok(Type { sizes, element })
}

/// The bytes of pairs of hexadecimal digits.
fn bytes_of_hex(text: &str) -> Result<Vec<u8>, String> {
    let digit = |digit: u8| (digit as char).to_digit(16).ok_or("a constant with a wrong digit");
    let pairs = text.as_bytes().chunks_exact(2);
    pairs.map(|pair| Ok((digit(pair[0])? * 16 + digit(pair[1])?) as u8)).collect()
}

/// The bytes of one element: `true`, `-3`, `1.5e0`, or the bits `0x3F800000`.
fn scalar(text: &str, element: Element) -> Result<Vec<u8>, String> {
    let wrong = || format!("a constant `{text}`");
    if let Some(digits) = text.strip_prefix("0x") {
        let mut bytes = bytes_of_hex(digits)?;
        bytes.reverse();
        return if bytes.len() == element.bytes() { Ok(bytes) } else { Err(wrong()) };
    }
    if element.is_float() || element == Element::Bool {
        let number = match text {
            "true" => 1.0,
            "false" => 0.0,
            _ => text.parse().map_err(|_| wrong())?,
        };
        return Ok(element.bytes_of(number));
    }
    let number: i128 = text.parse().map_err(|_| wrong())?;
    Ok(number.to_le_bytes()[..element.bytes()].to_vec())
}
