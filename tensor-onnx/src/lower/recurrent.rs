//! Recurrent layers: a loop over time for each direction.

use super::{Call, Lower, Results, reason, static_size};
use crate::function::{Loop, State, Value};
use crate::operations::list;
use crate::reason::Reasoned;
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[("RNN", recurrent), ("GRU", recurrent), ("LSTM", recurrent)];

/// An activation as a method.
fn activation(name: &str) -> Reasoned<&'static str> {
    Ok(match &name.to_ascii_lowercase()[..] {
        "tanh" => "tanh",
        "sigmoid" => "sigmoid",
        "relu" => "relu",
        "softplus" => "softplus",
        _ => return reason(format!("the activation {name}")),
    })
}

fn recurrent<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (gates, defaults): (usize, &[&str]) = match call.node.operator {
        "RNN" => (1, &["tanh"]),
        "GRU" => (3, &["sigmoid", "tanh"]),
        _ => (4, &["sigmoid", "tanh", "tanh"]),
    };
    let is_lstm = gates == 4;
    let (mut x, w, r) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let is_batch_first = call.int("layout", 0) != 0;
    if is_batch_first {
        x = call.f.permute("x", &x, &[1, 0, 2])?;
    }
    if x.rank() != 3 || w.rank() != 3 || r.rank() != 3 {
        return reason("an input or weights without three axes");
    }
    if call.attribute("clip").is_some() || call.int("input_forget", 0) != 0 {
        return reason("`clip` or `input_forget`");
    }
    if call.optional(4).is_some() {
        let steps = static_size(&x.dims[0], "sequences with lengths")? as i64;
        if call.known_ints(4, "`sequence_lens`")?.iter().any(|&len| len != steps) {
            return reason("sequences of different lengths");
        }
    }
    let names: Vec<String> = match call.attribute("activations") {
        Some(attribute) => {
            attribute.texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()
        }
        None => Vec::new(),
    };
    let directions: &[bool] = match &call.text("direction", "forward")[..] {
        "forward" => &[false],
        "reverse" => &[true],
        "bidirectional" => &[false, true],
        other => return reason(format!("the direction {other:?}")),
    };
    let size = static_size(&r.dims[2], "the state")?;
    let mut results: [Vec<Value<'a>>; 3] = Default::default();
    for (index, &is_reverse) in directions.iter().enumerate() {
        let all: Vec<&str> = names.iter().map(|name| &name[..]).collect();
        let all = all.get(index * defaults.len()..(index + 1) * defaults.len()).unwrap_or(defaults);
        let activations = all.iter().map(|name| activation(name)).collect::<Reasoned<Vec<_>>>()?;
        let direction = Direction { index, is_reverse, gates, size, activations };
        for (all, value) in results.iter_mut().zip(one(call, &direction, (&x, &w, &r))?) {
            all.push(value);
        }
    }
    let [all, last, cells] = results;
    let mut joined = Vec::new();
    for (values, axis, order) in
        [(all, 1, [2, 0, 1, 3].as_slice()), (last, 0, &[1, 0, 2]), (cells, 0, &[1, 0, 2])]
    {
        let hint = call.hint_of(joined.len());
        let mut parts = Vec::new();
        for value in &values {
            parts.push(call.f.unsqueeze(hint, value, &[axis])?);
        }
        if parts.is_empty() {
            continue;
        }
        let value = call.f.concat(hint, &parts, axis)?;
        joined.push(if is_batch_first { call.f.permute(hint, &value, order)? } else { value });
    }
    debug_assert!(joined.len() == if is_lstm { 3 } else { 2 }, "all states are results");
    Ok(joined)
}

struct Direction {
    index: usize,
    is_reverse: bool,
    gates: usize,
    size: usize,
    activations: Vec<&'static str>,
}

/// The states of all steps, and the last; of an LSTM the last cell as well.
fn one<'a>(
    call: &mut Call<'_, 'a>,
    direction: &Direction,
    (x, w, r): (&Value<'a>, &Value<'a>, &Value<'a>),
) -> Reasoned<Vec<Value<'a>>> {
    let Direction { index, is_reverse, gates, size, ref activations } = *direction;
    let element = x.element;
    let at = call.f.scalar(crate::element::Element::I64, index as f64);
    let part =
        |call: &mut Call<'_, 'a>, hint: &str, value: &Value<'a>| call.f.take(hint, value, 0, &at);
    let w = part(call, "w", w)?;
    let w = call.f.permute("w", &w, &[1, 0])?;
    let r = part(call, "r", r)?;
    let r = call.f.permute("r", &r, &[1, 0])?;
    if w.dims[1] != Sym::from(gates * size) || w.dims[1] != r.dims[1] || w.dims[0] != x.dims[2] {
        return reason("weights whose sizes do not fit");
    }
    let dims = vec![x.dims[1].clone(), Sym::from(size)];
    let bias = match call.optional(3) {
        Some(bias) => {
            let (bias, count) = (part(call, "b", &bias)?, gates * size);
            let input = call.f.range("b", &bias, 0, 0..count)?;
            Some((input, call.f.range("b", &bias, 0, count..2 * count)?))
        }
        None => None,
    };
    let mut starts = Vec::new();
    for input in if gates == 4 { &[5, 6][..] } else { &[5] } {
        starts.push(match call.optional(*input) {
            Some(value) => {
                let value = match call.int("layout", 0) {
                    0 => value,
                    _ => call.f.permute("initial", &value, &[1, 0, 2])?,
                };
                part(call, "initial", &value)?
            }
            None => {
                let text = call.f.full(element, &dims, &element.float(0.0))?;
                call.f.emit("zeros", element, dims.clone(), &text)
            }
        });
    }
    let mut peepholes = Vec::new();
    if let Some(value) = call.optional(7).filter(|_| gates == 4) {
        let value = part(call, "p", &value)?;
        for (index, name) in ["p_in", "p_out", "p_forget"].iter().enumerate() {
            peepholes.push(call.f.range(name, &value, 0, index * size..(index + 1) * size)?);
        }
    }
    // The state is reset before its product.
    let new = match gates == 3 && call.int("linear_before_reset", 0) == 0 {
        true => {
            let range = 2 * size..3 * size;
            let bias = match &bias {
                Some((_, hidden)) => Some(call.f.range("b_new", hidden, 0, range.clone())?),
                None => None,
            };
            Some((call.f.range("r_new", &r, 1, range)?, bias))
        }
        false => None,
    };

    let body = call.f.begin();
    let item = call.f.input("item", element, vec![x.dims[1].clone(), x.dims[2].clone()]).1;
    let mut before = vec![call.f.input("state", element, dims.clone()).1];
    if gates == 4 {
        before.push(call.f.input("cell", element, dims.clone()).1);
    }
    let state = &before[0];
    let (mut of_input, mut of_state) =
        (call.f.matmul("of_input", &item, &w)?, call.f.matmul("of_state", state, &r)?);
    let parts = |call: &mut Call<'_, 'a>, names: &[&'static str], x: &Value<'a>| {
        let sizes = list(&vec![size; gates]);
        let text = format!("{}.split::<1, shape![{sizes}]>()", call.f.receiver(x)?);
        let parts: Vec<_> = names.iter().map(|&name| (name, element, dims.clone())).collect();
        Reasoned::Ok(call.f.emit_all(&parts, &text))
    };
    let next = if gates == 3 {
        if let Some((input, hidden)) = &bias {
            of_input = call.f.add("of_input", &of_input, input)?;
            of_state = call.f.add("of_state", &of_state, hidden)?;
        }
        let of_input = parts(call, &["update", "reset", "new"], &of_input)?;
        let of_state = parts(call, &["update", "reset", "new"], &of_state)?;
        let mut both = Vec::new();
        for (name, index) in [("update", 0), ("reset", 1)] {
            let sum = call.f.add(name, &of_input[index], &of_state[index])?;
            both.push(call.f.unary(name, activations[0], &sum)?);
        }
        let (update, reset) = (&both[0], &both[1]);
        let candidate = match &new {
            None => {
                let hidden = call.f.mul("hidden", reset, &of_state[2])?;
                call.f.add("new", &of_input[2], &hidden)?
            }
            Some((r_new, bias)) => {
                let hidden = call.f.mul("hidden", reset, state)?;
                let hidden = call.f.matmul("hidden", &hidden, r_new)?;
                let sum = call.f.add("new", &of_input[2], &hidden)?;
                match bias {
                    Some(bias) => call.f.add("new", &sum, bias)?,
                    None => sum,
                }
            }
        };
        let candidate = call.f.unary("new", activations[1], &candidate)?;
        let kept = call.f.mul("kept", update, state)?;
        let rest = call.f.sub("rest", &call.f.scalar(element, 1.0), update)?;
        let added = call.f.mul("added", &rest, &candidate)?;
        vec![call.f.add("next", &kept, &added)?]
    } else {
        let mut sum = call.f.add("gates", &of_input, &of_state)?;
        if let Some((input, hidden)) = &bias {
            sum = call.f.add("gates", &sum, input)?;
            sum = call.f.add("gates", &sum, hidden)?;
        }
        match &before[..] {
            [_, cell] => {
                let names = ["input", "output", "forget", "new"];
                let all = parts(call, &names, &sum)?;
                let gate = |call: &mut Call<'_, 'a>, index: usize, cell: &Value<'a>| {
                    let mut gate = all[index].clone();
                    if let Some(peephole) = peepholes.get(index) {
                        let peep = call.f.mul("peep", peephole, cell)?;
                        gate = call.f.add(names[index], &gate, &peep)?;
                    }
                    call.f.unary(names[index], activations[0], &gate)
                };
                let (input, forget) = (gate(call, 0, cell)?, gate(call, 2, cell)?);
                let kept = call.f.mul("kept", &forget, cell)?;
                let new = call.f.unary("new", activations[1], &all[3])?;
                let added = call.f.mul("added", &input, &new)?;
                let cell = call.f.add("cell", &kept, &added)?;
                let output = gate(call, 1, &cell)?;
                let shown = call.f.unary("shown", activations[2], &cell)?;
                vec![call.f.mul("state", &output, &shown)?, cell]
            }
            _ => vec![call.f.unary("state", activations[0], &sum)?],
        }
    };
    let results = vec![(call.hint(), next[0].clone())];
    let states = starts.into_iter().zip(before).zip(next).zip(["last", "last_cell"]);
    let states = states.map(|(((start, before), next), hint)| State { hint, start, before, next });
    let states = states.collect();
    let (items, len) = (vec![(item, Some(x.clone()))], x.dims[0].clone());
    let mut found = call.f.scan(body, Loop { states, items, len, results, is_reverse })?;
    found.rotate_right(1);
    Ok(found)
}
