//! `#[derive(Module)]`: which bounds its impls have, and where it refuses.

use super::{refuses, spelled, tokens};
use crate::pipeline;

/// Checks the bounds of the impl of `Module`.
#[track_caller]
fn bounds(item: &str, expected: &str) {
    let plain = |text: &str| text.replace([' ', ','], "").replace("::tensor_core::module::", "");
    let expanded = plain(&spelled(pipeline::module(tokens(item))));
    let (_, rest) = expanded
        .split_once(">Modulefor")
        .or(expanded.split_once("implModulefor"))
        .expect("an impl");
    let head = rest.split_once("{fnvisit").expect("its methods").0;
    let found = head.split_once("where").map_or("", |(_, clause)| clause);
    assert_eq!(found, plain(expected), "{item}");
}

#[test]
fn parameters_that_are_fields_are_modules() {
    bounds("struct A<M>(M);", "M: Module");
    bounds("struct A<M: Clone>(Vec<M>);", "M: Module");
    bounds("struct A<M, N>([M; 3], (u8, Option<Box<N>>));", "M: Module, N: Module");
    bounds("struct A<M: Model>(M::Head);", "M::Head: Module");
    bounds(
        "struct A<M>(<M as Model>::Head) where M: Model;",
        "M: Model, <M as Model>::Head: Module",
    );
    bounds("struct A<M> { a: Wrapped<M>, b: Tree<u8, M> }", "M: Module");
    bounds("struct A<M> { value: M, children: Vec<A<M>> }", "M: Module");
}

#[test]
fn other_parameters_are_not() {
    bounds("struct A<I: Axis>(Tensor<((), I)>);", "");
    bounds("struct A<I>(Linear<I, I>) where I: Axis;", "I: Axis");
    bounds("struct A<T>(PhantomData<T>);", "");
    bounds("struct A<F>(#[module(skip)] F);", "");
    bounds("struct A<const N: usize>([u8; N]);", "");
    bounds("struct A;", "");
}

#[test]
fn options_are_checked() {
    let refuses = |source, at, message| refuses(pipeline::module, source, at, message);
    let dotted = "the name of a field is not empty and has no dot, which stands between two names";
    refuses(
        "union A { a: u8 }",
        "union",
        "a union is no module: nothing says which of its fields holds the parameters; write a \
         struct or an enum",
    );
    refuses(
        "struct A(#[module(no_grad)] u8);",
        "no_grad",
        "a field has `#[module(skip)]`, `#[module(buffer)]` or `#[module(rename = \"name\")]`",
    );
    refuses("struct A(#[module(rename = \"a.b\")] u8);", "\"a.b\"", dotted);
    refuses("struct A(#[module(rename = \"\")] u8);", "\"\"", dotted);
    refuses(
        "struct A(#[module(skip, buffer)] u8);",
        "skip",
        "a field that is skipped has no other option",
    );
}
