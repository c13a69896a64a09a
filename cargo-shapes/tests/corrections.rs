//! Corrections that are offered: a call or a bound is taken out of programs that compile, and comes back.
//!
//! `cargo test -p cargo-shapes --test corrections -- --ignored --nocapture` tries all mistakes, with those that were
//! left aside while the candidates were chosen, and prints the share of each kind; CI tries some.

mod compiled;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use cargo_shapes::corrections::{COMPILES, RUN, SECONDS};
use cargo_shapes::diagnostic::{list, text};
use proc_macro2::TokenStream;
use serde_json::Value;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, Generics, Token, TypeParam};

/// A program that compiles, and where it is from.
struct Original {
    name: String,
    source: String,
}

/// A mistake that is made in a program.
#[derive(Clone, Debug)]
struct Mistake {
    kind: &'static str,
    /// What is taken out of the program, or replaced.
    range: Range<usize>,
    new: String,
    /// The tensor whose method is called.
    receiver: Option<Range<usize>>,
    /// The bound that is missing then.
    bound: String,
}

#[derive(Default)]
struct Mistakes<'a> {
    source: &'a str,
    found: Vec<Mistake>,
}

impl Mistakes<'_> {
    fn add(&mut self, kind: &'static str, range: Range<usize>, new: &str) {
        let (new, bound) = (new.to_owned(), String::new());
        self.found.push(Mistake { kind, range, new, receiver: None, bound });
    }

    fn reference(&mut self, operand: &Expr) {
        if let Expr::Reference(reference) = operand
            && matches!(&*reference.expr, Expr::Path(_))
            && reference.mutability.is_none()
        {
            self.add("&", range(&reference.and_token), "");
        }
    }

    fn method(&mut self, call: &ExprMethodCall) {
        let (name, receiver) = (call.method.to_string(), range(&*call.receiver));
        let before = self.found.len();
        let kind = ["unsqueeze", "transpose", "squeeze", "cast", "item", "rename_axis"];
        if let Some(kind) = kind.into_iter().find(|kind| *kind == name) {
            self.add(kind, receiver.end..range(call).end, "");
        }
        if let Some(without) = name.strip_suffix("_keepdims") {
            self.add("keepdims", range(&call.method), without);
        }
        if let Some(first) = call.turbofish.as_ref().and_then(|fish| fish.args.first()) {
            let at = range(first);
            let other = match &self.source[at.clone()] {
                "0" => "1",
                "1" | "-1" => "0",
                "2" => "1",
                "-2" => "-1",
                _ => "",
            };
            if !other.is_empty() {
                self.add("axis number", at, other);
            }
        }
        self.found[before..].iter_mut().for_each(|found| found.receiver = Some(receiver.clone()));
    }
}

fn range(part: &impl Spanned) -> Range<usize> {
    part.span().byte_range()
}

impl<'a> Visit<'a> for Mistakes<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Binary(binary) => [&binary.left, &binary.right].map(|side| self.reference(side)),
            Expr::MethodCall(call) => {
                self.method(call);
                call.args.iter().for_each(|argument| self.reference(argument));
                [(); 2]
            }
            Expr::Call(call) => {
                call.args.iter().for_each(|argument| self.reference(argument));
                [(); 2]
            }
            _ => [(); 2],
        };
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        let arguments = arguments.parse2(TokenStream::clone(&call.tokens));
        arguments.into_iter().flatten().for_each(|argument| self.visit_expr(&argument));
    }

    fn visit_type_param(&mut self, parameter: &'a TypeParam) {
        let mut ends = parameter.bounds.iter().map(|bound| range(bound).end).rev();
        if let Some(end) = ends.next() {
            let start = ends.next().unwrap_or(range(&parameter.ident).end);
            self.add("bound", start..end, "");
            let bound = self.source[start..end].trim_start_matches([':', '+', ' ']);
            self.found.last_mut().unwrap().bound = format!("{}: {bound}", parameter.ident);
        }
    }

    fn visit_generics(&mut self, generics: &'a Generics) {
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            let at = range(predicate);
            let comma = self.source[at.end..].starts_with(',');
            self.add("bound", at.start..at.end + usize::from(comma), "");
            self.found.last_mut().unwrap().bound = self.source[at].to_owned();
        }
        visit::visit_generics(self, generics);
    }
}

fn mistakes(source: &str) -> Vec<Mistake> {
    let mut mistakes = Mistakes { source, found: Vec::new() };
    mistakes.visit_file(&syn::parse_str(source).unwrap());
    mistakes.found
}

/// The programs that compile: of the tests of messages, the lessons, and the guide.
fn originals() -> Vec<Original> {
    let root = compiled::workspace();
    let mut originals = Vec::new();
    for folder in ["tests/ui/pass", "lessons/solutions"] {
        for file in files(&root.join(folder)) {
            let name = file.strip_prefix(root).unwrap().display().to_string();
            originals.push(Original { name, source: fs::read_to_string(file).unwrap() });
        }
    }
    for folder in ["tensor-core/guide", "tensor-nn/guide"] {
        for file in files(&root.join(folder))
            .into_iter()
            .filter(|file| file.extension().is_some_and(|end| end == "md"))
        {
            let name = file.strip_prefix(root).unwrap().display().to_string();
            let page = fs::read_to_string(&file).unwrap();
            for (number, block) in page.split("\n```").enumerate().filter(|(at, _)| at % 2 == 1) {
                let Some(block) = block.strip_prefix("rust\n") else { continue };
                let lines = block.lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
                let block: String =
                    lines.map(|line| format!("{}\n", line.trim_end_matches(" #"))).collect();
                let source = match block.contains("fn main()") {
                    true => block,
                    false => format!(
                        "fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{}\nOk(())\n}}\n",
                        block.replace("Ok::<(), Box<dyn std::error::Error>>(())", "")
                    ),
                };
                originals.push(Original { name: format!("{name} {number}"), source });
            }
        }
    }
    originals.retain(|original| syn::parse_str::<syn::File>(&original.source).is_ok());
    originals
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Whether a program was left aside while the candidates were chosen: a third of them.
fn is_aside(name: &str) -> bool {
    name.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % 3 == 0
}

/// A package of one program, which the tool is run on.
struct Package {
    folder: PathBuf,
    /// The time for corrections.
    seconds: &'static str,
    libraries: Vec<String>,
}

/// What the tool writes about a program.
struct Written {
    errors: Vec<Value>,
    time: Duration,
}

impl Package {
    fn new(name: &str) -> Self {
        Self { libraries: compiled::libraries(), ..Self::without_libraries(name) }
    }

    /// For programs with a `Tensor` of their own.
    fn without_libraries(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("out")).unwrap();
        fs::write(folder.join("Cargo.toml"), "[package]\nname = \"app\"\n").unwrap();
        let lock = "[[package]]\nname = \"app\"\ndependencies = [\n \"tensor-core\",\n]\n\n\
                    [[package]]\nname = \"tensor-core\"\n";
        fs::write(folder.join("Cargo.lock"), lock).unwrap();
        Self { folder, seconds: "60", libraries: Vec::new() }
    }

    /// Runs the tool as cargo runs it, with corrections or without.
    fn run(&self, source: &str, with_corrections: bool) -> Written {
        fs::write(self.folder.join("main.rs"), source).unwrap();
        let run = self.folder.join("run");
        let _ = fs::remove_dir_all(&run);
        fs::create_dir(&run).unwrap();
        self.run_target("app", with_corrections.then_some(&run))
    }

    /// Runs the tool for the target whose root is `main.rs`, in a run of cargo with this folder.
    fn run_target(&self, name: &str, run: Option<&PathBuf>) -> Written {
        let start = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-shapes"))
            .args(["rustc", "--crate-name", name, "--edition=2024", "main.rs"])
            .args([
                "--error-format=json",
                "--emit=dep-info,metadata",
                "--cap-lints=allow",
                "--out-dir",
            ])
            .arg(self.folder.join("out"))
            .args(&self.libraries)
            .env(RUN, run.map_or(Path::new(""), PathBuf::as_path))
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env(SECONDS, self.seconds)
            .env("OUT_DIR", self.folder.join("generated"))
            .current_dir(&self.folder)
            .output()
            .unwrap();
        let time = start.elapsed();
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
        let lines = String::from_utf8(output.stderr).unwrap();
        let errors = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let is_error = |error: &Value| {
            text(error, "level") == "error" && !text(error, "message").starts_with("aborting")
        };
        Written { errors: errors.filter(is_error).collect(), time }
    }

    /// The rank of a tensor in a program that compiles.
    fn rank(&self, source: &str, tensor: &Range<usize>) -> Option<i64> {
        let (before, rest) = source.split_at(tensor.start);
        let (tensor, after) = rest.split_at(tensor.len());
        let asked =
            format!("{before}match ({tensor}) {{ value => {{ let () = value; value }} }}{after}");
        let errors = self.run(&asked, false).errors;
        let label = list(&errors[0], "spans").iter().map(|span| text(span, "label"));
        let label = label.into_iter().find(|label| label.ends_with("found `()`"))?;
        let shape = cargo_shapes::text::message(label);
        let (shape, _) = shape.split_once("Tensor<[")?.1.split_once(']')?;
        (!shape.contains(".."))
            .then(|| shape.split(", ").filter(|axis| !axis.is_empty()).count() as i64)
    }
}

/// The corrections that an error has: the program with each, and its message.
fn corrections(error: &Value, source: &str) -> Vec<(String, String)> {
    let ours =
        list(error, "children").iter().filter(|child| text(child, "message").starts_with(COMPILES));
    let apply = |child: &Value| {
        let mut edited = source.to_owned();
        let mut spans: Vec<&Value> = list(child, "spans").iter().collect();
        spans.sort_by_key(|span| std::cmp::Reverse(span["byte_start"].as_u64()));
        for span in spans {
            let byte = |name: &str| span[name].as_u64().unwrap() as usize;
            edited.replace_range(
                byte("byte_start")..byte("byte_end"),
                text(span, "suggested_replacement"),
            );
        }
        (edited, text(child, "message").to_owned())
    };
    ours.map(apply).collect()
}

/// A program without spaces and paths to the library.
fn normalized(source: &str) -> String {
    let mut parts = source.split("tensor_core::");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // The modules in `tensor_core::element::Float`.
        let path = part.len()
            - part.trim_start_matches(|c: char| c.is_lowercase() || "_:".contains(c)).len();
        let path = part[..path].rfind("::").map_or(0, |at| at + 2);
        result += &part[path..];
    }
    let result = result.split_whitespace().collect::<String>();
    result.replace(",)", ")").replace(",{", "{").replace(",>", ">")
}

/// The two numbers in which programs differ, if in nothing else.
fn numbers(a: &str, b: &str) -> Option<[i64; 2]> {
    let is_number = |c: &char| *c == '-' || c.is_ascii_digit();
    let common = a
        .chars()
        .zip(b.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum::<usize>();
    let start = a[..common].trim_end_matches(|c| is_number(&c)).len();
    let split = |text: &str| {
        let digits: String = text[start..].chars().take_while(is_number).collect();
        Some((digits.parse::<i64>().ok()?, text[start + digits.len()..].to_owned()))
    };
    let ((a, rest_of_a), (b, rest_of_b)) = (split(a)?, split(b)?);
    (rest_of_a == rest_of_b).then_some([a, b])
}

/// Whether a correction is what the program had before its mistake, or the same axis by its other number.
fn is_original(
    package: &Package,
    original: &str,
    mistake: &Mistake,
    (corrected, message): &(String, String),
) -> bool {
    if normalized(original) == normalized(corrected) {
        return true;
    }
    if mistake.kind == "bound" {
        // In another place: at the function or its `impl`, in a `where` clause or not.
        let added =
            message.split("adds the bound `").nth(1).and_then(|rest| rest.split('`').next());
        return added.is_some_and(|added| normalized(added) == normalized(&mistake.bound));
    }
    let Some(receiver) = &mistake.receiver else { return false };
    numbers(original, corrected).filter(|[a, b]| (*a < 0) != (*b < 0)).is_some_and(|[a, b]| {
        let is_new = i64::from(original[receiver.end..].starts_with(".unsqueeze"));
        package.rank(original, receiver).is_some_and(|rank| (a - b).abs() == rank + is_new)
    })
}

#[derive(Default)]
struct Counts {
    mistakes: usize,
    back: usize,
    first: usize,
    offered: usize,
}

/// Tries mistakes, and returns the counts by whether the program was left aside and by kind.
fn try_all(name: &str, every: usize) -> BTreeMap<(bool, &'static str), Counts> {
    let package = Package { seconds: "3", ..Package::new(name) };
    let mut counts: BTreeMap<(bool, &'static str), Counts> = BTreeMap::new();
    let mut number = 0;
    let mut slowest = Duration::ZERO;
    for original in originals() {
        let mut compiles = None;
        for mistake in mistakes(&original.source) {
            number += 1;
            if number % every != 0 {
                continue;
            }
            if !*compiles
                .get_or_insert_with(|| package.run(&original.source, false).errors.is_empty())
            {
                break;
            }
            let mut source = original.source.clone();
            source.replace_range(mistake.range.clone(), &mistake.new);
            let plain = package.run(&source, false);
            // Of a shape, or of a tensor that was moved.
            let is_of_shapes =
                plain.errors.first().is_some_and(cargo_shapes::corrections::concerns);
            if !is_of_shapes {
                continue;
            }
            let written = package.run(&source, true);
            slowest = slowest.max(written.time.saturating_sub(plain.time));
            let offered = corrections(&written.errors[0], &source);
            assert!(offered.len() <= 3, "{}", original.name);
            for (corrected, message) in &offered {
                let errors = package.run(corrected, false).errors;
                // Another function may have a mistake that follows.
                assert!(
                    errors.len() < plain.errors.len(),
                    "{}: {message}: {errors:#?}",
                    original.name
                );
                let says =
                    message.contains("; the result is `") || message.contains("adds the bound `");
                assert!(says, "{message}");
            }
            let place = offered
                .iter()
                .position(|offered| is_original(&package, &original.source, &mistake, offered));
            for key in
                [(is_aside(&original.name), mistake.kind), (is_aside(&original.name), "~ all")]
            {
                let count = counts.entry(key).or_default();
                count.mistakes += 1;
                count.back += usize::from(place.is_some());
                count.first += usize::from(place == Some(0));
                count.offered += usize::from(!offered.is_empty());
            }
            if place.is_none() && !is_aside(&original.name) && env::var_os("SHOW").is_some() {
                println!("==== {} {:?}", original.name, mistake);
                println!(
                    "{}",
                    original.source[..mistake.range.start].rsplit('\n').next().unwrap_or_default()
                );
                println!(
                    "{}",
                    original.source[mistake.range.start..].lines().next().unwrap_or_default()
                );
                println!(
                    "{}",
                    text(&plain.errors[0], "rendered")
                        .lines()
                        .take(8)
                        .collect::<Vec<_>>()
                        .join("\n")
                );
                offered.iter().for_each(|(_, message)| println!("   {message}"));
                println!("   {} errors, {:?}", plain.errors.len(), written.time);
            }
        }
    }
    assert!(slowest < Duration::from_secs(6), "{slowest:?}");
    for ((aside, kind), count) in &counts {
        let Counts { mistakes, back, first, offered } = count;
        let set = if *aside { "left aside" } else { "seen" };
        println!(
            "{set:10} {kind:12} {mistakes:4} mistakes, {back:4} back, {first:4} first, {offered:4} with any"
        );
    }
    counts
}

/// The numbers of corrections that the errors of a program have.
fn offered(package: &Package, source: &str) -> Vec<usize> {
    let errors = package.run(source, true).errors;
    errors.iter().map(|error| corrections(error, source).len()).collect()
}

const HEAD: &str = "use tensor_core::{Tensor, shape};\n";
const TAIL: &str = "\nfn main() {}\n";
const CENTRED: &str =
    "fn centred(x: &Tensor<shape![4, 3]>) -> Tensor<shape![4, 3]> {\n    x - x.mean_axis::<1>()\n}";

#[test]
fn only_what_rustc_can_tell_is_offered() {
    let package = Package::new("hostile");
    let twice = "fn both(x: &Tensor<shape![4, 3]>) {\n    let _ = x - x.mean_axis::<1>();\n    let _ = x.dot(x);\n}";
    let macros = "macro_rules! f { () => { fn f(x: &Tensor<shape![4, 3]>) { let _ = x - x.mean_axis::<1>(); } } }\nf!();";
    let generated = "include!(concat!(env!(\"OUT_DIR\"), \"/generated.rs\"));";
    fs::create_dir_all(package.folder.join("generated")).unwrap();
    fs::write(package.folder.join("generated/generated.rs"), CENTRED).unwrap();
    for (what, source, expected) in [
        ("one mistake", format!("{HEAD}{CENTRED}{TAIL}"), &[3][..]),
        ("two mistakes in one function", format!("{HEAD}{twice}{TAIL}"), &[0, 0]),
        ("a function that a macro writes", format!("{HEAD}{macros}{TAIL}"), &[0]),
        ("a generated file", format!("{HEAD}{generated}{TAIL}"), &[0]),
        ("a byte order mark", format!("\u{feff}{HEAD}{CENTRED}{TAIL}"), &[0]),
        ("a mistake without shapes", format!("fn f() -> u8 {{ \"\" }}{TAIL}"), &[0]),
        (
            "another mistake elsewhere",
            format!("{HEAD}{CENTRED}\nfn f() -> u8 {{ \"\" }}{TAIL}"),
            &[3, 0],
        ),
    ] {
        assert_eq!(offered(&package, &source), expected, "{what}");
    }
    let manifest = package.folder.join("Cargo.toml");
    fs::write(
        &manifest,
        "[package]\nname = \"app\"\n[package.metadata.shapes]\ncorrections = false\n",
    )
    .unwrap();
    assert_eq!(offered(&package, &format!("{HEAD}{CENTRED}{TAIL}")), [0], "switched off");
}

/// A `Tensor` with a method of a user, `resized`, and one along an axis, `softmax`.
const OF_USER: &str = "pub struct Tensor<S>(pub S);
impl Tensor<[u8; 3]> {
    pub fn resized<const N: usize>(&self) -> Tensor<[u8; N]> { Tensor([0; N]) }
    pub fn softmax<const N: usize>(&self) -> Tensor<[u8; N]> { Tensor([0; N]) }
}
pub struct Options;
impl Options {
    pub fn softmax<const N: usize>(&self) -> Tensor<[u8; N]> { Tensor([0; N]) }
}
fn main() {}
";

#[test]
fn only_numbers_of_axes_of_tensors_are_changed() {
    let package = Package::without_libraries("axes_of_tensors");
    for (receiver, method, expected) in [
        ("Tensor<[u8; 3]>", "softmax", true),
        ("Tensor<[u8; 3]>", "resized", false),
        ("Options", "softmax", false),
    ] {
        let source = format!(
            "{OF_USER}pub fn f(x: &{receiver}) -> Tensor<[u8; 1]> {{\n    x.{method}::<2>()\n}}\n"
        );
        let errors = package.run(&source, true).errors;
        let offered = corrections(&errors[0], &source);
        let is_offered =
            offered.iter().any(|(_, message)| message.contains("takes axis 1 in place of 2"));
        assert_eq!(is_offered, expected, "{receiver} {method}: {offered:?}");
    }
}

#[test]
fn methods_of_other_types_are_not_those_of_tensors() {
    let package = Package::without_libraries("other_types");
    for (given, wanted) in [
        ("Option<Result<Tensor<[u8; 3]>, String>>", "Result<Option<Tensor<[u8; 3]>>, String>"),
        ("Option<Option<Tensor<[u8; 3]>>>", "Option<Tensor<[u8; 3]>>"),
    ] {
        let source = format!("{OF_USER}pub fn f(x: {given}) -> {wanted} {{\n    x\n}}\n");
        let errors = package.run(&source, true).errors;
        let offered = corrections(&errors[0], &source);
        assert!(offered.iter().all(|(_, message)| !message.contains("axes")), "{offered:?}");
    }
}

#[test]
fn a_correction_compiles_for_each_target_that_has_it() {
    let package = Package::without_libraries("targets");
    let shared = "use crate::Tensor;\npub fn f(x: &Tensor<[u8; 3]>) -> Tensor<[u8; 1]> {\n    x.softmax::<2>()\n}\n";
    fs::write(package.folder.join("shared.rs"), shared).unwrap();
    let run = package.folder.join("run");
    fs::create_dir_all(&run).unwrap();
    let small = OF_USER.replace(
        "pub fn softmax<const N: usize>(&self) -> Tensor<[u8; N]> { Tensor([0; N]) }",
        "pub fn softmax<const N: usize>(&self) -> Tensor<[u8; N]> where [u8; N]: Allowed { Tensor([0; N]) }",
    );
    let small = format!("{small}pub trait Allowed {{}}\nimpl Allowed for [u8; 2] {{}}\n");
    let offered = |name: &str, root: &str| {
        let root = format!("#[path = \"shared.rs\"] mod shared;\n{root}");
        fs::write(package.folder.join("main.rs"), root).unwrap();
        let errors = package.run_target(name, Some(&run)).errors;
        corrections(&errors[0], shared).len()
    };
    assert_eq!([offered("a", OF_USER), offered("b", OF_USER), offered("c", &small)], [1, 1, 0]);
}

#[test]
fn files_of_the_program_are_only_read() {
    let package = Package::new("files");
    let write = |file: &str, bytes: &[u8]| {
        let file = package.folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    };
    write("data.bin", &[0xff, 0xfe, 0]);
    write("inner/mod.rs", b"#[path = \"../beside/other.rs\"]\nmod other;\npub use other::SIZE;\n");
    write(
        "beside/other.rs",
        "pub const SIZE: usize = include_bytes!(\"../data.bin\").len(); // \u{e9}\n".as_bytes(),
    );
    let source = format!("{HEAD}mod inner;\n// 🦀\n{CENTRED}\nconst _: usize = inner::SIZE;{TAIL}");
    for source in [source.clone(), source.replace('\n', "\r\n")] {
        let errors = package.run(&source, true).errors;
        let corrections = corrections(&errors[0], &source);
        assert_eq!(corrections.len(), 3);
        for (corrected, message) in corrections {
            assert!(package.run(&corrected, false).errors.is_empty(), "{message}");
            assert_eq!(corrected.contains('\r'), source.contains('\r'));
        }
        package.run(&source, true);
        assert_eq!(fs::read_to_string(package.folder.join("main.rs")).unwrap(), source);
    }
    // rustc cannot write its list of files.
    fs::remove_dir_all(package.folder.join("out")).unwrap();
    write("out", b"");
    let plain = package.run(&source, false).errors;
    assert_eq!(package.run(&source, true).errors, plain);
}

#[test]
fn some_mistakes_are_corrected() {
    let counts = try_all("some", 100);
    let count = |of: fn(&Counts) -> usize| {
        counts
            .iter()
            .filter(|((_, kind), _)| *kind == "~ all")
            .map(|(_, count)| of(count))
            .sum::<usize>()
    };
    assert!(
        count(|count| count.back) > 0
            && 2 * count(|count| count.back) >= count(|count| count.mistakes)
    );
}

#[test]
#[ignore = "takes minutes: cargo test -p cargo-shapes --test corrections -- --ignored --nocapture"]
fn most_mistakes_are_corrected() {
    let every = env::var("EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(1);
    let counts = try_all("all", every);
    for ((_, kind), Counts { mistakes, back, .. }) in counts {
        assert!(kind != "~ all" || 10 * back >= 6 * mistakes, "{back} of {mistakes}");
    }
}
