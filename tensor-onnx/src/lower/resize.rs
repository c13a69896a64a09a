//! Resizing: along one axis after the other, by a matrix of the weights of interpolation, or by indices.
//!
//! Source: the operator `Resize` of ONNX.

use super::{Call, Lower, Results, reason, static_size};
use crate::element::Element;
use crate::function::Value;
use crate::known::{Data, Known};
use crate::reason::{Reason, Reasoned};
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[("Resize", resize), ("Upsample", resize)];

/// How positions are computed along an axis.
struct Axis {
    /// The sizes before and after.
    sizes: (usize, usize),
    scale: f64,
    /// The part of the axis that is read, in parts of its size.
    region: (f64, f64),
}

fn resize<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let input = call.input(0)?;
    let is_old = call.opset < 11 || call.node.operator == "Upsample";
    let (scales_at, sizes_at) = if is_old { (1, 9) } else { (2, 3) };
    let rank = input.rank();
    let axes = match call.ints("axes") {
        Some(axes) => {
            axes.iter().map(|&axis| call.axis(axis, rank)).collect::<Reasoned<Vec<_>>>()?
        }
        None => (0..rank).collect(),
    };
    let mut scales = match (call.attribute("scales"), call.optional(scales_at)) {
        (Some(attribute), _) => attribute.floats.iter().map(|&scale| f64::from(scale)).collect(),
        (None, Some(value)) if value.count().and_then(|count| count.number()) != Some(0) => {
            call.known_numbers(scales_at, "`scales`")?
        }
        _ => Vec::new(),
    };
    let mut sizes = Vec::new();
    if scales.is_empty() {
        sizes = call.known_ints(sizes_at, "`sizes`")?;
        let mut all = Vec::new();
        for (&axis, &size) in axes.iter().zip(&sizes) {
            all.push(
                size as f64 / static_size(&input.dims[axis], "an axis that is resized")? as f64,
            );
        }
        let policy = call.text("keep_aspect_ratio_policy", "stretch");
        if policy != "stretch" {
            let chosen = match &policy[..] {
                "not_larger" => all.iter().copied().fold(f64::INFINITY, f64::min),
                _ => all.iter().copied().fold(0.0, f64::max),
            };
            for (position, &axis) in axes.iter().enumerate() {
                all[position] = chosen;
                let size = static_size(&input.dims[axis], "an axis that is resized")? as f64;
                sizes[position] = (chosen * size + 0.5) as i64;
            }
        }
        scales = all;
    }
    if scales.len() != axes.len() {
        return reason(format!("{} scales for {} axes", scales.len(), axes.len()));
    }
    let coordinates = call
        .text("coordinate_transformation_mode", if is_old { "asymmetric" } else { "half_pixel" });
    let regions = match &coordinates[..] {
        "tf_crop_and_resize" => call.known_numbers(1, "`roi`")?,
        _ => Vec::new(),
    };
    let mut x = input.clone();
    let mode = call.text("mode", "nearest");
    if mode != "nearest" && !matches!(x.element, Element::F32 | Element::F64) {
        x = call.f.cast("floats", &x, Element::F32)?;
    }
    for (position, &axis) in axes.iter().enumerate() {
        let scale = scales[position];
        let has_region = regions.len() == 2 * axes.len();
        let region = if has_region {
            (regions[position], regions[position + axes.len()])
        } else {
            (0.0, 1.0)
        };
        if scale == 1.0 && region == (0.0, 1.0) {
            continue;
        }
        let Some(size) = x.dims[axis].size() else {
            let is_plain =
                matches!(&coordinates[..], "asymmetric" | "half_pixel") && mode == "nearest";
            if !is_plain || scale.fract() != 0.0 || scale < 1.0 {
                return Err(Reason::new(
                    "an axis that is resized, whose size is known only at run time",
                    "`--size NAME=NUMBER` fixes the size of an axis",
                ));
            }
            let mut dims = x.dims.clone();
            dims[axis] = dims[axis].times(&Sym::from(scale as i64)).ok_or("sizes that overflow")?;
            let name = call.f.axis_type(&dims[axis].clone());
            let text =
                format!("{}.repeat_as::<{axis}, {name}>({})", call.f.receiver(&x)?, scale as i64);
            x = call.f.emit(call.hint(), x.element, dims, &text);
            continue;
        };
        let wanted = sizes.get(position).map_or((scale * size as f64).floor(), |&size| size as f64);
        if !(0.0..1e9).contains(&wanted) {
            return reason(format!("a size of {wanted}"));
        }
        let positions = Axis { sizes: (size, wanted as usize), scale, region };
        x = along(call, &x, axis, &positions, &mode, &coordinates)?;
    }
    Ok(vec![call.f.cast(call.hint(), &x, input.element)?])
}

/// The position that each index reads, and whether it is outside.
fn position(axis: &Axis, index: usize, coordinates: &str) -> Reasoned<(f64, bool)> {
    let (size, count) = (axis.sizes.0 as f64, axis.sizes.1 as f64);
    let (y, scale) = (index as f64, axis.scale);
    let exact = scale * size;
    let position = match coordinates {
        "align_corners" if exact == 1.0 => 0.0,
        "align_corners" => y * (size - 1.0) / (exact - 1.0),
        "asymmetric" => y / scale,
        "half_pixel" => (y + 0.5) / scale - 0.5,
        "pytorch_half_pixel" if exact == 1.0 => -0.5,
        "pytorch_half_pixel" => (y + 0.5) / scale - 0.5,
        "half_pixel_symmetric" => size / 2.0 * (1.0 - count / exact) + (y + 0.5) / scale - 0.5,
        "tf_crop_and_resize" => {
            let (start, end) = axis.region;
            let step = match exact == 1.0 {
                true => (end - start) * (size - 1.0) / 2.0,
                false => y * (end - start) * (size - 1.0) / (exact - 1.0),
            };
            let position = step + start * (size - 1.0);
            return Ok((position, position < 0.0 || position > size - 1.0));
        }
        other => return reason(format!("coordinates {other:?}")),
    };
    Ok((position, false))
}

/// The weights of the neighbours of a position that is `ratio` after the one to its left.
fn weights(call: &Call<'_, '_>, mode: &str, ratio: f64, scale: f64) -> Reasoned<Vec<f64>> {
    let antialias = call.int("antialias", 0) != 0;
    let scale = if antialias { scale.min(1.0) } else { 1.0 };
    let normal = |weights: Vec<f64>| {
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    };
    Ok(match mode {
        "linear" if !antialias => vec![1.0 - ratio, ratio],
        "linear" => {
            let start = (-1.0 / scale).floor() as i64 + 1;
            let all = start..start + 2 - 2 * start;
            normal(
                all.map(|i| (1.0 - ((i as f64 - ratio) * scale).abs()).clamp(0.0, 1.0)).collect(),
            )
        }
        "cubic" => {
            let a = call.float("cubic_coeff_a", -0.75);
            let weight = |x: f64| match x.abs() {
                x if x <= 1.0 => (a + 2.0) * x * x * x - (a + 3.0) * x * x + 1.0,
                x if x < 2.0 => a * x * x * x - 5.0 * a * x * x + 8.0 * a * x - 4.0 * a,
                _ => 0.0,
            };
            if !antialias {
                return Ok((-1..3).map(|i| weight(f64::from(i) - ratio)).collect());
            }
            let start = (-2.0 / scale).floor() as i64 + 1;
            normal((start..2 - start).map(|i| weight(scale * (i as f64 - ratio))).collect())
        }
        other => return reason(format!("the mode {other:?}")),
    })
}

/// The index of the nearest element.
fn nearest(call: &Call<'_, '_>, position: f64) -> f64 {
    match &call.text(
        "nearest_mode",
        if call.opset < 11 || call.node.operator == "Upsample" {
            "floor"
        } else {
            "round_prefer_floor"
        },
    )[..]
    {
        "floor" => position.floor(),
        "ceil" => position.ceil(),
        "round_prefer_ceil" => (position + 0.5).floor(),
        _ => (position - 0.5).ceil(),
    }
}

fn along<'a>(
    call: &mut Call<'_, 'a>,
    x: &Value<'a>,
    axis: usize,
    positions: &Axis,
    mode: &str,
    coordinates: &str,
) -> Reasoned<Value<'a>> {
    let (size, count) = positions.sizes;
    let last = size.saturating_sub(1) as f64;
    let outside = call.float("extrapolation_value", 0.0);
    let mut all = Vec::with_capacity(count);
    for index in 0..count {
        all.push(position(positions, index, coordinates)?);
    }
    let mut y = if mode == "nearest" {
        let indices: Vec<usize> = all
            .iter()
            .map(|&(position, _)| nearest(call, position).clamp(0.0, last) as usize)
            .collect();
        let times = count / size.max(1);
        if times * size == count
            && indices.iter().enumerate().all(|(to, &from)| to / times.max(1) == from)
        {
            let mut dims = x.dims.clone();
            dims[axis] = Sym::from(count);
            let text = format!("{}.repeat::<{axis}, {times}>()", call.f.receiver(x)?);
            call.f.emit(call.hint(), x.element, dims, &text)
        } else {
            let indices = call.f.ints(indices);
            call.f.take(call.hint(), x, axis, &indices)?
        }
    } else {
        // Column `j` has the weights of the elements that make up element `j` of the result.
        let mut matrix = vec![0.0; size * count];
        for (column, &(position, is_outside)) in all.iter().enumerate() {
            if is_outside {
                continue;
            }
            let left = if position == position.floor() { position - 1.0 } else { position.floor() };
            let mut each = weights(call, mode, position - left, positions.scale)?;
            let first = left - (each.len() / 2) as f64 + 1.0;
            if call.int("exclude_outside", 0) != 0 {
                for (step, weight) in each.iter_mut().enumerate() {
                    if !(0.0..=last).contains(&(first + step as f64)) {
                        *weight = 0.0;
                    }
                }
                let sum: f64 = each.iter().sum();
                each.iter_mut().for_each(|weight| *weight /= if sum == 0.0 { 1.0 } else { sum });
            }
            for (step, weight) in each.iter().enumerate() {
                let row = (first + step as f64).clamp(0.0, last) as usize;
                matrix[row * count + column] += weight;
            }
        }
        let rank = x.rank();
        let (sizes, data) = match axis + 2 == rank {
            // The transpose multiplies from the left.
            true => {
                let turned =
                    (0..size * count).map(|at| matrix[(at % size) * count + at / size]).collect();
                (vec![count, size], turned)
            }
            false => (vec![size, count], matrix),
        };
        let data =
            Data::Floats(data.into_iter().map(|weight: f64| x.element.rounded(weight)).collect());
        let matrix = Value::known(Known { element: x.element, sizes, data });
        if axis + 2 == rank {
            call.f.matmul(call.hint(), &matrix, x)?
        } else if axis + 1 == rank {
            call.f.matmul(call.hint(), x, &matrix)?
        } else {
            let mut order: Vec<usize> = (0..rank).filter(|&other| other != axis).collect();
            order.push(axis);
            let moved = call.f.permute("moved", x, &order)?;
            let resized = call.f.matmul("resized", &moved, &matrix)?;
            let mut back: Vec<usize> = (0..rank - 1).collect();
            back.insert(axis, rank - 1);
            call.f.permute(call.hint(), &resized, &back)?
        }
    };
    if all.iter().any(|&(_, is_outside)| is_outside) {
        let mut dims = vec![Sym::from(1_usize); x.rank()];
        dims[axis] = Sym::from(count);
        let bits = all.iter().map(|&(_, is_outside)| Sym::from(i64::from(is_outside))).collect();
        let mask = Value::known(Known::ints(Element::Bool, bits));
        let mask = call.f.reshape("outside", &mask, &dims)?;
        let value = call.number(y.element, outside);
        y = call.f.select(call.hint(), &mask, &value, &y)?;
    }
    Ok(y)
}
