//! The header of a `.npy` file: a Python dictionary of three entries.
//!
//! ```text
//! \x93NUMPY 1 0 118 0 {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   …\n
//! ```

use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::element::{NAMES, bytes_of, check_rank, checked_bytes};
use crate::error::{Error, Problem};

const MAGIC: [u8; 6] = *b"\x93NUMPY";

/// The maximum length of a header. NumPy's own limit is 10,000 characters, beyond which it requires
/// an explicit opt-in.
const LONGEST: usize = 1 << 16;

/// The most bytes of the name of an element type.
const LONGEST_ELEMENT: usize = 64;

/// Whether a file begins as a `.npy` file.
pub fn is_npy(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

/// The byte order of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// The least significant byte first.
    Little,
    /// The most significant byte first.
    Big,
}

/// The description of the array of a file.
#[derive(Debug, PartialEq)]
pub struct Header {
    /// The element type as Rust names it, `f32`, or as NumPy does where Rust has none, without the byte order: `c8`.
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
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is malformed.
    pub fn read(reader: &mut impl Read) -> Result<Self, Error> {
        let short = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::format("the file ends within its header"),
            _ => error.into(),
        };
        let mut start = [0; 6];
        reader.read_exact(&mut start).map_err(short)?;
        if start != MAGIC {
            return Err(Error::format(format!("not a .npy file: it begins with {start:02x?}")));
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
                return Err(Error::format(format!(
                    "version {major}.{minor} of the .npy format, and 1.0 to 3.0 are known"
                )));
            }
        };
        if len > LONGEST {
            return Err(Error::format(format!(
                "a header of {len} bytes, and one of an array takes less than {LONGEST}"
            )));
        }
        let mut text = vec![0; len];
        reader.read_exact(&mut text).map_err(short)?;
        let text = String::from_utf8(text).map_err(|_| Error::format("the header is not text"))?;
        let header = Parser { text: &text, at: 0 }.header()?;
        check_rank(header.sizes.len())?;
        Ok(header)
    }

    /// [`read`](Self::read) of a file that has all elements.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), and if the file ends before the elements end.
    pub fn of_file(mut file: impl Read + Seek) -> Result<Self, Error> {
        let header = Self::read(&mut file)?;
        let start = file.stream_position()?;
        let found = file.seek(SeekFrom::End(0))?.saturating_sub(start);
        // How many bytes an element of another type has is not known.
        let expected = match NAMES.contains(&&header.element[..]) {
            true => checked_bytes(&header.sizes, &header.element)?.1,
            false => 0,
        };
        match usize::try_from(found).unwrap_or(usize::MAX) {
            found if found < expected => Err(Problem::Truncated { expected, found }.into()),
            _ => Ok(header),
        }
    }
}

/// A reader of the dictionary. Its grammar does not nest, so it does not recurse.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn header(mut self) -> Result<Header, Error> {
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
        let missing = |key| Error::format(format!("the header has no `{key}`"));
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

    fn expect(&mut self, token: char) -> Result<(), Error> {
        if self.take(token) { Ok(()) } else { self.fail(&format!("expected `{token}`")) }
    }

    fn fail<T>(&mut self, message: &str) -> Result<T, Error> {
        let (start, rest) = (self.at, self.rest());
        let shown: String = rest.chars().take(20).collect();
        Err(Error::format(format!(
            "the header is malformed at byte {start}: {message}, found {shown:?}"
        )))
    }

    /// A string without escapes, like all keys and types.
    fn string(&mut self) -> Result<&'a str, Error> {
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
    fn descr(&mut self) -> Result<(String, Endian), Error> {
        if self.rest().starts_with('[') {
            return Err(Error::format(
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
        if element != "?" && !element.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let message = format!("the element type `{name}`, which NumPy does not have");
            return Err(Error::format(message));
        }
        Ok((rust_name(element), endian))
    }

    fn boolean(&mut self) -> Result<bool, Error> {
        for (word, value) in [("True", true), ("False", false)] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.fail("expected `True` or `False`")
    }

    /// `()`, `(3,)`, `(2, 3)`; Python 2 wrote `3L`.
    fn tuple(&mut self) -> Result<Vec<u64>, Error> {
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

/// An element type of NumPy, without the byte order, as Rust names it; as NumPy does if Rust has none.
fn rust_name(numpy: &str) -> String {
    let is_count = |text: &str| !text.starts_with('0') && text.bytes().all(|c| c.is_ascii_digit());
    match numpy.split_at_checked(1) {
        // NumPy writes `b1` for bool; `?` is its other name.
        Some(("?", "") | ("b", "1")) => "bool".to_owned(),
        Some((class @ ("f" | "i" | "u"), bytes)) if is_count(bytes) => {
            let bits = bytes.parse::<u32>().ok().and_then(|bytes| bytes.checked_mul(8));
            bits.map_or_else(|| numpy.to_owned(), |bits| format!("{class}{bits}"))
        }
        _ => numpy.to_owned(),
    }
}

/// An element type of Rust, as in a header.
///
/// # Errors
///
/// If NumPy has no such type.
pub fn descr(element: &str) -> io::Result<String> {
    if element == "bf16" {
        let message = format!("NumPy has no {element}: `cast` to f32 first");
        return Err(io::Error::new(io::ErrorKind::Unsupported, message));
    }
    let bytes = bytes_of(element);
    Ok(format!("{}{}{bytes}", if bytes == 1 { '|' } else { '<' }, &element[..1]))
}

/// Writes the header, so that elements begin at a multiple of 64 bytes.
///
/// # Errors
///
/// If it cannot be written, or if NumPy has no such element type.
pub fn write(writer: &mut impl Write, element: &str, sizes: &[usize]) -> io::Result<()> {
    let shape = match sizes {
        [size] => format!("({size},)"),
        _ => {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            format!("({})", sizes.join(", "))
        }
    };
    let mut text =
        format!("{{'descr': '{}', 'fortran_order': False, 'shape': {shape}, }}", descr(element)?);
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
