//! Normalisations.

use super::{Call, Lower, Results, all_static, reason, static_size};
use crate::element::Element;
use crate::function::Value;
use crate::reason::Reasoned;
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[
    ("BatchNormalization", batch_norm),
    ("InstanceNormalization", instance_norm),
    ("GroupNormalization", group_norm),
    ("LayerNormalization", layer_norm),
    ("RMSNormalization", rms_norm),
    ("MeanVarianceNormalization", mean_variance),
    ("LpNormalization", lp_norm),
    ("LRN", lrn),
];

impl<'a> Call<'_, 'a> {
    /// A vector of channels as it broadcasts with a tensor whose axis 1 has them.
    pub(super) fn per_channel(
        &mut self,
        hint: &str,
        vector: &Value<'a>,
        rank: usize,
    ) -> Reasoned<Value<'a>> {
        if vector.rank() != 1 {
            return Ok(vector.clone());
        }
        if rank < 2 {
            return reason("a tensor without channels");
        }
        let mut dims = vector.dims.clone();
        dims.extend(vec![Sym::from(1_usize); rank - 2]);
        self.f.reshape(hint, vector, &dims)
    }

    /// `x · scale + bias` for each channel.
    fn affine(
        &mut self,
        x: &Value<'a>,
        scale: &Value<'a>,
        bias: &Value<'a>,
    ) -> Reasoned<Value<'a>> {
        let scale = self.per_channel("scale", scale, x.rank())?;
        let bias = self.per_channel("bias", bias, x.rank())?;
        let scaled = self.f.mul("scaled", x, &scale)?;
        self.f.add(self.hint(), &scaled, &bias)
    }
}

fn batch_norm<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, scale, bias) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let (mut mean, mut variance) = (call.input(3)?, call.input(4)?);
    let epsilon = call.float("epsilon", 1e-5);
    let mut results = Vec::new();
    if call.int("training_mode", 0) != 0 {
        let momentum = call.float("momentum", 0.9);
        let axes: Vec<usize> = (0..x.rank()).filter(|&axis| axis != 1).collect();
        let batch_mean = call.f.reduce("batch_mean", "mean", &x, &axes, false)?;
        let batch_variance = call.f.reduce("batch_variance", "var", &x, &axes, false)?;
        for (hint, old, new) in
            [("mean", &mean, &batch_mean), ("variance", &variance, &batch_variance)]
        {
            let kept = call.f.scaled("kept", old, momentum)?;
            let added = call.f.scaled("added", new, 1.0 - momentum)?;
            results.push(call.f.add(hint, &kept, &added)?);
        }
        (mean, variance) = (batch_mean, batch_variance);
    }
    if [&mean, &variance].iter().any(|value| value.element != x.element) {
        mean = call.f.cast("mean", &mean, x.element)?;
        variance = call.f.cast("variance", &variance, x.element)?;
    }
    if let Some(folded) = folded_batch_norm(call, [&scale, &bias, &mean, &variance], epsilon)? {
        return Ok(vec![folded]);
    }
    let receiver = call.f.receiver(&x)?;
    let arguments = (call.f.argument(&mean)?, call.f.argument(&variance)?);
    let text = format!("{receiver}.batch_norm::<1>({}, {}, {epsilon:?})", arguments.0, arguments.1);
    let normal = call.f.emit("normal", x.element, x.dims.clone(), &text);
    let scale = call.f.cast("scale", &scale, x.element)?;
    let bias = call.f.cast("bias", &bias, x.element)?;
    let y = call.affine(&normal, &scale, &bias)?;
    results.insert(0, y);
    Ok(results)
}

/// The batch normalisation of a convolution by constants.
fn folded_batch_norm<'a>(
    call: &mut Call<'_, 'a>,
    vectors: [&Value<'a>; 4],
    epsilon: f64,
) -> Reasoned<Option<Value<'a>>> {
    let Some(convolution) = call.convolution(0) else { return Ok(None) };
    let channels = convolution.dims[1].size();
    let numbers = vectors.map(|vector| match vector.known.as_ref()?.floats()? {
        numbers if Some(numbers.len()) == channels => Some(numbers),
        _ => None,
    });
    let [Some(scale), Some(bias), Some(mean), Some(variance)] = numbers else { return Ok(None) };
    let factors =
        scale.iter().zip(&variance).map(|(scale, variance)| scale / (variance + epsilon).sqrt());
    let factors: Vec<f64> = factors.collect();
    let offsets = bias.iter().zip(mean.iter().zip(&factors));
    let offsets: Vec<f64> = offsets.map(|(bias, (mean, factor))| bias - mean * factor).collect();
    call.folded(&convolution, &factors, &offsets, vectors[1].weight)
}

fn instance_norm<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, scale, bias) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let epsilon = call.float("epsilon", 1e-5);
    let text = format!("{}.instance_norm::<1>({epsilon:?})", call.f.receiver(&x)?);
    let normal = call.f.emit("normal", x.element, x.dims, &text);
    Ok(vec![call.affine(&normal, &scale, &bias)?])
}

fn group_norm<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, mut scale, mut bias) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let (epsilon, groups) = (call.float("epsilon", 1e-5), call.int("num_groups", 1));
    let channels = static_size(x.dims.get(1).ok_or("a tensor without channels")?, "channels")?;
    let groups =
        usize::try_from(groups).ok().filter(|&groups| groups > 0 && channels % groups == 0);
    let groups = groups.ok_or("groups that do not divide the channels")?;
    if call.opset < 21 {
        // One gain and one bias for each group.
        for value in [&mut scale, &mut bias] {
            let column =
                call.f.reshape("column", value, &[Sym::from(groups), Sym::from(1_usize)])?;
            let dims = [Sym::from(groups), Sym::from(channels / groups)];
            let each = call.f.expand("each", &column, &dims)?;
            *value = call.f.reshape("channels", &each, &[Sym::from(channels)])?;
        }
    }
    let text = format!("{}.group_norm::<1, {groups}>({epsilon:?})", call.f.receiver(&x)?);
    let normal = call.f.emit("normal", x.element, x.dims, &text);
    Ok(vec![call.affine(&normal, &scale, &bias)?])
}

/// The type in which statistics are computed.
fn wide(call: &Call<'_, '_>, x: &Value<'_>) -> Element {
    match call.int("stash_type", 1) {
        1 if x.element.is_half() => Element::F32,
        _ => x.element,
    }
}

fn layer_norm<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, scale, bias) = (call.input(0)?, call.input(1)?, call.optional(2));
    let axis = call.axis(call.int("axis", -1), x.rank())?;
    let epsilon = call.float("epsilon", 1e-5);
    let one_vector = axis + 1 == x.rank() && scale.dims == x.dims[axis..];
    let same =
        bias.as_ref().is_none_or(|bias| bias.dims == scale.dims && bias.element == x.element);
    if one_vector && same && !call.needs(1) && !call.needs(2) && !x.element.is_half() {
        let bias = match &bias {
            Some(bias) => format!("Some({})", call.f.argument(bias)?),
            None => "None".to_owned(),
        };
        let arguments = (call.f.argument(&x)?, call.f.argument(&scale)?);
        let text = format!("layer_norm({}, {}, {bias}, {epsilon:?})", arguments.0, arguments.1);
        return Ok(vec![call.f.emit(call.hint(), x.element, x.dims, &text)]);
    }
    let axes: Vec<usize> = (axis..x.rank()).collect();
    let element = wide(call, &x);
    let x_wide = call.f.cast("wide", &x, element)?;
    let mean = call.f.reduce("mean", "mean", &x_wide, &axes, true)?;
    let centred = call.f.sub("centred", &x_wide, &mean)?;
    let squares = call.f.unary("squares", "square", &centred)?;
    let variance = call.f.reduce("variance", "mean", &squares, &axes, true)?;
    let epsilon = call.number(element, epsilon);
    let above = call.f.add("above", &variance, &epsilon)?;
    let deviation = call.f.unary("deviation", "sqrt", &above)?;
    let inverse = call.f.unary("inverse", "reciprocal", &deviation)?;
    let normal = call.f.div("normal", &centred, &deviation)?;
    let normal = call.f.cast("normal", &normal, x.element)?;
    let mut y = call.f.mul(call.hint(), &normal, &scale)?;
    if let Some(bias) = bias {
        y = call.f.add(call.hint(), &y, &bias)?;
    }
    Ok(vec![y, mean, inverse])
}

fn rms_norm<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, scale) = (call.input(0)?, call.input(1)?);
    let axis = call.axis(call.int("axis", -1), x.rank())?;
    let epsilon = call.float("epsilon", 1e-5);
    if axis + 1 == x.rank() && scale.dims == x.dims[axis..] && !x.element.is_half() {
        let arguments = (call.f.argument(&x)?, call.f.argument(&scale)?);
        let text = format!("rms_norm({}, {}, {epsilon:?})", arguments.0, arguments.1);
        return Ok(vec![call.f.emit(call.hint(), x.element, x.dims, &text)]);
    }
    let axes: Vec<usize> = (axis..x.rank()).collect();
    let element = wide(call, &x);
    let x_wide = call.f.cast("wide", &x, element)?;
    let squares = call.f.unary("squares", "square", &x_wide)?;
    let mean = call.f.reduce("mean", "mean", &squares, &axes, true)?;
    let epsilon = call.number(element, epsilon);
    let above = call.f.add("above", &mean, &epsilon)?;
    let root = call.f.unary("root", "sqrt", &above)?;
    let normal = call.f.div("normal", &x_wide, &root)?;
    let normal = call.f.cast("normal", &normal, x.element)?;
    Ok(vec![call.f.mul(call.hint(), &normal, &scale)?])
}

fn mean_variance<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let axes = call.ints("axes").map_or(vec![0, 2, 3], <[i64]>::to_vec);
    let axes = call.axes(&axes, x.rank())?;
    let mean = call.f.reduce("mean", "mean", &x, &axes, true)?;
    let centred = call.f.sub("centred", &x, &mean)?;
    let squares = call.f.unary("squares", "square", &centred)?;
    let variance = call.f.reduce("variance", "mean", &squares, &axes, true)?;
    let deviation = call.f.unary("deviation", "sqrt", &variance)?;
    let epsilon = call.number(x.element, 1e-9);
    let above = call.f.add("above", &deviation, &epsilon)?;
    Ok(vec![call.f.div(call.hint(), &centred, &above)?])
}

fn lp_norm<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let axis = call.axis(call.int("axis", -1), x.rank())?;
    let name = match call.int("p", 2) {
        1 => "norm_l1",
        2 => "norm",
        other => return reason(format!("p = {other}")),
    };
    let norm = call.f.reduce("norm", name, &x, &[axis], true)?;
    let zero = call.number(x.element, 0.0);
    let is_zero = call.f.method("is_zero", "equal", &norm, &zero)?;
    let normal = call.f.div("normal", &x, &norm)?;
    Ok(vec![call.f.select(call.hint(), &is_zero, &zero, &normal)?])
}

fn lrn<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let size = usize::try_from(call.int("size", 0)).map_err(|_| "a negative size")?;
    let sizes = all_static(&x, "an axis")?;
    if sizes.len() < 2 || size == 0 || size > 64 {
        return reason(format!("a window of {size} channels of {} axes", sizes.len()));
    }
    let (alpha, beta, bias) =
        (call.float("alpha", 1e-4), call.float("beta", 0.75), call.float("bias", 1.0));
    let squares = call.f.unary("squares", "square", &x)?;
    let mut amounts = vec![(0, 0); x.rank()];
    amounts[1] = ((size - 1) / 2, size / 2);
    let padded = call.f.pad("padded", &squares, &amounts, "Padding::Constant(0.0)")?;
    let mut sum = call.f.range("sum", &padded, 1, 0..sizes[1])?;
    for start in 1..size {
        let next = call.f.range("next", &padded, 1, start..start + sizes[1])?;
        sum = call.f.add("sum", &sum, &next)?;
    }
    let scaled = call.f.scaled("scaled", &sum, alpha / size as f64)?;
    let bias = call.number(x.element, bias);
    let above = call.f.add("above", &scaled, &bias)?;
    let exponent = call.number(x.element, beta);
    let power = call.f.method("power", "pow", &above, &exponent)?;
    Ok(vec![call.f.div(call.hint(), &x, &power)?])
}
