//! The folders of `tensor-kernels`, `tensor-array` and `tensor-core` are layers: none imports a later one. In no crate do
//! files import each other in a circle. That no crate imports a later one is checked by Cargo.

mod repository;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use repository::{ROOT, read, sources};

/// A crate whose modules are layers, in the order of its `lib.rs`.
struct Layers {
    name: &'static str,
    /// The first and the last of the modules that are one layer, and may import each other: for their files,
    /// [`no_modules_import_each_other_in_a_circle`] holds.
    together: [&'static str; 2],
    /// The fewest imports within the crate that there are, so that none is overlooked.
    imports: usize,
}

const CRATES: [Layers; 3] = [
    Layers { name: "tensor-kernels", together: ["element", "ops"], imports: 300 },
    Layers { name: "tensor-array", together: ["array", "ops"], imports: 100 },
    Layers { name: "tensor-core", together: ["shape", "shape"], imports: 300 },
];

/// The crates whose files are not in layers.
const OTHERS: [&str; 8] = [
    "tensor-macros",
    "tensor-embed",
    "tensor-explain",
    "tensor-files",
    "tensor-nn",
    "tensor-onnx",
    "tensor-xla",
    "cargo-shapes",
];

impl Layers {
    /// The modules that `lib.rs` lists.
    fn modules(&self) -> Vec<String> {
        let lib = read(format!("{}/src/lib.rs", self.name));
        let modules = lib.lines().filter_map(|line| {
            let module = line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')?;
            Some(module.to_owned())
        });
        modules.collect()
    }

    /// The number of the layer of each module.
    fn layers(&self) -> BTreeMap<String, usize> {
        let modules = self.modules();
        let of = |name| modules.iter().position(|module| module == name).expect("a module");
        let [first, last] = self.together.map(of);
        let layer = |index| if (first..=last).contains(&index) { first } else { index };
        modules.iter().cloned().zip((0..).map(layer)).collect()
    }
}

/// A Rust file of a crate.
struct Source {
    /// Its path below `src`.
    path: PathBuf,
    /// Its tokens, without modules that are compiled for tests alone.
    tokens: Vec<String>,
}

impl Source {
    /// The path of its module: `["array", "kernel", "pack"]`.
    fn module(&self) -> Vec<String> {
        let path = self.path.with_extension("");
        path.iter().map(|part| part.to_str().unwrap().to_owned()).collect()
    }
}

/// Every file of a crate that is compiled without `cfg(test)`.
fn files_of(name: &str) -> Vec<Source> {
    let src = Path::new(name).join("src");
    let files = sources(&src).into_iter().filter(|(path, _)| !path.ends_with("tests.rs"));
    let source = |(path, text): (PathBuf, String)| {
        let path = path.strip_prefix(&src).unwrap().to_owned();
        Source { path, tokens: tokens(&text) }
    };
    files.map(source).collect()
}

/// The tokens of a file: names, brackets, and single characters of operators; `""` for a literal.
fn tokens(source: &str) -> Vec<String> {
    fn add(stream: TokenStream, tokens: &mut Vec<String>) {
        let trees: Vec<_> = stream.into_iter().collect();
        let mut rest = &trees[..];
        while let Some((tree, after)) = rest.split_first() {
            // `#[cfg(test)] mod name {…}`
            if let [TokenTree::Group(cfg), TokenTree::Ident(word), _, _, after @ ..] = after
                && cfg.stream().to_string().replace(' ', "") == "cfg(test)"
                && word == "mod"
            {
                rest = after;
                continue;
            }
            match tree {
                TokenTree::Group(group) => {
                    let [open, close] = match group.delimiter() {
                        Delimiter::Brace => ["{", "}"],
                        Delimiter::Parenthesis => ["(", ")"],
                        Delimiter::Bracket => ["[", "]"],
                        Delimiter::None => ["", ""],
                    };
                    tokens.push(open.to_owned());
                    add(group.stream(), tokens);
                    tokens.push(close.to_owned());
                }
                TokenTree::Literal(_) => tokens.push("\"\"".to_owned()),
                other => tokens.push(other.to_string()),
            }
            rest = after;
        }
    }
    let mut tokens = Vec::new();
    add(source.parse().expect("Rust"), &mut tokens);
    tokens
}

/// The tokens after `::`.
fn after_colons(tokens: &[String]) -> Option<&[String]> {
    match tokens {
        [first, second, rest @ ..] if first == ":" && second == ":" => Some(rest),
        _ => None,
    }
}

/// The names at the ends of a path or of a list of paths in braces, each with those before it.
fn paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    if tokens[0] == "{" {
        let (mut depth, mut is_first) = (0, false);
        for (index, token) in tokens.iter().enumerate() {
            if is_first && token != "}" {
                all.extend(paths(&tokens[index..]));
            }
            depth += i32::from(token == "{") - i32::from(token == "}");
            if depth == 0 {
                break;
            }
            is_first = depth == 1 && (token == "{" || token == ",");
        }
        return all;
    }
    match after_colons(&tokens[1..]) {
        Some(rest) => all.extend(paths(rest)),
        None => all.push(Vec::new()),
    }
    for path in &mut all {
        path.insert(0, tokens[0].clone());
    }
    all
}

/// Where a name begins a path, with the tokens after `::`.
fn beginnings<'a>(tokens: &'a [String], name: &str) -> impl Iterator<Item = &'a [String]> {
    tokens.iter().enumerate().filter_map(move |(at, token)| {
        let is_within = at > 0 && [":", "$"].contains(&&tokens[at - 1][..]);
        (token == name && !is_within).then(|| after_colons(&tokens[at + 1..]))?
    })
}

/// The paths that the code names, from the root of the crate: by `crate::`, `tensor_core::` and
/// `super::`, and those that begin with a module that was imported in this way. `$crate::` is for macros, which name
/// what is public.
fn imports(source: &Source) -> Vec<Vec<String>> {
    let (tokens, module) = (&source.tokens[..], source.module());
    let mut found = Vec::new();
    for root in ["crate", "tensor_core", "super"] {
        for mut after in beginnings(tokens, root) {
            let mut around = &module[..0];
            if root == "super" {
                around = &module[..module.len() - 1];
                // A module within the file may have one more.
                while after[0] == root
                    && let Some(rest) = after_colons(&after[1..])
                {
                    (after, around) = (rest, &around[..around.len().saturating_sub(1)]);
                }
            }
            found.extend(paths(after).into_iter().map(|path| [around, &path].concat()));
        }
    }
    let mut below = Vec::new();
    for path in &found {
        let path = path.strip_suffix(&["self".to_owned()]).unwrap_or(path);
        let Some(name) = path.last() else { continue };
        for after in beginnings(tokens, name) {
            below.extend(paths(after).into_iter().map(|after| [path, &after].concat()));
        }
    }
    found.extend(below);
    found
}

#[test]
fn no_layer_imports_a_later_one() {
    let mut wrong = Vec::new();
    for of in &CRATES {
        let mut count = 0;
        let layers = of.layers();
        for source in files_of(of.name).iter().filter(|source| source.path != Path::new("lib.rs")) {
            let layer = layers[&source.module()[0]];
            let path = format!("{}: {}", of.name, source.path.display());
            for import in imports(source) {
                count += 1;
                let name = &import[0];
                match layers.get(name) {
                    Some(imported) if *imported <= layer => {}
                    Some(_) => wrong.push(format!("{path} imports {name}")),
                    None => {
                        wrong.push(format!(
                            "{path} names crate::{name}: name the module that has it"
                        ));
                    }
                }
            }
        }
        assert!(count > of.imports, "{}: {count} imports: is this how they are written?", of.name);
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Re-exports: the path that other files use, and the path of the item.
fn exports(sources: &[Source]) -> BTreeMap<Vec<String>, Vec<String>> {
    let mut exports = BTreeMap::new();
    for source in sources {
        let module = source.module();
        let module = if module == ["lib"] { Vec::new() } else { module };
        for (at, _) in source.tokens.iter().enumerate().filter(|(_, token)| *token == "use") {
            let (before, after) = (&source.tokens[..at], &source.tokens[at + 1..]);
            let start = before.iter().rposition(|token| [";", "{", "}", "]"].contains(&&token[..]));
            if before.get(start.map_or(0, |start| start + 1)).is_none_or(|token| token != "pub") {
                continue;
            }
            let (after, root) = match &after[0][..] {
                "crate" => (&after[3..], Vec::new()),
                "self" => (&after[3..], module.clone()),
                _ => (after, module.clone()),
            };
            for path in paths(after) {
                let name = path.last().expect("a path has a name").clone();
                let exported = [&module[..], &[name]].concat();
                exports.insert(exported, [&root[..], &path].concat());
            }
        }
    }
    exports
}

/// The modules that are on a circle of imports, or between two circles: those that are left when modules that
/// import no other one, or that no other one imports, are removed one by one.
fn circles(mut edges: BTreeSet<(Vec<String>, Vec<String>)>) -> BTreeSet<Vec<String>> {
    loop {
        let importing: BTreeSet<_> = edges.iter().map(|(from, _)| from.clone()).collect();
        let imported: BTreeSet<_> = edges.iter().map(|(_, to)| to.clone()).collect();
        let before = edges.len();
        edges.retain(|(from, to)| imported.contains(from) && importing.contains(to));
        if edges.len() == before {
            return importing;
        }
    }
}

/// The imports of a crate that are on a circle, and the number of all. A folder and its own files are one module.
/// Shapes and their laws are a knot.
fn imports_on_circles(name: &str) -> (Vec<String>, usize) {
    let sources = files_of(name);
    let modules: BTreeSet<_> = sources.iter().map(Source::module).collect();
    let exports = exports(&sources);
    let mut edges = BTreeSet::new();
    for source in &sources {
        let module = source.module();
        for mut path in imports(source) {
            let of = |path: &[String]| {
                (1..=path.len()).rev().find(|&len| modules.contains(&path[..len]))
            };
            // An item that a module exports of another one is the other's.
            for _ in 0..4 {
                let exported =
                    (1..=path.len()).rev().find(|&len| exports.contains_key(&path[..len]));
                let Some(len) = exported.filter(|&len| of(&path).is_none_or(|own| own < len))
                else {
                    break;
                };
                path = [&exports[&path[..len]][..], &path[len..]].concat();
            }
            let Some(len) = of(&path) else { continue };
            let imported = path[..len].to_vec();
            let is_within = module.starts_with(&imported) || imported.starts_with(&module);
            let is_of_shapes = module[0] == "shape" && imported[0] == "shape";
            if !is_within && !is_of_shapes {
                edges.insert((module.clone(), imported));
            }
        }
    }
    let of_circles = circles(edges.clone());
    let on_circles = (edges.iter())
        .filter(|(from, to)| of_circles.contains(from) && of_circles.contains(to))
        .map(|(from, to)| format!("{name}: {} imports {}", from.join("/"), to.join("/")))
        .collect();
    (on_circles, edges.len())
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let mut on_circles = Vec::new();
    for (name, least) in CRATES.iter().map(|of| (of.name, 60)).chain(OTHERS.map(|name| (name, 3))) {
        let (found, count) = imports_on_circles(name);
        assert!(count > least, "{name}: {count} imports: is this how they are written?");
        on_circles.extend(found);
    }
    assert!(on_circles.is_empty(), "circles:\n{}", on_circles.join("\n"));
}

#[test]
fn circles_of_any_length_are_found() {
    let edge = |pair: &str| {
        let module = |index: usize| vec![pair[index..=index].to_owned()];
        (module(0), module(1))
    };
    let found = |pairs: &[&str]| circles(pairs.iter().map(|pair| edge(pair)).collect());
    assert_eq!(found(&["ab", "bc", "ac", "cd"]).len(), 0);
    assert_eq!(found(&["ab", "ba", "bc"]).len(), 2);
    assert_eq!(found(&["xa", "ab", "bc", "cd", "da", "dy"]).len(), 4);
}

#[test]
fn the_architecture_lists_the_layers_in_order() {
    let page = read("ARCHITECTURE.md");
    let (_, section) = page.split_once("\n## Layers\n").expect("a section on layers");
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows: Vec<_> = (section.lines())
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(layer, _)| layer)
        .collect();
    assert_eq!(rows, CRATES.iter().flat_map(Layers::modules).collect::<Vec<_>>());
}

/// The packages that `tensor-core` compiles with, with these arguments of `cargo tree`.
fn packages(arguments: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "-e", "normal,build", "-p", "tensor-core", "--prefix", "none"]);
    let output = cargo.args(arguments).current_dir(ROOT).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("names");
    lines.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn the_architecture_lists_the_packages() {
    let page = read("ARCHITECTURE.md");
    let (_, section) = page.split_once("\n| package | why |\n").expect("a table of packages");
    let (table, after) = section.split_once("\n\n").unwrap();
    let (of_rayon, _) = after.split_once("Without it").expect("the packages of `rayon`");
    let names = |text: &str| -> BTreeSet<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let few = packages(&["--no-default-features"]);
    assert_eq!(names(table), few);
    assert!(few.len() <= 20, "{few:?}");
    assert_eq!(names(of_rayon), packages(&[]).difference(&few).cloned().collect());
}

#[test]
fn imports_are_found() {
    let code = "use crate::{a::{b, c}, d};\npub(in crate::g) fn h() -> super::i {}\n\
        $crate::j::k; \"crate::l\" // crate::m\n#[cfg(test)]\nmod tests { use crate::n; }\n\
        crate::o::p(); super::super::q; super::{r,\n s::{t}}; d::w(); x::d::y; b::{self, z::v}";
    let source = Source { path: PathBuf::from("u/v.rs"), tokens: tokens(code) };
    let found: Vec<_> = imports(&source).iter().map(|path| path.join(" ")).collect();
    assert_eq!(
        found,
        ["a b", "a c", "d", "g", "o p", "u i", "q", "u r", "u s t", "a b self", "a b z v", "d w"]
    );
}
