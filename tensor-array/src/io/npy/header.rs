//! The header of a `.npy` file: a Python dictionary of three entries.
//!
//! ```text
//! \x93NUMPY 1 0 118 0 {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   …\n
//! ```

use std::io::{self, Read, Write};

use crate::io::bytes::{Endian, FileElement, npy_name};
use crate::io::{ReadError, check_rank};

const MAGIC: [u8; 6] = *b"\x93NUMPY";

/// The maximum length of a header. NumPy's own limit is 10,000 characters, beyond which it requires
/// an explicit opt-in.
const LONGEST: usize = 1 << 16;

/// The most bytes of the name of an element type.
const LONGEST_ELEMENT: usize = 64;

/// The description of the array of a file.
#[derive(Debug, PartialEq)]
pub struct Header {
    /// The element type, without the byte order: `f4`.
    pub element: String,
    /// The byte order of the elements.
    pub endian: Endian,
    /// Whether the first axis varies fastest.
    pub fortran_order: bool,
    /// The sizes of the axes.
    pub sizes: Vec<u64>,
}

impl Header {
    /// Reads up to the first element.
    pub fn read(reader: &mut impl Read) -> Result<Self, ReadError> {
        let short = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => ReadError::format("the file ends within its header"),
            _ => error.into(),
        };
        let mut start = [0; 6];
        reader.read_exact(&mut start).map_err(short)?;
        if start != MAGIC {
            return Err(ReadError::format(format!("not a .npy file: it begins with {start:02x?}")));
        }
        let mut version = [0; 2];
        reader.read_exact(&mut version).map_err(short)?;
        let len = match version {
            [1, 0] => {
                let mut len = [0; 2];
                reader.read_exact(&mut len).map_err(short)?;
                usize::from(u16::from_le_bytes(len))
            }
            [2 | 3, 0] => {
                let mut len = [0; 4];
                reader.read_exact(&mut len).map_err(short)?;
                u32::from_le_bytes(len) as usize
            }
            [major, minor] => {
                return Err(ReadError::format(format!(
                    "version {major}.{minor} of the .npy format, and 1.0 to 3.0 are known"
                )));
            }
        };
        if len > LONGEST {
            return Err(ReadError::format(format!(
                "a header of {len} bytes, and one of an array takes less than {LONGEST}"
            )));
        }
        let mut text = vec![0; len];
        reader.read_exact(&mut text).map_err(short)?;
        let text =
            String::from_utf8(text).map_err(|_| ReadError::format("the header is not text"))?;
        let header = Parser { text: &text, at: 0 }.header()?;
        check_rank(header.sizes.len())?;
        Ok(header)
    }
}

/// A reader of the dictionary. Its grammar does not nest, so it does not recurse.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn header(mut self) -> Result<Header, ReadError> {
        let (mut descr, mut fortran_order, mut sizes) = (None, None, None);
        self.expect('{')?;
        while !self.take('}') {
            let key = self.string()?;
            self.expect(':')?;
            let known = match key {
                "descr" => descr.replace(self.descr()?).is_none(),
                "fortran_order" => fortran_order.replace(self.boolean()?).is_none(),
                "shape" => sizes.replace(self.tuple()?).is_none(),
                _ => return self.fail(&format!("unknown key `{key}`")),
            };
            if !known {
                return self.fail(&format!("`{key}` is given twice"));
            }
            if !self.take(',') {
                self.expect('}')?;
                break;
            }
        }
        if !self.rest().is_empty() {
            return self.fail("nothing may follow `}`");
        }
        let missing = |key| ReadError::format(format!("the header has no `{key}`"));
        let (element, endian) = descr.ok_or_else(|| missing("descr"))?;
        Ok(Header {
            element,
            endian,
            fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
            sizes: sizes.ok_or_else(|| missing("shape"))?,
        })
    }

    /// The remaining text, without leading spaces.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_ascii_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn take(&mut self, token: char) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, token: char) -> Result<(), ReadError> {
        if self.take(token) { Ok(()) } else { self.fail(&format!("expected `{token}`")) }
    }

    fn fail<T>(&mut self, message: &str) -> Result<T, ReadError> {
        let (start, rest) = (self.at, self.rest());
        let shown: String = rest.chars().take(20).collect();
        Err(ReadError::format(format!(
            "the header is malformed at byte {start}: {message}, found {shown:?}"
        )))
    }

    /// A string without escapes, like all keys and types.
    fn string(&mut self) -> Result<&'a str, ReadError> {
        let rest = self.rest();
        let Some(quote) = rest.chars().next().filter(|first| ['\'', '"'].contains(first)) else {
            return self.fail("expected a string");
        };
        match rest[1..].split_once(quote) {
            Some((string, _)) => {
                self.at += string.len() + 2;
                Ok(string)
            }
            None => self.fail("a string without an end"),
        }
    }

    /// An element type: `'<f4'`.
    fn descr(&mut self) -> Result<(String, Endian), ReadError> {
        if self.rest().starts_with('[') {
            return Err(ReadError::format(
                "the elements are records with several fields: save each field as an array of its own",
            ));
        }
        let name = self.string()?;
        let native = if cfg!(target_endian = "big") { Endian::Big } else { Endian::Little };
        let (endian, element) = match name.split_at_checked(1) {
            Some(("<" | "|", element)) => (Endian::Little, element),
            Some((">", element)) => (Endian::Big, element),
            Some(("=", element)) => (native, element),
            _ => (native, name),
        };
        if name.len() > LONGEST_ELEMENT {
            return self.fail("an element type has a shorter name");
        }
        // NumPy writes `|b1` for bool; `?` is its other name.
        Ok((if element == "?" { "b1" } else { element }.to_owned(), endian))
    }

    fn boolean(&mut self) -> Result<bool, ReadError> {
        for (word, value) in [("True", true), ("False", false)] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.fail("expected `True` or `False`")
    }

    /// `()`, `(3,)`, `(2, 3)`; Python 2 wrote `3L`.
    fn tuple(&mut self) -> Result<Vec<u64>, ReadError> {
        let mut sizes = Vec::new();
        self.expect('(')?;
        while !self.take(')') {
            let rest = self.rest();
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            match rest[..digits].parse() {
                Ok(size) => sizes.push(size),
                Err(_) => return self.fail("expected a size"),
            }
            self.at += digits;
            self.take('L');
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(sizes)
    }
}

/// The element type, as in a header.
pub fn descr<T: FileElement>() -> io::Result<String> {
    let Some(name) = npy_name::<T>() else {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("NumPy has no {}: `cast` to f32 first", T::NAME),
        ));
    };
    Ok(format!("{}{name}", if size_of::<T>() == 1 { '|' } else { '<' }))
}

/// Writes the header, so that elements begin at a multiple of 64 bytes.
pub(super) fn write<T: FileElement>(writer: &mut impl Write, sizes: &[usize]) -> io::Result<()> {
    let shape = match sizes {
        [size] => format!("({size},)"),
        _ => {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            format!("({})", sizes.join(", "))
        }
    };
    let mut text =
        format!("{{'descr': '{}', 'fortran_order': False, 'shape': {shape}, }}", descr::<T>()?);
    // Magic, version and length take 10 bytes, or 12 where the length has four; the last is a newline.
    let long = text.len() + 64 > usize::from(u16::MAX);
    let before = if long { 12 } else { 10 };
    let padding = (before + text.len() + 1).next_multiple_of(64) - (before + text.len() + 1);
    text.extend(core::iter::repeat_n(' ', padding));
    text.push('\n');
    writer.write_all(&MAGIC)?;
    match u16::try_from(text.len()) {
        Ok(len) if !long => {
            writer.write_all(&[1, 0])?;
            writer.write_all(&len.to_le_bytes())?;
        }
        _ => {
            writer.write_all(&[2, 0])?;
            writer.write_all(&(text.len() as u32).to_le_bytes())?;
        }
    }
    writer.write_all(text.as_bytes())
}
