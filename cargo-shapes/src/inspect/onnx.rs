//! The tensors of an ONNX model: initializers, and the values of `Constant` nodes. Elements are skipped.
//!
//! Source: `onnx.proto` of ONNX; the encoding of Protocol Buffers.

use std::io::{BufReader, Read, Seek, SeekFrom};

use tensor_files::element::check_rank;

use super::entry::Entry;

type Result<T> = std::result::Result<T, String>;

/// How deep graphs may be in nodes of other graphs.
const DEEPEST: usize = 16;

/// The most bytes of a name.
const LONGEST_NAME: u64 = 1 << 16;

/// The tensors of a model, in the order of the file.
pub(super) fn tensors(file: impl Read + Seek) -> Result<Vec<Entry>> {
    let mut file = BufReader::new(file);
    let end = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    file.rewind().map_err(|error| error.to_string())?;
    let mut reader = Reader { file, at: 0, entries: Vec::new() };
    reader.message(end, &mut |reader, number, field| match (number, field) {
        (7, Field::Bytes(end)) => reader.graph(end, DEEPEST),
        _ => Ok(()),
    })?;
    Ok(reader.entries)
}

/// The value of a field.
#[derive(Clone, Copy)]
enum Field {
    Number(u64),
    /// Bytes from the position of the reader to this one.
    Bytes(u64),
}

struct Reader<R> {
    file: BufReader<R>,
    at: u64,
    entries: Vec<Entry>,
}

/// What is done with a field of a message: its number and its value.
type Visit<'a, R> = &'a mut dyn FnMut(&mut Reader<R>, u64, Field) -> Result<()>;

impl<R: Read + Seek> Reader<R> {
    /// Visits the fields of the message that ends at `end`. What a visit does not read of a field is skipped.
    fn message(&mut self, end: u64, visit: Visit<'_, R>) -> Result<()> {
        while self.at < end {
            let key = self.varint()?;
            let (number, field) = match (key >> 3, key & 7) {
                (number, 0) => (number, Field::Number(self.varint()?)),
                (number, 1) => (number, Field::Bytes(self.at.saturating_add(8))),
                (number, 2) => {
                    let len = self.varint()?;
                    (number, Field::Bytes(self.at.saturating_add(len)))
                }
                (number, 5) => (number, Field::Bytes(self.at.saturating_add(4))),
                (_, other) => return Err(damaged(&format!("a field of kind {other}"))),
            };
            if let Field::Bytes(field_end) = field
                && field_end > end
            {
                return Err(damaged(&format!("a field ends at byte {field_end}, after {end}")));
            }
            visit(self, number, field)?;
            if let Field::Bytes(field_end) = field {
                self.skip_to(field_end)?;
            }
        }
        match self.at == end {
            true => Ok(()),
            false => Err(damaged(&format!("a message ends at byte {}, not {end}", self.at))),
        }
    }

    fn graph(&mut self, end: u64, depth: usize) -> Result<()> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(damaged(&format!("graphs are nested {DEEPEST} deep")));
        };
        self.message(end, &mut |reader, number, field| match (number, field) {
            (1, Field::Bytes(end)) => reader.node(end, depth),
            (5, Field::Bytes(end)) => {
                let entry = reader.tensor(end)?;
                reader.entries.push(entry);
                Ok(())
            }
            _ => Ok(()),
        })
    }

    /// A node. The value of a constant has the name of the node's first output.
    fn node(&mut self, end: u64, depth: usize) -> Result<()> {
        let (mut output, mut is_constant, mut value) = (None, false, None);
        self.message(end, &mut |reader, number, field| {
            match (number, field) {
                (2, Field::Bytes(end)) if output.is_none() => output = Some(reader.text(end)?),
                (4, Field::Bytes(end)) => is_constant = reader.text(end)? == "Constant",
                (5, Field::Bytes(end)) => {
                    let found = reader.attribute(end, depth)?;
                    value = value.take().or(found);
                }
                _ => {}
            }
            Ok(())
        })?;
        if let (true, Some(entry)) = (is_constant, value) {
            self.entries.push(Entry { name: output.unwrap_or_default(), ..entry });
        }
        Ok(())
    }

    /// An attribute of a node: its value if it is one of a constant. Graphs in it are those of branches and loops.
    fn attribute(&mut self, end: u64, depth: usize) -> Result<Option<Entry>> {
        let (mut name, mut tensor, mut count) = (String::new(), None, 0);
        self.message(end, &mut |reader, number, field| {
            match (number, field) {
                (1, Field::Bytes(end)) => name = reader.text(end)?,
                (5, Field::Bytes(end)) => tensor = Some(reader.tensor(end)?),
                (6 | 11, Field::Bytes(end)) => reader.graph(end, depth)?,
                // Floats have four bytes each; integers may be one after another.
                (7, Field::Bytes(end)) => count += (end - reader.at) / 4,
                (8, Field::Bytes(end)) => reader.varints(end, &mut |_| {
                    count += 1;
                    Ok(())
                })?,
                (8, Field::Number(_)) => count += 1,
                _ => {}
            }
            Ok(())
        })?;
        let (element, sizes) = match &name[..] {
            "value" => return Ok(tensor),
            "value_float" => ("f32", vec![]),
            "value_int" => ("i64", vec![]),
            "value_floats" => ("f32", vec![count]),
            "value_ints" => ("i64", vec![count]),
            _ => return Ok(None),
        };
        Ok(Some(Entry { name: String::new(), element: element.to_owned(), sizes }))
    }

    fn tensor(&mut self, end: u64) -> Result<Entry> {
        let (mut name, mut element, mut sizes) = (String::new(), 0, Vec::new());
        self.message(end, &mut |reader, number, field| {
            let mut push = |size| {
                sizes.push(size);
                check_rank(sizes.len()).map_err(|error| error.to_string())
            };
            match (number, field) {
                (1, Field::Number(size)) => push(size)?,
                (1, Field::Bytes(end)) => reader.varints(end, &mut push)?,
                (2, Field::Number(number)) => element = number,
                (8, Field::Bytes(end)) => name = reader.text(end)?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(Entry { name, element: element_of(element), sizes })
    }

    /// Numbers one after another.
    fn varints(&mut self, end: u64, visit: &mut dyn FnMut(u64) -> Result<()>) -> Result<()> {
        while self.at < end {
            let number = self.varint()?;
            visit(number)?;
        }
        Ok(())
    }

    /// A number in groups of seven bits, the lowest first.
    fn varint(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.file.read_exact(&mut byte).map_err(|_| self.short())?;
            self.at += 1;
            number |= u64::from(byte[0] & 0x7f) << shift;
            if byte[0] & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(damaged("a number of more than 64 bits"))
    }

    fn text(&mut self, end: u64) -> Result<String> {
        let len = end - self.at;
        if len > LONGEST_NAME {
            return Err(damaged(&format!("a name of {len} bytes")));
        }
        let mut bytes = vec![0; len as usize];
        self.file.read_exact(&mut bytes).map_err(|_| self.short())?;
        self.at = end;
        String::from_utf8(bytes).map_err(|_| damaged("a name that is not UTF-8"))
    }

    fn skip_to(&mut self, end: u64) -> Result<()> {
        match end.checked_sub(self.at).and_then(|len| i64::try_from(len).ok()) {
            Some(len) => self.file.seek_relative(len).map_err(|error| error.to_string())?,
            None => return Err(damaged(&format!("a field ends at byte {end}"))),
        }
        self.at = end;
        Ok(())
    }

    fn short(&self) -> String {
        damaged(&format!("it ends at byte {}", self.at))
    }
}

/// The error of a file that is no model, or not all of one.
fn damaged(problem: &str) -> String {
    format!(
        "an ONNX model that is damaged, or not all of one: {problem}: download or copy it again"
    )
}

/// The element type of a number, as Rust names it, or as ONNX does if Rust has none.
fn element_of(number: u64) -> String {
    const NAMES: [&str; 17] = [
        "undefined",
        "f32",
        "u8",
        "i8",
        "u16",
        "i16",
        "i32",
        "i64",
        "string",
        "bool",
        "f16",
        "f64",
        "u32",
        "u64",
        "complex64",
        "complex128",
        "bf16",
    ];
    let name = usize::try_from(number).ok().and_then(|number| NAMES.get(number));
    name.map_or_else(|| format!("onnx{number}"), |name| (*name).to_owned())
}
