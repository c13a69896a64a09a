//! The cases of `values.json` and `ops.json`: the library computes what NumPy and PyTorch compute,
//! in a shape that the compiler knows, or it does not compile. `tests/wasm` calls it on WebAssembly.

mod computed;
mod corpus;
mod table;

use std::collections::BTreeMap;

#[allow(unused_imports, reason = "what the tables of the corpus use")]
use computed::*;
use corpus::Case;
use table::*;
// Each name that an expression of a case uses.
use tensor_core::windows::{
    Conv1dOptions, Conv2dOptions, Conv3dOptions, Pads, Pool1dOptions, Pool2dOptions, Pool3dOptions,
    RoundDown, RoundUp, Slide,
};
use tensor_core::*;

axis!(Found);
axis!(Left);
axis!(Rest);

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

/// An operation that no element can be the result of, or no size: it compiles, and panics.
macro_rules! panicking {
    ($($id:ident($name:ident: [$($size:tt)*] $T:ident) = $value:expr;)*) => {
        pub const PANICKING: &[(&str, fn())] = &[$((stringify!($id), || {
            let $name = Tensor::<shape![$($size)*], $T>::zeros();
            let _ = $value;
        })),*];
    };
}

/// An operation with an index out of range: it compiles, and is an error.
macro_rules! failing {
    ($($id:ident($($name:ident: [$($size:tt)*] $T:ident),*) = $value:expr;)*) => {
        pub fn failing(run: &mut Run) {
            $({
                run.start(stringify!($id));
                $(let $name: Tensor<shape![$($size)*], $T> = run.input(stringify!($name));)*
                assert!($value.is_err(), stringify!($id));
            })*
        }

        pub const FAILING: &[&str] = &[$(stringify!($id)),*];
    };
}

macro_rules! left_out {
    ($($reason:literal: $($id:ident)*;)*) => {
        pub const LEFT_OUT: &[(&str, &[&str])] = &[$(($reason, &[$(stringify!($id)),*])),*];
    };
}

// After the macros that give its tables their meaning.
#[allow(clippy::let_and_return, reason = "written by `tests/generate`")]
mod operations {
    include!(concat!(env!("OUT_DIR"), "/operations.rs"));
}

/// Computes every case of the corpus, and compares the results.
///
/// # Panics
///
/// If a result is wrong, or a case is missing.
#[cfg_attr(not(target_family = "wasm"), test)]
pub fn every_case_is_computed_refused_or_left_out_for_a_reason() {
    let mut run = Run::new(Case::all());
    operations::PARTS.iter().for_each(|part| part(&mut run));
    operations::failing(&mut run);
    let mut outcomes = BTreeMap::<_, Vec<_>>::new();
    let mut seen = |id: &str, outcome: &'static str| {
        outcomes.entry(id.to_owned()).or_default().push(outcome);
    };
    let (computed, failures) = run.finish();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    let is_computed = |id: &&String| !operations::FAILING.contains(&id.as_str());
    computed.iter().filter(is_computed).for_each(|id| seen(id, "computed"));
    operations::FAILING.iter().for_each(|id| seen(id, "failing"));
    operations::REFUSED.iter().for_each(|id| seen(id, "refused"));
    operations::PANICKING.iter().for_each(|(id, _)| seen(id, "panicking"));
    operations::LEFT_OUT.iter().flat_map(|(_, ids)| *ids).for_each(|id| seen(id, "left out"));

    let cases = Case::all();
    for case in &cases {
        let expected: &[_] =
            if case.ok { &["computed"] } else { &["refused", "panicking", "failing"] };
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

#[test]
fn what_has_no_element_or_no_size_panics() {
    for (id, operation) in operations::PANICKING {
        let message = std::panic::catch_unwind(operation).expect_err(id);
        let message = message.downcast_ref::<String>().expect("a message");
        let reasons = ["size 0", "do not fill shape", "leaves out"];
        assert!(reasons.iter().any(|reason| message.contains(reason)), "{id}: {message}");
    }
}
