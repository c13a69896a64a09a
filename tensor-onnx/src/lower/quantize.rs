//! Integers that stand for floats: `(x - zero) · scale`.

use super::windows::convolved;
use super::{Call, Lower, Results, reason, static_size};
use crate::element::Element;
use crate::function::Value;
use crate::reason::Reasoned;
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[
    ("QuantizeLinear", quantize),
    ("DequantizeLinear", dequantize),
    ("DynamicQuantizeLinear", dynamic_quantize),
    ("MatMulInteger", matmul_integer),
    ("ConvInteger", conv_integer),
    ("QLinearMatMul", qlinear_matmul),
    ("QLinearConv", qlinear_conv),
];

/// The smallest and the largest integer of a type.
fn bounds(element: Element) -> Reasoned<(f64, f64)> {
    Ok(match element {
        Element::U8 => (0.0, 255.0),
        Element::I8 => (-128.0, 127.0),
        Element::U16 => (0.0, 65535.0),
        Element::I16 => (-32768.0, 32767.0),
        other => return reason(format!("integers of type {}", other.name())),
    })
}

impl<'a> Call<'_, 'a> {
    /// A scale or a zero point as it broadcasts with `x`: one number, one for each index of an axis, or one for each block.
    fn parameter(&mut self, hint: &str, value: &Value<'a>, x: &Value<'a>) -> Reasoned<Value<'a>> {
        let block = usize::try_from(self.int("block_size", 0)).unwrap_or(0);
        if value.count().and_then(|count| count.number()) == Some(1) && block == 0 {
            return self.f.reshape(hint, value, &[]);
        }
        let axis = self.axis(self.int("axis", 1), x.rank())?;
        if block == 0 {
            let mut dims = vec![Sym::from(1_usize); x.rank()];
            dims[axis] = value.dims.first().cloned().ok_or("a scale without axes")?;
            return self.f.reshape(hint, value, &dims);
        }
        let size = static_size(&x.dims[axis], "blocks along an axis")?;
        let blocks = static_size(&value.dims[axis], "blocks along an axis")?;
        let mut dims = value.dims.clone();
        dims[axis] = Sym::from(blocks * block);
        let text = format!("{}.repeat::<{axis}, {block}>()", self.f.receiver(value)?);
        let each = self.f.emit(hint, value.element, dims, &text);
        self.f.range(hint, &each, axis, 0..size)
    }

    /// `round(x)`, plus the zero point, within the bounds of the type.
    fn saturated(
        &mut self,
        x: &Value<'a>,
        zero: Option<&Value<'a>>,
        element: Element,
    ) -> Reasoned<Value<'a>> {
        let (low, high) = bounds(element)?;
        let mut rounded = self.f.unary("rounded", "round", x)?;
        if let Some(zero) = zero {
            let zero = self.f.cast("zero", zero, x.element)?;
            rounded = self.f.add("moved", &rounded, &zero)?;
        }
        let (low, high) = (self.number(x.element, low), self.number(x.element, high));
        let above = self.f.method("above", "maximum", &rounded, &low)?;
        let within = self.f.method("within", "minimum", &above, &high)?;
        self.f.cast(self.hint(), &within, element)
    }

    /// A number, or a vector with one for each index of an axis, as it broadcasts with a tensor of this rank.
    fn along_axis(
        &mut self,
        hint: &str,
        value: &Value<'a>,
        axis: usize,
        rank: usize,
    ) -> Reasoned<Value<'a>> {
        match value.rank() {
            0 => Ok(value.clone()),
            1 if axis < rank => {
                let mut dims = vec![Sym::from(1_usize); rank];
                dims[axis] = value.dims[0].clone();
                self.f.reshape(hint, value, &dims)
            }
            other => reason(format!("a scale or a zero point with {other} axes")),
        }
    }

    /// Integers of 32 bits, less their zero points, which may be one for each index of `axis`, counted from the last if it
    /// is negative.
    fn centred(&mut self, hint: &str, x: usize, zero: usize, axis: i64) -> Reasoned<Value<'a>> {
        let x = self.input(x)?;
        let wide = self.f.cast(hint, &x, Element::I32)?;
        let Some(zero) = self.optional(zero) else { return Ok(wide) };
        let axis = self.axis(axis, x.rank())?;
        let zero = self.along_axis("zero", &zero, axis, x.rank())?;
        let zero = self.f.cast("zero", &zero, Element::I32)?;
        if zero.known.as_ref().and_then(|known| known.uniform()).and_then(|known| known.numbers())
            == Some(vec![0.0])
        {
            return Ok(wide);
        }
        self.f.sub(hint, &wide, &zero)
    }
}

fn quantize<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (mut x, scale, zero) = (call.input(0)?, call.input(1)?, call.optional(2));
    let element = match (&zero, call.int("output_dtype", 0)) {
        (Some(zero), _) => zero.element,
        (None, 0) => Element::U8,
        (None, number) => call.element(number)?,
    };
    let mut scale = call.parameter("scale", &scale, &x)?;
    // 16-bit floats have too few bits for the integers.
    for value in [&mut x, &mut scale] {
        if value.element != Element::F64 {
            *value = call.f.cast("wide", value, Element::F32)?;
        }
    }
    let zero = match zero {
        Some(zero) => Some(call.parameter("zero", &zero, &x)?),
        None => None,
    };
    let scaled = call.f.div("scaled", &x, &scale)?;
    Ok(vec![call.saturated(&scaled, zero.as_ref(), element)?])
}

fn dequantize<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, scale) = (call.input(0)?, call.input(1)?);
    let mut wide = call.f.cast("wide", &x, Element::F32)?;
    if let Some(zero) = call.optional(2) {
        let zero = call.parameter("zero", &zero, &x)?;
        let zero = call.f.cast("zero", &zero, Element::F32)?;
        wide = call.f.sub("centred", &wide, &zero)?;
    }
    let element = match call.int("output_dtype", 0) {
        0 => scale.element,
        number => call.element(number)?,
    };
    let scale = call.parameter("scale", &scale, &x)?;
    let scale = call.f.cast("scale", &scale, Element::F32)?;
    let y = call.f.mul(call.hint(), &wide, &scale)?;
    Ok(vec![call.f.cast(call.hint(), &y, element)?])
}

fn dynamic_quantize<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let axes: Vec<usize> = (0..x.rank()).collect();
    let (zero, one, steps) =
        (call.number(x.element, 0.0), call.number(x.element, 1.0), call.number(x.element, 255.0));
    let high = call.f.reduce("high", "max", &x, &axes, false)?;
    let high = call.f.method("high", "maximum", &high, &zero)?;
    let low = call.f.reduce("low", "min", &x, &axes, false)?;
    let low = call.f.method("low", "minimum", &low, &zero)?;
    let span = call.f.sub("span", &high, &low)?;
    let is_flat = call.f.method("is_flat", "equal", &span, &zero)?;
    let span = call.f.select("span", &is_flat, &one, &span)?;
    let scale = call.f.div(call.hint_of(1), &span, &steps)?;
    let down = call.f.unary("down", "-", &low)?;
    let place = call.f.div("place", &down, &scale)?;
    let zero_point = call.saturated(&place, None, Element::U8)?;
    let scaled = call.f.div("scaled", &x, &scale)?;
    let y = call.saturated(&scaled, Some(&zero_point), Element::U8)?;
    Ok(vec![y, scale, zero_point])
}

fn matmul_integer<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (a, b) = (call.centred("a", 0, 2, -2)?, call.centred("b", 1, 3, -1)?);
    Ok(vec![call.f.matmul(call.hint(), &a, &b)?])
}

fn conv_integer<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, weights) = (call.centred("x", 0, 2, 1)?, call.centred("weights", 1, 3, 0)?);
    Ok(vec![convolved(call, &x, &weights, None)?])
}

/// The product of two scales, by a third.
fn rescaled<'a>(
    call: &mut Call<'_, 'a>,
    sum: &Value<'a>,
    scales: [Value<'a>; 3],
    zero: Option<Value<'a>>,
    element: Element,
) -> Results<'a> {
    let [a, b, c] = scales;
    let wide = |call: &mut Call<'_, 'a>, scale: &Value<'a>| match scale.element.is_half() {
        true => call.f.cast("scale", scale, Element::F32),
        false => Ok(scale.clone()),
    };
    let (a, b, c) = (wide(call, &a)?, wide(call, &b)?, wide(call, &c)?);
    let product = call.f.mul("scale", &a, &b)?;
    let scale = call.f.div("scale", &product, &c)?;
    let floats = call.f.cast("floats", sum, scale.element)?;
    let scaled = call.f.mul("scaled", &floats, &scale)?;
    let zero = zero.as_ref();
    Ok(vec![call.saturated(&scaled, zero, element)?])
}

fn qlinear_matmul<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (a, b) = (call.centred("a", 0, 2, -2)?, call.centred("b", 3, 5, -1)?);
    let product = call.f.matmul("product", &a, &b)?;
    let (a_scale, b_scale) = (call.input(1)?, call.input(4)?);
    let rank = product.rank();
    let scales = [
        call.along_axis("scale", &a_scale, rank.saturating_sub(2), rank)?,
        call.along_axis("scale", &b_scale, rank.saturating_sub(1), rank)?,
        call.input(6)?,
    ];
    let zero = call.optional(7);
    let element = zero.as_ref().map_or(call.input(0)?.element, |zero| zero.element);
    rescaled(call, &product, scales, zero, element)
}

fn qlinear_conv<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, weights) = (call.centred("x", 0, 2, 1)?, call.centred("weights", 3, 5, 0)?);
    let mut sum = convolved(call, &x, &weights, None)?;
    if let Some(bias) = call.optional(8) {
        let bias = call.per_channel("bias", &bias, sum.rank())?;
        sum = call.f.add("sum", &sum, &bias)?;
    }
    let weight_scale = call.input(4)?;
    let weight_scale = call.per_channel("weight_scale", &weight_scale, sum.rank())?;
    let scales = [call.input(1)?, weight_scale, call.input(6)?];
    let zero = call.optional(7);
    let element = zero.as_ref().map_or(call.input(0)?.element, |zero| zero.element);
    rescaled(call, &sum, scales, zero, element)
}
