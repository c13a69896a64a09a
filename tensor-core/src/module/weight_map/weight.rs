//! [`Weight`]: a tensor made of those of a file.

use core::fmt;
use std::collections::HashMap;

use crate::io::{Checkpoint, ReadError, any_array};
use tensor_array::array::history::AnyArray;

/// How a tensor is made of stored ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    Stored(String),
    /// The only element of an array.
    Number(Box<Self>),
    /// The last two axes are swapped.
    Transposed(Box<Self>),
    /// Axis 0, `[outer · inner · n]`, is one of `[inner · outer · n]`.
    Regrouped {
        of: Box<Self>,
        groups: [usize; 2],
    },
    /// `len` indices along an axis, from `start` on.
    Part {
        of: Box<Self>,
        axis: usize,
        start: usize,
        len: usize,
    },
    Joined {
        of: Vec<Self>,
        axis: usize,
    },
}

impl Weight {
    /// Calls `each` with the name of each stored tensor.
    pub(super) fn for_each_stored<'a>(&'a self, each: &mut impl FnMut(&'a str)) {
        match self {
            Self::Stored(name) => each(name),
            Self::Number(of)
            | Self::Transposed(of)
            | Self::Regrouped { of, .. }
            | Self::Part { of, .. } => of.for_each_stored(each),
            Self::Joined { of, .. } => of.iter().for_each(|of| of.for_each_stored(each)),
        }
    }

    /// Whether a rule transposes it, or a part of it.
    pub(super) fn is_transposed(&self) -> bool {
        match self {
            Self::Stored(_) => false,
            Self::Transposed(_) => true,
            Self::Number(of) | Self::Regrouped { of, .. } | Self::Part { of, .. } => {
                of.is_transposed()
            }
            Self::Joined { of, .. } => of.iter().any(Self::is_transposed),
        }
    }

    /// The last part of the name in the file: `weight`, `kernel`, `embedding`.
    pub(super) fn kind(&self) -> &str {
        let mut kind = "";
        self.for_each_stored(&mut |name| {
            kind = name.rsplit_once('.').map_or(name, |(_, last)| last);
        });
        kind
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored(name) => f.write_str(name),
            Self::Number(of) => write!(f, "{of}, its element"),
            Self::Transposed(of) => write!(f, "{of} transposed"),
            Self::Regrouped { of, groups: [outer, inner] } => {
                write!(f, "{of} regrouped from [{outer}, {inner}] to [{inner}, {outer}]")
            }
            Self::Part { of, axis, start, len } => {
                write!(f, "{of} [{start}..{} of axis {axis}]", start + len)
            }
            Self::Joined { of, axis } => {
                for (number, of) in of.iter().enumerate() {
                    let before = if number == 0 { "" } else { " + " };
                    write!(f, "{before}{of}")?;
                }
                write!(f, " joined along axis {axis}")
            }
        }
    }
}

/// Where stored tensors come from: a file, or a model.
pub(super) trait TensorSource {
    fn array(&self, name: &str) -> Result<AnyArray, ReadError>;
}

impl TensorSource for Checkpoint {
    fn array(&self, name: &str) -> Result<AnyArray, ReadError> {
        any_array::read(&self.records()[name])
    }
}

impl TensorSource for HashMap<String, AnyArray> {
    fn array(&self, name: &str) -> Result<AnyArray, ReadError> {
        Ok(self[name].clone())
    }
}

/// Makes tensors of stored ones. Those that several tensors are made of are read once.
pub(super) struct Maker<'a> {
    stored: &'a dyn TensorSource,
    /// How many times each stored tensor is still read.
    uses: HashMap<String, usize>,
    kept: HashMap<String, AnyArray>,
}

impl<'a> Maker<'a> {
    pub(super) fn new<'w>(
        weights: impl IntoIterator<Item = &'w Weight>,
        stored: &'a dyn TensorSource,
    ) -> Self {
        let mut uses = HashMap::new();
        for weight in weights {
            weight.for_each_stored(&mut |name| *uses.entry(name.to_owned()).or_default() += 1);
        }
        Self { stored, uses, kept: HashMap::new() }
    }

    pub(super) fn make(&mut self, weight: &Weight) -> Result<AnyArray, ReadError> {
        Ok(match weight {
            Weight::Stored(name) => self.stored(name)?,
            Weight::Number(of) => any_array::number(&self.make(of)?)?,
            Weight::Transposed(of) => any_array::transposed(&self.make(of)?)?,
            Weight::Regrouped { of, groups } => any_array::regrouped(&self.make(of)?, *groups)?,
            Weight::Part { of, axis, start, len } => {
                any_array::part(&self.make(of)?, *axis, *start..start + len)?
            }
            Weight::Joined { of, axis } => {
                let arrays: Result<Vec<AnyArray>, _> = of.iter().map(|of| self.make(of)).collect();
                any_array::joined(&arrays?, *axis)?
            }
        })
    }

    /// A stored tensor, which is kept as long as it is read again.
    fn stored(&mut self, name: &str) -> Result<AnyArray, ReadError> {
        let uses = self.uses.get_mut(name);
        let is_last = uses.is_none_or(|uses| {
            *uses = uses.saturating_sub(1);
            *uses == 0
        });
        if let Some(kept) = self.kept.get(name) {
            let array = kept.clone();
            if is_last {
                self.kept.remove(name);
            }
            return Ok(array);
        }
        let array = self.stored.array(name)?;
        if !is_last {
            self.kept.insert(name.to_owned(), array.clone());
        }
        Ok(array)
    }
}
