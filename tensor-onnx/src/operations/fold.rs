//! Calls on known elements, which are computed when the model is converted.

use super::{broadcast, static_sizes};
use crate::element::Element;
use crate::function::Value;
use crate::known::{Data, Known, MOST_FOLDED, indices};
use crate::sym::{Sym, product};

/// Known vectors joined, unless they are long.
pub fn joined<'a>(xs: &[Value<'a>]) -> Option<Known<'a>> {
    let mut data: Option<Data<'a>> = None;
    let counts = xs.iter().map(|x| Some(x.known.as_ref()?.count()));
    let count = counts.sum::<Option<usize>>().filter(|&count| count <= MOST_FOLDED)?;
    for x in xs {
        let known = x.known.as_ref()?;
        match (&mut data, known.element.is_float()) {
            (None, true) => data = Some(Data::Floats(known.as_floats()?)),
            (None, false) => data = Some(Data::Ints(known.as_ints()?)),
            (Some(Data::Floats(all)), _) => all.extend(known.as_floats()?),
            (Some(Data::Ints(all)), _) => all.extend(known.as_ints()?),
            _ => return None,
        }
    }
    Some(Known { element: xs[0].element, sizes: vec![count], data: data? })
}

/// An operation on each element; `None` where it is computed at run time.
pub fn unary<'a>(name: &str, x: &Known<'a>) -> Option<Known<'a>> {
    let sizes = x.sizes.clone();
    let element = x.element;
    if x.element.is_float() {
        let f: fn(f64) -> f64 = match name {
            "-" => |x| -x,
            "abs" => f64::abs,
            "sqrt" => f64::sqrt,
            "reciprocal" => f64::recip,
            "floor" => f64::floor,
            "ceil" => f64::ceil,
            "round" => f64::round_ties_even,
            "relu" => |x| if x < 0.0 { 0.0 } else { x },
            _ => return None,
        };
        let floats = x.as_floats()?.into_iter().map(|x| element.rounded(f(x))).collect();
        return Some(Known { element, sizes, data: Data::Floats(floats) });
    }
    let f = |x: Sym| match name {
        "-" => Some(wrapped(Sym::default().minus(&x)?, element)),
        "!" if element == Element::Bool => Some(Sym::from(i64::from(x.number()? == 0))),
        "abs" => Some(wrapped(Sym::from(x.number()?.checked_abs()?), element)),
        _ => None,
    };
    let ints = small_ints(x)?.into_iter().map(f).collect::<Option<_>>()?;
    Some(Known { element, sizes, data: Data::Ints(ints) })
}

/// An integer of this type: what overflows wraps.
fn wrapped(int: Sym, element: Element) -> Sym {
    int.number().map_or(int, |number| element.wrapped(number).into())
}

/// The elements; `None` if one is beyond those of `i64`.
fn small_ints(x: &Known<'_>) -> Option<Vec<Sym>> {
    let is_large = |int: &Sym| x.element == Element::U64 && int.number().is_some_and(|int| int < 0);
    x.as_ints().filter(|ints| !ints.iter().any(is_large))
}

/// An operation on two operands, which broadcast.
pub fn binary<'a>(name: &str, a: &Known<'a>, b: &Known<'a>, element: Element) -> Option<Known<'a>> {
    let (sym_a, sym_b): (Vec<Sym>, Vec<Sym>) = (
        a.sizes.iter().map(|&size| Sym::from(size)).collect(),
        b.sizes.iter().map(|&size| Sym::from(size)).collect(),
    );
    let sizes = static_sizes(&broadcast(&[&sym_a, &sym_b]).ok()?)?;
    let all = indices(&sizes)?;
    if a.element.is_float() {
        let (x, y) = (a.as_floats()?, b.as_floats()?);
        let pairs = all.iter().map(|index| (x[a.position(index)], y[b.position(index)]));
        if element == Element::Bool {
            let bits = pairs.map(|(x, y)| compared(name, x, y)).collect::<Option<_>>()?;
            return Some(Known { element, sizes, data: Data::Ints(bits) });
        }
        let f: fn(f64, f64) -> f64 = match name {
            "+" => |a, b| a + b,
            "-" => |a, b| a - b,
            "*" => |a, b| a * b,
            "/" => |a, b| a / b,
            _ => return None,
        };
        let floats = pairs.map(|(x, y)| element.rounded(f(x, y))).collect();
        return Some(Known { element, sizes, data: Data::Floats(floats) });
    }
    let (x, y) = (small_ints(a)?, small_ints(b)?);
    let mut ints = Vec::new();
    for index in &all {
        let int = integers(name, &x[a.position(index)], &y[b.position(index)])?;
        ints.push(wrapped(int, element));
    }
    Some(Known { element, sizes, data: Data::Ints(ints) })
}

fn integers(name: &str, x: &Sym, y: &Sym) -> Option<Sym> {
    let numbers = x.number().zip(y.number());
    match name {
        "+" => return x.plus(y),
        "-" => return x.minus(y),
        "*" => return x.times(y),
        // Sizes are not negative, and those that no input has are no sizes of it.
        "/" if numbers.is_none() => return x.over(y),
        "equal" if x == y => return Some(Sym::from(1_i64)),
        // The size of an axis is compared with -1 by exporters.
        "equal" if numbers.is_none() => {
            let number = x.number().or(y.number())?;
            x.axis().or(y.axis())?;
            return (number < 0).then(Sym::default);
        }
        _ => {}
    }
    let (a, b) = numbers?;
    match name {
        "/" => Some(Sym::from(a.checked_div(b)?)),
        "%" => Some(Sym::from(a.checked_rem(b)?)),
        "remainder" => {
            let remainder = a.checked_rem(b)?;
            let is_of_b = remainder == 0 || (remainder < 0) == (b < 0);
            Some(Sym::from(if is_of_b { remainder } else { remainder + b }))
        }
        "maximum" => Some(Sym::from(a.max(b))),
        "minimum" => Some(Sym::from(a.min(b))),
        "&" => Some(Sym::from(a & b)),
        "|" => Some(Sym::from(a | b)),
        "^" => Some(Sym::from(a ^ b)),
        _ => compared(name, a, b),
    }
}

/// The truth value of a comparison.
fn compared<T: PartialOrd>(name: &str, a: T, b: T) -> Option<Sym> {
    let holds = match name {
        "equal" => a == b,
        "not_equal" => a != b,
        "less" => a < b,
        "less_equal" => a <= b,
        "greater" => a > b,
        "greater_equal" => a >= b,
        _ => return None,
    };
    Some(Sym::from(i64::from(holds)))
}

/// A reduction of integers along all axes.
pub fn reduction<'a>(name: &str, x: &Known<'a>, axes: &[usize], dims: &[Sym]) -> Option<Known<'a>> {
    if x.element.is_float() || axes.len() != x.sizes.len() {
        return None;
    }
    let ints = small_ints(x)?;
    let numbers = || ints.iter().map(Sym::number).collect::<Option<Vec<_>>>();
    let all = match name {
        "sum" => ints.iter().try_fold(Sym::default(), |sum, int| sum.plus(int))?,
        "prod" => product(&ints)?,
        "max" => Sym::from(numbers()?.into_iter().max()?),
        "min" => Sym::from(numbers()?.into_iter().min()?),
        _ => return None,
    };
    let data = Data::Ints(vec![wrapped(all, x.element)]);
    Some(Known { element: x.element, sizes: static_sizes(dims)?, data })
}
