//! Operations by indices, and in order.

use super::{Call, Lower, Results, all_static, reason, static_size};
use crate::element::Element;
use crate::function::Value;
use crate::known::{Known, MOST_FOLDED};
use crate::reason::Reasoned;
use crate::sym::{Sym, product};

pub const TABLE: &[(&str, Lower)] = &[
    ("Gather", gather),
    ("GatherElements", gather_elements),
    ("GatherND", gather_nd),
    ("Scatter", scatter_elements),
    ("ScatterElements", scatter_elements),
    ("ScatterND", scatter_nd),
    ("OneHot", one_hot),
    ("TopK", top_k),
    ("Compress", compress),
    ("NonZero", non_zero),
    ("Unique", unique),
    ("ReverseSequence", reverse_sequence),
    ("ArrayFeatureExtractor", array_feature_extractor),
];

fn gather<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, indices) = (call.input(0)?, call.input(1)?);
    let axis = call.axis(call.int("axis", 0), x.rank())?;
    Ok(vec![call.f.take(call.hint(), &x, axis, &indices)?])
}

fn array_feature_extractor<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, indices) = (call.input(0)?, call.input(1)?);
    let Some(axis) = x.rank().checked_sub(1) else { return reason("a tensor without axes") };
    let count = indices.count().ok_or("sizes that overflow")?;
    let flat = call.f.reshape("flat", &indices, &[count])?;
    Ok(vec![call.f.take(call.hint(), &x, axis, &flat)?])
}

/// The tensor, cut along other axes to the sizes of the indices.
fn cut_to<'a>(
    call: &mut Call<'_, 'a>,
    x: &Value<'a>,
    indices: &Value<'a>,
    axis: usize,
) -> Reasoned<Value<'a>> {
    if x.rank() != indices.rank() {
        return reason(format!(
            "a tensor with {} axes by indices with {}",
            x.rank(),
            indices.rank()
        ));
    }
    let mut cut = x.clone();
    for other in (0..x.rank()).filter(|&other| other != axis) {
        if x.dims[other] != indices.dims[other] {
            let size = static_size(&indices.dims[other], "an axis of the indices")?;
            cut = call.f.range("part", &cut, other, 0..size)?;
        }
    }
    Ok(cut)
}

fn gather_elements<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, indices) = (call.input(0)?, call.input(1)?);
    let axis = call.axis(call.int("axis", 0), x.rank())?;
    let x = cut_to(call, &x, &indices, axis)?;
    Ok(vec![take_along(call, call.hint(), &x, &indices, axis)?])
}

/// Elements at indices along an axis.
pub(super) fn take_along<'a>(
    call: &mut Call<'_, 'a>,
    hint: &str,
    x: &Value<'a>,
    indices: &Value<'a>,
    axis: usize,
) -> Reasoned<Value<'a>> {
    let arguments = (call.f.receiver(x)?, call.f.argument(indices)?);
    let or_error = call.f.or_error();
    let text = format!("{}.take_along_axis::<{axis}, _>({}){or_error}", arguments.0, arguments.1);
    Ok(call.f.emit(hint, x.element, indices.dims.clone(), &text))
}

/// Positions along an axis of this size: negative indices count from its end, and those beyond it are errors.
fn positions<'a>(
    call: &mut Call<'_, 'a>,
    indices: &Value<'a>,
    (axis, size): (usize, &Sym),
) -> Reasoned<Value<'a>> {
    let known = size.size().filter(|&size| indices.known.is_some() && size <= MOST_FOLDED);
    if let Some(size) = known {
        let all = call.f.ints(0..size);
        return call.f.take("index", &all, 0, indices);
    }
    // The error names the axis.
    let mut dims = vec![Sym::from(1_usize); axis];
    dims.push(size.clone());
    let all = call.f.arange("all", size)?;
    let all = call.f.reshape("all", &all, &dims)?;
    let index = call.f.take("index", &all, axis, indices)?;
    call.f.reshape("index", &index, &indices.dims)
}

/// The position among axes of these sizes, from the axis `first` on, of each index: a row of the last axis.
fn flat_positions<'a>(
    call: &mut Call<'_, 'a>,
    indices: &Value<'a>,
    first: usize,
    sizes: &[Sym],
) -> Reasoned<Value<'a>> {
    let last = indices.rank() - 1;
    let mut flat: Option<Value<'a>> = None;
    for (position, size) in sizes.iter().enumerate() {
        let place = call.f.scalar(Element::I64, position as f64);
        let index = call.f.take("index", indices, last, &place)?;
        let index = positions(call, &index, (first + position, size))?;
        let size = Value::known(Known {
            sizes: Vec::new(),
            ..Known::ints(Element::I64, vec![size.clone()])
        });
        flat = Some(match flat {
            None => index,
            Some(flat) => {
                let scaled = call.f.mul("flat", &flat, &size)?;
                call.f.add("flat", &scaled, &index)?
            }
        });
    }
    flat.ok_or_else(|| "indices without elements".into())
}

fn gather_nd<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, indices) = (call.input(0)?, call.input(1)?);
    let batch = usize::try_from(call.int("batch_dims", 0)).map_err(|_| "negative `batch_dims`")?;
    let Some((count, outer)) = indices.dims.split_last() else {
        return reason("indices without axes");
    };
    let count = static_size(count, "the axis of indices")?;
    if batch + count > x.rank() || batch > outer.len() || count == 0 {
        return reason(format!("indices of {count} axes of {}", x.rank()));
    }
    let (of_index, sizes) = (&x.dims[..batch + count], &x.dims[batch..batch + count]);
    let mut flat = flat_positions(call, &indices, batch, sizes)?;
    if batch > 0 {
        let sizes = all_static(&x, "a tensor with batches")?;
        let step: usize = sizes[batch..batch + count].iter().product();
        let batches: usize = sizes[..batch].iter().product();
        let mut dims: Vec<Sym> = sizes[..batch].iter().map(|&size| Sym::from(size)).collect();
        dims.extend(vec![Sym::from(1_usize); outer.len() - batch]);
        let starts = call.f.ints((0..batches).map(|index| index * step));
        let starts = call.f.reshape("starts", &starts, &dims)?;
        flat = call.f.add("flat", &flat, &starts)?;
    }
    let mut dims = vec![product(of_index).ok_or("sizes whose product overflows")?];
    dims.extend_from_slice(&x.dims[batch + count..]);
    let rows = call.f.reshape("rows", &x, &dims)?;
    Ok(vec![call.f.take(call.hint(), &rows, 0, &flat)?])
}

/// The method for a reduction.
fn scatter_name(call: &Call<'_, '_>) -> Reasoned<&'static str> {
    Ok(match &call.text("reduction", "none")[..] {
        "none" => "scatter",
        "add" => "scatter_add",
        "mul" => "scatter_mul",
        "max" => "scatter_max",
        "min" => "scatter_min",
        other => return reason(format!("a reduction {other:?}")),
    })
}

fn scattered<'a>(
    call: &mut Call<'_, 'a>,
    name: &str,
    (x, indices, values): (&Value<'a>, &Value<'a>, &Value<'a>),
    axis: usize,
) -> Reasoned<Value<'a>> {
    let receiver = call.f.receiver(x)?;
    let arguments = (call.f.argument(indices)?, call.f.argument(values)?);
    let or_error = call.f.or_error();
    let text =
        format!("{receiver}.{name}::<{axis}, _>({}, {}){or_error}", arguments.0, arguments.1);
    Ok(call.f.emit(call.hint(), x.element, x.dims.clone(), &text))
}

fn scatter_elements<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, indices, values) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let axis = call.axis(call.int("axis", 0), x.rank())?;
    let name = scatter_name(call)?;
    if x.rank() != indices.rank() {
        return reason("indices with another number of axes");
    }
    let smaller = (0..x.rank()).any(|other| other != axis && x.dims[other] != indices.dims[other]);
    if !smaller {
        return Ok(vec![scattered(call, name, (&x, &indices, &values), axis)?]);
    }
    // Other axes may be shorter: positions among all elements.
    let (sizes, index_sizes) = (all_static(&x, "a tensor")?, all_static(&indices, "indices")?);
    let count: usize = index_sizes.iter().product();
    let mut flat: Option<Value<'a>> = None;
    for (position, &size) in sizes.iter().enumerate() {
        let index = if position == axis {
            positions(call, &indices, (axis, &Sym::from(size)))?
        } else {
            let mut dims = vec![Sym::from(1_usize); sizes.len()];
            dims[position] = Sym::from(index_sizes[position]);
            let all = call.f.ints(0..index_sizes[position]);
            call.f.reshape("all", &all, &dims)?
        };
        let size = call.f.scalar(Element::I64, size as f64);
        flat = Some(match flat {
            None => index,
            Some(flat) => {
                let scaled = call.f.mul("flat", &flat, &size)?;
                call.f.add("flat", &scaled, &index)?
            }
        });
    }
    let flat = flat.ok_or("a tensor without axes")?;
    let (count, all) = (Sym::from(count), Sym::from(sizes.iter().product::<usize>()));
    let flat = call.f.expand("flat", &flat, &indices.dims)?;
    let flat = call.f.reshape("flat", &flat, std::slice::from_ref(&count))?;
    let values = call.f.reshape("values", &values, &[count])?;
    let elements = call.f.reshape("elements", &x, &[all])?;
    let result = scattered(call, name, (&elements, &flat, &values), 0)?;
    Ok(vec![call.f.reshape(call.hint(), &result, &x.dims)?])
}

fn scatter_nd<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, indices, values) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let name = scatter_name(call)?;
    let (sizes, index_sizes) = (all_static(&x, "a tensor")?, all_static(&indices, "indices")?);
    let Some((&count, outer)) = index_sizes.split_last() else {
        return reason("indices without axes");
    };
    if count > sizes.len() || count == 0 {
        return reason(format!("indices of {count} axes of {}", sizes.len()));
    }
    let flat = flat_positions(call, &indices, 0, &x.dims[..count])?;
    let updates: usize = outer.iter().product();
    let rows: usize = sizes[..count].iter().product();
    let rest: usize = sizes[count..].iter().product();
    let table = [Sym::from(updates), Sym::from(rest)];
    let flat = call.f.reshape("flat", &flat, &[Sym::from(updates), Sym::from(1_usize)])?;
    let flat = call.f.expand("flat", &flat, &table)?;
    let values = call.f.reshape("values", &values, &table)?;
    let rows = call.f.reshape("rows", &x, &[Sym::from(rows), Sym::from(rest)])?;
    let result = scattered(call, name, (&rows, &flat, &values), 0)?;
    Ok(vec![call.f.reshape(call.hint(), &result, &x.dims)?])
}

fn one_hot<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (indices, values) = (call.input(0)?, call.input(2)?);
    let depth = call.known_numbers(1, "`depth`")?;
    let depth = depth.first().map_or(0.0, |depth| depth.trunc()) as usize;
    let axis = call.axis(call.int("axis", -1), indices.rank() + 1)?;
    let indices = call.f.cast("indices", &indices, Element::I64)?;
    let (zero, size) = (call.number(Element::I64, 0.0), call.number(Element::I64, depth as f64));
    let is_negative = call.f.method("is_negative", "less", &indices, &zero)?;
    let from_end = call.f.add("from_end", &indices, &size)?;
    let indices = call.f.select("indices", &is_negative, &from_end, &indices)?;
    let indices = call.f.unsqueeze("indices", &indices, &[axis])?;
    let mut dims = vec![Sym::from(1_usize); indices.rank()];
    dims[axis] = Sym::from(depth);
    let classes = call.f.ints(0..depth);
    let classes = call.f.reshape("classes", &classes, &dims)?;
    let mask = call.f.method("mask", "equal", &indices, &classes)?;
    let places = [0.0, 1.0].map(|place| call.number(Element::I64, place));
    let off = call.f.take("off", &values, 0, &places[0])?;
    let on = call.f.take("on", &values, 0, &places[1])?;
    Ok(vec![call.f.select(call.hint(), &mask, &on, &off)?])
}

fn top_k<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let k = match call.attribute("k") {
        Some(attribute) => attribute.int,
        None => call.known_ints(1, "`k`")?.first().copied().unwrap_or(0),
    };
    let axis = call.axis(call.int("axis", -1), x.rank())?;
    let name = if call.int("largest", 1) != 0 { "topk" } else { "topk_smallest" };
    let k = usize::try_from(k).map_err(|_| "a negative `k`")?;
    let mut dims = x.dims.clone();
    dims[axis] = Sym::from(k);
    let text = format!("{}.{name}::<{axis}, dim!({k})>()", call.f.receiver(&x)?);
    let results = [(call.hint(), x.element, dims.clone()), (call.hint_of(1), Element::I64, dims)];
    Ok(call.f.emit_all(&results, &text))
}

fn compress<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (mut x, condition) = (call.input(0)?, call.input(1)?);
    let axis = match call.attribute("axis") {
        Some(attribute) => call.axis(attribute.int, x.rank())?,
        None => {
            let count = x.count().ok_or("sizes that overflow")?;
            x = call.f.reshape("flat", &x, &[count])?;
            0
        }
    };
    if condition.rank() != 1 {
        return reason("a condition that is no vector");
    }
    if condition.dims[0] != x.dims[axis] {
        let len = static_size(&condition.dims[0], "the condition")?;
        x = call.f.range("part", &x, axis, 0..len)?;
    }
    let found = call.f.new_axis("Kept");
    let name = call.f.axis_type(&found);
    let mut dims = x.dims.clone();
    dims[axis] = found;
    let arguments = (call.f.receiver(&x)?, call.f.argument(&condition)?);
    let text = format!("{}.compress::<{axis}, {name}>({})", arguments.0, arguments.1);
    Ok(vec![call.f.emit(call.hint(), x.element, dims, &text)])
}

fn non_zero<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let found = call.f.new_axis("Found");
    let name = call.f.axis_type(&found);
    let rank = Sym::from(x.rank());
    let text = format!("{}.nonzero::<{name}>()", call.f.receiver(&x)?);
    let rows = call.f.emit("rows", Element::I64, vec![found, rank], &text);
    Ok(vec![call.f.permute(call.hint(), &rows, &[1, 0])?])
}

fn unique<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let mut x = call.input(0)?;
    let found = call.f.new_axis("Found");
    let name = call.f.axis_type(&found);
    let axis = match call.attribute("axis") {
        Some(attribute) => Some(call.axis(attribute.int, x.rank())?),
        None => None,
    };
    if axis.is_none() {
        let count = x.count().ok_or("sizes that overflow")?;
        x = call.f.reshape("flat", &x, &[count])?;
    }
    let axis_of = axis.unwrap_or(0);
    let mut dims = x.dims.clone();
    dims[axis_of] = found.clone();
    let receiver = call.f.receiver(&x)?;
    let text = match axis {
        Some(axis) => format!("{receiver}.unique_all_axis::<{axis}, {name}>()"),
        None => format!("{receiver}.unique_all::<{name}>()"),
    };
    let results = [
        (call.hint(), x.element, dims),
        ("first", Element::I64, vec![found.clone()]),
        ("inverse", Element::I64, vec![x.dims[axis_of].clone()]),
        ("counts", Element::I64, vec![found]),
    ];
    let all = call.f.emit_all(&results, &text);
    if call.int("sorted", 1) != 0 {
        return Ok(all);
    }
    // In the order of the first of each.
    let order = along_i64(call, &all[1], "argsort")?;
    let ranks = along_i64(call, &order, "argsort")?;
    let y = call.f.take(call.hint(), &all[0], axis_of, &order)?;
    let first = call.f.take("first", &all[1], 0, &order)?;
    let inverse = call.f.take("inverse", &ranks, 0, &all[2])?;
    let counts = call.f.take("counts", &all[3], 0, &order)?;
    Ok(vec![y, first, inverse, counts])
}

fn along_i64<'a>(call: &mut Call<'_, 'a>, x: &Value<'a>, name: &str) -> Reasoned<Value<'a>> {
    call.f.along("order", name, x, 0)
}

fn reverse_sequence<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, lens) = (call.input(0)?, call.input(1)?);
    let batch = call.axis(call.int("batch_axis", 1), x.rank())?;
    let time = call.axis(call.int("time_axis", 0), x.rank())?;
    let steps = static_size(&x.dims[time], "the axis of time")?;
    let lens = call.f.cast("lens", &lens, Element::I64)?;
    let mut dims = vec![Sym::from(1_usize); x.rank()];
    dims[batch] = x.dims[batch].clone();
    let lens = call.f.reshape("lens", &lens, &dims)?;
    let mut dims = vec![Sym::from(1_usize); x.rank()];
    dims[time] = Sym::from(steps);
    let times = call.f.ints(0..steps);
    let times = call.f.reshape("times", &times, &dims)?;
    let one = call.number(Element::I64, 1.0);
    let is_within = call.f.method("is_within", "less", &times, &lens)?;
    let last = call.f.sub("last", &lens, &one)?;
    let mirrored = call.f.sub("mirrored", &last, &times)?;
    let from = call.f.select("from", &is_within, &mirrored, &times)?;
    let from = call.f.expand("from", &from, &x.dims)?;
    Ok(vec![take_along(call, call.hint(), &x, &from, time)?])
}
