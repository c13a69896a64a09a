//! Layers with a state: convolution over the last elements, linear attention, caches.

use super::{Call, Lower, Results, reason, static_size};
use crate::element::Element;
use crate::function::Value;
use crate::reason::Reasoned;
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[
    ("CausalConvWithState", causal_conv),
    ("LinearAttention", linear_attention),
    ("TensorScatter", tensor_scatter),
];

/// The most steps of linear attention: each is written.
const MOST_STEPS: usize = 64;

fn causal_conv<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, weights, bias, past) =
        (call.input(0)?, call.input(1)?, call.optional(2), call.optional(3));
    let (Ok([batch, channels, _]), Some(size)) =
        (<[Sym; 3]>::try_from(x.dims.clone()), weights.dims.get(2).and_then(Sym::size))
    else {
        return reason("an input without three axes, or filters of unknown size");
    };
    let Some(before) = size.checked_sub(1) else { return reason("filters of size 0") };
    let past = match past {
        Some(past) => past,
        None => {
            let dims = [batch, channels.clone(), Sym::from(before)];
            let text = call.f.full(x.element, &dims, &x.element.float(0.0))?;
            call.f.emit("past", x.element, dims.to_vec(), &text)
        }
    };
    let padded = call.f.concat("padded", &[past, x.clone()], 2)?;
    let groups = static_size(&channels, "channels")?;
    let dims = vec![x.dims[0].clone(), channels.clone(), x.dims[2].clone()];
    let mut text = format!(
        "{}.conv1d({}, Conv1dOptions::new().groups::<{groups}>())",
        call.f.receiver(&padded)?,
        call.f.argument(&weights)?
    );
    if let Some(bias) = bias {
        let shape = call.f.shape(&[channels, Sym::from(1_usize)]);
        text += &format!(" + {}.reshape::<{shape}>()", call.f.receiver(&bias)?);
    }
    let mut y = call.f.emit(call.hint(), x.element, dims, &text);
    match &call.text("activation", "none")[..] {
        "none" => {}
        "silu" | "swish" => y = call.f.unary(call.hint(), "silu", &y)?,
        other => return reason(format!("the activation {other:?}")),
    }
    let len = static_size(&padded.dims[2], "a sequence with a state")?;
    let present = call.f.range(call.hint_of(1), &padded, 2, len - before..len)?;
    Ok(vec![y, present])
}

/// `[batch, time, heads · size]` as `[batch, heads, time, size]`, in `f32`.
fn split<'a>(
    call: &mut Call<'_, 'a>,
    hint: &str,
    x: &Value<'a>,
    heads: i64,
) -> Reasoned<Value<'a>> {
    let Ok([batch, time, width]) = <[Sym; 3]>::try_from(x.dims.clone()) else {
        return reason("an input without three axes");
    };
    let heads = Sym::from(heads);
    let size = width.over(&heads).ok_or("a width that is no multiple of the heads")?;
    let x = call.f.cast(hint, x, Element::F32)?;
    let split = call.f.reshape(hint, &x, &[batch, time, heads, size])?;
    call.f.permute(hint, &split, &[0, 2, 1, 3])
}

fn linear_attention<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (query, key, value) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let (q_heads, heads) = (call.int("q_num_heads", 0), call.int("kv_num_heads", 0));
    if heads <= 0 || q_heads <= 0 || q_heads % heads != 0 {
        return reason(format!("{q_heads} heads of queries and {heads} of keys"));
    }
    let rule = call.text("update_rule", "gated_delta");
    let q = split(call, "queries", &query, q_heads)?;
    let k = split(call, "keys", &key, heads)?;
    let v = split(call, "values", &value, heads)?;
    let (size, steps) =
        (static_size(&k.dims[3], "the size of a head")?, static_size(&q.dims[2], "time")?);
    if steps > MOST_STEPS {
        return reason(format!("{steps} steps of a state, of which {MOST_STEPS} are written"));
    }
    let scale = match call.float("scale", 0.0) {
        0.0 => 1.0 / (size as f64).sqrt(),
        scale => scale,
    };
    let decay = match call.optional(4) {
        Some(decay) if rule.contains("gated") => Some(split(call, "decay", &decay, heads)?),
        _ => None,
    };
    let beta = match call.optional(5) {
        Some(beta) if rule.contains("delta") => {
            let count = beta.dims.get(2).and_then(Sym::size).unwrap_or(0) as i64;
            Some(split(call, "beta", &beta, count)?)
        }
        _ => None,
    };
    let state_dims =
        vec![k.dims[0].clone(), k.dims[1].clone(), k.dims[3].clone(), v.dims[3].clone()];
    let (mut state, element) = match call.optional(3) {
        Some(past) => (call.f.cast("state", &past, Element::F32)?, past.element),
        None => {
            let text = call.f.full(Element::F32, &state_dims, "0.0")?;
            (call.f.emit("state", Element::F32, state_dims.clone(), &text), query.element)
        }
    };
    let mut outputs = Vec::new();
    for step in 0..steps {
        let row = |call: &mut Call<'_, 'a>, hint: &str, x: &Value<'a>| {
            call.f.range(hint, x, 2, step..step + 1)
        };
        let column = |call: &mut Call<'_, 'a>, hint: &str, x: &Value<'a>| {
            let row = row(call, hint, x)?;
            call.f.permute(hint, &row, &[0, 1, 3, 2])
        };
        if let Some(decay) = &decay {
            let gate = column(call, "gate", decay)?;
            let gate = call.f.unary("gate", "exp", &gate)?;
            state = call.f.mul("state", &state, &gate)?;
        }
        let mut new = row(call, "new", &v)?;
        if let Some(beta) = &beta {
            let key = row(call, "key", &k)?;
            let found = call.f.matmul("found", &key, &state)?;
            let change = call.f.sub("change", &new, &found)?;
            let rate = row(call, "rate", beta)?;
            new = call.f.mul("new", &change, &rate)?;
        }
        let key = column(call, "key", &k)?;
        let written = call.f.mul("written", &key, &new)?;
        state = call.f.add("state", &state, &written)?;
        let times = (q_heads / heads) as usize;
        let all = match times {
            1 => state.clone(),
            times => {
                let mut dims = state.dims.clone();
                dims[1] = Sym::from(q_heads);
                let text = format!("{}.repeat::<1, {times}>()", call.f.receiver(&state)?);
                call.f.emit("states", Element::F32, dims, &text)
            }
        };
        let query = row(call, "query", &q)?;
        let read = call.f.matmul("read", &query, &all)?;
        outputs.push(call.f.scaled("read", &read, Element::F32.rounded(scale))?);
    }
    let joined = call.f.concat("joined", &outputs, 2)?;
    let moved = call.f.permute("moved", &joined, &[0, 2, 1, 3])?;
    let width = moved.dims[2].times(&moved.dims[3]).ok_or("sizes that overflow")?;
    let y =
        call.f.reshape("flat", &moved, &[moved.dims[0].clone(), moved.dims[1].clone(), width])?;
    let y = call.f.cast(call.hint(), &y, query.element)?;
    Ok(vec![y, call.f.cast(call.hint_of(1), &state, element)?])
}

/// Writes the rows of a batch into a cache, each from its own index on.
fn tensor_scatter<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (cache, update, starts) = (call.input(0)?, call.input(1)?, call.optional(2));
    let axis = call.axis(call.int("axis", -2), cache.rank())?;
    let (size, count) =
        (static_size(&cache.dims[axis], "a cache")?, static_size(&update.dims[axis], "an update")?);
    if axis == 0 {
        return reason("a cache along the batch");
    }
    let one = Sym::from(1_usize);
    let mut dims = vec![one.clone(); cache.rank()];
    dims[axis] = Sym::from(count);
    let mut places = call.f.ints(0..count);
    places = call.f.reshape("places", &places, &dims)?;
    if let Some(starts) = starts {
        let starts = call.f.cast("starts", &starts, Element::I64)?;
        let mut dims = vec![one; cache.rank()];
        dims[0] = cache.dims[0].clone();
        let starts = call.f.reshape("starts", &starts, &dims)?;
        places = call.f.add("places", &places, &starts)?;
    }
    if call.text("mode", "linear") == "circular" {
        let size = call.number(Element::I64, size as f64);
        places = call.f.method("places", "remainder", &places, &size)?;
    }
    let places = call.f.expand("places", &places, &update.dims)?;
    let receiver = call.f.receiver(&cache)?;
    let arguments = (call.f.argument(&places)?, call.f.argument(&update)?);
    let or_error = call.f.or_error();
    let text =
        format!("{receiver}.scatter::<{axis}, _>({}, {}){or_error}", arguments.0, arguments.1);
    Ok(vec![call.f.emit(call.hint(), cache.element, cache.dims, &text)])
}
