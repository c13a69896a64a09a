//! Reductions, and operations along an axis.

use super::{Call, Lower, Results, reason};
use crate::element::Element;
use crate::function::Value;
use crate::reason::Reasoned;
use crate::sym::{Sym, product};

pub const TABLE: &[(&str, Lower)] = &[
    ("ReduceSum", |call| {
        call.reduced(|call, x, axes, keeps| call.f.reduce(call.hint(), "sum", x, axes, keeps))
    }),
    ("ReduceMean", |call| {
        call.reduced(|call, x, axes, keeps| call.f.reduce(call.hint(), "mean", x, axes, keeps))
    }),
    ("ReduceProd", |call| {
        call.reduced(|call, x, axes, keeps| call.f.reduce(call.hint(), "prod", x, axes, keeps))
    }),
    ("ReduceL1", |call| {
        call.reduced(|call, x, axes, keeps| {
            let sizes = call.f.unary("sizes", "abs", x)?;
            call.f.reduce(call.hint(), "sum", &sizes, axes, keeps)
        })
    }),
    ("ReduceL2", |call| {
        call.reduced(|call, x, axes, keeps| {
            let squares = call.f.unary("squares", "square", x)?;
            let sum = call.f.reduce("sum", "sum", &squares, axes, keeps)?;
            call.f.unary(call.hint(), "sqrt", &sum)
        })
    }),
    ("ReduceSumSquare", |call| {
        call.reduced(|call, x, axes, keeps| {
            let squares = call.f.unary("squares", "square", x)?;
            call.f.reduce(call.hint(), "sum", &squares, axes, keeps)
        })
    }),
    ("ReduceLogSum", |call| {
        call.reduced(|call, x, axes, keeps| {
            let sum = call.f.reduce("sum", "sum", x, axes, keeps)?;
            call.f.unary(call.hint(), "ln", &sum)
        })
    }),
    ("ReduceLogSumExp", |call| {
        call.reduced(|call, x, axes, keeps| call.f.reduce(call.hint(), "logsumexp", x, axes, keeps))
    }),
    ("ReduceMax", |call| call.reduced(|call, x, axes, keeps| extreme(call, "max", x, axes, keeps))),
    ("ReduceMin", |call| call.reduced(|call, x, axes, keeps| extreme(call, "min", x, axes, keeps))),
    ("ArgMax", |call| arg(call, "argmax")),
    ("ArgMin", |call| arg(call, "argmin")),
    ("Softmax", |call| softmax(call, "softmax")),
    ("LogSoftmax", |call| softmax(call, "log_softmax")),
    ("Hardmax", hardmax),
    ("CumSum", |call| cumulative(call, "cumsum", 0.0)),
    ("CumProd", |call| cumulative(call, "cumprod", 1.0)),
];

impl<'a> Call<'_, 'a> {
    fn reduced(
        &mut self,
        reduce: impl FnOnce(&mut Self, &Value<'a>, &[usize], bool) -> Reasoned<Value<'a>>,
    ) -> Results<'a> {
        let x = self.input(0)?;
        let mut axes = self.ints_or_input("axes", 1)?.unwrap_or_default();
        if axes.is_empty() && self.int("noop_with_empty_axes", 0) == 0 {
            axes = (0..x.rank() as i64).collect();
        }
        let axes = self.axes(&axes, x.rank())?;
        let keeps = self.int("keepdims", 1) != 0;
        Ok(vec![reduce(self, &x, &axes, keeps)?])
    }
}

fn extreme<'a>(
    call: &mut Call<'_, 'a>,
    name: &str,
    x: &Value<'a>,
    axes: &[usize],
    keeps: bool,
) -> Reasoned<Value<'a>> {
    if axes.iter().any(|&axis| x.dims[axis].size() == Some(0)) {
        // The largest of nothing is the smallest number.
        let dims = x.dims.iter().enumerate().filter(|(axis, _)| keeps || !axes.contains(axis));
        let dims: Vec<Sym> = dims
            .map(|(axis, dim)| if axes.contains(&axis) { Sym::from(1_usize) } else { dim.clone() })
            .collect();
        let literal = match (x.element, name) {
            (Element::Bool, name) => (name == "min").to_string(),
            (element, "max") if element.is_float() => element.float(f64::NEG_INFINITY),
            (element, _) if element.is_float() => element.float(f64::INFINITY),
            (element, "max") => format!("{}::MIN", element.name()),
            (element, _) => format!("{}::MAX", element.name()),
        };
        let text = call.f.full(x.element, &dims, &literal)?;
        return Ok(call.f.emit(call.hint(), x.element, dims, &text));
    }
    let name = match (x.element, name) {
        (Element::Bool, "max") => "any",
        (Element::Bool, _) => "all",
        (_, name) => name,
    };
    call.f.reduce(call.hint(), name, x, axes, keeps)
}

fn arg<'a>(call: &mut Call<'_, 'a>, name: &str) -> Results<'a> {
    let x = call.input(0)?;
    let axis = call.axis(call.int("axis", 0), x.rank())?;
    let keeps = call.int("keepdims", 1) != 0;
    if call.int("select_last_index", 0) == 0 {
        return Ok(vec![call.f.reduce(call.hint(), name, &x, &[axis], keeps)?]);
    }
    let flipped = call.f.flip("flipped", &x, &[axis])?;
    let from_end = call.f.reduce("from_end", name, &flipped, &[axis], keeps)?;
    let last = super::static_size(&x.dims[axis], "the last of equal elements along an axis")?;
    let last = call.number(Element::I64, last as f64 - 1.0);
    Ok(vec![call.f.sub(call.hint(), &last, &from_end)?])
}

/// An operation along the last axis of two, into which axes are merged before opset 13.
fn softmax<'a>(call: &mut Call<'_, 'a>, name: &str) -> Results<'a> {
    let x = call.input(0)?;
    along(call, &x, |call, x, axis| call.f.along(call.hint(), name, x, axis))
}

fn along<'a>(
    call: &mut Call<'_, 'a>,
    x: &Value<'a>,
    f: impl FnOnce(&mut Call<'_, 'a>, &Value<'a>, usize) -> Reasoned<Value<'a>>,
) -> Results<'a> {
    if call.opset >= 13 || x.rank() == 0 {
        let axis = call.axis(call.int("axis", -1), x.rank())?;
        return Ok(vec![f(call, x, axis)?]);
    }
    let axis = call.axis(call.int("axis", 1), x.rank())?;
    if axis + 1 == x.rank() {
        return Ok(vec![f(call, x, axis)?]);
    }
    let sizes = [product(&x.dims[..axis]), product(&x.dims[axis..])];
    let [Some(rows), Some(columns)] = sizes else { return reason("sizes whose product overflows") };
    let merged = call.f.reshape("merged", x, &[rows, columns])?;
    let result = f(call, &merged, 1)?;
    Ok(vec![call.f.reshape(call.hint(), &result, &x.dims)?])
}

fn hardmax<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    along(call, &x, |call, x, axis| {
        let size = super::static_size(&x.dims[axis], "the axis of Hardmax")?;
        let best = call.f.reduce("best", "argmax", x, &[axis], true)?;
        let mut dims = vec![Sym::from(1_usize); x.rank()];
        dims[axis] = Sym::from(size);
        let all = call.f.ints(0..size);
        let all = call.f.reshape("all", &all, &dims)?;
        let mask = call.f.method("mask", "equal", &all, &best)?;
        call.f.cast(call.hint(), &mask, x.element)
    })
}

fn cumulative<'a>(call: &mut Call<'_, 'a>, name: &str, first: f64) -> Results<'a> {
    let mut x = call.input(0)?;
    let axis = call.known_ints(1, "`axis`")?;
    let [axis] = axis[..] else { return reason("several axes") };
    let axis = call.axis(axis, x.rank())?;
    let is_reverse = call.int("reverse", 0) != 0;
    if is_reverse {
        x = call.f.flip("reversed", &x, &[axis])?;
    }
    if call.int("exclusive", 0) != 0 {
        let size = super::static_size(&x.dims[axis], "an exclusive sum along an axis")?;
        let mut amounts = vec![(0, 0); x.rank()];
        amounts[axis] = (1, 0);
        let padding = format!("Padding::Constant({})", call.literal(x.element, first));
        let padded = call.f.pad("padded", &x, &amounts, &padding)?;
        x = call.f.range("shifted", &padded, axis, 0..size)?;
    }
    x = call.f.along(call.hint(), name, &x, axis)?;
    if is_reverse {
        x = call.f.flip(call.hint(), &x, &[axis])?;
    }
    Ok(vec![x])
}
