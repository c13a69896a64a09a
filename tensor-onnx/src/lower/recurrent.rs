//! Recurrent layers: a loop over time for each direction.

use super::{Call, Lower, Results, reason, static_size};
use crate::function::Value;
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
    let zeros = |call: &mut Call<'_, 'a>| {
        let dims = [x.dims[1].clone(), Sym::from(size)];
        call.f.full(element, &dims, &element.float(0.0))
    };
    let bias = match call.optional(3) {
        Some(bias) => Some(part(call, "b", &bias)?),
        None => None,
    };
    let halves = match &bias {
        Some(bias) => {
            let count = gates * size;
            let input = call.f.range("b", bias, 0, 0..count)?;
            let state = call.f.range("b", bias, 0, count..2 * count)?;
            Some((input, state))
        }
        None => None,
    };
    let mut start = Vec::new();
    for input in if gates == 4 { &[5, 6][..] } else { &[5] } {
        start.push(match call.optional(*input) {
            Some(value) => {
                let value = match call.int("layout", 0) {
                    0 => value,
                    _ => call.f.permute("initial", &value, &[1, 0, 2])?,
                };
                let value = part(call, "initial", &value)?;
                call.f.owned(&value)?
            }
            None => zeros(call)?,
        });
    }
    let steps = call.f.size(&x.dims[0])?;
    let order = if is_reverse { format!("(0..{steps}).rev()") } else { format!("0..{steps}") };
    let (x_text, w_text, r_text) =
        (call.f.receiver(x)?, call.f.argument(&w)?, call.f.argument(&r)?);
    let (state, cell, all, step) =
        (call.f.local("state"), call.f.local("cell"), call.f.local("states"), call.f.local("step"));
    let sizes = list(&vec![size; gates]);
    let from_input = format!("{x_text}.index::<0>({step}).matmul({w_text})");
    let body = match gates {
        1 => {
            let bias = match &halves {
                Some((input, hidden)) => {
                    format!(" + {} + {}", call.f.argument(input)?, call.f.argument(hidden)?)
                }
                None => String::new(),
            };
            format!(
                "{state} = ({from_input} + {state}.matmul({r_text}){bias}).{}();\n",
                activations[0]
            )
        }
        3 => {
            let (with_input, with_state) = match &halves {
                Some((input, hidden)) => (
                    format!(" + {}", call.f.argument(input)?),
                    format!(" + {}", call.f.argument(hidden)?),
                ),
                None => (String::new(), String::new()),
            };
            let (f, g) = (activations[0], activations[1]);
            let candidate = match call.int("linear_before_reset", 0) != 0 {
                true => format!("let candidate = (new + reset * hidden_new).{g}();\n"),
                false => {
                    // The state is reset before its product.
                    let inner = match &halves {
                        Some((_, hidden)) => {
                            let part = call.f.range("b_new", hidden, 0, 2 * size..3 * size)?;
                            format!(" + {}", call.f.argument(&part)?)
                        }
                        None => String::new(),
                    };
                    let r_new = call.f.range("r_new", &r, 1, 2 * size..3 * size)?;
                    let r_new = call.f.argument(&r_new)?;
                    format!(
                        "let candidate = (new + (reset * &{state}).matmul({r_new}){inner}).{g}();\n"
                    )
                }
            };
            let hidden_new =
                if call.int("linear_before_reset", 0) != 0 { "hidden_new" } else { "_" };
            format!(
                "let (update, reset, new) = ({from_input}{with_input}).split::<1, shape![{sizes}]>();\n\
                 let (hidden_update, hidden_reset, {hidden_new}) = ({state}.matmul({r_text}){with_state}).split::<1, shape![{sizes}]>();\n\
                 let update = (update + hidden_update).{f}();\n\
                 let reset = (reset + hidden_reset).{f}();\n\
                 {candidate}\
                 {state} = &update * {state} + (1.0 - &update) * candidate;\n"
            )
        }
        _ => {
            let bias = match &halves {
                Some((input, hidden)) => {
                    format!(" + {} + {}", call.f.argument(input)?, call.f.argument(hidden)?)
                }
                None => String::new(),
            };
            let (f, g, h) = (activations[0], activations[1], activations[2]);
            let peepholes = match call.optional(7) {
                Some(value) => {
                    let value = part(call, "p", &value)?;
                    let mut parts = Vec::new();
                    for (index, name) in ["p_in", "p_out", "p_forget"].iter().enumerate() {
                        let part =
                            call.f.range(name, &value, 0, index * size..(index + 1) * size)?;
                        parts.push(call.f.argument(&part)?);
                    }
                    Some(parts)
                }
                None => None,
            };
            let peep = |index: usize| match &peepholes {
                Some(parts) => format!(" + {} * &{cell}", parts[index]),
                None => String::new(),
            };
            let gate = |name: &str, peep: String| match peep.is_empty() {
                true => format!("{name}.{f}()"),
                false => format!("({name}{peep}).{f}()"),
            };
            format!(
                "let gates = {from_input} + {state}.matmul({r_text}){bias};\n\
                 let (input, output, forget, new) = gates.split::<1, shape![{sizes}]>();\n\
                 {cell} = {} * &{cell} + {} * new.{g}();\n\
                 {state} = {} * {cell}.{h}();\n",
                gate("forget", peep(2)),
                gate("input", peep(0)),
                gate("output", peep(1)),
            )
        }
    };
    let axis = call.f.axis_type(&x.dims[0].clone());
    let is_lstm = gates == 4;
    let (names, values, last) = match is_lstm {
        true => (
            format!("(mut {state}, mut {cell})"),
            format!("({}, {})", start[0], start[1]),
            format!("{state}, {cell}"),
        ),
        false => (format!("mut {state}"), start[0].clone(), state.clone()),
    };
    let turn = if is_reverse { format!("{all}.reverse();\n") } else { String::new() };
    let last_dims = vec![x.dims[1].clone(), Sym::from(size)];
    let types = match is_lstm {
        true => {
            let ty = call.f.tensor(element, &last_dims);
            format!("({ty}, {ty})")
        }
        false => call.f.tensor(element, &last_dims),
    };
    let text = format!(
        "{{\nlet {names}: {types} = {values};\nlet mut {all} = Vec::new();\nfor {step} in {order} {{\n{body}\
         {all}.push({state}.clone());\n}}\n{turn}(Tensor::stack_all::<0, {axis}>(&{all}), {last})\n}}"
    );
    let all_dims = [&[x.dims[0].clone()][..], &last_dims].concat();
    let mut results = vec![(call.hint(), element, all_dims), ("last", element, last_dims.clone())];
    if is_lstm {
        results.push(("last_cell", element, last_dims));
    }
    Ok(call.f.emit_all(&results, &text))
}
