//! The macros in crates of every kind, each compiled separately: long and deep expressions, which
//! must not overflow the compiler's stack, a renamed dependency, and the examples in their
//! documentation.

mod compiler;

use std::fs;
use std::path::Path;
use std::process::Output;

use compiler::{Compiler, folder};

/// Has rustc check one program, in which the library is called `name`.
fn checked(compiler: &Compiler, name: &str, program: &str, source: &str) -> Output {
    let folder = folder("macros");
    let path = folder.join(format!("{program}.rs"));
    fs::write(&path, source).expect("a program");
    let mut rustc = compiler.rustc(name);
    rustc.args(["--crate-type=lib", "--emit=metadata", "-A", "warnings"]);
    rustc.arg("--out-dir").arg(&folder).arg(&path).output().expect("rustc starts")
}

#[track_caller]
fn compiles(compiler: &Compiler, name: &str, program: &str, source: &str) {
    let output = checked(compiler, name, program, source);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {}", said.chars().take(2000).collect::<String>());
}

/// Checks that one error refuses the program, with these words.
#[track_caller]
fn is_refused(compiler: &Compiler, program: &str, source: &str, words: &str) {
    let output = checked(compiler, "tensor_core", program, source);
    let said = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error")).collect();
    let one =
        matches!(&errors[..], [error, end] if error.contains(words) && end.contains("aborting"));
    assert!(one && output.status.code() == Some(1), "{program}: {:?} {errors:?}", output.status);
}

/// A function of a tensor whose value is this, below an attribute.
fn function(attribute: &str, body: &str) -> String {
    let tensor = "tensor_core::Tensor<tensor_core::shape![3]>";
    format!("{attribute} pub fn f(a: &{tensor}) -> {tensor} {{ {body} }}")
}

/// `a + a + a …`
fn sum(of: &str, operations: usize) -> String {
    vec![of; operations + 1].join(" + ")
}

fn nested(depth: usize, inner: &str) -> String {
    format!("{}{inner}{}", "(".repeat(depth), ")".repeat(depth))
}

#[test]
fn long_and_deep_expressions_compile() {
    const STRICT: &str = "#[tensor_core::strict]";
    let compiler = Compiler::new("macros");
    let with_temporaries = format!("a{}", " + &a.exp() * a.sum()".repeat(150));
    let mixed = format!("a{}", ".maximum(a).exp()".repeat(90)) + &" - a".repeat(200);
    for (program, source) in [
        ("plain_sum", function("", &sum("a", 1000))),
        ("strict_sum", function(STRICT, &sum("a", 400))),
        ("strict_long_sum", function(STRICT, &sum("a", 1000))),
        ("strict_temporaries", function(STRICT, &with_temporaries)),
        ("strict_methods", function(STRICT, &mixed)),
        ("strict_brackets", function(STRICT, &nested(110, "a + a"))),
        (
            "strict_blocks",
            function(STRICT, &nested(110, "a + a").replace('(', "{").replace(')', "}")),
        ),
        ("strictly_sum", function("", &format!("tensor_core::strictly!({})", sum("a", 1000)))),
        ("fuse_sum", function("", &format!("tensor_core::fuse!({})", sum("a", 1000)))),
        ("fuse_strict", function(STRICT, &format!("tensor_core::fuse!({})", sum("a", 1000)))),
        ("fuse_brackets", function("", &format!("tensor_core::fuse!({})", nested(120, "a + a")))),
        ("fuse_methods", function("", &format!("tensor_core::fuse!(a{})", ".exp()".repeat(450)))),
        ("fuse_prefixes", function("", &format!("tensor_core::fuse!({} a)", "- ".repeat(120)))),
        ("shape_sum", format!("pub type S = tensor_core::shape![{}];", sum("2", 1000))),
        ("shape_brackets", format!("pub type S = tensor_core::shape![{}];", nested(120, "2"))),
    ] {
        compiles(&compiler, "tensor_core", program, &source);
    }
}

#[test]
fn what_is_too_deep_is_one_error() {
    let compiler = Compiler::new("macros");
    // Plain Rust accepts the same number.
    compiles(&compiler, "tensor_core", "plain_long_sum", &function("", &sum("a", 2000)));
    compiles(&compiler, "tensor_core", "plain_brackets", &function("", &nested(600, "a + a")));
    let value = |value: String| format!("pub fn f(x: i32) {{ {value}; }}");
    for (program, source) in [
        ("strict_sum", function("#[tensor_core::strict]", &sum("a", 2000))),
        ("strict_brackets", function("#[tensor_core::strict]", &nested(600, "a + a"))),
        ("fuse_sum", function("", &format!("tensor_core::fuse!({})", sum("a", 100_000)))),
        ("fuse_brackets", function("", &format!("tensor_core::fuse!({})", nested(1000, "a + a")))),
        ("fuse_deep_brackets", function("", &format!("tensor_core::fuse!({})", nested(5000, "a")))),
        ("fuse_methods", function("", &format!("tensor_core::fuse!(a{})", ".exp()".repeat(3000)))),
        ("fuse_prefixes", function("", &format!("tensor_core::fuse!({} a)", "- ".repeat(3000)))),
        ("relaxed", function("", &format!("tensor_core::relaxed!({})", sum("a", 10_000)))),
        ("show_shape", value(format!("tensor_core::show_shape!({})", nested(5000, "x")))),
        ("tensor", value(format!("tensor_core::tensor![{}]", sum("x", 10_000)))),
        ("tensor_brackets", value(format!("tensor_core::tensor![{}]", nested(1000, "x")))),
        ("shape", format!("pub type S = tensor_core::shape![{}];", sum("2", 100_000))),
        ("shape_brackets", format!("pub type S = tensor_core::shape![{}];", nested(3000, "2"))),
        ("dim", format!("pub type S = tensor_core::dim!({});", sum("2", 100_000))),
        ("axis", format!("tensor_core::axis!(A = {});", sum("2", 100_000))),
    ] {
        is_refused(
            &compiler,
            &format!("too_deep_{program}"),
            &source,
            "too deep to be read: at most",
        );
    }
    let rows = format!("{}x{}", "[".repeat(101), "]".repeat(101));
    let rows = value(format!("tensor_core::tensor!{rows}"));
    is_refused(&compiler, "axes", &rows, "a literal has at most 100 axes");
}

/// A program in which `tensor-core` is called `tc`.
const RENAMED: &str = "
        use tc::{Shape, Tensor, axes, axis, broadcast_shapes, dim, fuse, relaxed, shape, strict, strictly,
            tensor};

        axis!(pub Batch, pub Hidden = 768);

        pub type Numbers = axes![0, -1];
        pub type Grid = broadcast_shapes![[2, 1], [3]];
        pub type Size = dim!(2048);

        #[strict]
        pub fn scaled<Lead: Shape>(x: &Tensor<shape![Lead.., Hidden]>) -> Tensor<shape![Lead.., Hidden]> {
            let y = fuse!((x * 2.0 + 1.0).relu());
            relaxed!(strictly!(&y + x) * tensor![1.0])
        }
    ";

#[test]
fn a_renamed_dependency() {
    let manifest = "[dependencies]\ntc = { package = \"tensor-core\", version = \"0.1\" }\n";
    is_package("tensor_core", "tc", manifest, RENAMED);
}

/// Of the package in whose folder the tests run, which has `tensor-core` by its own name.
#[test]
fn a_renamed_library_without_a_manifest_needs_one_line() {
    let compiler = Compiler::new("macros");
    let renamed = format!("extern crate tc as tensor_core;\n{RENAMED}");
    compiles(&compiler, "tc", "renamed", &renamed);
    // Without the line there is no such name: this is what it is for.
    let output = checked(&compiler, "tc", "not_renamed", RENAMED);
    assert!(!output.status.success());
    let chapter = include_str!("../tensor-core/guide/macros.md");
    assert!(chapter.contains("extern crate tc as tensor_core;"), "the guide says the line");
}

/// A package that depends on `tensor-nn` alone, and has the profile that the README recommends, in a workspace
/// that has `tensor-core` in all tables that are no dependencies of the package.
#[test]
fn a_package_with_tensor_nn_alone() {
    let program = "
        use tensor_nn::tensor_core::{Tensor, axis, fuse, shape, strict};
        use tensor_nn::Module;

        axis!(pub Batch);

        #[derive(Module)]
        pub struct Scaled {
            pub weight: Tensor<shape![3]>,
        }

        #[strict]
        pub fn scaled(model: &Scaled, x: &Tensor<shape![Batch, 3]>) -> Tensor<shape![Batch, 3]> {
            let _ = &model.weight;
            fuse!((x * 2.0).relu())
        }
    ";
    let manifest = "[package]\nname = \"program\"\n\n[dependencies]\ntensor-nn = \"0.1\"\n\n\
        [profile.dev.package.tensor-core]\nopt-level = 3\n\n\
        [patch.crates-io]\ntensor-core = { path = \"..\" }\n";
    is_package("tensor_nn", "tensor_nn", manifest, program);
}

/// Checks a program that has one library, by this name, in a package with this manifest.
#[track_caller]
fn is_package(library: &str, name: &str, manifest: &str, program: &str) {
    let package = folder("macros").join(format!("package_{name}"));
    fs::create_dir_all(&package).expect("a folder");
    fs::write(package.join("Cargo.toml"), manifest).expect("a manifest");
    let file = package.join("program.rs");
    fs::write(&file, program).expect("a program");
    let mut rustc = Compiler::of_library("macros", library).rustc(name);
    rustc.env("CARGO_MANIFEST_DIR", &package).args(["--crate-type=lib", "--emit=metadata"]);
    let output = rustc.arg("--out-dir").arg(&package).arg(&file).output().expect("rustc starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// As doc tests of `tensor-macros` they would be built for the host, with a second build of
/// `tensor-core`.
#[test]
fn examples_in_the_documentation_hold() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tensor-macros/src/lib.rs");
    let source = fs::read_to_string(source).expect("the macros");
    let documentation: String = source
        .lines()
        .filter_map(|line| line.strip_prefix("///"))
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    let fences: Vec<&str> =
        documentation.lines().filter(|line| line.starts_with("```")).step_by(2).collect();
    let examples = fences.iter().filter(|fence| **fence != "```text").count();
    let path = folder("macros").join("examples.md");
    fs::write(&path, documentation).expect("the documentation");
    // The examples name files of this package.
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tensor-core");
    let mut rustdoc = Compiler::new("macros").rustdoc();
    rustdoc.env("CARGO_MANIFEST_DIR", &package).current_dir(package);
    let output = rustdoc.arg("--test").arg(&path).output().expect("rustdoc starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let tests = said.lines().filter(|line| line.starts_with("test ") && line.ends_with("ok"));
    assert_eq!(tests.count(), examples, "{said}");
}
