//! Sizes that are known when a model is converted, up to those of named axes: polynomials with integer coefficients.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// A named axis, by its number in the list of them.
pub type Variable = usize;

/// A polynomial: the coefficients of products of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(BTreeMap<Vec<Variable>, i64>);

impl Sym {
    /// The size of a named axis.
    pub fn variable(variable: Variable) -> Self {
        Self(BTreeMap::from([(vec![variable], 1)]))
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&[][..]).copied(),
            _ => None,
        }
    }

    /// The number of elements along an axis of this size, if it is known.
    pub fn size(&self) -> Option<usize> {
        self.number().and_then(|number| usize::try_from(number).ok())
    }

    /// The axis, if it is the size of one.
    pub fn axis(&self) -> Option<Variable> {
        match self.0.iter().next() {
            Some((product, 1)) if self.0.len() == 1 && product.len() == 1 => Some(product[0]),
            _ => None,
        }
    }

    /// The products of variables and their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&[Variable], i64)> {
        self.0.iter().map(|(product, &coefficient)| (&product[..], coefficient))
    }

    /// The sum; `None` if it overflows.
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (product, &coefficient) in &other.0 {
            match sum.0.entry(product.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(coefficient);
                }
                Entry::Occupied(mut entry) => match entry.get().checked_add(coefficient)? {
                    0 => drop(entry.remove()),
                    new => *entry.get_mut() = new,
                },
            }
        }
        Some(sum)
    }

    /// The product; `None` if it overflows.
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut all = Self::default();
        for (left, &a) in &self.0 {
            for (right, &b) in &other.0 {
                let mut product = [&left[..], right].concat();
                product.sort_unstable();
                if product.len() > 16 {
                    return None;
                }
                let term = Self(BTreeMap::from([(product, a.checked_mul(b)?)]));
                all = all.plus(&term)?;
            }
        }
        Some(all)
    }

    /// The difference; `None` if it overflows.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(&Self::from(-1_i64))?)
    }

    /// The quotient, if `divisor` is one product that divides each of these.
    pub fn over(&self, divisor: &Self) -> Option<Self> {
        let (by, &coefficient) = divisor.0.iter().next().filter(|_| divisor.0.len() == 1)?;
        let mut quotient = Self::default();
        for (product, &a) in &self.0 {
            let mut rest = product.clone();
            for variable in by {
                rest.remove(rest.iter().position(|other| other == variable)?);
            }
            if a.checked_rem(coefficient)? != 0 {
                return None;
            }
            quotient.0.insert(rest, a.checked_div(coefficient)?);
        }
        Some(quotient)
    }
}

impl From<i64> for Sym {
    fn from(number: i64) -> Self {
        Self(BTreeMap::from_iter((number != 0).then(|| (Vec::new(), number))))
    }
}

impl From<usize> for Sym {
    fn from(size: usize) -> Self {
        Self::from(size as i64)
    }
}

/// The product of sizes; `None` if it overflows.
pub fn product<'a>(sizes: impl IntoIterator<Item = &'a Sym>) -> Option<Sym> {
    sizes.into_iter().try_fold(Sym::from(1_i64), |product, size| product.times(size))
}
