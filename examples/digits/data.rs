//! Reading `digits.csv`.

#[path = "../data/mod.rs"]
mod data_folder;

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use tensor_core::{Tensor, shape};

use super::{Batch, Images, Labels};

use data_folder::repository;

pub const HEIGHT: usize = 8;
pub const WIDTH: usize = 8;
/// The value of a pixel that is all ink.
pub const INK: u8 = 16;

/// Images of digits and the digits that they show.
pub struct Digits {
    pub images: Images,
    pub labels: Labels,
}

/// A file that does not hold digits: where, what was expected, and what was found.
#[derive(Debug)]
pub struct DataError {
    file: PathBuf,
    /// Counted from 1; `None` for the file as a whole.
    line: Option<usize>,
    problem: String,
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for DataError {}

impl Digits {
    /// The file that comes with the example.
    pub fn bundled_file() -> PathBuf {
        repository().join("examples/data/digits.csv")
    }

    pub fn read(file: &Path) -> Result<Self, DataError> {
        let error = |line, problem| DataError { file: file.to_path_buf(), line, problem };
        let opened = File::open(file).map_err(|problem| {
            error(None, format!("expected a file of digits, but cannot open it: {problem}"))
        })?;
        let (mut pixels, mut labels) = (Vec::new(), Vec::new());
        for (index, line) in BufReader::new(opened).lines().enumerate() {
            let number = Some(index + 1);
            let line = line.map_err(|problem| {
                error(number, format!("expected text, but cannot read it: {problem}"))
            })?;
            let (row, label) = parse(&line).map_err(|problem| error(number, problem))?;
            pixels.extend(row.map(f32::from));
            labels.push(i64::from(label));
        }
        Self::from_rows(pixels, labels).map_err(|problem| error(None, problem))
    }

    fn from_rows(pixels: Vec<f32>, labels: Vec<i64>) -> Result<Self, String> {
        let count = labels.len();
        let images = Tensor::from_vec_shaped(shape![Batch(count), { HEIGHT * WIDTH }], pixels);
        let labels = Tensor::from_vec_shaped(shape![Batch(count)], labels);
        Ok(Self {
            images: images.map_err(|error| error.to_string())?,
            labels: labels.map_err(|error| error.to_string())?,
        })
    }

    /// All digits but the last `count`, and the last `count`.
    pub fn split_at_the_end(self, count: usize) -> Result<(Self, Self), String> {
        let total = self.labels.len();
        let Some(rest) = total.checked_sub(count).filter(|&rest| rest > 0) else {
            return Err(format!(
                "expected more than {count} digits, to hold {count} out and train on the others, found {total}"
            ));
        };
        let (mut pixels, mut labels) = (self.images.into_vec(), self.labels.into_vec());
        let last =
            Self::from_rows(pixels.split_off(rest * HEIGHT * WIDTH), labels.split_off(rest))?;
        Ok((Self::from_rows(pixels, labels)?, last))
    }
}

/// The pixels and the label of one line.
fn parse(line: &str) -> Result<([u8; HEIGHT * WIDTH], u8), String> {
    const NUMBERS: usize = HEIGHT * WIDTH + 1;
    let fields: Vec<&str> = line.split(',').collect();
    if fields.len() != NUMBERS {
        let found = fields.len();
        return Err(format!(
            "expected {NUMBERS} numbers ({} pixels and the digit), found {found}",
            NUMBERS - 1
        ));
    }
    let number = |index: usize, largest: u8, what: &str| {
        let field = fields[index].trim();
        field.parse().ok().filter(|&number| number <= largest).ok_or_else(|| {
            format!(
                "expected {what} from 0 to {largest} as number {} of the line, found `{field}`",
                index + 1
            )
        })
    };
    let mut pixels = [0; HEIGHT * WIDTH];
    for (index, pixel) in pixels.iter_mut().enumerate() {
        *pixel = number(index, INK, "a pixel")?;
    }
    Ok((pixels, number(NUMBERS - 1, 9, "a digit")?))
}
