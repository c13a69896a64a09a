//! The meaning of the axis names in `rearrange!`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Error, Expr, Result};

use super::all;
use super::size::{Size, size};
use crate::parse::rearrange::{self as written, Given, GivenSize, Part, Rearrangement, Side};
use crate::parse::shape::Entry;

/// Axes that are split, moved and merged. Names are numbered in the order of the operand.
pub struct Moves {
    pub operand: Expr,
    /// The axes of the operand.
    pub from: Vec<Axis>,
    /// The axes of the result.
    pub to: Vec<Axis>,
    /// All names, by their number.
    pub names: Vec<Name>,
    /// Whether the operand has leading axes without names.
    pub leading: bool,
    /// Whether these are in front of the result, and not in parentheses.
    pub leading_in_front: bool,
    /// The span of the axes of the operand.
    pub span: Span,
}

/// Stands for all leading axes in the list of parts of an axis of the result.
pub const LEADING: usize = usize::MAX;

/// One axis of the operand or of the result.
pub enum Axis {
    One(Span),
    /// The axis with this number, and its span.
    Whole(usize, Span),
    /// An axis that is merged from the axes with these numbers.
    Parts {
        parts: Vec<(usize, Span)>,
        named: Option<TokenStream>,
        span: Span,
    },
}

/// The axis of a name.
pub struct Name {
    pub size: NameSize,
    /// Its span.
    pub span: Span,
}

/// The known information about the size of an axis.
pub enum NameSize {
    /// The size of an axis of the operand, or the quotient that the other parts of its group leave.
    Follows,
    /// The size is a static one.
    Size(Size),
    /// The size of an axis of the user, which may be known only at run time.
    Written { axis: TokenStream, is_run_time: bool },
    /// The quotient that the other parts leave, as an axis of this name.
    LeftOut(TokenStream),
}

impl NameSize {
    fn is_open(&self) -> bool {
        matches!(self, Self::Follows | Self::LeftOut(_))
    }

    /// Whether the sizes of the group of this axis are compared at run time.
    pub fn is_run_time(&self) -> bool {
        matches!(self, Self::LeftOut(_) | Self::Written { is_run_time: true, .. })
    }
}

/// # Errors
///
/// At the name that is wrong.
pub fn rearrange(written: Rearrangement) -> Result<Moves> {
    let Rearrangement { from, to, operand, sizes } = written;
    let mut names = Names { texts: Vec::new(), names: Vec::new(), in_groups: Vec::new() };
    let span = from.span;
    let leading = leading(&from, &to)?;
    let leading_in_front = to.leading.is_some();
    let from = all(from.axes.into_iter().map(|axis| names.of_operand(axis)))?;
    all(sizes.into_iter().map(|given| names.give(given)))?;
    for axis in &from {
        if let Axis::Parts { parts, .. } = axis {
            names.check_group(parts)?;
        }
    }
    let mut used = vec![false; names.names.len()];
    let to = all(to.axes.into_iter().map(|axis| names.of_result(axis, &mut used)))?;
    all(used.iter().enumerate().map(|(number, used)| {
        let text = &names.texts[number];
        let message = format!(
            "the result has no axis `{text}`: write it after `->`, or sum over it by `einsum!`"
        );
        if *used { Ok(()) } else { Err(Error::new(names.names[number].span, message)) }
    }))?;
    Ok(Moves { operand, from, to, names: names.names, leading, leading_in_front, span })
}

/// # Errors
///
/// Where one side alone has leading axes, or the result has them twice.
fn leading(from: &Side, to: &Side) -> Result<bool> {
    let in_parts = to.axes.iter().flat_map(|axis| match axis {
        written::Axis::Group { parts, .. } => &parts[..],
        _ => &[],
    });
    let in_parts = in_parts.filter_map(|part| match part {
        Part::Leading(dots) => Some(*dots),
        Part::Name(_) => None,
    });
    let mut all = to.leading.into_iter().chain(in_parts);
    match (from.leading, all.next(), all.next()) {
        (_, _, Some(again)) => Err(Error::new(again, "the result has `..` twice")),
        (Some(_), None, _) => Err(Error::new(
            to.span,
            "the result begins with `..`, as the operand does, or merges the leading axes into one, as `(..)`",
        )),
        (None, Some(dots), _) => Err(Error::new(dots, "the operand has no `..` for leading axes")),
        (from, ..) => Ok(from.is_some()),
    }
}

/// The names of the operand.
struct Names {
    texts: Vec<String>,
    names: Vec<Name>,
    /// Whether a name is in parentheses.
    in_groups: Vec<bool>,
}

impl Names {
    fn number(&self, name: &Ident) -> Option<usize> {
        let text = name.to_string();
        self.texts.iter().position(|other| *other == text)
    }

    fn add(&mut self, name: &Ident, in_group: bool) -> Result<(usize, Span)> {
        if self.number(name).is_some() {
            let message = format!(
                "the operand has the axis `{name}` twice: name one otherwise; `einsum!` takes diagonals"
            );
            return Err(Error::new(name.span(), message));
        }
        self.texts.push(name.to_string());
        self.in_groups.push(in_group);
        self.names.push(Name { size: NameSize::Follows, span: name.span() });
        Ok((self.names.len() - 1, name.span()))
    }

    fn of_operand(&mut self, axis: written::Axis) -> Result<Axis> {
        Ok(match axis {
            written::Axis::One(span) => Axis::One(span),
            written::Axis::Name(name) => {
                let (number, span) = self.add(&name, false)?;
                Axis::Whole(number, span)
            }
            written::Axis::Group { named: Some(named), .. } => {
                let message = "an axis of the operand has its type already: `as` gives one to an axis of the result";
                return Err(Error::new_spanned(named, message));
            }
            written::Axis::Group { parts, named: None, span } => {
                let parts = all(parts.iter().map(|part| match part {
                    Part::Name(name) => self.add(name, true),
                    Part::Leading(dots) => {
                        let message = "in the operand, `..` comes first, without parentheses; in the result, parentheses merge the leading axes";
                        Err(Error::new(*dots, message))
                    }
                }))?;
                Axis::Parts { parts, named: None, span }
            }
        })
    }

    fn of_result(&self, axis: written::Axis, used: &mut [bool]) -> Result<Axis> {
        let mut find = |name: &Ident| {
            let Some(number) = self.number(name) else {
                let message = format!(
                    "the operand has no axis `{name}`: a new axis of size 1 is `1`, which `expand` stretches"
                );
                return Err(Error::new(name.span(), message));
            };
            if core::mem::replace(&mut used[number], true) {
                let message = format!("the result has the axis `{name}` twice");
                return Err(Error::new(name.span(), message));
            }
            Ok((number, name.span()))
        };
        Ok(match axis {
            written::Axis::One(span) => Axis::One(span),
            written::Axis::Name(name) => {
                let (number, span) = find(&name)?;
                Axis::Whole(number, span)
            }
            written::Axis::Group { parts, named, span } => {
                let parts = all(parts.iter().map(|part| match part {
                    Part::Name(name) => find(name),
                    Part::Leading(dots) => Ok((LEADING, *dots)),
                }))?;
                Axis::Parts { parts, named, span }
            }
        })
    }

    /// Records `h = 8`.
    fn give(&mut self, given: Given) -> Result<()> {
        let Given { name, size: written } = given;
        let at = name.span();
        let Some(number) = self.number(&name) else {
            let message = format!("the operand has no axis `{name}`");
            return Err(Error::new(at, message));
        };
        if !self.in_groups[number] {
            let message = format!(
                "`{name}` is a whole axis of the operand and has its size: parts of an axis, as in `({name} d)`, are given sizes"
            );
            return Err(Error::new(at, message));
        }
        if !matches!(self.names[number].size, NameSize::Follows) {
            return Err(Error::new(at, format!("`{name}` has two sizes")));
        }
        self.names[number].size = match written {
            GivenSize::LeftOut(axis) => NameSize::LeftOut(axis),
            GivenSize::Entry(Entry::Size(written)) => NameSize::Size(size(written)?),
            GivenSize::Entry(Entry::Axis(axis)) => {
                let last = axis.clone().into_iter().last();
                let is_run_time = matches!(last, Some(proc_macro2::TokenTree::Group(_)));
                NameSize::Written { axis, is_run_time }
            }
            GivenSize::Entry(Entry::Lead { written, .. }) => {
                let message = "expected the size of one axis, as `h = 8`";
                return Err(Error::new_spanned(written, message));
            }
        };
        Ok(())
    }

    /// # Errors
    ///
    /// Where more than one size of a group is open, or the type of one is.
    fn check_group(&self, parts: &[(usize, Span)]) -> Result<()> {
        let is_open = |&&(number, _): &&(usize, Span)| self.names[number].size.is_open();
        let mut open = parts.iter().filter(is_open);
        let (Some(&(first, span)), second) = (open.next(), open.next()) else { return Ok(()) };
        let text = &self.texts[first];
        if let Some(&(second, span)) = second {
            let other = &self.texts[second];
            let message = format!(
                "neither `{text}` nor `{other}` has a size: give all but one after the operand, as `{text} = 8`"
            );
            return Err(Error::new(span, message));
        }
        let follows = matches!(self.names[first].size, NameSize::Follows);
        if follows && parts.iter().any(|&(number, _)| self.names[number].size.is_run_time()) {
            let message = format!(
                "the size of `{text}` is known at run time: name its axis after the operand, as `{text} = Seq(_)`"
            );
            return Err(Error::new(span, message));
        }
        Ok(())
    }
}
