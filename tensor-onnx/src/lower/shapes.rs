//! Operations that change shapes, and constants.

use super::{Call, Lower, Results, all_static, reason, static_size};
use crate::element::Element;
use crate::function::Value;
use crate::known::{Data, Known, MOST_FOLDED};
use crate::operations::{broadcast, list, static_sizes};
use crate::reason::{Reason, Reasoned};
use crate::sym::{Sym, product};

pub const TABLE: &[(&str, Lower)] = &[
    ("Constant", constant),
    ("ConstantOfShape", constant_of_shape),
    ("Shape", shape),
    ("Size", size),
    ("Range", range),
    ("EyeLike", eye_like),
    ("Reshape", reshape),
    ("Flatten", flatten),
    ("Squeeze", squeeze),
    ("Unsqueeze", unsqueeze),
    ("Transpose", transpose),
    ("Expand", expand),
    ("Tile", tile),
    ("Concat", concat),
    ("Split", split),
    ("Slice", slice),
    ("Pad", pad),
    ("CenterCropPad", center_crop_pad),
    ("DepthToSpace", depth_to_space),
    ("SpaceToDepth", space_to_depth),
    ("Trilu", trilu),
];

/// The most elements of an axis: an index from here on is behind the end of any.
const LARGEST_AXIS: i64 = 999_999_999;

fn constant<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let [attribute] = &call.node.attributes[..] else { return reason("not one value") };
    let known = match attribute.name {
        "value" => {
            let Some(tensor) = &attribute.tensor else { return reason("no tensor") };
            (call.tensor)(tensor)?
        }
        "value_float" => Known::scalar(Element::F32, f64::from(attribute.float)),
        "value_int" => Known {
            element: Element::I64,
            sizes: Vec::new(),
            data: Data::Ints(vec![Sym::from(attribute.int)]),
        },
        "value_floats" => {
            let floats: Vec<f64> = attribute.floats.iter().map(|&float| f64::from(float)).collect();
            Known { element: Element::F32, sizes: vec![floats.len()], data: Data::Floats(floats) }
        }
        "value_ints" => {
            let ints = attribute.ints.iter().map(|&int| Sym::from(int)).collect();
            Known::ints(Element::I64, ints)
        }
        other => return reason(format!("a constant by the attribute `{other}`")),
    };
    let is_weight = known.element.is_float() && known.count() > 8;
    let weight = is_weight.then(|| call.hint());
    Ok(vec![Value { weight, ..Value::known(known) }])
}

fn constant_of_shape<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let dims = call.syms(0, "the shape")?;
    let value = match call.attribute("value").and_then(|attribute| attribute.tensor.as_ref()) {
        Some(tensor) => (call.tensor)(tensor)?,
        None => Known::scalar(Element::F32, 0.0),
    };
    if value.count() != 1 {
        return reason("a value of several elements");
    }
    let Some(scalar) = value.reshaped(Vec::new()) else {
        return reason("a value of several elements");
    };
    let scalar = Value::known(scalar);
    if product(&dims).and_then(|count| count.size()).is_some_and(|count| count <= MOST_FOLDED) {
        return Ok(vec![call.f.expand(call.hint(), &scalar, &dims)?]);
    }
    let Some(literal) = call.f.literal(&scalar, 0) else {
        return reason("a value that is not known");
    };
    let text = call.f.full(scalar.element, &dims, &literal)?;
    Ok(vec![call.f.emit(call.hint(), scalar.element, dims, &text)])
}

fn shape<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let rank = x.rank() as i64;
    let clamped = |axis: i64| {
        (if axis < 0 { axis.saturating_add(rank) } else { axis }).clamp(0, rank) as usize
    };
    let (start, end) = (clamped(call.int("start", 0)), clamped(call.int("end", rank)));
    let dims = x.dims.get(start..end.max(start)).unwrap_or_default();
    Ok(vec![Value::known(Known::ints(Element::I64, dims.to_vec()))])
}

fn size<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let count = call.input(0)?.count().ok_or("sizes whose product overflows")?;
    let data = Data::Ints(vec![count]);
    Ok(vec![Value::known(Known { element: Element::I64, sizes: Vec::new(), data })])
}

fn range<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let element = call.input(0)?.element;
    if let Ok(starts) = call.syms(0, "")
        && let (Ok(limits), Ok(steps)) = (call.syms(1, ""), call.syms(2, ""))
        && let ([start], [limit], [step]) = (&starts[..], &limits[..], &steps[..])
        && (start.number().is_none() || limit.number().is_none())
        && step.number() == Some(1)
    {
        let count = limit.minus(start).ok_or("sizes that overflow")?;
        let shape = call.f.shape_value(std::slice::from_ref(&count))?;
        let start = call.f.size(start)?;
        let text = format!("Tensor::arange_from_shaped({shape}, {start}, 1)");
        return Ok(vec![call.f.emit(call.hint(), element, vec![count], &text)]);
    }
    let mut numbers = Vec::new();
    for (index, what) in ["`start`", "`limit`", "`delta`"].iter().enumerate() {
        numbers.extend(call.known_numbers(index, what)?);
    }
    let [start, limit, step] = numbers[..] else { return reason("bounds with several elements") };
    let count = ((limit - start) / step).ceil().max(0.0);
    if count.is_nan() || count > 1e9 {
        return reason(format!("a range of {count} numbers"));
    }
    let numbers = (0..count as usize).map(|index| start + index as f64 * step);
    if count as usize > MOST_FOLDED {
        let count = Sym::from(count as usize);
        let constructor = call.f.constructor(element, std::slice::from_ref(&count));
        let (start, step) = (call.literal(element, start), call.literal(element, step));
        let text = format!("{constructor}arange_from({start}, {step})");
        return Ok(vec![call.f.emit(call.hint(), element, vec![count], &text)]);
    }
    let sizes = vec![count as usize];
    let data = match element.is_float() {
        true => Data::Floats(numbers.map(|number| element.rounded(number)).collect()),
        false => Data::Ints(numbers.map(|number| Sym::from(number as i64)).collect()),
    };
    Ok(vec![Value::known(Known { element, sizes, data })])
}

fn eye_like<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let element = match call.attribute("dtype") {
        Some(attribute) => call.element(attribute.int)?,
        None => x.element,
    };
    let sizes = all_static(&x, "an identity matrix")?;
    let [rows, columns] = sizes[..] else { return reason("a tensor that is no matrix") };
    let k = call.int("k", 0);
    let bit = |position: usize| (position % columns) as i64 - (position / columns) as i64 == k;
    if rows.saturating_mul(columns) > MOST_FOLDED {
        return reason("an identity matrix of more than 4,096 elements");
    }
    let bits = (0..rows * columns).map(|position| Sym::from(i64::from(bit(position)))).collect();
    let known = Known { element: Element::Bool, sizes, data: Data::Ints(bits) };
    Ok(vec![call.f.cast(call.hint(), &Value::known(known), element)?])
}

fn reshape<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let target = match call.ints("shape") {
        Some(ints) => ints.iter().map(|&int| Sym::from(int)).collect(),
        None => call.syms(1, "the shape")?,
    };
    let allows_zero = call.int("allowzero", 0) != 0;
    let mut dims = Vec::new();
    let mut inferred = None;
    for (axis, size) in target.iter().enumerate() {
        dims.push(match size.number() {
            Some(0) if !allows_zero => {
                let dim = x.dims.get(axis).cloned();
                dim.ok_or_else(|| format!("axis {axis} of {}, whose size it keeps", x.rank()))?
            }
            Some(-1) if inferred.is_none() => {
                inferred = Some(axis);
                Sym::from(1_usize)
            }
            Some(number) if number < 0 => return reason(format!("size {number}")),
            _ => size.clone(),
        });
    }
    if let Some(axis) = inferred {
        let (all, rest) = (x.count(), product(&dims));
        let quotient = all.zip(rest).and_then(|(all, rest)| match rest.number() {
            Some(0) => Some(Sym::default()),
            _ => all.over(&rest),
        });
        dims[axis] = match quotient {
            Some(quotient) => quotient,
            // Named axes may make up a size that is no product of them.
            None => call.f.new_axis(&format!("{}Axis{axis}", call.hint())),
        };
    }
    Ok(vec![call.f.reshape(call.hint(), &x, &dims)?])
}

fn flatten<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let axis = match call.int("axis", 1) {
        axis if axis == x.rank() as i64 => x.rank(),
        axis => call.axis(axis, x.rank())?,
    };
    let sizes = [product(&x.dims[..axis]), product(&x.dims[axis..])];
    let [Some(rows), Some(columns)] = sizes else { return reason("sizes whose product overflows") };
    Ok(vec![call.f.reshape(call.hint(), &x, &[rows, columns])?])
}

fn squeeze<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let axes = match call.ints_or_input("axes", 1)? {
        Some(axes) => call.axes(&axes, x.rank())?,
        None => (0..x.rank()).filter(|&axis| x.dims[axis].number() == Some(1)).collect(),
    };
    Ok(vec![call.f.squeeze(call.hint(), &x, &axes)?])
}

fn unsqueeze<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let axes = call.ints_or_input("axes", 1)?.unwrap_or_default();
    let axes = call.axes(&axes, x.rank() + axes.len())?;
    Ok(vec![call.f.unsqueeze(call.hint(), &x, &axes)?])
}

fn transpose<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let order = match call.ints("perm") {
        Some(order) => {
            let order: Vec<i64> = order.to_vec();
            let all = call.axes(&order, x.rank())?;
            if all.len() != x.rank() {
                return reason(format!("an order of {} axes for {}", all.len(), x.rank()));
            }
            order.iter().map(|&axis| call.axis(axis, x.rank())).collect::<Reasoned<Vec<_>>>()?
        }
        None => (0..x.rank()).rev().collect(),
    };
    Ok(vec![call.f.permute(call.hint(), &x, &order)?])
}

fn expand<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let dims = call.syms(1, "the shape")?;
    Ok(vec![call.f.expand(call.hint(), &x, &dims)?])
}

fn tile<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let repeats = call.syms(1, "`repeats`")?;
    if repeats.len() != x.rank() {
        return reason("a number of repeats that differs from the number of axes");
    }
    let mut dims = Vec::new();
    for (dim, repeat) in x.dims.iter().zip(&repeats) {
        dims.push(dim.times(repeat).ok_or("sizes that overflow")?);
    }
    if dims == x.dims {
        return Ok(vec![x]);
    }
    let counts: Option<Vec<usize>> = repeats.iter().map(Sym::size).collect();
    let Some(counts) = counts else {
        // Repeating an axis of size 1 stretches it.
        let mut all = broadcast(&[&x.dims, &repeats]);
        if all.as_ref().is_ok_and(|all| *all != dims) {
            all = Err(Reason::from("repeats that are known only at run time"));
        }
        return Ok(vec![call.f.expand(call.hint(), &x, &all?)?]);
    };
    if x.known.is_some() || static_sizes(&x.dims).is_none() {
        if x.dims.iter().zip(&counts).all(|(dim, &count)| count == 1 || dim.number() == Some(1)) {
            return Ok(vec![call.f.expand(call.hint(), &x, &dims)?]);
        }
        if static_sizes(&x.dims).is_none() {
            return reason("repeats of an axis whose size is known only at run time");
        }
    }
    let text = format!("{}.tile::<shape![{}]>()", call.f.receiver(&x)?, list(&counts));
    Ok(vec![call.f.emit(call.hint(), x.element, dims, &text)])
}

fn concat<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let xs = (0..call.inputs.len()).map(|index| call.input(index)).collect::<Reasoned<Vec<_>>>()?;
    let Some(first) = xs.first() else { return reason("no inputs") };
    let axis = call.axis(call.int("axis", 1), first.rank())?;
    Ok(vec![call.f.concat(call.hint(), &xs, axis)?])
}

fn split<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let axis = call.axis(call.int("axis", 0), x.rank())?;
    let parts = call.node.outputs.len();
    let size = static_size(&x.dims[axis], "an axis that is split")?;
    let sizes: Vec<usize> = match call.ints_or_input("split", 1)? {
        Some(sizes) => sizes.iter().map(|&size| size as usize).collect(),
        None => {
            let part = size.div_ceil(parts.max(1));
            (0..parts).map(|index| part.min(size.saturating_sub(index * part))).collect()
        }
    };
    if sizes.len() != parts
        || sizes.iter().try_fold(0_usize, |sum, &part| sum.checked_add(part)) != Some(size)
    {
        return reason(format!("parts of sizes {sizes:?} of an axis of size {size}"));
    }
    let hints: Vec<&str> = (0..parts).map(|index| call.hint_of(index)).collect();
    if x.known.is_some() || parts == 1 || parts > 12 {
        let mut start = 0;
        let mut results = Vec::new();
        for (hint, size) in hints.iter().zip(sizes) {
            results.push(call.f.range(hint, &x, axis, start..start + size)?);
            start += size;
        }
        return Ok(results);
    }
    let mut results = Vec::new();
    for (hint, &size) in hints.iter().zip(&sizes) {
        let mut dims = x.dims.clone();
        dims[axis] = Sym::from(size);
        results.push((*hint, x.element, dims));
    }
    let text = format!("{}.split::<{axis}, shape![{}]>()", call.f.receiver(&x)?, list(&sizes));
    Ok(call.f.emit_all(&results, &text))
}

/// The part of an axis that begins at the step of a loop, or ahead of it, and whose size is known.
fn part_at_step<'a>(call: &mut Call<'_, 'a>, x: &Value<'a>) -> Reasoned<Option<Value<'a>>> {
    let (Some(start), Some(end)) = (call.optional(1), call.optional(2)) else { return Ok(None) };
    let (Some((step, from)), Some((same, to))) = (call.f.step_of(&start), call.f.step_of(&end))
    else {
        return Ok(None);
    };
    let axes = call.optional(3).map_or(Ok(vec![0]), |_| call.known_ints(3, "`axes`"))?;
    let steps = call.optional(4).map_or(Ok(vec![1]), |_| call.known_ints(4, "`steps`"))?;
    let ([axis], [1]) = (&axes[..], &steps[..]) else { return Ok(None) };
    let len = to.checked_sub(from).filter(|len| (1..MOST_FOLDED as i64).contains(len));
    let Some(len) = len.filter(|_| step.is_same(&same) && from >= 0) else { return Ok(None) };
    let axis = call.axis(*axis, x.rank())?;
    let mut places = call.f.reshape("places", &start, &[Sym::from(1_usize)])?;
    if len > 1 {
        let following = call.f.ints(0..len as usize);
        places = call.f.add("places", &places, &following)?;
    }
    call.f.take(call.hint(), x, axis, &places).map(Some)
}

fn slice<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    if let Some(part) = part_at_step(call, &x)? {
        return Ok(vec![part]);
    }
    let ints = |call: &Call<'_, 'a>, name: &str, index: usize| match call.ints(name) {
        Some(ints) => Ok(Some(ints.iter().map(|&int| Sym::from(int)).collect::<Vec<Sym>>())),
        None if call.optional(index).is_some() => call.syms(index, &format!("`{name}`")).map(Some),
        None => Ok(None),
    };
    let (Some(starts), Some(ends)) = (ints(call, "starts", 1)?, ints(call, "ends", 2)?) else {
        return reason("no `starts` or no `ends`");
    };
    let axes = match ints(call, "axes", 3)? {
        Some(axes) => axes.iter().map(|axis| axis.number().unwrap_or(0)).collect(),
        None => (0..starts.len() as i64).collect::<Vec<_>>(),
    };
    let steps = match ints(call, "steps", 4)? {
        Some(steps) => steps.iter().map(|step| step.number().unwrap_or(1)).collect(),
        None => vec![1; starts.len()],
    };
    if ends.len() != starts.len() || axes.len() != starts.len() || steps.len() != starts.len() {
        return reason("`starts`, `ends`, `axes` and `steps` of different lengths");
    }
    let mut x = x;
    let mut parts = Vec::new();
    for (position, &axis) in axes.iter().enumerate() {
        let axis = call.axis(axis, x.rank())?;
        let (start, end, step) = (&starts[position], &ends[position], steps[position]);
        let (Some(size), Some(start), Some(end)) =
            (x.dims[axis].size(), start.number(), end.number())
        else {
            x = part_of_named(call, &x, axis, (start, end, step))?;
            continue;
        };
        let (size, from_end) =
            (size as i64, |at: i64| if at < 0 { at.saturating_add(size as i64) } else { at });
        if step == 0 {
            return reason("a step of 0");
        }
        let (low, high) = if step > 0 { (0, size) } else { (-1, size - 1) };
        let (start, end) = (from_end(start).clamp(low, high), from_end(end).clamp(low, high));
        let step = isize::try_from(step).map_err(|_| "a step of more than 64 bits")?;
        // A step of the size of an axis, or more, reads one element.
        let step = step.clamp(-(size as isize).max(1), (size as isize).max(1));
        parts.push(match step > 0 {
            true => (axis, start as usize, end.max(start) as usize, step),
            false => (axis, (end.min(start) + 1) as usize, (start + 1) as usize, step),
        });
    }
    Ok(vec![call.f.slices(call.hint(), &x, &parts)?])
}

/// A part of an axis whose size is known at run time.
fn part_of_named<'a>(
    call: &mut Call<'_, 'a>,
    x: &Value<'a>,
    axis: usize,
    (start, end, step): (&Sym, &Sym, i64),
) -> Reasoned<Value<'a>> {
    let size = x.dims[axis].clone();
    let at = |position: &Sym| match position.number() {
        Some(number) if number < 0 => size.plus(&Sym::from(number)),
        _ => Some(position.clone()),
    };
    if step == -1 && end.number().is_some_and(|end| end < -1_000_000) && start.number() == Some(-1)
    {
        return call.f.flip(call.hint(), x, &[axis]);
    }
    if step != 1 {
        return reason("a step other than 1 between bounds that are known only at run time");
    }
    let is_whole = end.number().is_some_and(|end| end >= LARGEST_AXIS) || *end == size;
    let start = at(start).ok_or("bounds that overflow")?;
    if is_whole && start.number() == Some(0) {
        return Ok(x.clone());
    }
    let end = if is_whole { size.clone() } else { at(end).ok_or("bounds that overflow")? };
    let len = end.minus(&start).ok_or("bounds that overflow")?;
    let mut dims = x.dims.clone();
    dims[axis] = len.clone();
    let name = call.f.axis_type(&len);
    let first = if start.number() == Some(0) { String::new() } else { call.f.size(&start)? };
    let last = if is_whole { String::new() } else { call.f.size(&end)? };
    let text = format!("{}.slice_axis::<{axis}, {name}>({first}..{last})", call.f.receiver(x)?);
    Ok(call.f.emit(call.hint(), x.element, dims, &text))
}

fn pad<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let mut x = call.input(0)?;
    let pads = call.ints_or_input("pads", 1)?.ok_or("no `pads`")?;
    let axes = match call.optional(3) {
        Some(_) => {
            let axes = call.known_ints(3, "`axes`")?;
            axes.iter().map(|&axis| call.axis(axis, x.rank())).collect::<Reasoned<Vec<_>>>()?
        }
        None => (0..x.rank()).collect(),
    };
    if pads.len() != 2 * axes.len() {
        return reason(format!("{} amounts of padding for {} axes", pads.len(), axes.len()));
    }
    let mut amounts = vec![(0, 0); x.rank()];
    for (position, &axis) in axes.iter().enumerate() {
        let both = [pads[position], pads[position + axes.len()]];
        if both.iter().any(|&amount| amount.unsigned_abs() > 1 << 40) {
            return reason("padding of more than 2^40 elements");
        }
        let cut = both.map(|amount| (-amount).max(0) as usize);
        if cut != [0, 0] {
            let size = static_size(&x.dims[axis], "an axis that is cut")?;
            if cut[0] + cut[1] > size {
                return reason("negative padding of more than the axis has");
            }
            x = call.f.range("cut", &x, axis, cut[0]..size - cut[1])?;
        }
        amounts[axis] = (both[0].max(0) as usize, both[1].max(0) as usize);
    }
    let mode = call.text("mode", "constant");
    let padding = match &mode[..] {
        "constant" => {
            let value = match (call.attribute("value"), call.optional(2)) {
                (Some(attribute), _) => call.literal(x.element, f64::from(attribute.float)),
                (None, None) => call.literal(x.element, 0.0),
                (None, Some(value)) => match call.f.literal(&value, 1) {
                    Some(literal) => literal,
                    None => format!("{}.item()", call.f.receiver(&value)?),
                },
            };
            let value =
                if x.element == Element::Bool && value == "0" { "false".to_owned() } else { value };
            format!("Padding::Constant({value})")
        }
        "edge" => "Padding::Edge".to_owned(),
        "reflect" => "Padding::Reflect".to_owned(),
        "wrap" => "Padding::Wrap".to_owned(),
        other => return reason(format!("padding of mode {other:?}")),
    };
    Ok(vec![call.f.pad(call.hint(), &x, &amounts, &padding)?])
}

fn center_crop_pad<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let mut x = call.input(0)?;
    let target = call.known_ints(1, "the shape")?;
    let axes = match call.ints("axes") {
        Some(axes) => {
            axes.iter().map(|&axis| call.axis(axis, x.rank())).collect::<Reasoned<Vec<_>>>()?
        }
        None => (0..x.rank()).collect(),
    };
    if axes.len() != target.len() {
        return reason("as many sizes as axes are required");
    }
    let mut amounts = vec![(0, 0); x.rank()];
    for (&axis, &wanted) in axes.iter().zip(&target) {
        let size = static_size(&x.dims[axis], "an axis that is cropped")?;
        let wanted = usize::try_from(wanted).map_err(|_| "a negative size")?;
        if wanted < size {
            let start = (size - wanted) / 2;
            x = call.f.range(call.hint(), &x, axis, start..start + wanted)?;
        } else {
            let before = (wanted - size) / 2;
            amounts[axis] = (before, wanted - size - before);
        }
    }
    let padding = format!("Padding::Constant({})", call.literal(x.element, 0.0));
    Ok(vec![call.f.pad(call.hint(), &x, &amounts, &padding)?])
}

/// The sizes of a batch of images, and the size of blocks.
fn image_and_block<'a>(call: &Call<'_, 'a>) -> Reasoned<(Value<'a>, [Sym; 4], Sym)> {
    let x = call.input(0)?;
    let Ok(dims) = <[Sym; 4]>::try_from(x.dims.clone()) else { return reason("not four axes") };
    let block = call.int("blocksize", 0);
    if block <= 0 {
        return reason(format!("blocks of size {block}"));
    }
    Ok((x, dims, Sym::from(block)))
}

fn depth_to_space<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, [n, c, h, w], block) = image_and_block(call)?;
    let area = block.times(&block).ok_or("sizes that overflow")?;
    let depth = c.over(&area).ok_or("channels that are no multiple of the blocks")?;
    let is_crd = call.text("mode", "DCR") == "CRD";
    let (split, order) = match is_crd {
        true => (
            [n.clone(), depth.clone(), block.clone(), block.clone(), h.clone(), w.clone()],
            [0, 1, 4, 2, 5, 3],
        ),
        false => (
            [n.clone(), block.clone(), block.clone(), depth.clone(), h.clone(), w.clone()],
            [0, 3, 4, 1, 5, 2],
        ),
    };
    let split = call.f.reshape("blocks", &x, &split)?;
    let moved = call.f.permute("moved", &split, &order)?;
    let sizes = h.times(&block).zip(w.times(&block)).ok_or("sizes that overflow")?;
    Ok(vec![call.f.reshape(call.hint(), &moved, &[n, depth, sizes.0, sizes.1])?])
}

fn space_to_depth<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, [n, c, h, w], block) = image_and_block(call)?;
    let (rows, columns) =
        h.over(&block).zip(w.over(&block)).ok_or("sizes that are no multiple of the blocks")?;
    let split = [n.clone(), c.clone(), rows.clone(), block.clone(), columns.clone(), block.clone()];
    let split = call.f.reshape("blocks", &x, &split)?;
    let order = match &call.text("mode", "DCR")[..] {
        "CRD" => [0, 1, 3, 5, 2, 4],
        _ => [0, 3, 5, 1, 2, 4],
    };
    let moved = call.f.permute("moved", &split, &order)?;
    let depth = product([&c, &block, &block]).ok_or("sizes that overflow")?;
    Ok(vec![call.f.reshape(call.hint(), &moved, &[n, depth, rows, columns])?])
}

fn trilu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let k = match call.optional(1) {
        Some(_) => call.known_ints(1, "`k`")?.first().copied().unwrap_or(0),
        None => 0,
    };
    let k = k.clamp(-(1 << 40), 1 << 40);
    let name = if call.int("upper", 1) != 0 { "triu" } else { "tril" };
    if x.dims.iter().any(|dim| dim.number() == Some(0)) {
        return Ok(vec![x]);
    }
    let text = format!("{}.{name}({k})", call.f.receiver(&x)?);
    Ok(vec![call.f.emit(call.hint(), x.element, x.dims, &text)])
}
