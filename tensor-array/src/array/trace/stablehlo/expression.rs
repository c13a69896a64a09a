//! Rows of the table in terms of StableHLO: expressions such as `multiply(x, x)`.
//!
//! ```text
//! program    = { "let" name "=" expression ";" } expression
//! expression = number | name | name "(" expression { "," expression } ")"
//! ```
//!
//! [`lowering!`] makes a function of the tokens of a row, whose names are those of the modules [`functions`] and
//! [`operands`]: a row without a translation does not compile. The operands are `x`, `y` and `z`. A name with arguments is
//! an element-wise operation of StableHLO, whose operands broadcast to each other, or:
//!
//! | expression | value |
//! | --- | --- |
//! | `sum(x)`, `prod(x)`, `max(x)`, `min(x)`, `all(x)`, `any(x)` | along the axes of the row, which stay with size 1 |
//! | `centered(x)` | less the mean, without overflow for equal elements |
//! | `argmax(x)`, `argmin(x)` | the index of the first one, as `i64` |
//! | `cumsum(x)`, `cumprod(x)`, `cummax(x)`, `cummin(x)`, `logcumsumexp(x)` | of the elements up to each one along the axis |
//! | `lt(x, y)`, `le`, `gt`, `ge`, `eq`, `ne` | a mask |
//! | `shift_right(x, y)` | keeps the sign |
//! | `as_i64(x)`, `as_bool(x)`, `like(x)` | a conversion, the last one to the element type of the result |
//! | `n`, `correction`, `epsilon` | the number of elements along the axes, and the parameters |
//!
//! 16-bit floats are computed as `f32`, as in this crate.

use tensor_kernels::ops::AxisParams;

use super::builder::{Builder, Tensor, computed};

/// The operations of a row, appended to a program.
pub(crate) type Lowering = fn(&mut Context<'_>) -> Tensor;

/// A row with its translation.
pub(crate) trait HasLowering {
    /// The translation.
    const LOWERING: Lowering;
}

/// The [`Lowering`] of an expression.
macro_rules! lowering {
    ($(let $name:ident = $value:expr;)* $result:expr) => {{
        use $crate::array::trace::stablehlo::expression;
        |context: &mut expression::Context<'_>| {
            #[allow(unused_imports, reason = "not every row has functions")]
            use expression::{functions::*, operands::*};
            $(let $name = &context.evaluate($value);)*
            context.evaluate($result)
        }
    }};
}

pub(crate) use lowering;

/// A part of a row that is not evaluated yet.
pub(crate) enum HloExpression {
    Name(Name),
    Number(f64),
    /// The value of a `let`.
    Value(Tensor),
    Call(Function, Vec<HloExpression>),
}

/// A function of the values of its arguments.
type Function = fn(&mut Context<'_>, &[Tensor]) -> Tensor;

/// A name that stands for an operand or a number of the call.
#[derive(Clone, Copy)]
pub(crate) enum Name {
    Operand(usize),
    Number(fn(&Context<'_>) -> f64),
}

impl From<Name> for HloExpression {
    fn from(name: Name) -> Self {
        Self::Name(name)
    }
}

impl From<f64> for HloExpression {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for HloExpression {
    fn from(number: i32) -> Self {
        Self::Number(f64::from(number))
    }
}

impl From<&Tensor> for HloExpression {
    fn from(value: &Tensor) -> Self {
        Self::Value(value.clone())
    }
}

/// The context of a translation.
pub(crate) struct Context<'a> {
    pub(super) builder: &'a mut Builder,
    /// The element type in which numbers are computed.
    element: &'static str,
    /// The element type of the result.
    result: &'static str,
    pub(super) axes: &'a [usize],
    params: AxisParams,
    operands: Vec<Tensor>,
}

/// An element-wise row on operands that broadcast to these sizes.
pub(crate) fn elementwise(
    builder: &mut Builder,
    row: Lowering,
    x: &[Tensor],
    sizes: &[usize],
    result: &'static str,
) -> Tensor {
    let operands: Vec<Tensor> = x.iter().map(|x| builder.broadcast(x, sizes)).collect();
    lower(builder, row, &operands, &[], AxisParams::default(), result)
}

/// A row along axes.
pub(crate) fn along(
    builder: &mut Builder,
    row: Lowering,
    x: &Tensor,
    axes: &[usize],
    params: AxisParams,
    sizes: &[usize],
    result: &'static str,
) -> Tensor {
    let value = lower(builder, row, core::slice::from_ref(x), axes, params, result);
    builder.reshape(&value, sizes)
}

fn lower(
    builder: &mut Builder,
    row: Lowering,
    x: &[Tensor],
    axes: &[usize],
    params: AxisParams,
    result: &'static str,
) -> Tensor {
    let element = computed(x.last().map_or(result, |x| x.element));
    let operands = x.iter().map(|x| builder.convert(x, computed(x.element))).collect();
    let value = row(&mut Context { builder, element, result, axes, params, operands });
    builder.convert(&value, result)
}

/// The operands of a row, and the numbers that depend on the call.
#[allow(non_upper_case_globals, reason = "as they are written in rows")]
pub(crate) mod operands {
    pub(crate) use core::f64::consts::{FRAC_1_SQRT_2, LN_2, LN_10};

    use super::Name;

    pub(crate) const INFINITY: f64 = f64::INFINITY;
    pub(crate) const x: Name = Name::Operand(0);
    pub(crate) const y: Name = Name::Operand(1);
    pub(crate) const z: Name = Name::Operand(2);
    pub(crate) const correction: Name = Name::Number(|context| context.params.correction as f64);
    pub(crate) const epsilon: Name = Name::Number(|context| context.params.epsilon);
    pub(crate) const n: Name = Name::Number(|context| {
        context.axes.iter().map(|&axis| context.operands[0].sizes[axis] as f64).product()
    });
}

/// The functions of rows: all element-wise operations of StableHLO on real numbers, and those of the table above.
#[allow(dead_code, reason = "operations of StableHLO that no row has yet")]
pub(crate) mod functions {
    use super::super::scans;
    use super::{Function, HloExpression, computed, highest, integer, lowest};

    macro_rules! functions {
        ($($name:ident($($x:ident),+) |$context:ident| $value:expr;)+) => {$(
            pub(crate) fn $name($($x: impl Into<HloExpression>),+) -> HloExpression {
                let function: Function = |$context, values| match values {
                    [$($x),+] => $value,
                    _ => unreachable!("a call has the arguments of its function"),
                };
                HloExpression::Call(function, vec![$($x.into()),+])
            }
        )+};
    }

    /// Operations of StableHLO with these operands and a result of their type.
    macro_rules! operations {
        ($($name:ident)+: $x:tt) => { $(operations! { @$name $x })+ };
        (@$name:ident (x)) => {
            functions! { $name(x) |context| context.builder.unary(stringify!($name), x); }
        };
        (@$name:ident (x, y)) => {
            functions! { $name(x, y) |context| context.binary(stringify!($name), [x, y]); }
        };
    }

    operations! {
        abs cbrt ceil cosine count_leading_zeros exponential exponential_minus_one log log_plus_one
        logistic negate not popcnt round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh: (x)
    }

    operations! {
        add and atan2 divide multiply or power remainder shift_left shift_right_arithmetic
        shift_right_logical subtract xor: (x, y)
    }

    functions! {
        lt(x, y) |context| context.compare("LT", [x, y]);
        le(x, y) |context| context.compare("LE", [x, y]);
        gt(x, y) |context| context.compare("GT", [x, y]);
        ge(x, y) |context| context.compare("GE", [x, y]);
        eq(x, y) |context| context.compare("EQ", [x, y]);
        ne(x, y) |context| context.compare("NE", [x, y]);
        maximum(x, y) |context| context.binary("maximum", [x, y]);
        minimum(x, y) |context| context.binary("minimum", [x, y]);
        select(mask, x, y) |context| {
            let [mask, x, y] = context.broadcast([mask, x, y]);
            context.builder.select(&mask, &x, &y)
        };
        is_finite(x) |context| context.builder.operation("is_finite", &[x], "", (&x.sizes, "bool"));
        // An integer is rounded already.
        floor(x) |context| if x.is_float() { context.builder.unary("floor", x) } else { x.clone() };
        erf(x) |context| context.builder.erf(x);
        shift_right(x, y) |context| match integer(x.element) {
            Some((_, true)) => context.binary("shift_right_arithmetic", [x, y]),
            _ => context.binary("shift_right_logical", [x, y]),
        };
        as_i64(x) |context| context.builder.convert(x, "i64");
        as_bool(x) |context| context.builder.convert(x, "bool");
        like(x) |context| {
            let result = computed(context.result);
            context.builder.convert(x, result)
        };
        sum(x) |context| context.reduce(x, "add", 0.0);
        prod(x) |context| context.reduce(x, "multiply", 1.0);
        max(x) |context| context.reduce(x, "maximum", lowest(x.element));
        min(x) |context| context.reduce(x, "minimum", highest(x.element));
        all(x) |context| context.reduce(x, "and", 1.0);
        any(x) |context| context.reduce(x, "or", 0.0);
        centered(x) |context| context.centered(x);
        argmax(x) |context| context.first_where(x, "maximum", lowest(x.element));
        argmin(x) |context| context.first_where(x, "minimum", highest(x.element));
        cumsum(x) |context| context.cumulative(x, "add", 0.0);
        cumprod(x) |context| context.cumulative(x, "multiply", 1.0);
        cummax(x) |context| context.cumulative(x, "maximum", lowest(x.element));
        cummin(x) |context| context.cumulative(x, "minimum", highest(x.element));
        logcumsumexp(x) |context| scans::logcumsumexp(context, x);
    }
}

impl Context<'_> {
    /// The value of an expression.
    pub(crate) fn evaluate(&mut self, expression: impl Into<HloExpression>) -> Tensor {
        match expression.into() {
            HloExpression::Name(Name::Operand(number)) => self.operands[number].clone(),
            HloExpression::Name(Name::Number(number)) => self.number(number(self)),
            HloExpression::Number(number) => self.number(number),
            HloExpression::Value(value) => value,
            HloExpression::Call(function, arguments) => {
                let values: Vec<Tensor> =
                    arguments.into_iter().map(|argument| self.evaluate(argument)).collect();
                function(self, &values)
            }
        }
    }

    fn number(&mut self, number: f64) -> Tensor {
        self.builder.number(number, &[], self.element)
    }

    fn binary(&mut self, operation: &str, x: [&Tensor; 2]) -> Tensor {
        let [a, b] = self.broadcast(x);
        self.builder.binary(operation, &a, &b)
    }

    fn compare(&mut self, direction: &str, x: [&Tensor; 2]) -> Tensor {
        let [a, b] = self.broadcast(x);
        self.builder.compare(&a, &b, direction)
    }

    /// The operands in common sizes: some may be scalars, and some have axes of size 1.
    fn broadcast<const N: usize>(&mut self, x: [&Tensor; N]) -> [Tensor; N] {
        let rank = x.iter().map(|x| x.rank()).max().unwrap_or(0);
        let mut sizes = vec![1; rank];
        for x in x {
            for (size, &other) in sizes[rank - x.rank()..].iter_mut().zip(&x.sizes) {
                if other != 1 {
                    *size = other;
                }
            }
        }
        x.map(|x| self.builder.broadcast(x, &sizes))
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

    /// The elements less their mean along the axes, which is taken of the distances to the first element, as in the kernels.
    fn centered(&mut self, x: &Tensor) -> Tensor {
        let mut ends = x.sizes.clone();
        for &axis in self.axes {
            ends[axis] = ends[axis].min(1);
        }
        let first = self.builder.slice(x, &vec![0; x.rank()], &ends);
        let shifted = self.binary("subtract", [x, &first]);
        let count: usize = self.axes.iter().map(|&axis| x.sizes[axis]).product();
        let (sum, count) = (self.reduce(&shifted, "add", 0.0), self.number(count as f64));
        let mean = self.binary("divide", [&sum, &count]);
        let center = self.binary("add", [&first, &mean]);
        self.binary("subtract", [x, &center])
    }

    /// The index of the first extreme element in the order of all axes; of the first NaN, if there is one.
    fn first_where(&mut self, x: &Tensor, by: &str, start: f64) -> Tensor {
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
