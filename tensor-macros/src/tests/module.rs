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
    bounds("struct A<M, N>([M; 3], (bool, Option<Box<N>>));", "M: Module, N: Module");
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
    bounds("struct A<const N: usize>([bool; N]);", "");
    bounds("struct A;", "");
    bounds("#[module(bound(O: Default))] struct A<O>(#[module(skip)] O);", "O: Default");
}

#[test]
fn numbers_are_refused() {
    let message = "a number is neither saved nor loaded with a model: make it a tensor, `Tensor<shape![], i64>`, or \
        write `#[module(value = …)]` above it, with its value in a model that is made from a file, or \
        `#[module(skip)]`";
    for (source, at) in [
        ("struct A { step: usize }", "usize"),
        ("struct A { #[module(buffer)] rate: f32 }", "f32"),
        ("enum A { B(Vec<[i64; 2]>) }", "Vec<[i64; 2]>"),
        ("struct A((Tensor<()>, Option<u8>));", "(Tensor<()>, Option<u8>)"),
    ] {
        refuses(pipeline::module, source, at, message);
    }
    bounds("struct A { #[module(value = 3)] a: usize, #[module(skip)] b: f32 }", "");
}

#[test]
fn options_are_checked() {
    let refuses = |source, at, message| refuses(pipeline::module, source, at, message);
    let dotted = "the name of a field is not empty and has no dot, which separates two names";
    refuses(
        "union A { a: u8 }",
        "union",
        "a union cannot be a module: which of its fields is in use is not known; write a \
         struct or an enum",
    );
    refuses(
        "struct A(#[module(no_grad)] u8);",
        "no_grad",
        "a field has `#[module(skip)]`, `#[module(buffer)]`, `#[module(rename = \"name\")]`, \
         `#[module(value = …)]` or `#[module(set(…))]`",
    );
    refuses("struct A(#[module(rename = \"a.b\")] u8);", "\"a.b\"", dotted);
    refuses(
        "#[module(skip)] struct A;",
        "skip",
        "a module has `#[module(bound(M: Default))]`; other options are those of fields",
    );
    refuses("struct A(#[module(rename = \"\")] u8);", "\"\"", dotted);
    refuses(
        "struct A(#[module(skip, buffer)] u8);",
        "skip",
        "a field that is skipped has no other option than a `value`",
    );
}

/// The method that makes the item of tensors, without paths and spaces.
fn from_tensors(item: &str) -> String {
    let plain = spelled(pipeline::module(tokens(item))).replace([' ', '\n'], "");
    let plain = plain.replace("::tensor_core::module::", "").replace("::core::option::", "");
    plain.split_once("fnfrom_tensors").expect("the method").1.to_owned()
}

#[test]
fn structs_are_made_of_tensors() {
    let made =
        from_tensors("struct A { a: X, #[module(value = 1e-5)] b: f64, #[module(skip)] c: C }");
    let field = "letfield_a=<XasModule>::from_tensors(&path.field(\"a\"),tensors);";
    assert!(made.contains(field), "{made}");
    assert!(made.contains("Some(Self{a:field_a?,b:1e-5,c:skipped_c?,})"), "{made}");
    let set = from_tensors("struct A(#[module(set(epsilon = 1.0, inner.rate = 0.5))] Box<X>);");
    let boxed =
        "<XasModule>::from_tensors(&path.index(0usize),tensors).map(::std::boxed::Box::new)";
    assert!(set.contains(boxed), "{set}");
    assert!(set.contains("made.epsilon=1.0;made.inner.rate=0.5;"), "{set}");
    for list in ["[X; 2]", "Vec<X>", "([X; 2])"] {
        let set = from_tensors(&format!("struct A(#[module(set(rate = 0.5))] {list});"));
        assert!(set.contains("formadeinmade.iter_mut(){made.rate=0.5;}"), "{set}");
    }
    let nested = from_tensors("struct A(#[module(set(rate = 0.5))] Vec<[X; 2]>);");
    assert_eq!(nested.matches("formadeinmade.iter_mut()").count(), 2, "{nested}");
    // The contents of a `Box` may be unsized.
    assert!(!from_tensors("struct A<M: ?Sized>(Box<M>);").contains("Box::new"));
    let expanded = spelled(pipeline::module(tokens("enum A { B(X) }")));
    assert!(!expanded.contains("from_tensors"));
}
