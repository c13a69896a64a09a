//! Operations by indices and of order, and losses that are written with them.

use super::{Attributes, literal, rank, shape};
use crate::corpus::Case;

pub fn expressions(case: &Case) -> Option<Result<Vec<String>, &'static str>> {
    let one = |expression: String| Some(Ok(vec![expression]));
    match case.op.as_str() {
        "gather" => one(format!("{}.unwrap()", taken(case))),
        "embedding" => one("weight.take::<0, _>(&indices).unwrap()".to_owned()),
        "gather_elements" => {
            let sizes = |name| {
                (0..rank(case))
                    .filter(|&a| a != axis(case))
                    .map(move |a| shape(case, name)[a.unsigned_abs()])
            };
            let x = if sizes("x").eq(sizes("indices")) { "x".to_owned() } else { cut(case) };
            one(format!("{x}.take_along_axis::<{}, _>(&indices).unwrap()", axis(case)))
        }
        "scatter_elements" => {
            let name = match case.attrs["reduction"].as_str().unwrap() {
                "none" => "scatter",
                "add" => "scatter_add",
                "mul" => "scatter_mul",
                "max" => "scatter_max",
                "min" => "scatter_min",
                other => panic!("{}: reduction `{other}`", case.id),
            };
            one(format!("x.{name}::<{}, _>(&indices, &updates).unwrap()", axis(case)))
        }
        "one_hot" => one(one_hot(case)),
        "top_k" => {
            let name = if case.flag("largest") { "topk" } else { "topk_smallest" };
            let k = case.integer("k").unwrap();
            let of = |field| format!("x.{name}::<{}, dim!({k})>().{field}", axis(case));
            Some(Ok(vec![of(0), of(1)]))
        }
        "sort" => {
            let end = if case.flag("descending") { "_descending" } else { "" };
            let of = |name| format!("x.{name}{end}::<{}>()", axis(case));
            Some(Ok(vec![of("sort"), of("argsort")]))
        }
        "hardmax" => one(hardmax(case)),
        "cross_entropy" | "nll_loss" => Some(Ok(loss(case))),
        "compress" => match case.integer("axis") {
            Some(axis) => one(format!("known(x.compress::<{axis}, Found>(&cond))")),
            // The elements as a vector of the mask's length.
            None => one(format!(
                "known(x.flatten().slice(slice![..{}]).compress::<0, Found>(&cond))",
                shape(case, "cond")[0]
            )),
        },
        "unique" if case.integer("axis").is_some() => Some(Ok((0..4)
            .map(|field| format!("known(x.unique_all_axis::<{}, Found>().{field})", axis(case)))
            .collect())),
        "unique" if !case.flag("sorted") => Some(Ok(as_they_stand())),
        "unique" => Some(Ok((0..4)
            .map(|field| format!("known(x.unique_all::<Found>().{field})"))
            .collect())),
        _ => None,
    }
}

/// The part of the tensor that the indices are for, as PyTorch cuts it.
fn cut(case: &Case) -> String {
    let sizes = shape(case, "indices").iter().enumerate();
    let parts = sizes.map(|(place, size)| {
        if place == axis(case).unsigned_abs() { "..".to_owned() } else { format!("..{size}") }
    });
    format!("x.slice(slice![{}])", parts.collect::<Vec<_>>().join(", "))
}

/// The unique elements in the order of their first occurrence.
fn as_they_stand() -> Vec<String> {
    let of = |result: &str| {
        format!(
            "known({{ let (values, first, inverse, counts) = x.unique_all::<Found>(); \
             let order = first.argsort::<0>(); {result} }})"
        )
    };
    let unused = |names: &str, result: &str| {
        let text = of(result);
        names.split(' ').fold(text, |text, name| text.replacen(name, &format!("_{name}"), 1))
    };
    vec![
        unused("inverse counts", "values.take::<0, _>(&order).unwrap()"),
        unused("values inverse counts", "first.take::<0, _>(&order).unwrap()"),
        unused("values counts", "order.argsort::<0>().take::<0, _>(&inverse).unwrap()"),
        unused("values inverse", "counts.take::<0, _>(&order).unwrap()"),
    ]
}

/// The operations with an error for an index out of range.
pub fn fails(case: &Case) -> Option<String> {
    (case.op == "gather").then(|| taken(case))
}

/// The relation that a refused case lacks.
pub fn relation(case: &Case) -> Option<String> {
    let typed = |name: &str| super::shape_type(shape(case, name));
    match case.op.as_str() {
        "gather_elements" => {
            // Of an accepted case the part that the indices are for.
            let mut x = shape(case, if case.ok { "indices" } else { "x" }).to_vec();
            x[axis(case).unsigned_abs()] = shape(case, "x")[axis(case).unsigned_abs()];
            let x = super::shape_type(&x);
            Some(format!("ChoosesAlong<{x}, {}, {}>", axis(case), typed("indices")))
        }
        "cross_entropy" => {
            let mut target = shape(case, "target").to_vec();
            target.insert(1.min(target.len()), 1);
            Some(format!("ChoosesAlong<{}, 1, {}>", typed("x"), super::shape_type(&target)))
        }
        _ => None,
    }
}

fn axis(case: &Case) -> isize {
    case.integer("axis").unwrap().rem_euclid(rank(case).max(1))
}

fn taken(case: &Case) -> String {
    format!("x.take::<{}, _>(&indices)", case.integer("axis").unwrap())
}

/// `off`, and `on` at the indices.
fn one_hot(case: &Case) -> String {
    let dtype = &case.outputs()[0].dtype;
    let [on, off] = ["on", "off"].map(|name| case.number(name).unwrap());
    let (depth, scale, off) =
        (case.integer("depth").unwrap(), literal(on - off, dtype), literal(off, dtype));
    format!("indices.one_hot::<dim!({depth}), {dtype}>().unwrap() * {scale} + {off}")
}

/// 1 at the largest element of each lane.
fn hardmax(case: &Case) -> String {
    let (axis, rank) = (axis(case), rank(case));
    let size = shape(case, "x")[axis.unsigned_abs()];
    let hot = format!("x.argmax_axis::<{axis}>().one_hot::<dim!({size}), f32>().unwrap()");
    if axis + 1 == rank {
        return hot;
    }
    // The new axis is the last one.
    let mut order: Vec<_> = (0..rank - 1).collect();
    order.insert(axis.unsigned_abs(), rank - 1);
    format!("{hot}.permute::<axes!{order:?}>()")
}

/// The loss of the targets, which are indices of the classes along axis 1, and the logarithms of the
/// probabilities where the case has them.
fn loss(case: &Case) -> Vec<String> {
    let log_prob = if case.op == "nll_loss" { "x.clone()" } else { "x.log_softmax::<1>()" };
    let (targets, kept) = match case.integer("ignore_index") {
        Some(ignored) => (
            format!("select(target.equal({ignored}_i64), 0_i64, &target)"),
            Some(format!("target.not_equal({ignored}_i64).cast::<f32>()")),
        ),
        None => ("target.clone()".to_owned(), None),
    };
    let weights = case.input("weight").map(|_| "weight.take::<0, _>(&targets).unwrap()".to_owned());
    let weights = match (weights, kept) {
        (Some(weights), Some(kept)) => Some(format!("{weights} * {kept}")),
        (weights, kept) => weights.or(kept),
    };
    let each =
        "-log_prob.take_along_axis::<1, _>(targets.unsqueeze::<1>()).unwrap().squeeze::<1>()";
    let reduction = case.attrs["reduction"].as_str().unwrap();
    let result = match (&weights, reduction) {
        (None, "none") => "losses".to_owned(),
        (None, reduction) => format!("losses.{reduction}()"),
        (Some(_), "none") => "losses * weights".to_owned(),
        (Some(_), "sum") => "(losses * weights).sum()".to_owned(),
        (Some(_), _) => "(losses * &weights).sum() / weights.sum()".to_owned(),
    };
    let weights = weights.map(|weights| format!("let weights = {weights};")).unwrap_or_default();
    let loss = format!(
        "{{ let (log_prob, targets) = ({log_prob}, {targets}); let losses = {each}; {weights} {result} }}"
    );
    let more = case.outputs().iter().skip(1).map(|_| log_prob.to_owned());
    [loss].into_iter().chain(more).collect()
}
