//! Deep and long expressions: read up to the documented limit, and refused beyond it with one error.

use super::{Macro, errors, tokens};
use crate::pipeline;

const MACROS: [(&str, Macro, &str); 7] = [
    ("shape", pipeline::shape, "2"),
    ("dim", pipeline::dim, "2"),
    ("tensor", pipeline::tensor, "2"),
    ("show_shape", pipeline::show_shape, "x"),
    ("strictly", pipeline::strictly, "x"),
    ("relaxed", pipeline::relaxed, "x"),
    ("fuse", pipeline::fuse, "x"),
];

/// `x + x + x …`
fn sum(of: &str, operations: usize) -> String {
    vec![of; operations + 1].join(" + ")
}

fn nested(depth: usize, inner: &str) -> String {
    format!("{}{inner}{}", "(".repeat(depth), ")".repeat(depth))
}

#[track_caller]
fn is_read(name: &str, expand: Macro, source: &str) {
    let errors = errors(source, expand(tokens(source)));
    assert!(errors.is_empty(), "`{name}!` refuses: {errors:?}");
}

/// Checks that there is one error, which states the limit.
#[track_caller]
fn is_too_deep(name: &str, expand: Macro, source: &str) {
    let errors = errors(source, expand(tokens(source)));
    let [error] = &errors[..] else {
        panic!("`{name}!` has {} errors about `{}…`", errors.len(), &source[..20]);
    };
    let limit = "too deep to be read: at most 128 nested brackets, or 1024 operations in a row; ";
    assert!(error.message.starts_with(limit), "`{name}!` says {error:?}");
}

/// Runs a test on a stack of the size that rustc has.
fn on_the_stack_of_rustc(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(test);
    thread.expect("a thread").join().expect("nothing panics");
}

#[test]
fn a_thousand_operations_are_read() {
    on_the_stack_of_rustc(read_what_is_long);
}

fn read_what_is_long() {
    for (name, expand, operand) in MACROS {
        is_read(name, expand, &sum(operand, 1000));
        is_read(name, expand, &nested(120, operand).replace('x', "x + x"));
    }
    let chain = format!("x{}", ".maximum(&y)".repeat(500));
    for (name, expand, _) in MACROS.into_iter().filter(|(_, _, operand)| *operand == "x") {
        is_read(name, expand, &chain);
        is_read(name, expand, &format!("x + {} x", "- ".repeat(120)));
        is_read(name, expand, &format!("{}x{}", "x * (x + f(".repeat(50), "))".repeat(50)));
    }
}

#[test]
fn more_is_one_error_at_any_size() {
    for (name, expand, operand) in MACROS {
        for size in [1030, 30_000] {
            is_too_deep(name, expand, &sum(operand, size));
            is_too_deep(name, expand, &nested(size, operand));
        }
    }
    for (name, expand, _) in MACROS.into_iter().filter(|(_, _, operand)| *operand == "x") {
        for size in [1030, 3_000] {
            for (begin, end) in [
                ("- ", ""),
                ("-", ""),
                ("&", ""),
                ("&mut ", ""),
                ("return ", ""),
                ("|x| ", ""),
                ("move || ", ""),
                ("y = ", ""),
                ("y += (", ")"),
                ("{", "}"),
                ("f(", ")"),
                ("x[", "]"),
                ("if x { } else ", "{ }"),
                ("x as Vec<", ">"),
                ("<", " as T>::X"),
                ("vec![", "]"),
                ("match x { _ => ", "}"),
            ] {
                is_too_deep(name, expand, &format!("{}x{}", begin.repeat(size), end.repeat(size)));
            }
            for end in [".exp()", "?", "[0]", "()", " as f32", " && x", " << x"] {
                is_too_deep(name, expand, &format!("x{}", end.repeat(size)));
            }
        }
    }
    is_too_deep("shape", pipeline::shape, &sum("2", 100_000));
    is_too_deep("axes", pipeline::axes, &nested(200, "1"));
    is_too_deep("axis", pipeline::axis, &format!("A = {}", sum("2", 2000)));
    is_too_deep("broadcast_shapes", pipeline::broadcast_shapes, &format!("[{}]", sum("2", 2000)));
}

#[test]
fn the_error_is_at_the_first_token_that_is_too_deep() {
    let source = sum("x", 1100);
    let found = errors(&source, pipeline::strictly(tokens(&source)));
    assert_eq!(found[0].at, "+");
    let source = format!("2, 3, {}, 4", nested(200, "2"));
    let found = errors(&source, pipeline::shape(tokens(&source)));
    assert_eq!(found[0].at, "(");
}

/// Code may be as long as it likes: items, statements, arms, elements and what other macros read are not
/// in each other.
#[test]
fn what_is_long_and_not_deep_is_read() {
    let strict = |source: &str| {
        let expanded = pipeline::strict(Default::default(), tokens(source));
        let errors = errors(source, expanded);
        assert!(errors.is_empty(), "{}… is refused: {errors:?}", &source[..40]);
    };
    for item in [
        "fn f<T: Into<u8>>(x: &T) -> Vec<Vec<T>> where T: Copy { a + b }",
        "impl<T> A for B<T> { const N: usize = 1; fn f(&self) -> &T { &self.0 } }",
        "#[cfg(test)] struct S { x: Vec<u8>, y: &'static str }",
        "use a::{b, c as d};",
        "static X: &[&[f32]] = &[&[1.0, 2.0]];",
    ] {
        strict(&format!("mod m {{ {} }}", item.repeat(2000)));
    }
    for statement in [
        "let x: Vec<Option<u8>> = a + b * -c;",
        "if a < b && c <= d { x += y; } else { return -1; }",
        "for i in 0..3 { f(&mut i)?; }",
        "x = |y| y + 1;",
        "if a < b { } if c > d { }",
    ] {
        strict(&format!("fn f() {{ {} }}", statement.repeat(2000)));
    }
    for arm in
        ["Some(1) | Some(2) => a + b,", "&x if x < 3 => { a }", "-1 => { b }", "A { b, .. } => c,"]
    {
        strict(&format!("fn f() {{ match x {{ {} }} }}", arm.repeat(2000)));
    }
    let html = "<div class=\"a\"> <p> - - - </p> </div>".repeat(500);
    strict(&format!("fn f() {{ html!{{ {html} }}; vec![{}] }}", "a + b, &c, ".repeat(2000)));
    let deep = nested(1000, "x");
    strict(&format!("fn f() {{ other!({deep}); a + b }}"));
}
