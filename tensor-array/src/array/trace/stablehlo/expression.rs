//! Rows of the table in terms of StableHLO: expressions such as `multiply(x, x)`.
//!
//! ```text
//! program    = { name "=" expression ";" } expression
//! expression = number | name | name "(" expression { "," expression } ")"
//! ```
//!
//! The operands are `x`, `y` and `z`. A name with arguments is an element-wise operation of StableHLO, whose
//! operands broadcast to each other, or:
//!
//! | expression | value |
//! | --- | --- |
//! | `sum(x)`, `prod(x)`, `max(x)`, `min(x)`, `all(x)`, `any(x)` | along the axes of the row, which stay with size 1 |
//! | `peak(x)` | as `max(x)`, where it does not matter what becomes of NaN |
//! | `argmax(x)`, `argmin(x)` | the index of the first one, as `i64` |
//! | `cumsum(x)`, `cumprod(x)`, `cummax(x)`, `cummin(x)`, `logcumsumexp(x)` | of the elements up to each one along the axis |
//! | `lt(x, y)`, `le`, `gt`, `ge`, `eq`, `ne` | a mask |
//! | `shift_right(x, y)` | keeps the sign |
//! | `as_f32(x)`, `as_i64(x)`, `like(x)` | a conversion, the last one to the element type of the result |
//! | `n`, `correction`, `epsilon` | the number of elements along the axes, and the parameters |
//! | `inf`, `nan` | floats |
//!
//! 16-bit floats are computed as `f32`, as in this crate.

use super::builder::{Builder, Tensor, computed};
use crate::array::history::HasRule;
use crate::ops::{AxisParams, GradientProduct, LogAddExp};

/// The context of a translation.
struct Context<'a> {
    builder: &'a mut Builder,
    /// The element type in which numbers are computed.
    element: &'static str,
    /// The element type of the result.
    result: &'static str,
    axes: &'a [usize],
    params: AxisParams,
    names: Vec<(&'a str, Tensor)>,
}

/// An element-wise row on operands that broadcast to these sizes.
pub(crate) fn elementwise(
    builder: &mut Builder,
    text: &str,
    x: &[Tensor],
    sizes: &[usize],
    result: &'static str,
) -> Tensor {
    let operands: Vec<Tensor> = x.iter().map(|x| builder.broadcast(x, sizes)).collect();
    evaluate(builder, text, &operands, &[], AxisParams::default(), result)
}

/// A row along axes.
pub(crate) fn along(
    builder: &mut Builder,
    text: &str,
    x: &Tensor,
    axes: &[usize],
    params: AxisParams,
    sizes: &[usize],
    result: &'static str,
) -> Tensor {
    let value = evaluate(builder, text, core::slice::from_ref(x), axes, params, result);
    builder.reshape(&value, sizes)
}

/// `t_i = terms_i + factors_i t_{i+1}` along an axis, from its end, by sums over 2, 4, 8 … elements: a recurrence over
/// some elements is `terms + factors t` again, of the element after them.
pub(crate) fn recurrence(
    builder: &mut Builder,
    terms: &Tensor,
    factors: &Tensor,
    axis: usize,
) -> Tensor {
    let (element, sizes) = (computed(terms.element), &terms.sizes[..]);
    let product = |builder: &mut Builder, a: &Tensor, b: Tensor| {
        elementwise(builder, GradientProduct::ROW.stablehlo, &[a.clone(), b], sizes, element)
    };
    let mut sums = builder.convert(terms, element);
    let factors = builder.convert(factors, element);
    let (mut after, zero) = (vec![[0, 0]; sizes.len()], builder.number(0.0, &[], element));
    after[axis][1] = isize::from(sizes[axis] > 0);
    let mut factors = builder.pad(&factors, &zero, &after, sizes);
    let mut distance = 1;
    while distance < sizes[axis] {
        let by = -(distance as isize);
        let next = builder.shifted(&sums, axis, by, 0.0);
        let next = product(builder, &factors, next);
        sums = builder.binary("add", &sums, &next);
        let next = builder.shifted(&factors, axis, by, 0.0);
        factors = product(builder, &factors, next);
        distance *= 2;
    }
    builder.convert(&sums, terms.element)
}

fn evaluate(
    builder: &mut Builder,
    text: &str,
    x: &[Tensor],
    axes: &[usize],
    params: AxisParams,
    result: &'static str,
) -> Tensor {
    let element = computed(x.last().map_or(result, |x| x.element));
    let mut names = Vec::new();
    for (name, operand) in ["x", "y", "z"].into_iter().zip(x) {
        let of = computed(operand.element);
        names.push((name, builder.convert(operand, of)));
    }
    let mut context = Context { builder, element, result, axes, params, names };
    let value = context.row(text).expect("the table has a translation of each row");
    builder.convert(&value, result)
}

impl<'a> Context<'a> {
    /// The value of a row: definitions and an expression.
    fn row(&mut self, text: &'a str) -> Option<Tensor> {
        let (lets, last) = text.rsplit_once(';').unwrap_or(("", text));
        for definition in lets.split(';').filter(|text| !text.trim().is_empty()) {
            let (name, value) = definition.split_once('=')?;
            let value = self.expression(value)?;
            self.names.push((name.trim(), value));
        }
        self.expression(last)
    }

    fn expression(&mut self, text: &str) -> Option<Tensor> {
        let text = text.trim();
        let Some((function, rest)) = text.split_once('(') else { return self.leaf(text) };
        let arguments = arguments(rest.strip_suffix(')')?);
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.expression(argument)?);
        }
        self.apply(function.trim(), &values)
    }

    fn leaf(&mut self, text: &str) -> Option<Tensor> {
        if let Some((_, value)) = self.names.iter().rev().find(|(name, _)| *name == text) {
            return Some(value.clone());
        }
        let number = match text {
            "n" | "correction" => {
                let of = &self.names.first()?.1.sizes;
                let n: usize = self.axes.iter().map(|&axis| of[axis]).product();
                if text == "n" { n as f64 } else { self.params.correction as f64 }
            }
            "epsilon" => self.params.epsilon,
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            _ => text.parse().ok()?,
        };
        Some(self.builder.number(number, &[], self.element))
    }

    fn apply(&mut self, function: &str, x: &[Tensor]) -> Option<Tensor> {
        let mask = |function| match function {
            "lt" => Some("LT"),
            "le" => Some("LE"),
            "gt" => Some("GT"),
            "ge" => Some("GE"),
            "eq" => Some("EQ"),
            "ne" => Some("NE"),
            _ => None,
        };
        Some(match function {
            "sum" => self.reduce(&x[0], "add", 0.0),
            "prod" => self.reduce(&x[0], "multiply", 1.0),
            "peak" => self.reduce(&x[0], "maximum", lowest(x[0].element)),
            "max" | "min" => {
                let reduced = match function {
                    "max" => self.reduce(&x[0], "maximum", lowest(x[0].element)),
                    _ => self.reduce(&x[0], "minimum", highest(x[0].element)),
                };
                self.nan_where_seen(&x[0], reduced, |this, is_nan| this.reduce(is_nan, "or", 0.0))
            }
            "maximum" | "minimum" => {
                let sizes = self.common(x);
                let [a, b] = [0, 1].map(|place| self.builder.broadcast(&x[place], &sizes));
                let result = self.builder.binary(function, &a, &b);
                if !result.is_float() {
                    return Some(result);
                }
                // Plugins for CPUs drop a NaN here.
                let of_a = self.builder.compare(&a, &a, "NE");
                let of_b = self.builder.compare(&b, &b, "NE");
                let either = self.builder.binary("or", &of_a, &of_b);
                let nan = self.builder.number(f64::NAN, &sizes, result.element);
                self.builder.select(&either, &nan, &result)
            }
            "all" => self.reduce(&x[0], "and", 1.0),
            "any" => self.reduce(&x[0], "or", 0.0),
            "argmax" => self.first_where(&x[0], "maximum"),
            "argmin" => self.first_where(&x[0], "minimum"),
            "cumsum" => self.cumulative(&x[0], "add", 0.0),
            "cumprod" => self.cumulative(&x[0], "multiply", 1.0),
            "cummax" => self.cumulative_choice(&x[0], "maximum", lowest(x[0].element)),
            "cummin" => self.cumulative_choice(&x[0], "minimum", highest(x[0].element)),
            "logcumsumexp" => self.log_cumulative(&x[0]),
            "as_f32" => self.builder.convert(&x[0], "f32"),
            "as_i64" => self.builder.convert(&x[0], "i64"),
            "as_bool" => self.builder.convert(&x[0], "bool"),
            "like" => {
                let result = computed(self.result);
                self.builder.convert(&x[0], result)
            }
            "erf" => self.builder.erf(&x[0]),
            "select" => {
                let sizes = self.common(x);
                let [mask, a, b] = [0, 1, 2].map(|place| self.builder.broadcast(&x[place], &sizes));
                self.builder.select(&mask, &a, &b)
            }
            _ if mask(function).is_some() => {
                let sizes = self.common(x);
                let a = self.builder.broadcast(&x[0], &sizes);
                let b = self.builder.broadcast(&x[1], &sizes);
                self.builder.compare(&a, &b, mask(function)?)
            }
            "is_finite" => {
                let sizes = x[0].sizes.clone();
                self.builder.operation("is_finite", &[&x[0]], "", (&sizes, "bool"))
            }
            // An integer is rounded already.
            "floor" if !x[0].is_float() => x[0].clone(),
            _ if x.len() == 1 => self.builder.unary(function, &x[0]),
            _ => {
                let function = match (function, integer(x[0].element)) {
                    ("shift_right", Some((_, true))) => "shift_right_arithmetic",
                    ("shift_right", _) => "shift_right_logical",
                    _ => function,
                };
                let sizes = self.common(x);
                let a = self.builder.broadcast(&x[0], &sizes);
                let b = self.builder.broadcast(&x[1], &sizes);
                self.builder.binary(function, &a, &b)
            }
        })
    }

    /// The sizes that operands broadcast to, of which some may be scalars and some have axes of size 1.
    fn common(&self, x: &[Tensor]) -> Vec<usize> {
        let rank = x.iter().map(Tensor::rank).max().unwrap_or(0);
        let mut sizes = vec![1; rank];
        for x in x {
            for (size, &other) in sizes[rank - x.rank()..].iter_mut().zip(&x.sizes) {
                if other != 1 {
                    *size = other;
                }
            }
        }
        sizes
    }

    /// A reduction along the axes, which stay with size 1.
    fn reduce(&mut self, x: &Tensor, by: &str, start: f64) -> Tensor {
        let mut sizes = x.sizes.clone();
        for &axis in self.axes {
            sizes[axis] = 1;
        }
        let reduced = self.builder.reduce(x, self.axes, by, start);
        self.builder.reshape(&reduced, &sizes)
    }

    /// The index of the first extreme element in the order of all axes; of the first NaN, if there is one.
    fn first_where(&mut self, x: &Tensor, by: &str) -> Tensor {
        let start = if by == "maximum" { lowest(x.element) } else { highest(x.element) };
        let extreme = self.reduce(x, by, start);
        let extreme = self.builder.broadcast(&extreme, &x.sizes);
        let mut is_it = self.builder.compare(x, &extreme, "EQ");
        if x.is_float() {
            let nan = self.builder.compare(x, x, "NE");
            is_it = self.builder.binary("or", &is_it, &nan);
        }
        // Indices in row-major order of the axes of the row.
        let mut index = self.builder.number(0.0, &x.sizes, "i64");
        let mut step = 1;
        for &axis in self.axes.iter().rev() {
            let along = self.builder.iota(&x.sizes, axis);
            let factor = self.builder.number(step as f64, &x.sizes, "i64");
            let along = self.builder.binary("multiply", &along, &factor);
            index = self.builder.binary("add", &index, &along);
            step *= x.sizes[axis];
        }
        let none = self.builder.number(step as f64, &x.sizes, "i64");
        let found = self.builder.select(&is_it, &index, &none);
        self.reduce(&found, "minimum", step as f64)
    }

    /// Results of floats, and NaN where their operands have one, of which a mask is combined as they are.
    fn nan_where_seen(
        &mut self,
        x: &Tensor,
        results: Tensor,
        combined: impl FnOnce(&mut Self, &Tensor) -> Tensor,
    ) -> Tensor {
        if !x.is_float() {
            return results;
        }
        let is_nan = self.builder.compare(x, x, "NE");
        let is_nan = combined(self, &is_nan);
        let nan = self.builder.number(f64::NAN, &results.sizes, results.element);
        self.builder.select(&is_nan, &nan, &results)
    }

    /// The partial maxima or minima along the axis, NaN from the first NaN on.
    fn cumulative_choice(&mut self, x: &Tensor, by: &str, start: f64) -> Tensor {
        let chosen = self.cumulative(x, by, start);
        self.nan_where_seen(x, chosen, |this, is_nan| this.cumulative(is_nan, "or", 0.0))
    }

    /// `ln Σ e^x` of the elements up to each one, by sums over 2, 4, 8 … elements.
    fn log_cumulative(&mut self, x: &Tensor) -> Tensor {
        let (axis, sizes, mut sums) = (self.axes[0], &x.sizes, x.clone());
        let mut distance = 1;
        while distance < sizes[axis] {
            let before = self.builder.shifted(&sums, axis, distance as isize, f64::NEG_INFINITY);
            let text = LogAddExp::ROW.stablehlo;
            sums = elementwise(self.builder, text, &[sums, before], sizes, x.element);
            distance *= 2;
        }
        sums
    }

    /// The partial results along the axis.
    fn cumulative(&mut self, x: &Tensor, by: &str, start: f64) -> Tensor {
        let axis = self.axes[0];
        let (mut window, mut padding) = (vec![1; x.rank()], vec![[0, 0]; x.rank()]);
        window[axis] = x.sizes[axis].max(1);
        // The window of an element ends there, or one before it; from the end on, it begins there, or one after it.
        let (before, own) = (window[axis] as isize - 1, isize::from(self.params.exclusive));
        padding[axis] = [before + own, -own];
        if self.params.reverse {
            padding[axis].reverse();
        }
        let sizes = x.sizes.clone();
        let moved = (&window[..], &vec![1; x.rank()][..], &padding[..]);
        self.builder.reduce_moving_window(x, start, by, moved, &sizes)
    }
}

/// The arguments between commas that are in no parentheses.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (place, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

/// The number of bits of integers, and whether they have a sign; `None` of floats.
fn integer(element: &str) -> Option<(i32, bool)> {
    let (kind, bits) = element.split_at(1);
    match kind {
        "i" => Some((bits.parse().ok()?, true)),
        "u" => Some((bits.parse().ok()?, false)),
        _ if element == "bool" => Some((1, false)),
        _ => None,
    }
}

/// The smallest number of an element type.
pub(crate) fn lowest(element: &str) -> f64 {
    match integer(element) {
        Some((bits, true)) => -(2.0_f64.powi(bits - 1)),
        Some((_, false)) => 0.0,
        None => f64::NEG_INFINITY,
    }
}

/// The largest number of an element type. That of 64 bits is rounded up, and saturates where it is written.
fn highest(element: &str) -> f64 {
    match integer(element) {
        Some((bits, true)) => 2.0_f64.powi(bits - 1) - 1.0,
        Some((bits, false)) => 2.0_f64.powi(bits) - 1.0,
        None => f64::INFINITY,
    }
}
