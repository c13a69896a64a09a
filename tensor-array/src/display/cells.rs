//! Elements as text of one width, aligned at the decimal point.
//!
//! The rules are those of NumPy's `array2string`: the shortest digits that round-trip, at most 8 of
//! them after the point, and scientific notation for the whole tensor where its numbers are very
//! large, very small or of very different magnitudes.

use core::fmt;
use std::any::Any;

use tensor_kernels::element::{Element, Float};
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

/// Default number of digits after the point.
const DIGITS: usize = 8;

/// Writes one element in scientific notation, with this many digits after the point.
pub(super) type Scientific<T> = fn(&T, Option<usize>) -> String;

/// The caller's format.
pub(super) struct Style<T> {
    /// Exact number of digits after the point.
    pub(super) precision: Option<usize>,
    /// Scientific notation, if the format requires it.
    pub(super) scientific: Option<Scientific<T>>,
    /// Minimum width of a cell.
    pub(super) width: usize,
    /// Whether positive numbers get a sign.
    pub(super) plus: bool,
}

/// The elements as text of one width.
pub(super) fn cells<T: Element>(elements: &[T], style: &Style<T>) -> Vec<String> {
    let cells = match Floats::of(elements) {
        Some(mut floats) => {
            // An explicit precision is that of positional notation.
            floats.scientific = match style.scientific {
                Some(_) => true,
                None => floats.scientific && style.precision.is_none(),
            };
            floats.cells(style.precision, style.plus)
        }
        None => elements.iter().map(|element| integer(element, style)).collect(),
    };
    let longest = cells.iter().map(String::len).max();
    let width = longest.unwrap_or(0).max(style.width);
    cells.into_iter().map(|cell| format!("{cell:>width$}")).collect()
}

/// An element that is not a float.
fn integer<T: Element>(element: &T, style: &Style<T>) -> String {
    let text = match style.scientific {
        Some(scientific) => {
            let (mantissa, exponent) = parts(scientific(element, style.precision));
            with_exponent(&mantissa, exponent, 2)
        }
        None => element.to_string(),
    };
    with_sign(text, style.plus)
}

/// The text with a plus sign, if the format requires one and there is no minus sign.
fn with_sign(text: String, plus: bool) -> String {
    if plus && !text.starts_with('-') { format!("+{text}") } else { text }
}

/// `1.5e+03`
fn with_exponent(mantissa: &str, exponent: i32, digits: usize) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:0digits$}", exponent.unsigned_abs())
}

/// A single element: its shortest digits, unless the format has a precision.
pub(super) fn alone<T: Element>(element: T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match Floats::of(&[element]) {
        Some(Floats { numbers, .. }) => match numbers[0] {
            FloatCell { exact, .. } if exact.is_nan() => f.pad("nan"),
            FloatCell { exact, .. } if f.precision().is_some() => fmt::Debug::fmt(&exact, f),
            FloatCell { shown, .. } => fmt::Debug::fmt(&shown, f),
        },
        None => fmt::Display::fmt(&element, f),
    }
}

/// A floating-point number of any type.
struct FloatCell {
    exact: f64,
    /// The shortest decimal that round-trips, if finite.
    shown: f64,
}

/// Floating-point numbers of one type.
struct Floats {
    numbers: Vec<FloatCell>,
    /// Whether they are shown in scientific notation.
    scientific: bool,
}

impl Floats {
    /// The elements as numbers, if they are floating-point numbers.
    fn of<T: Element>(elements: &[T]) -> Option<Self> {
        macro_rules! first_type {
            ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {{
                let mut found = None;
                $($(#[$cfg])* first_type!(@$class $T found); )*
                found
            }};
            (@float $T:ident $found:ident) => {
                $found = $found.or_else(|| Self::of_type::<T, $T>(elements));
            };
            (@half $T:ident $found:ident) => { first_type!(@float $T $found) };
            (@$other:ident $T:ident $found:ident) => {};
        }
        for_each_element!(first_type)
    }

    /// The elements as numbers, if they are of type `X`.
    fn of_type<T: Element, X: Float>(elements: &[T]) -> Option<Self> {
        let as_float = |element: &T| (element as &dyn Any).downcast_ref::<X>().copied();
        let elements: Vec<X> = elements.iter().map(as_float).collect::<Option<_>>()?;
        let scientific = needs_exponents(&elements);
        let number = |&x: &X| FloatCell { exact: x.to_f64(), shown: shortest(x) };
        Some(Self { numbers: elements.iter().map(number).collect(), scientific })
    }

    /// Each number as text, with the largest number of digits after the point that any needs; mantissas
    /// are padded with zeros, other numbers with spaces.
    fn cells(&self, precision: Option<usize>, plus: bool) -> Vec<String> {
        let finite = || self.numbers.iter().filter(|number| number.exact.is_finite());
        let cell: Box<dyn Fn(&FloatCell) -> String> = if self.scientific {
            let parts = || finite().map(|number| number.scientific(precision));
            let digits = parts().map(|(mantissa, _)| fraction(&mantissa).len()).max().unwrap_or(0);
            let longest = parts().map(|(_, exponent)| exponent.unsigned_abs()).max().unwrap_or(0);
            let exponent_digits = longest.to_string().len().max(2);
            Box::new(move |number| {
                let (mut mantissa, exponent) = number.rounded(digits);
                if digits == 0 && precision.is_none() {
                    mantissa.push('.');
                }
                with_exponent(&mantissa, exponent, exponent_digits)
            })
        } else {
            let texts = finite().map(|number| number.positional(precision));
            let digits = texts.map(|text| fraction(&text).len()).max().unwrap_or(0);
            Box::new(move |number| {
                let text = number.positional(precision);
                let missing = digits - fraction(&text).len();
                format!("{text}{:missing$}", "")
            })
        };
        let cell = |number: &FloatCell| match number.exact {
            exact if exact.is_nan() => "nan".to_owned(),
            exact if exact.is_infinite() => with_sign(exact.to_string(), plus),
            _ => with_sign(cell(number), plus),
        };
        self.numbers.iter().map(cell).collect()
    }
}

/// Whether to use scientific notation: the largest number needs more digits than the type has, or more
/// than 8, the smallest is below 0.0001, or their ratio exceeds 1000.
fn needs_exponents<X: Float>(elements: &[X]) -> bool {
    let nonzero = elements.iter().filter(|x| x.is_finite() && **x != X::ZERO).map(|x| x.abs());
    let Some((smallest, largest)) = nonzero.fold(None, |range, x| match range {
        None => Some((x, x)),
        Some((smallest, largest)) => Some((x.minimum(smallest), x.maximum(largest))),
    }) else {
        return false;
    };
    let digits = (-X::EPSILON.to_f64().log10()).floor().min(8.0);
    largest >= X::from_f64(10_f64.powf(digits))
        || smallest < X::from_f64(0.0001)
        || largest.div(smallest) > X::from_f64(1000.0)
}

/// The shortest decimal that round-trips to `x`, as an `f64`.
fn shortest<X: Float>(x: X) -> f64 {
    let exact = x.to_f64();
    if size_of::<X>() == 2 && exact.is_finite() {
        // The 16-bit types print the digits of an `f32`; five are enough to distinguish them. Halfway
        // between two decimals the larger one is tried too: a power of two is nearer to the next number
        // below than to the one above.
        let away = exact * (1.0 + 4.0 * f64::EPSILON);
        for digits in 0..5 {
            for value in [exact, away] {
                let fewer = format!("{value:.digits$e}").parse().unwrap_or(exact);
                if X::from_f64(fewer) == x {
                    return fewer;
                }
            }
        }
    }
    x.to_string().parse().unwrap_or(exact)
}

/// The digits after the decimal point.
fn fraction(text: &str) -> &str {
    text.split_once('.').map_or("", |(_, fraction)| fraction)
}

/// The text with a point and without trailing zeros.
fn trimmed(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').to_owned(),
        false => text + ".",
    }
}

/// The parts of a number in scientific notation.
fn parts(text: String) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or(0))
}

impl FloatCell {
    /// Positional notation: `precision` digits after the point if given, else the shortest digits, at
    /// most 8.
    fn positional(&self, precision: Option<usize>) -> String {
        if let Some(precision) = precision {
            return format!("{:.precision$}", self.exact);
        }
        let text = self.shown.to_string();
        match fraction(&text).len() <= DIGITS {
            true => trimmed(text),
            false => trimmed(format!("{:.DIGITS$}", self.exact)),
        }
    }

    /// The mantissa and the exponent, with the digits of [`positional`](Self::positional).
    fn scientific(&self, precision: Option<usize>) -> (String, i32) {
        if let Some(precision) = precision {
            return self.rounded(precision);
        }
        let (mantissa, exponent) = parts(format!("{:e}", self.shown));
        if fraction(&mantissa).len() <= DIGITS {
            return (trimmed(mantissa), exponent);
        }
        let (mantissa, exponent) = self.rounded(DIGITS);
        (trimmed(mantissa), exponent)
    }

    /// The mantissa with this many digits after the point, and the exponent.
    fn rounded(&self, digits: usize) -> (String, i32) {
        parts(format!("{:.digits$e}", self.exact))
    }
}
