//! The cases of `values.json` and `ops.json`: the library computes what NumPy and PyTorch compute,
//! in a shape that the compiler knows, or it does not compile.

mod computed;
mod corpus;
mod table;

use std::collections::BTreeMap;

use computed::{Run, Written, layer_norm, lower, rms_norm, upper};
use corpus::Case;
use table::{
    Broadcasts, Concats, Dots, Expands, Flattens, HasAxisAt, Matmuls, Permutes, Product, Refused,
    Reshapes, Selects, Squeezes, the_same,
};
use tensor_core::element::Number;
use tensor_core::reshape::Concatenated;
use tensor_core::{AxisIndex, DynTensor, Float, ShapeError, Tensor, axes, dim, select, shape};

macro_rules! computed {
    ($part:ident; $($id:ident($($name:ident: [$($size:tt)*] $T:ident),*) -> (
        $([$($result:tt)*] $U:ident = $value:expr),*
    );)*) => {
        pub fn $part(run: &mut Run) {
            $({
                run.start(stringify!($id));
                $(let $name: Tensor<shape![$($size)*], $T> = run.input(stringify!($name));)*
                $(run.check::<shape![$($result)*], $U>($value);)*
            })*
        }
    };
}

macro_rules! parts {
    ($($part:ident;)*) => {
        pub const PARTS: &[fn(&mut Run)] = &[$($part),*];
    };
}

macro_rules! related {
    ($($id:ident: $relation:ty;)*) => {
        $(const _: () = assert!(<$relation>::HOLDS, stringify!($id));)*
    };
}

macro_rules! unrelated {
    ($($id:ident: $relation:ty;)*) => {
        $(const _: () = assert!(!<$relation>::HOLDS, stringify!($id));)*

        pub const REFUSED: &[&str] = &[$(stringify!($id)),*];
    };
}

/// An operation of which only the shape exists yet.
macro_rules! shapes_only {
    ($($id:ident: $found:ty = [$($result:tt)*];)*) => {
        pub const SHAPES_ONLY: &[(&str, &[usize])] = &[$((
            stringify!($id),
            the_same::<$found, shape![$($result)*]>(|shape| shape),
        )),*];
    };
}

/// An operation that no element can be the result of: it compiles, and panics.
macro_rules! panicking {
    ($($id:ident($name:ident: [$($size:tt)*] $T:ident) = $value:expr;)*) => {
        pub const PANICKING: &[(&str, fn())] = &[$((stringify!($id), || {
            let $name = Tensor::<shape![$($size)*], $T>::zeros();
            let _ = $value;
        })),*];
    };
}

macro_rules! left_out {
    ($($reason:literal: $($id:ident)*;)*) => {
        pub const LEFT_OUT: &[(&str, &[&str])] = &[$(($reason, &[$(stringify!($id)),*])),*];
    };
}

// After the macros that give its tables their meaning.
#[path = "generated/operations.rs"]
mod operations;

#[test]
fn every_case_is_computed_refused_or_left_out_for_a_reason() {
    let mut run = Run::new(Case::all());
    operations::PARTS.iter().for_each(|part| part(&mut run));
    let mut outcomes = BTreeMap::<_, Vec<_>>::new();
    let mut seen = |id: &str, outcome: &'static str| {
        outcomes.entry(id.to_owned()).or_default().push(outcome);
    };
    let (computed, failures) = run.finish();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    computed.iter().for_each(|id| seen(id, "computed"));
    operations::REFUSED.iter().for_each(|id| seen(id, "refused"));
    operations::SHAPES_ONLY.iter().for_each(|(id, _)| seen(id, "shape"));
    operations::PANICKING.iter().for_each(|(id, _)| seen(id, "panicking"));
    operations::LEFT_OUT.iter().flat_map(|(_, ids)| *ids).for_each(|id| seen(id, "left out"));

    let cases = Case::all();
    for case in &cases {
        let expected: &[_] =
            if case.ok { &["computed", "shape"] } else { &["refused", "panicking"] };
        match outcomes.get(&case.id).map(Vec::as_slice) {
            Some([outcome]) if *outcome == "left out" || expected.contains(outcome) => (),
            other => panic!("{}: expected one of {expected:?}, found {other:?}", case.id),
        }
    }
    assert_eq!(outcomes.len(), cases.len(), "the tables have cases that the corpus has not");
    for (reason, ids) in operations::LEFT_OUT {
        println!("{:4} left out: {reason}", ids.len());
    }
    println!("{:4} computed, {} refused", computed.len(), operations::REFUSED.len());
}

/// Shapes with run-time sizes: the same numbers, and an error where the types have no impl.
#[test]
fn dynamic_tensors_give_the_same_numbers() {
    fn check<T: Written + Number>(run: &mut Run, ok: bool, op: &str) {
        let (a, b) = (run.dynamic::<T>("a"), run.dynamic::<T>("b"));
        let result = match op {
            "add" => &a + &b,
            "sub" => &a - &b,
            "mul" => &a * &b,
            _ => &a / &b,
        };
        match (ok, result) {
            (true, Ok(result)) => run.check_dynamic(result),
            (false, Err(_)) => (),
            (_, result) => panic!("{result:?}"),
        }
    }
    let is_chosen = |case: &Case| ["add", "sub", "mul", "div"].contains(&case.op.as_str());
    let chosen: Vec<_> = Case::all().into_iter().filter(is_chosen).collect();
    assert!(chosen.len() > 90);
    let mut run = Run::new(chosen.clone());
    for case in chosen {
        run.start(&case.id);
        match case.inputs[0].dtype.as_str() {
            "f32" => check::<f32>(&mut run, case.ok, &case.op),
            "f64" => check::<f64>(&mut run, case.ok, &case.op),
            "i64" => check::<i64>(&mut run, case.ok, &case.op),
            "i32" => check::<i32>(&mut run, case.ok, &case.op),
            "u8" => check::<u8>(&mut run, case.ok, &case.op),
            other => panic!("{}: elements of type {other}", case.id),
        }
    }
    let (_, failures) = run.finish();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// Reductions along any axes, whose sizes and axes only the run knows.
#[test]
fn dynamic_reductions_give_the_same_numbers() {
    fn number<T: Written + Number>(x: &DynTensor<T>, case: &Reduced) -> Outcome<T> {
        let axes = &case.axes[..];
        match (case.op.as_str(), case.keepdims) {
            ("sum", false) => x.sum_axes(axes),
            ("sum", true) => x.sum_axes_keepdims(axes),
            ("prod", false) => x.prod_axes(axes),
            ("prod", true) => x.prod_axes_keepdims(axes),
            ("max", false) => x.max_axes(axes),
            ("max", true) => x.max_axes_keepdims(axes),
            ("min", false) => x.min_axes(axes),
            ("min", true) => x.min_axes_keepdims(axes),
            other => panic!("{other:?} of numbers"),
        }
    }

    fn float<T: Written + Float>(x: &DynTensor<T>, case: &Reduced) -> Outcome<T> {
        let correction = case.correction;
        let axes = &case.axes[..];
        match (case.op.as_str(), case.keepdims) {
            ("mean", false) => x.mean_axes(axes),
            ("mean", true) => x.mean_axes_keepdims(axes),
            ("log_sum_exp", false) => x.logsumexp_axes(axes),
            ("log_sum_exp", true) => x.logsumexp_axes_keepdims(axes),
            ("var", false) => x.var_axes_corrected(axes, correction),
            ("std", false) => x.std_axes_corrected(axes, correction),
            ("var", true) if correction == 0 => x.var_axes_keepdims(axes),
            ("std", true) if correction == 0 => x.std_axes_keepdims(axes),
            _ => number(x, case),
        }
    }

    fn bool(x: &DynTensor<bool>, case: &Reduced) -> Outcome<bool> {
        let axes = &case.axes[..];
        match (case.op.as_str(), case.keepdims) {
            ("all", false) => x.all_axes(axes),
            ("all", true) => x.all_axes_keepdims(axes),
            ("any", false) => x.any_axes(axes),
            ("any", true) => x.any_axes_keepdims(axes),
            other => panic!("{other:?} of `bool`"),
        }
    }

    fn check<T: Written>(run: &mut Run, ok: bool, result: Outcome<T>) {
        match (ok, result) {
            (true, Ok(result)) => run.check_dynamic(result),
            (false, Err(_)) => (),
            (_, result) => panic!("{:?}", result.map(|result| result.sizes().to_vec())),
        }
    }

    let mut cases = Case::all();
    cases.retain(|case| Reduced::of(case).is_some());
    assert!(cases.len() > 150, "{} reductions", cases.len());
    let mut run = Run::new(cases.clone());
    for case in &cases {
        run.start(&case.id);
        let reduced = Reduced::of(case).expect("a reduction");
        match case.inputs[0].dtype.as_str() {
            "f32" => {
                let result = float(&run.dynamic::<f32>("x"), &reduced);
                check(&mut run, case.ok, result)
            }
            "f64" => {
                let result = float(&run.dynamic::<f64>("x"), &reduced);
                check(&mut run, case.ok, result)
            }
            "i64" => {
                let result = number(&run.dynamic::<i64>("x"), &reduced);
                check(&mut run, case.ok, result)
            }
            "i32" => {
                let result = number(&run.dynamic::<i32>("x"), &reduced);
                check(&mut run, case.ok, result)
            }
            "u8" => {
                let result = number(&run.dynamic::<u8>("x"), &reduced);
                check(&mut run, case.ok, result)
            }
            "bool" => {
                let result = bool(&run.dynamic::<bool>("x"), &reduced);
                check(&mut run, case.ok, result)
            }
            other => panic!("{}: elements of type {other}", case.id),
        }
    }
    let (_, failures) = run.finish();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

type Outcome<T> = Result<DynTensor<T>, ShapeError>;

/// A reduction of the corpus.
struct Reduced {
    op: String,
    axes: Vec<isize>,
    keepdims: bool,
    correction: usize,
}

impl Reduced {
    /// The reduction of a case, if a method computes it.
    fn of(case: &Case) -> Option<Self> {
        const METHODS: [&str; 10] =
            ["sum", "prod", "max", "min", "mean", "var", "std", "log_sum_exp", "all", "any"];
        let op = case.op.strip_prefix("reduce_")?;
        let axes = match case.attrs.get("axes").and_then(|axes| axes.as_array()) {
            Some(axes) => axes.iter().map(|axis| axis.as_i64().unwrap() as isize).collect(),
            None => (0..case.inputs[0].shape.len() as isize).collect(),
        };
        let keepdims = case.attrs.get("keepdims").and_then(|keep| keep.as_bool()) == Some(true);
        let correction = case.attrs.get("correction").and_then(|correction| correction.as_u64());
        let correction = correction.unwrap_or(0) as usize;
        let is_method = METHODS.contains(&op) && !(keepdims && correction > 0);
        is_method.then(|| Self { op: op.to_owned(), axes, keepdims, correction })
    }
}

#[test]
fn shapes_without_an_operation_are_those_of_the_corpus() {
    let cases: BTreeMap<_, _> =
        Case::all().into_iter().map(|case| (case.id.clone(), case)).collect();
    for (id, sizes) in operations::SHAPES_ONLY {
        assert_eq!(cases[*id].outputs()[0].shape, *sizes, "{id}");
    }
}

#[test]
fn what_has_no_element_to_choose_panics() {
    for (id, operation) in operations::PANICKING {
        let message = std::panic::catch_unwind(operation).expect_err(id);
        let message = message.downcast_ref::<String>().expect("a message");
        assert!(message.contains("size 0"), "{id}: {message}");
    }
}
