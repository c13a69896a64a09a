//! Attention.

use super::{Call, Lower, Results, reason, static_size};
use crate::element::Element;
use crate::function::{Origin, Value};
use crate::reason::Reasoned;
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] =
    &[("Attention", attention), ("RotaryEmbedding", rotary_embedding)];

/// `[batch, sequence, heads · size]` as `[batch, heads, sequence, size]`.
fn heads<'a>(
    call: &mut Call<'_, 'a>,
    hint: &str,
    x: &Value<'a>,
    count: i64,
) -> Reasoned<Value<'a>> {
    if x.rank() == 4 {
        return Ok(x.clone());
    }
    let (Ok([batch, time, width]), true) = (<[Sym; 3]>::try_from(x.dims.clone()), count > 0) else {
        return reason(format!("{} axes and {count} heads", x.rank()));
    };
    let count = Sym::from(count);
    let size = width.over(&count).ok_or("a width that is no multiple of the heads")?;
    let split = call.f.reshape(hint, x, &[batch, time, count, size])?;
    call.f.permute(hint, &split, &[0, 2, 1, 3])
}

/// Each head several times, one after the other.
fn repeated<'a>(
    call: &mut Call<'_, 'a>,
    hint: &str,
    x: &Value<'a>,
    times: usize,
) -> Reasoned<Value<'a>> {
    if times == 1 {
        return Ok(x.clone());
    }
    let mut dims = x.dims.clone();
    dims[1] = dims[1].times(&Sym::from(times)).ok_or("sizes that overflow")?;
    let text = format!("{}.repeat::<1, {times}>()", call.f.receiver(x)?);
    Ok(call.f.emit(hint, x.element, dims, &text))
}

fn attention<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (q, k, v) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let is_flat = q.rank() == 3;
    let element = q.element;
    let (q_heads, kv_heads) = (call.int("q_num_heads", 0), call.int("kv_num_heads", 0));
    let q = heads(call, "queries", &q, q_heads)?;
    let mut k = heads(call, "keys", &k, kv_heads)?;
    let mut v = heads(call, "values", &v, kv_heads)?;
    let mut offset = Sym::default();
    if let (Some(past_k), Some(past_v)) = (call.optional(4), call.optional(5)) {
        offset = past_k.dims.get(2).cloned().ok_or("a cache of too few axes")?;
        k = call.f.concat(if call.needs(1) { call.hint_of(1) } else { "keys" }, &[past_k, k], 2)?;
        v = call.f.concat(
            if call.needs(2) { call.hint_of(2) } else { "values" },
            &[past_v, v],
            2,
        )?;
    }
    let present = (k.clone(), v.clone());
    let heads_of = |x: &Value<'a>| static_size(&x.dims[1], "heads");
    let times = heads_of(&q)? / heads_of(&k)?.max(1);
    let (k, v) = (repeated(call, "keys", &k, times)?, repeated(call, "values", &v, times)?);

    let size = static_size(&q.dims[3], "the size of a head")? as f64;
    let scale =
        call.attribute("scale").map_or(1.0 / size.sqrt(), |attribute| f64::from(attribute.float));
    let turned = call.f.permute("keys", &k, &[0, 1, 3, 2])?;
    let mut scores = match element.is_half() {
        // Both are scaled, so that products of 16-bit floats do not overflow.
        true => {
            let scaled = [&q, &turned].map(|x| call.f.scaled("scaled", x, scale.sqrt()));
            let [q, k] = scaled;
            call.f.matmul("scores", &q?, &k?)?
        }
        false => {
            let product = call.f.matmul("scores", &q, &turned)?;
            call.f.scaled("scores", &product, element.rounded(scale))?
        }
    };
    let softcap = call.float("softcap", 0.0);
    if softcap > 0.0 {
        let by = call.number(element, softcap);
        let small = call.f.div("small", &scores, &by)?;
        let capped = call.f.unary("capped", "tanh", &small)?;
        scores = call.f.scaled("scores", &capped, softcap)?;
    }
    let raw = scores.clone();
    let (bias, is_causal_alone) = bias(call, &q, &k, &offset)?;
    if is_causal_alone {
        let diagonal = offset.size().map(|size| size.to_string());
        let diagonal = match diagonal {
            Some(diagonal) => diagonal,
            None => format!("{} as isize", call.f.size(&offset)?),
        };
        let text = format!(
            "{}.tril_or({diagonal}, {})",
            call.f.receiver(&scores)?,
            element.float(f64::NEG_INFINITY)
        );
        scores = call.f.emit("scores", element, scores.dims.clone(), &text);
    } else if let Some(bias) = &bias {
        scores = call.f.add("scores", &scores, bias)?;
    }
    let biased = scores.clone();
    let precision = match call.attribute("softmax_precision") {
        Some(attribute) => call.element(attribute.int)?,
        None => element,
    };
    let wide = call.f.cast("scores", &scores, precision)?;
    let mut weights = call.f.along("weights", "softmax", &wide, 3)?;
    if let Some(bias) = &bias
        && !is_causal_alone
    {
        // A query that reads no key has no result: its row of weights is 0.
        let largest = call.f.reduce("largest", "max", bias, &[bias.rank() - 1], true)?;
        let infinity = call.number(element, f64::NEG_INFINITY);
        let is_hidden = call.f.method("is_hidden", "equal", &largest, &infinity)?;
        let known = is_hidden.known.as_ref().and_then(|known| known.numbers());
        if known.is_none_or(|bits| bits.iter().any(|&bit| bit != 0.0)) {
            let zero = call.number(precision, 0.0);
            let shown = call.f.select("weights", &is_hidden, &zero, &weights)?;
            weights = call.f.noted(shown, Origin::WithoutNan(weights));
        }
    }
    let weights = call.f.cast("weights", &weights, element)?;
    let mut y = call.f.matmul(call.hint(), &weights, &v)?;
    if is_flat {
        let moved = call.f.permute("joined", &y, &[0, 2, 1, 3])?;
        let width = moved.dims[2].times(&moved.dims[3]).ok_or("sizes that overflow")?;
        y = call.f.reshape(
            call.hint(),
            &moved,
            &[moved.dims[0].clone(), moved.dims[1].clone(), width],
        )?;
    }
    let shown = match call.int("qk_matmul_output_mode", 0) {
        2 => biased,
        3 => weights,
        _ => raw,
    };
    Ok(vec![y, present.0, present.1, shown])
}

/// What is added to scores, and whether that is a causal mask alone.
fn bias<'a>(
    call: &mut Call<'_, 'a>,
    q: &Value<'a>,
    k: &Value<'a>,
    offset: &Sym,
) -> Reasoned<(Option<Value<'a>>, bool)> {
    let element = q.element;
    let (zero, infinity) = (call.number(element, 0.0), call.number(element, f64::NEG_INFINITY));
    let is_causal = call.int("is_causal", 0) != 0;
    let (left, right) = (call.int("left_window_size", -1), call.int("right_window_size", -1));
    let lens = call.optional(6);
    let has_window = left >= 0 || right >= 0;
    let mut bias: Option<Value<'a>> = None;
    if let Some(mut mask) = call.optional(3) {
        let last = mask.rank().checked_sub(1).ok_or("a mask without axes")?;
        if mask.dims[last] != k.dims[2] {
            // Keys behind the mask are hidden.
            let missing = k.dims[2].minus(&mask.dims[last]).and_then(|missing| missing.size());
            let missing = missing.ok_or("a mask that is longer than the keys")?;
            let mut amounts = vec![(0, 0); mask.rank()];
            amounts[last] = (0, missing);
            let hidden = match mask.element {
                Element::Bool => "false".to_owned(),
                element => element.float(f64::NEG_INFINITY),
            };
            mask = call.f.pad("mask", &mask, &amounts, &format!("Padding::Constant({hidden})"))?;
        }
        bias = Some(match mask.element {
            Element::Bool => call.f.select("bias", &mask, &zero, &infinity)?,
            _ => call.f.cast("bias", &mask, element)?,
        });
    }
    if bias.is_none() && lens.is_none() && !has_window {
        return Ok((is_causal.then(|| zero.clone()), is_causal));
    }
    let mut masks = Vec::new();
    if is_causal || has_window {
        let rows = static_size(&q.dims[2], "queries under a mask")?;
        let columns = static_size(&k.dims[2], "keys under a mask")?;
        let place = call.f.ints(0..rows);
        let place = call.f.reshape("place", &place, &[Sym::from(rows), Sym::from(1_usize)])?;
        let key = call.f.ints(0..columns);
        let start = match &lens {
            Some(lens) if call.optional(4).is_none() => {
                let lens = call.f.cast("lens", lens, Element::I64)?;
                let one = Sym::from(1_usize);
                let dims =
                    [lens.count().ok_or("sizes that overflow")?, one.clone(), one.clone(), one];
                let lens = call.f.reshape("lens", &lens, &dims)?;
                let rows = call.number(Element::I64, rows as f64);
                call.f.sub("start", &lens, &rows)?
            }
            _ => call.number(Element::I64, static_size(offset, "a cache under a mask")? as f64),
        };
        let place = call.f.add("place", &place, &start)?;
        if is_causal {
            masks.push(call.f.method("allowed", "less_equal", &key, &place)?);
        }
        if left >= 0 {
            let far = call.number(Element::I64, left as f64);
            let first = call.f.sub("first", &place, &far)?;
            masks.push(call.f.method("allowed", "greater_equal", &key, &first)?);
        }
        if right >= 0 {
            let far = call.number(Element::I64, right as f64);
            let last = call.f.add("last", &place, &far)?;
            masks.push(call.f.method("allowed", "less_equal", &key, &last)?);
        }
    }
    if let Some(lens) = &lens {
        let lens = call.f.cast("lens", lens, Element::I64)?;
        let one = Sym::from(1_usize);
        let dims = [lens.count().ok_or("sizes that overflow")?, one.clone(), one.clone(), one];
        let lens = call.f.reshape("lens", &lens, &dims)?;
        let columns = static_size(&k.dims[2], "keys under a mask")?;
        let key = call.f.ints(0..columns);
        masks.push(call.f.method("allowed", "less", &key, &lens)?);
    }
    for mask in masks {
        let next = call.f.select("bias", &mask, &zero, &infinity)?;
        bias = Some(match bias {
            Some(bias) => call.f.add("bias", &bias, &next)?,
            None => next,
        });
    }
    Ok((bias, false))
}

fn rotary_embedding<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (input, mut cos, mut sin) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let heads = Sym::from(call.int("num_heads", 0));
    let x = match input.rank() {
        4 => call.f.permute("x", &input, &[0, 2, 1, 3])?,
        3 => {
            let size =
                input.dims[2].over(&heads).ok_or("a width that is no multiple of the heads")?;
            let dims = [input.dims[0].clone(), input.dims[1].clone(), heads, size];
            call.f.reshape("x", &input, &dims)?
        }
        rank => return reason(format!("{rank} axes")),
    };
    let size = static_size(&x.dims[3], "the size of a head")?;
    let turned = match usize::try_from(call.int("rotary_embedding_dim", 0)) {
        Ok(0) => size,
        Ok(turned) if turned <= size && turned % 2 == 0 => turned,
        _ => return reason("`rotary_embedding_dim` of more than the size of a head"),
    };
    if let Some(places) = call.optional(3) {
        cos = call.f.take("cos", &cos, 0, &places)?;
        sin = call.f.take("sin", &sin, 0, &places)?;
    }
    let cos = call.f.unsqueeze("cos", &cos, &[2])?;
    let sin = call.f.unsqueeze("sin", &sin, &[2])?;
    let part = call.f.range("part", &x, 3, 0..turned)?;
    let is_interleaved = call.int("interleaved", 0) != 0;
    let (a, b) = match is_interleaved {
        true => (
            call.f.slices("even", &part, &[(3, 0, turned, 2)])?,
            call.f.slices("odd", &part, &[(3, 1, turned, 2)])?,
        ),
        false => (
            call.f.range("first", &part, 3, 0..turned / 2)?,
            call.f.range("second", &part, 3, turned / 2..turned)?,
        ),
    };
    let products =
        [(&cos, &a), (&sin, &b), (&sin, &a), (&cos, &b)].map(|(x, y)| call.f.mul("turned", x, y));
    let [cos_a, sin_b, sin_a, cos_b] = products;
    let real = call.f.sub("real", &cos_a?, &sin_b?)?;
    let imaginary = call.f.add("imaginary", &sin_a?, &cos_b?)?;
    let mut y = match is_interleaved {
        true => {
            let (real, imaginary) = (
                call.f.unsqueeze("real", &real, &[4])?,
                call.f.unsqueeze("imaginary", &imaginary, &[4])?,
            );
            let pairs = call.f.concat("pairs", &[real, imaginary], 4)?;
            call.f.reshape("turned", &pairs, &part.dims)?
        }
        false => call.f.concat("turned", &[real, imaginary], 3)?,
    };
    if turned < size {
        let rest = call.f.range("rest", &x, 3, turned..size)?;
        y = call.f.concat("turned", &[y, rest], 3)?;
    }
    Ok(vec![match input.rank() {
        4 => call.f.permute(call.hint(), &y, &[0, 2, 1, 3])?,
        _ => call.f.reshape(call.hint(), &y, &input.dims)?,
    }])
}
