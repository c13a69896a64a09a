//! Equations of `einsum` in NumPy's syntax: `"bij,bjk->bik"`.

use core::fmt;

use tensor_kernels::sizes::error::ShapeError;

use super::contraction::{LEADING, Labels};

/// The error of an `einsum`.
///
/// ```
/// use tensor_core::{DynTensor, EinsumError};
///
/// let a = DynTensor::full(&[2, 3], 1.0);
/// let error = DynTensor::einsum("ij,jk->ik", &[&a, &a]).unwrap_err();
/// assert_eq!(error.to_string(), "`j` has size 3 in operand 0 and size 2 in operand 1");
/// assert!(matches!(error, EinsumError::Sizes { letter: 'j', .. }));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EinsumError {
    /// The equation has a syntax error.
    Equation {
        /// The equation.
        equation: String,
        /// The position of the wrong character, in bytes.
        position: usize,
        /// The mistake.
        problem: &'static str,
    },
    /// The number of operands differs from that of the equation.
    Operands {
        /// The number of operands in the equation.
        expected: usize,
        /// The number of operands.
        found: usize,
    },
    /// The rank of an operand differs from its number of letters.
    Rank {
        /// The operand, counted from 0.
        operand: usize,
        /// Its number of letters.
        letters: usize,
        /// Its rank.
        rank: usize,
    },
    /// A letter has two sizes.
    Sizes {
        /// The letter.
        letter: char,
        /// The operand where it has the first size, and the one where it has the other.
        operands: [usize; 2],
        /// The sizes.
        sizes: [usize; 2],
    },
    /// Leading axes do not broadcast, or a result does not fit into memory.
    InvalidShape(ShapeError),
}

impl From<ShapeError> for EinsumError {
    fn from(error: ShapeError) -> Self {
        Self::InvalidShape(error)
    }
}

impl fmt::Display for EinsumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equation { equation, position, problem } => {
                write!(f, "{problem}, at position {position} of the equation {equation:?}")
            }
            Self::Operands { expected, found } => {
                write!(f, "the equation has {expected} operands, and {found} are given")
            }
            Self::Rank { operand, letters, rank } => write!(
                f,
                "the equation has {letters} letters for operand {operand}, which has rank {rank}; `...` represents any number of axes"
            ),
            Self::Sizes { letter, operands: [first, other], sizes: [left, right] } => write!(
                f,
                "`{letter}` has size {left} in operand {first} and size {right} in operand {other}"
            ),
            Self::InvalidShape(error) => error.fmt(f),
        }
    }
}

tensor_kernels::__debug_as_display!(EinsumError);

impl core::error::Error for EinsumError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::InvalidShape(error) => Some(error),
            _ => None,
        }
    }
}

/// An equation, with its letters as numbers.
pub(crate) struct Equation {
    pub operands: Vec<Labels>,
    pub result: Labels,
}

/// The parser of one side of an equation, or of an operand in it.
struct EquationParser<'a> {
    equation: &'a str,
    lists: Vec<Labels>,
}

impl Equation {
    /// # Errors
    ///
    /// At the first character that is wrong.
    pub(crate) fn read(equation: &str) -> Result<Self, EinsumError> {
        let error = |position, problem| EinsumError::Equation {
            equation: equation.to_owned(),
            position,
            problem,
        };
        let (left, right) = match equation.find("->") {
            Some(arrow) => (&equation[..arrow], Some(arrow + 2)),
            None => (equation, None),
        };
        let operands = EquationParser::read(equation, left, 0)?;
        let result = match right {
            Some(start) => {
                let lists = EquationParser::read(equation, &equation[start..], start)?;
                let [result] = &lists[..] else {
                    return Err(error(start, "expected one result after `->`"));
                };
                for (index, label) in result.iter().enumerate() {
                    if !operands.iter().any(|operand| operand.contains(label)) {
                        return Err(error(start, "a letter of the result is in no operand"));
                    }
                    if result[..index].contains(label) {
                        return Err(error(start, "a letter occurs twice in the result"));
                    }
                }
                result.clone()
            }
            None => implicit(&operands),
        };
        let has_leading = operands.iter().any(|operand| operand.contains(&LEADING));
        if has_leading && !result.contains(&LEADING) {
            return Err(error(right.unwrap_or(0), "the result has no `...`, and an operand has"));
        }
        Ok(Self { operands, result })
    }
}

/// The implicit result of an equation without one: the letters that occur once, in alphabetical order.
fn implicit(operands: &[Labels]) -> Labels {
    let mut letters: Vec<usize> = operands.iter().flatten().copied().collect();
    letters.sort_unstable();
    let has_leading = letters.contains(&LEADING);
    let once = letters.chunk_by(|a, b| a == b).filter(|letter| letter.len() == 1);
    let once = once.map(|letter| letter[0]).filter(|&letter| letter != LEADING);
    has_leading.then_some(LEADING).into_iter().chain(once).collect()
}

impl<'a> EquationParser<'a> {
    /// Parses the lists of letters of a part of an equation that starts at `start`.
    fn read(equation: &'a str, part: &str, start: usize) -> Result<Vec<Labels>, EinsumError> {
        let mut reader = Self { equation, lists: vec![Labels::new()] };
        let mut rest = part;
        while let Some(letter) = rest.chars().next() {
            let position = start + part.len() - rest.len();
            match letter {
                ' ' => {}
                ',' => reader.lists.push(Labels::new()),
                '.' if rest.starts_with("...") => {
                    if reader.list().contains(&LEADING) {
                        return Err(reader.error(position, "`...` occurs twice"));
                    }
                    reader.list().push(LEADING);
                    rest = &rest[2..];
                }
                letter if letter.is_ascii_alphabetic() => {
                    reader.list().push(usize::from(letter as u8));
                }
                _ => {
                    let problem = "expected a letter, `,`, `...` or `->`";
                    return Err(reader.error(position, problem));
                }
            }
            rest = &rest[letter.len_utf8()..];
        }
        Ok(reader.lists)
    }

    fn list(&mut self) -> &mut Labels {
        self.lists.last_mut().expect("there is a list from the start")
    }

    fn error(&self, position: usize, problem: &'static str) -> EinsumError {
        EinsumError::Equation { equation: self.equation.to_owned(), position, problem }
    }
}

/// Compares the sizes of all axes of one letter: those of one operand are equal, those of several operands are
/// equal or 1.
///
/// # Errors
///
/// If two differ, or an operand has another rank than letters.
pub(crate) fn check_sizes(equation: &Equation, shapes: &[&[usize]]) -> Result<(), EinsumError> {
    let (expected, found) = (equation.operands.len(), shapes.len());
    if expected != found {
        return Err(EinsumError::Operands { expected, found });
    }
    // Letter, operand and size.
    let mut seen: Vec<(usize, usize, usize)> = Vec::new();
    for (operand, (labels, sizes)) in equation.operands.iter().zip(shapes).enumerate() {
        let leading = labels.iter().position(|&label| label == LEADING);
        let letters = labels.len() - usize::from(leading.is_some());
        let rank = sizes.len();
        if rank < letters || (rank > letters && leading.is_none()) {
            return Err(EinsumError::Rank { operand, letters, rank });
        }
        for (index, &label) in labels.iter().enumerate() {
            let size = match leading {
                Some(dots) if index == dots => continue,
                Some(dots) if index > dots => sizes[rank + index - labels.len()],
                _ => sizes[index],
            };
            let differs = |&&(other, first, before): &&(usize, usize, usize)| {
                let stretches = first != operand && (before == 1 || size == 1);
                other == label && before != size && !stretches
            };
            if let Some(&(_, first, before)) = seen.iter().find(differs) {
                let letter = char::from(label as u8);
                let (operands, sizes) = ([first, operand], [before, size]);
                return Err(EinsumError::Sizes { letter, operands, sizes });
            }
            seen.push((label, operand, size));
        }
    }
    Ok(())
}
