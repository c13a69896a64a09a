//! The expansions of each macro, as Rust in `expansions/`, so that a review sees every change of an
//! expansion.
//!
//! `.ci/bless macros` writes the files anew.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;

use super::{Macro, tokens};
use crate::pipeline;

/// Where an expansion is used.
#[derive(Clone, Copy)]
enum Place {
    Type,
    Expression,
    Items,
}

use Place::{Expression, Items, Type};

/// The calls of one macro whose expansions are compared with a file.
type Cases<'a> = &'a [(Place, &'a str)];

#[test]
fn shape() {
    same_as_file(
        "shape",
        "shape",
        pipeline::shape,
        &[
            (Type, ""),
            (Type, "2, 1, 2048"),
            (Type, "Lead.., Batch, 28 * 28"),
            (Type, "{VOCAB}"),
            (Expression, "Batch(n), self.rows, 3"),
        ],
    );
}

#[test]
fn einsum() {
    same_as_file(
        "einsum",
        "einsum",
        pipeline::einsum,
        &[
            (Expression, "i k, k j -> i j; &a, b"),
            (Expression, ".. i i -> ..; x"),
            (Expression, ".. i, .. i -> ..; x, y"),
        ],
    );
}

#[test]
fn rearrange() {
    same_as_file(
        "rearrange",
        "rearrange",
        pipeline::rearrange,
        &[
            (Expression, "b s (h d) -> b h s d; &x, h = 12"),
            (Expression, ".. 1 (h d) -> .. 1 (d h); x, h = 2, d = {D}"),
            (Expression, "b s -> (b s as Tokens); x"),
            (Expression, "(b s) -> b s; x, b = Batch(2), s = Seq(_)"),
        ],
    );
}

#[test]
fn dim() {
    same_as_file(
        "dim",
        "dim",
        pipeline::dim,
        &[(Type, "768"), (Type, "1"), (Expression, "1_002_003"), (Type, "{ HEADS * 64 }")],
    );
}

#[test]
fn axis() {
    same_as_file(
        "axis",
        "axis",
        pipeline::axis,
        &[
            (Items, "Batch"),
            (Items, "/// The width.\npub Hidden = 12 * 64"),
            (Items, "pub(crate) Vocabulary = {VOCAB}"),
        ],
    );
}

#[test]
fn axes() {
    same_as_file("axes", "axes", pipeline::axes, &[(Type, ""), (Type, "0, -1, 2")]);
}

#[test]
fn broadcast_shapes() {
    same_as_file(
        "broadcast_shapes",
        "broadcast_shapes",
        pipeline::broadcast_shapes,
        &[(Type, ""), (Type, "A"), (Type, "A, [4, 1], B<C>, [3]")],
    );
}

#[test]
fn tensor() {
    same_as_file(
        "tensor",
        "tensor",
        pipeline::tensor,
        &[
            (Expression, "[1, 2, 3], [4, 5, 6]"),
            (Expression, "angle.cos(), -angle.sin()"),
            (Expression, "0.5; Batch(32), 28"),
            (Expression, ""),
        ],
    );
}

#[test]
fn strictly() {
    same_as_file(
        "strictly",
        "strictly",
        pipeline::strictly,
        &[
            (Expression, "&x - &self.mean"),
            (Expression, "x - x.mean()"),
            (Expression, "same: 2.0 * x / y.sum()"),
            (Expression, "x.maximum(&y)"),
            (Expression, "xs[0].maximum(f())"),
            (Expression, "f().clamp(0.0, y)"),
            (Expression, "select(&mask, x, -f64::MAX)"),
            (Expression, "zip_with(x, &y.exp(), |x, y| x * y)"),
            (Expression, "same: *x += y"),
            (Expression, "same: xs[0] += f()"),
            (Expression, "i + 1"),
            (Expression, "relaxed!(x + y) + strictly!(same: x + y)"),
        ],
    );
}

#[test]
fn relaxed() {
    same_as_file("relaxed", "relaxed", pipeline::relaxed, &[(Expression, "x - y")]);
}

#[test]
fn strict() {
    same_as_file(
        "strict",
        "#[strict]",
        |item| pipeline::strict(TokenStream::new(), item),
        &[
            (
                Items,
                "fn loss(x: &X, y: &Y) -> f32 { let error = x - y; (&error * &error).mean().item() }",
            ),
            (
                Items,
                "impl Model { const N: usize = 1 + M; fn f(&self) { g(self.a + self.b) } #[strict(off)] fn h() { a + b } }",
            ),
            (
                Items,
                "mod losses { const fn one() -> usize { A + B } fn two() { assert!(a + b); println!(\"{}\", a + b); other!(a + b) } }",
            ),
        ],
    );
    same_as_file(
        "strict_same",
        "#[strict(same)]",
        |item| pipeline::strict(quote!(same), item),
        &[(Items, "fn step(x: &mut X, y: Y) { *x -= y; x.zip_assign(&y, f); }")],
    );
    same_as_file(
        "strict_rank",
        "#[strict(rank)]",
        |item| pipeline::strict(quote!(rank), item),
        &[(Items, "fn step(x: &mut X, y: Y) { *x -= fuse!(y * y); x.less(&y); }")],
    );
    same_as_file(
        "strict_off",
        "#[strict(off)]",
        |item| pipeline::strict(quote!(off), item),
        &[(Items, "fn outer(x: X, y: Y) { x * y }")],
    );
}

#[test]
fn show_shape() {
    same_as_file(
        "show_shape",
        "show_shape",
        pipeline::show_shape,
        &[(Expression, "x.relu()"), (Expression, "type Logits<Lead>")],
    );
}

#[test]
fn fuse() {
    same_as_file(
        "fuse",
        "fuse",
        pipeline::fuse,
        &[
            (Expression, "(x * self.weight + b).gelu_tanh()"),
            (Expression, "2.0 * &x - x.mean_axis_keepdims::<0>()"),
            (Expression, "select(x.greater(0.0), &x, -1.0)"),
            (Expression, "strict: x - f(x + y)"),
        ],
    );
}

/// Compares the expansions with a file, or writes it.
#[track_caller]
fn same_as_file(file: &str, name: &str, expand: Macro, cases: Cases) {
    let expansions: Vec<String> =
        cases.iter().map(|(place, source)| expansion(name, *place, source, expand)).collect();
    let found = expansions.join("\n");
    let file = folder().join(file).with_extension("rs");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, found).expect("the file can be written");
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == expected,
        "{} differs: see `git diff` after `.ci/bless macros`\n{found}",
        file.display()
    );
}

/// The call, as a comment, and its expansion.
fn expansion(name: &str, place: Place, source: &str, expand: Macro) -> String {
    let expanded = expand(tokens(source));
    let (call, items) = match place {
        Type => (format!("{name}![{source}]"), quote!(type Expansion = #expanded;)),
        Expression => {
            (format!("{name}!({source})"), quote!(fn expansion() { let _ = { #expanded }; }))
        }
        Items if name.starts_with('#') => (format!("{name} {source}"), expanded),
        Items => (format!("{name}!({source})"), expanded),
    };
    let comment: Vec<String> = call.lines().map(|line| format!("// {line}\n")).collect();
    let file = syn::parse2(items).unwrap_or_else(|error| panic!("`{call}` is no Rust: {error}"));
    comment.concat() + &prettyplease::unparse(&file)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/expansions")
}

#[test]
fn every_file_is_an_expansion_of_a_macro() {
    let sources = include_str!("expansions.rs");
    for entry in fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        assert!(sources.contains(&format!("\"{name}\"")), "{name} is the expansion of no macro");
    }
}

#[test]
fn module() {
    same_as_file(
        "module",
        "#[derive(Module)]",
        pipeline::module,
        &[
            (
                Items,
                "struct Linear<I: Axis, O: Axis> { weight: Tensor<(((), O), I)>, \
                 #[module(buffer)] mean: Tensor<((), O)>, #[module(skip)] rate: Rate }",
            ),
            (
                Items,
                "struct Block<M>(Vec<M>, #[module(rename = \"norm\")] M::Norm, bool) where M: Layer;",
            ),
            (Items, "enum Head<A> { One(Wrapped<A>), Two { a: A }, None }"),
        ],
    );
}
