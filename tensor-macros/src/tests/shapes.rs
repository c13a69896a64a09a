//! `#[shapes]`: what it writes out, what it leaves, and where it refuses.

use proc_macro2::TokenStream;

use super::{errors, spelled, tokens};
use crate::pipeline;

/// The attribute without an argument.
fn shapes(item: TokenStream) -> TokenStream {
    pipeline::shapes(TokenStream::new(), item)
}

/// Checks the remaining item, and then the items next to it.
#[track_caller]
fn writes(item: &str, expected: &str) {
    let (found, expected) = (spelled(shapes(tokens(item))), spelled(tokens(expected)));
    assert!(found.starts_with(&expected), "{found}\ninstead of\n{expected}");
}

#[test]
fn macros_are_written_out_wherever_a_type_is() {
    writes(
        "#[derive(Clone)] pub struct A<I: Axis = dim!(7)> where Tensor<shape![I]>: Clone { w: Vec<Tensor<shape![I, 3]>> }",
        "#[derive(Clone)] pub struct A<I: Axis = ::tensor_core::Dim::<7> > where Tensor<((), I)>: Clone \
         { w: Vec<Tensor<(((), I), ::tensor_core::Dim::<3>)> > }",
    );
    writes(
        "struct A([Tensor<shape![]>; 2], shape!(2));",
        "struct A([Tensor<()>; 2], ((), ::tensor_core::Dim::<2>));",
    );
    writes(
        "pub(crate) enum E<L> { A(shape![L..]), B { axis: dim![1] }, C = 3 }",
        "pub(crate) enum E<L> { A(L), B { axis: ::tensor_core::One }, C = 3 }",
    );
    writes(
        "struct A { s: shape![dim!(2), 3] }",
        "struct A { s: (((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<3>) }",
    );
}

#[test]
fn only_macros_of_this_crate_are_written_out() {
    for path in ["tensor_core::shape![3]", "::tensor_core::shape![3]"] {
        writes(
            &format!("struct A(Tensor<{path}>);"),
            "struct A(Tensor<((), ::tensor_core::Dim::<3>)>);",
        );
    }
    for item in
        ["struct A(other::shape![3]);", "struct A { shape: f32, dim: Other![2] }", "struct shape;"]
    {
        writes(item, item);
    }
}

#[test]
fn sizes_that_call_macros_stand_beside_the_item() {
    let written = |item: &str, constants: &[(&str, &str)]| {
        let expanded = spelled(shapes(tokens(item)));
        for (name, kind) in constants {
            assert!(expanded.contains(&format!("{{ {name} }}")), "{expanded}");
            assert!(expanded.contains(&format!("const {name} : {kind} =")), "{expanded}");
        }
        let (item, beside) = expanded.split_once("; ").unwrap();
        assert!(!item.contains('!') && beside.contains("assert !"), "{expanded}");
    };
    // The check of each size calls a macro.
    let checks = [("__A_SIZE_0", "bool"), ("__A_SIZE_1", "bool")];
    written("struct A(shape![{N}], shape![{M}]);", &checks);
    // And so do the parts of a size whose expression does.
    let parts = [("__A_SIZE_0", "bool"), ("__A_SIZE_1", "usize"), ("__A_SIZE_3", "usize")];
    written("struct A(shape![{size!()}]);", &parts);
}

#[test]
fn a_mistake_in_a_shape_is_one_error_at_its_token() {
    let item = "struct A(Tensor<shape![2 3]>, shape![3]);";
    let found = errors(item, shapes(tokens(item)));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].at, "3");
}

#[test]
fn it_is_for_structs_and_enums_without_an_argument() {
    for (item, at) in
        [("fn f() {}", "fn"), ("#[inline] pub fn f() {}", "fn"), ("impl A {}", "impl")]
    {
        let found = errors(item, shapes(tokens(item)));
        assert_eq!(found.len(), 1, "{item}");
        assert_eq!(found[0].at, at, "{item}");
        assert!(found[0].message.starts_with("`#[shapes]` is for structs"), "{item}");
    }
    let found = errors("all", pipeline::shapes(tokens("all"), tokens("struct A;")));
    assert_eq!(found.len(), 1);
    assert_eq!((&*found[0].at, &*found[0].message), ("all", "`#[shapes]` takes no argument"));
}
