//! Signals: windows, and discrete Fourier transforms as products with matrices.

use std::f64::consts::TAU;

use super::{Call, Lower, Results, reason, static_size};
use crate::element::Element;
use crate::function::Value;
use crate::known::{Data, Known, MOST_FOLDED};
use crate::reason::Reasoned;
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[
    ("HannWindow", |call| window(call, &[0.5, -0.5])),
    ("HammingWindow", |call| window(call, &[25.0 / 46.0, -21.0 / 46.0])),
    ("BlackmanWindow", |call| window(call, &[0.42, -0.5, 0.08])),
    ("DFT", dft),
];

/// A sum of cosines.
fn window<'a>(call: &mut Call<'_, 'a>, weights: &[f64]) -> Results<'a> {
    let element = call.element(call.int("output_datatype", 1))?;
    let size = call.known_ints(0, "the size")?;
    let size = size
        .first()
        .copied()
        .and_then(|size| usize::try_from(size).ok())
        .ok_or("a negative size")?;
    if size > MOST_FOLDED || !element.is_float() {
        return reason(format!("a window of {size} elements of type {}", element.name()));
    }
    let period = if call.int("periodic", 1) != 0 { size } else { size.saturating_sub(1) };
    let at = |index: usize| {
        let angle = TAU * index as f64 / period as f64;
        let each =
            weights.iter().enumerate().map(|(times, weight)| weight * (angle * times as f64).cos());
        element.rounded(each.sum())
    };
    let data = Data::Floats((0..size).map(at).collect());
    Ok(vec![Value::known(Known { element, sizes: vec![size], data })])
}

/// The known matrix of a function of its rows and columns.
fn matrix<'a>(
    element: Element,
    rows: usize,
    columns: usize,
    f: impl Fn(usize, usize) -> f64,
) -> Value<'a> {
    let all = (0..rows * columns).map(|at| element.rounded(f(at / columns, at % columns)));
    Value::known(Known { element, sizes: vec![rows, columns], data: Data::Floats(all.collect()) })
}

/// The transform of real and imaginary parts, which are the last axis: products with cosines and sines.
fn dft<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let rank = x.rank();
    let axis = match call.optional(2) {
        Some(_) => call.known_ints(2, "`axis`")?.first().copied().unwrap_or(-2),
        None => call.int("axis", if call.opset < 20 { 1 } else { -2 }),
    };
    let axis = call.axis(axis, rank)?;
    let (is_inverse, is_half) = (call.int("inverse", 0) != 0, call.int("onesided", 0) != 0);
    if axis + 1 == rank {
        return reason("a transform along the axis of real and imaginary parts");
    }
    let size = static_size(&x.dims[axis], "an axis that is transformed")?;
    let parts = static_size(&x.dims[rank - 1], "real and imaginary parts")?;
    let len = match call.optional(1) {
        Some(_) => call.known_ints(1, "`dft_length`")?.first().copied().unwrap_or(0),
        None if is_inverse && is_half => 2 * (size as i64 - 1),
        None => size as i64,
    };
    let len = usize::try_from(len)
        .ok()
        .filter(|&len| len > 0 && len <= 1 << 12)
        .ok_or("a length that is not positive, or more than 4,096")?;
    if parts > 2 || parts == 0 || size > 1 << 12 {
        return reason("more than a real and an imaginary part");
    }
    // What is read, and what is computed.
    let (read, count) = match (is_inverse, is_half) {
        (true, true) => (size.min(len / 2 + 1), len),
        (false, true) => (size.min(len), len / 2 + 1),
        _ => (size.min(len), len),
    };
    let sign = if is_inverse { 1.0 } else { -1.0 };
    let scale = if is_inverse { 1.0 / len as f64 } else { 1.0 };
    let element = x.element;
    // Of a half spectrum, all but the first and the middle stand for two.
    let times = |row: usize| match is_inverse && is_half && row != 0 && 2 * row != len {
        true => 2.0 * scale,
        false => scale,
    };
    let angle = |row: usize, column: usize| TAU * ((row * column) % len) as f64 / len as f64;
    let cos = matrix(element, read, count, |row, column| times(row) * angle(row, column).cos());
    let sin =
        matrix(element, read, count, |row, column| times(row) * sign * angle(row, column).sin());
    let x = call.f.range("read", &x, axis, 0..read)?;
    let part = |call: &mut Call<'_, 'a>, index: usize| -> Reasoned<Value<'a>> {
        let place = call.f.scalar(Element::I64, index as f64);
        let part = call.f.take("part", &x, rank - 1, &place)?;
        let mut order: Vec<usize> = (0..rank - 1).filter(|&other| other != axis).collect();
        order.push(axis);
        call.f.permute("part", &part, &order)
    };
    let real = part(call, 0)?;
    let imaginary = if parts == 2 { Some(part(call, 1)?) } else { None };
    let mut y_real = call.f.matmul("real", &real, &cos)?;
    let mut y_imaginary = call.f.matmul("imaginary", &real, &sin)?;
    if let Some(imaginary) = imaginary {
        let from_sin = call.f.matmul("turned", &imaginary, &sin)?;
        y_real = call.f.sub("real", &y_real, &from_sin)?;
        let from_cos = call.f.matmul("turned", &imaginary, &cos)?;
        y_imaginary = call.f.add("imaginary", &y_imaginary, &from_cos)?;
    }
    let mut back: Vec<usize> = (0..rank - 2).collect();
    back.insert(axis, rank - 2);
    let mut results = Vec::new();
    for value in if is_inverse && is_half { vec![y_real] } else { vec![y_real, y_imaginary] } {
        let value = call.f.permute("part", &value, &back)?;
        results.push(call.f.unsqueeze("part", &value, &[rank - 1])?);
    }
    debug_assert!(
        results.iter().all(|value| value.dims[axis] == Sym::from(count)),
        "all frequencies are computed"
    );
    Ok(vec![call.f.concat(call.hint(), &results, rank - 1)?])
}
