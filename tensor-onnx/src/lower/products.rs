//! Products of matrices.

use super::{Call, Lower, Results, reason};
use crate::function::Value;
use crate::operations::broadcast;
use crate::reason::Reasoned;
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[("MatMul", matmul), ("Gemm", gemm), ("Einsum", einsum)];

fn matmul<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, y) = (call.input(0)?, call.input(1)?);
    Ok(vec![call.f.matmul(call.hint(), &x, &y)?])
}

fn gemm<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (mut a, mut b, c) = (call.input(0)?, call.input(1)?, call.optional(2));
    let (alpha, beta) = (call.float("alpha", 1.0), call.float("beta", 1.0));
    let (turns_a, turns_b) = (call.int("transA", 0) != 0, call.int("transB", 0) != 0);
    if a.rank() != 2 || b.rank() != 2 {
        return reason("a factor that is no matrix");
    }
    if alpha == 1.0
        && beta == 1.0
        && (!turns_a && turns_b && a.element.is_float())
        && a.dims[1] == b.dims[1]
        && c.as_ref().is_none_or(|c| c.dims == b.dims[..1])
    {
        let dims = vec![a.dims[0].clone(), b.dims[0].clone()];
        let bias = match &c {
            Some(c) => format!("Some({})", call.f.argument(c)?),
            None => "None".to_owned(),
        };
        let text = format!("linear({}, {}, {bias})", call.f.argument(&a)?, call.f.argument(&b)?);
        return Ok(vec![call.f.emit(call.hint(), a.element, dims, &text)]);
    }
    if turns_a {
        a = call.f.permute("a", &a, &[1, 0])?;
    }
    if turns_b {
        b = call.f.permute("b", &b, &[1, 0])?;
    }
    let product = call.f.matmul("product", &a, &b)?;
    let product = call.f.scaled("product", &product, alpha)?;
    let Some(c) = c else { return Ok(vec![product]) };
    let c = call.f.scaled("bias", &c, beta)?;
    Ok(vec![call.f.add(call.hint(), &product, &c)?])
}

fn einsum<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let equation: String =
        call.text("equation", "").chars().filter(|c| !c.is_whitespace()).collect();
    let (left, right) = equation.split_once("->").unwrap_or((&equation, ""));
    let terms: Vec<&str> = left.split(',').collect();
    if terms.len() != call.inputs.len() {
        return reason(format!("{} terms for {} operands", terms.len(), call.inputs.len()));
    }
    // Axes of an ellipsis are named by digits.
    let mut widest = 0;
    let mut operands = Vec::new();
    for (index, term) in terms.iter().enumerate() {
        let x = call.input(index)?;
        let letters = term.replace("...", "").chars().count();
        let dots = if term.contains("...") { x.rank().checked_sub(letters) } else { Some(0) };
        let Some(dots) = dots.filter(|dots| letters + dots == x.rank() && *dots < 10) else {
            return reason(format!("the term `{term}` for {} axes", x.rank()));
        };
        widest = widest.max(dots);
        operands.push((x, dots));
    }
    let digits =
        |dots: usize| (widest - dots..widest).filter_map(|i| char::from_digit(i as u32, 10));
    let spelled = |term: &str, dots: usize| match term.split_once("...") {
        Some((before, behind)) => {
            before.chars().chain(digits(dots)).chain(behind.chars()).collect::<Vec<char>>()
        }
        None => term.chars().collect(),
    };
    let labels: Vec<Vec<char>> =
        terms.iter().zip(&operands).map(|(term, (_, dots))| spelled(term, *dots)).collect();
    let output: Vec<char> = match equation.contains("->") {
        true => spelled(right, widest),
        false => {
            let all: Vec<char> = labels.concat();
            let mut once: Vec<char> = all
                .iter()
                .copied()
                .filter(|c| {
                    !c.is_ascii_digit() && all.iter().filter(|other| *other == c).count() == 1
                })
                .collect();
            once.sort_unstable();
            digits(widest).chain(once).collect()
        }
    };
    // A label that occurs twice in a term is its diagonal.
    let mut parts = Vec::new();
    for ((x, _), labels) in operands.into_iter().zip(labels) {
        parts.push(diagonals(call, x, labels)?);
    }
    let mut parts = parts.into_iter();
    let (mut x, mut have) = parts.next().ok_or("no operands")?;
    let rest: Vec<(Value<'a>, Vec<char>)> = parts.collect();
    for (index, (y, labels)) in rest.iter().enumerate() {
        let later: Vec<char> =
            rest[index + 1..].iter().flat_map(|(_, labels)| labels.clone()).collect();
        let needed = |c: &char| output.contains(c) || later.contains(c);
        (x, have) = contract(call, (&x, &have), (y, labels), needed)?;
    }
    let summed: Vec<usize> =
        (0..have.len()).filter(|&axis| !output.contains(&have[axis])).collect();
    x = call.f.reduce("summed", "sum", &x, &summed, false)?;
    have.retain(|c| output.contains(c));
    let order: Option<Vec<usize>> =
        output.iter().map(|c| have.iter().position(|other| other == c)).collect();
    let order = order
        .filter(|order| order.len() == have.len())
        .ok_or("labels of the result that no operand has")?;
    Ok(vec![call.f.permute(call.hint(), &x, &order)?])
}

fn diagonals<'a>(
    call: &mut Call<'_, 'a>,
    mut x: Value<'a>,
    mut labels: Vec<char>,
) -> Reasoned<(Value<'a>, Vec<char>)> {
    while let Some((first, second)) = (0..labels.len()).find_map(|second| {
        let first = labels[..second].iter().position(|label| *label == labels[second]);
        first.map(|first| (first, second))
    }) {
        let mut dims = x.dims.clone();
        let size = dims.remove(second);
        dims.remove(first);
        dims.push(size);
        let text = format!("{}.diagonal::<{first}, {second}>()", call.f.receiver(&x)?);
        x = call.f.emit("diagonal", x.element, dims, &text);
        let label = labels.remove(second);
        labels.remove(first);
        labels.push(label);
    }
    Ok((x, labels))
}

/// The product of two operands, summed over labels that nothing later needs: a product of matrices over a batch.
fn contract<'a>(
    call: &mut Call<'_, 'a>,
    (x, left): (&Value<'a>, &[char]),
    (y, right): (&Value<'a>, &[char]),
    needed: impl Fn(&char) -> bool,
) -> Reasoned<(Value<'a>, Vec<char>)> {
    let (mut x, mut left) = (x.clone(), left.to_vec());
    let (mut y, mut right) = (y.clone(), right.to_vec());
    let others = [right.clone(), left.clone()];
    for ((value, labels), others) in
        [(&mut x, &mut left), (&mut y, &mut right)].into_iter().zip(others)
    {
        let alone: Vec<usize> = (0..labels.len())
            .filter(|&axis| !needed(&labels[axis]) && !others.contains(&labels[axis]))
            .collect();
        *value = call.f.reduce("summed", "sum", value, &alone, false)?;
        let mut axis = 0;
        labels.retain(|_| {
            axis += 1;
            !alone.contains(&(axis - 1))
        });
    }
    let both: Vec<char> = left.iter().copied().filter(|c| right.contains(c)).collect();
    let batch: Vec<char> = both.iter().copied().filter(&needed).collect();
    let summed: Vec<char> = both.iter().copied().filter(|c| !needed(c)).collect();
    let rows: Vec<char> = left.iter().copied().filter(|c| !both.contains(c)).collect();
    let columns: Vec<char> = right.iter().copied().filter(|c| !both.contains(c)).collect();
    let dim = |c: &char| -> Reasoned<Sym> {
        let of = |value: &Value<'a>, labels: &[char]| {
            labels.iter().position(|other| other == c).map(|axis| value.dims[axis].clone())
        };
        let all: Vec<Vec<Sym>> =
            [of(&x, &left), of(&y, &right)].into_iter().flatten().map(|dim| vec![dim]).collect();
        let all: Vec<&[Sym]> = all.iter().map(|dims| &dims[..]).collect();
        Ok(broadcast(&all)?.remove(0))
    };
    let merged = |labels: &[char]| -> Reasoned<Sym> {
        let dims = labels.iter().map(dim).collect::<Reasoned<Vec<_>>>()?;
        crate::sym::product(&dims).ok_or_else(|| "sizes that overflow".into())
    };
    let (batch_dims, m, k, n) = (
        batch.iter().map(dim).collect::<Reasoned<Vec<_>>>()?,
        merged(&rows)?,
        merged(&summed)?,
        merged(&columns)?,
    );
    let row_dims = rows.iter().map(dim).collect::<Reasoned<Vec<_>>>()?;
    let column_dims = columns.iter().map(dim).collect::<Reasoned<Vec<_>>>()?;
    let order = |labels: &[char], wanted: &[&[char]]| -> Vec<usize> {
        let wanted = wanted.concat();
        wanted.iter().filter_map(|c| labels.iter().position(|other| other == c)).collect()
    };
    let stretch =
        |call: &mut Call<'_, 'a>, value: &Value<'a>, inner: [Sym; 2]| -> Reasoned<Value<'a>> {
            let mut dims = value.dims[..batch_dims.len()].to_vec();
            dims.extend(inner);
            call.f.reshape("factor", value, &dims)
        };
    let a = call.f.permute("left", &x, &order(&left, &[&batch, &rows, &summed]))?;
    let a = stretch(call, &a, [m, k.clone()])?;
    let b = call.f.permute("right", &y, &order(&right, &[&batch, &summed, &columns]))?;
    let b = stretch(call, &b, [k, n])?;
    let product = call.f.matmul("product", &a, &b)?;
    let dims = [batch_dims, row_dims, column_dims].concat();
    let product = call.f.reshape("product", &product, &dims)?;
    Ok((product, [batch, rows, columns].concat()))
}
