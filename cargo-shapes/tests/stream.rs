//! Lines of cargo's JSON: what is changed, what is left out, and what passes as it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use cargo_shapes::render::Style;
use cargo_shapes::stream::{Line, Stream};
use serde_json::{Value, json};

static WRITING: Mutex<()> = Mutex::new(());

/// The manifest of a package that depends on this one.
fn manifest(dependency: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("uses-{dependency}"));
    let manifest = folder.join("Cargo.toml");
    // Tests run at the same time: none reads a file that is being written.
    let _guard = WRITING.lock().unwrap();
    if !manifest.exists() {
        fs::create_dir_all(&folder).unwrap();
        let entry = |name: &str, rest: &str| format!("[[package]]\nname = \"{name}\"\n{rest}");
        let app = entry("app", &format!("dependencies = [\n \"{dependency}\",\n]\n"));
        fs::write(folder.join("Cargo.lock"), app + &entry(dependency, "")).unwrap();
        fs::write(&manifest, "[package]\nname = \"app\"\n").unwrap();
    }
    manifest
}

fn line(dependency: &str, message: Value) -> String {
    let line = json!({
        "reason": "compiler-message", "package_id": "a", "target": { "name": "a" }, "manifest_path": manifest(dependency),
        "message": message, "new_field": [1],
    });
    line.to_string()
}

fn error(message: &str, children: &[&str], column: u64) -> Value {
    let children: Vec<Value> = children
        .iter()
        .map(|text| json!({ "level": "note", "message": text, "spans": [], "children": [], "rendered": null }))
        .collect();
    json!({
        "level": "error", "message": message, "code": { "code": "E0277", "explanation": null }, "children": children,
        "rendered": format!("error: {message} {children:?}"), "newer": { "field": "(((), A), Dim<2>)" },
        "spans": [{
            "file_name": "src/none.rs", "byte_start": 8 + column, "byte_end": 9 + column, "line_start": 1, "line_end": 1,
            "column_start": 9 + column, "column_end": 10 + column, "is_primary": true, "label": "here `Dim<3>`",
            "suggested_replacement": null, "expansion": null,
            "text": [{ "text": "let c = a + b;", "highlight_start": 9 + column, "highlight_end": 10 + column }],
        }],
    })
}

/// What becomes of a line that is not held back.
fn becomes(stream: &mut Stream, line: &str) -> Line {
    let [(text, becomes)] = &stream.lines(line)[..] else { panic!("{line}") };
    assert_eq!(text, line);
    becomes.clone()
}

fn changed(stream: &mut Stream, line: &str) -> Value {
    match becomes(stream, line) {
        Line::Changed(value) => *value,
        other => panic!("{other:?}"),
    }
}

const REFUSED: [&str; 2] = [
    "shapes are aligned at their last axis [T101]",
    "required for `(((), Dim<4>), Dim<3>)` to implement `BroadcastOf<(((), Dim<4>), Dim<3>), ((), Dim<4>)>`",
];

#[test]
fn words_change_and_other_fields_do_not() {
    let mut stream = Stream::new(Style::default(), false);
    let message = error("cannot broadcast `Dim<3>` with `Dim<4>`", &REFUSED, 2);
    let value = changed(&mut stream, &line("tensor-core", message.clone()));
    assert_eq!(value["new_field"], json!([1]));
    let new = &value["message"];
    assert_eq!(new["newer"], message["newer"], "a field that is not known");
    assert_eq!(new["message"], "cannot broadcast `3` with `4`");
    assert_eq!(new["spans"][0]["label"], "here `3`");
    let rendered = new["rendered"].as_str().unwrap();
    let table = "  = note: left   [4, 3, ..]\n          right     [4, ..]\n                     ^ left has 3 and right has 4";
    assert!(
        rendered.contains("1 | let c = a + b;\n  |           ^ here `3`\n")
            && rendered.contains(table),
        "{rendered}"
    );
}

#[test]
fn what_does_not_use_the_library_passes() {
    let mut stream = Stream::new(Style::default(), false);
    let foreign = line("serde", error("`(((), A), Dim<2>)`", &REFUSED, 0));
    let unchanged =
        line("tensor-core", error("mismatched types", &["expected `(u8, (A, B))`"], 0).clone());
    let unchanged = unchanged.replace("Dim<3>", "u8");
    for text in [
        &foreign,
        &unchanged,
        "",
        "{",
        "text (((), A), Dim<2>)",
        "{\"reason\":\"build-finished\",\"success\":true}",
    ] {
        assert_eq!(becomes(&mut stream, text), Line::Same, "{text}");
    }
}

#[test]
fn what_follows_is_left_out_once() {
    let mut stream = Stream::new(Style::default(), false);
    let twin =
        |note: &str| line("tensor-core", error("type annotations needed for `Dim<2>`", &[note], 0));
    let (first, second) = (twin("in one way"), twin("in another way"));
    for _ in 0..2 {
        // The second time for the tests of the same crate.
        changed(&mut stream, &first);
        assert_eq!(becomes(&mut stream, &second), Line::Folded);
    }
    assert_eq!(stream.left_out(), 1);
    changed(
        &mut stream,
        &line("tensor-core", error("type annotations needed for `Dim<2>`", &["in one way"], 4)),
    );

    let mut missing = error("the method `epoch` exists for struct `Loader<Vec<f32>>`", &[], 2);
    missing["code"]["code"] = "E0599".into();
    missing["children"] = json!([{
        "level": "note", "message": "the following trait bounds were not satisfied:\n`Vec<f32>: Examples`", "spans": [],
    }]);
    let before = becomes(&mut stream, &line("tensor-core", missing.clone()));
    assert!(matches!(before, Line::Changed(_)), "nothing was refused before");
    let refusal = "the trait `Examples` is not implemented for `Vec<f32>`";
    changed(&mut stream, &line("tensor-core", error("`Vec<f32>` has no examples", &[refusal], 0)));
    missing["spans"] = json!([]);
    assert_eq!(becomes(&mut stream, &line("tensor-core", missing)), Line::Folded);
    assert_eq!(stream.left_out(), 2);
}

/// The next solver writes that a type is not resolved, and then why.
#[test]
fn what_the_next_line_explains_is_left_out() {
    let unresolved = |argument: &str| {
        let words = format!(
            "type mismatch resolving `<(Dim<3>,) as MatchedAxis<Dim<3>, {argument}>>::Output == _`"
        );
        let mut message = error(&words, &[], 0);
        message["code"]["code"] = "E0271".into();
        line("tensor-core", message)
    };
    let refusal = "the trait `tensor_core::shape::MatchedAxis<Dim<3>, Dim<4>>` is not implemented for `(Dim<3>,)`";
    let refused = line("tensor-core", error("cannot broadcast", &[refusal], 2));
    let mut stream = Stream::new(Style::default(), false);
    assert!(stream.lines(&unresolved("Dim<4>")).is_empty(), "held back");
    let both = stream.lines(&refused);
    assert!(matches!(both[..], [(_, Line::Folded), (_, Line::Changed(_))]), "{both:?}");
    assert_eq!(stream.left_out(), 1);
    // Once it is refused, and where something else comes.
    assert!(stream.lines(&unresolved("Dim<4>")).is_empty());
    let end = "{\"reason\":\"build-finished\",\"success\":false}";
    assert!(matches!(stream.lines(end)[..], [(_, Line::Folded), (_, Line::Same)]));
    assert!(stream.lines(&unresolved("Dim<5>")).is_empty());
    assert!(matches!(stream.lines(&refused)[..], [(_, Line::Changed(_)), (_, Line::Changed(_))]));
}

/// The same words about an expression and about a part of it are one error; about another, they are two.
#[test]
fn an_error_is_about_an_expression_once() {
    let of = |start: u64, end: u64| {
        let mut message = error("`Dim<3>` is not a single element", &[], 0);
        let span = &mut message["spans"][0];
        (span["byte_start"], span["byte_end"]) = (start.into(), end.into());
        message["rendered"] = format!("{start} to {end}").into();
        line("tensor-core", message)
    };
    let mut stream = Stream::new(Style::default(), false);
    changed(&mut stream, &of(8, 16));
    assert_eq!(becomes(&mut stream, &of(10, 14)), Line::Folded);
    assert_eq!(becomes(&mut stream, &of(4, 20)), Line::Folded);
    changed(&mut stream, &of(20, 24));
    changed(&mut stream, &of(14, 18));
}

/// A message about the argument `b` of a call `f`, in other words each time.
fn of_argument(message: &str, code: &str, note: &str, is_whole: bool) -> String {
    let mut message = error(message, &[note], 0);
    message["code"]["code"] = code.into();
    let mut call = message["spans"][0].clone();
    (call["byte_start"], call["byte_end"]) = (8.into(), 9.into());
    (call["is_primary"], call["label"]) =
        (false.into(), "required by a bound introduced by this call".into());
    let span = &mut message["spans"][0];
    if is_whole {
        (span["byte_start"], span["byte_end"]) = (8.into(), 20.into());
    } else {
        (span["byte_start"], span["byte_end"]) = (10.into(), 11.into());
        message["spans"].as_array_mut().unwrap().push(call);
    }
    line("tensor-core", message)
}

#[test]
fn a_call_is_refused_once() {
    let mut stream = Stream::new(Style::default(), false);
    changed(
        &mut stream,
        &of_argument("the layer does not take `Dim<3>`", "E0277", REFUSED[0], true),
    );
    let again = of_argument("the layer takes `Dim<4>`", "E0277", REFUSED[0], false);
    assert_eq!(becomes(&mut stream, &again), Line::Folded);
    // A bound in the compiler's own words waits for the next line, which may have the reason.
    let bound = of_argument(
        "the trait bound `Dim<3>: AtLeast<Dim<4>>` is not satisfied",
        "E0277",
        "",
        false,
    );
    let mut stream = Stream::new(Style::default(), false);
    assert!(stream.lines(&bound).is_empty());
    let refused =
        of_argument("`Dim<4>` elements cannot be chosen of `Dim<3>`", "E0277", REFUSED[0], false);
    assert!(matches!(stream.lines(&refused)[..], [(_, Line::Folded), (_, Line::Changed(_))]));
    let mut stream = Stream::new(Style::default(), false);
    assert!(stream.lines(&bound).is_empty());
    let other = line("tensor-core", error("something else about `Dim<3>`", &[REFUSED[0]], 20));
    assert!(matches!(stream.lines(&other)[..], [(_, Line::Changed(_)), (_, Line::Changed(_))]));
}

/// Two reasons why one bound is not satisfied are one error; the same method elsewhere is another.
#[test]
fn a_bound_is_refused_once() {
    let of = |message, column| line("tensor-core", error(message, &REFUSED, column));
    let mut stream = Stream::new(Style::default(), false);
    changed(&mut stream, &of("`Dim<3>` and `Dim<4>` differ", 0));
    assert_eq!(becomes(&mut stream, &of("the size of `Dim<4>` is not known", 0)), Line::Folded);
    changed(&mut stream, &of("the size of `Dim<5>` is not known", 9));
    // Of another bound.
    changed(&mut stream, &line("tensor-core", error("`Dim<4>` is no axis", &REFUSED[..1], 0)));
}

/// In generic code, errors that lack the same bound are one; a change that is only proposed by rustc is none.
#[test]
fn a_bound_is_missing_once() {
    let of = |note: &str, column| {
        let mut message = error("the size of `Dim<D>` is not known", &[note], column);
        message["rendered"] = format!("in column {column}").into();
        let mut change = message["spans"][0].clone();
        (change["byte_start"], change["suggested_replacement"]) = (2.into(), ": StaticAxis".into());
        message["children"].as_array_mut().unwrap().push(json!({
            "level": "help", "message": "consider a bound", "spans": [change], "children": [], "rendered": null,
        }));
        line("tensor-core", message)
    };
    let (missing, other) = ("in generic code, add the bound `D: StaticAxis` [T403]", REFUSED[0]);
    let mut stream = Stream::new(Style::default(), false);
    changed(&mut stream, &of(missing, 0));
    assert_eq!(becomes(&mut stream, &of(missing, 9)), Line::Folded);
    let mut stream = Stream::new(Style::default(), false);
    changed(&mut stream, &of(other, 0));
    changed(&mut stream, &of(other, 9));
}

/// `--verbose` lists every implementation of a trait, and not eight as otherwise.
#[test]
fn lists_of_implementations_are_as_long_as_without_this_program() {
    let list = |count: usize| {
        let types: Vec<String> = (0..count).map(|number| format!("  Type{number}")).collect();
        format!("the following other types implement trait `Own`:\n{}", types.join("\n"))
    };
    let line =
        |count| line("tensor-core", error("the trait is not implemented", &[&list(count)], 0));
    let written = |count| {
        let value = changed(&mut Stream::new(Style::default(), false), &line(count));
        value["message"]["children"][0]["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(written(9), list(9));
    assert_eq!(written(12), format!("{}\nand 4 others", list(8)));
}

/// A span within a macro of another crate is shown where the macro is called: that is where rustc showed it.
#[test]
fn spans_in_foreign_macros_are_those_of_the_call() {
    let mut message = error("`Dim<3>`", &[], 0);
    let call = message["spans"][0].clone();
    message["spans"][0]["file_name"] = "/lib/core/src/macros/mod.rs".into();
    message["spans"][0]["text"][0]["text"] = "if !(*left_val == *right_val) {".into();
    message["spans"][0]["expansion"] = json!({ "span": call, "macro_decl_name": "assert_eq!" });
    message["rendered"] = "error[E0277]: `Dim<3>`\n --> src/none.rs:1:9\n".into();
    let value = changed(&mut Stream::new(Style::default(), false), &line("tensor-core", message));
    let rendered = value["message"]["rendered"].as_str().unwrap();
    assert!(
        rendered.contains(" --> src/none.rs:1:9\n  |\n1 | let c = a + b;\n  |         ^ here `3`"),
        "{rendered}"
    );
}

/// A table is drawn only where the two sizes that it marks are those of the first line.
#[test]
fn no_table_is_drawn_about_something_else() {
    for (message, required) in [
        ("`Dim<3>` and `Dim<5>`", REFUSED[1]),
        (
            "`Dim<3>` and `Dim<4>`",
            "required for `(_, Dim<3>)` to implement `BroadcastOf<(_, Dim<3>), (L, _)>`",
        ),
        (
            "`Dim<3>` and `Dim<4>`",
            "required for `(((), Dim<3>), Dim<4>)` to implement `BroadcastOf<(((), Dim<3>), Dim<4>), ((), Dim<4>)>`",
        ),
        (
            "`Dim<3>` and `Dim<4>`",
            "required for `((), Dim<3>)` to implement `MatmulRhs<((), Dim<4>)>`",
        ),
    ] {
        let mut stream = Stream::new(Style::default(), false);
        let value =
            changed(&mut stream, &line("tensor-core", error(message, &[REFUSED[0], required], 2)));
        assert!(!value["message"]["rendered"].as_str().unwrap().contains("^ axis"), "{value}");
    }
}
