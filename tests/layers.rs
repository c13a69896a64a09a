//! The folders of `tensor-kernels`, `tensor-array` and `tensor-core` are layers: none imports a later one. In no crate do
//! files import each other in a circle. That no crate imports a later one is checked by Cargo.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A crate and its layers, the lowest first, in the order of `lib.rs` and ARCHITECTURE.md. The folders of one
/// layer may import each other; [`no_modules_import_each_other_in_a_circle`] holds for their files.
struct Layers {
    name: &'static str,
    layers: &'static [&'static [&'static str]],
    /// The fewest imports within the crate that there are, so that none is overlooked.
    imports: usize,
}

const CRATES: [Layers; 3] = [
    Layers {
        name: "tensor-kernels",
        layers: &[
            &["sizes"],
            &[
                "element",
                "layout",
                "plan",
                "storage",
                "memory",
                "array_ref",
                "elements",
                "rows",
                "iter",
                "equality",
                "assign",
                "instances",
                "kernel",
                "evaluate",
                "axis_ops",
                "indexing",
                "pooling",
                "autocast",
                "static_calls",
                "ops",
            ],
        ],
        imports: 300,
    },
    Layers {
        name: "tensor-array",
        layers: &[&["another_file"], &["array", "ops"], &["display"], &["interop"], &["io"]],
        imports: 100,
    },
    Layers {
        name: "tensor-core",
        layers: &[
            &["shape"],
            &["tensor"],
            &["random"],
            &["io"],
            &["module"],
            &["autograd"],
            &["trace"],
            &["precision"],
            &["functional"],
            &["loops"],
            &["interop"],
            &["fuse"],
            &["explain"],
            &["strict"],
            &["show_shape"],
            &["diagnostics"],
            &["guide"],
            &["bounds"],
        ],
        imports: 300,
    },
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
    /// The number of the layer that a folder is in.
    fn layer_of(&self, folder: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.contains(&folder))
    }
}

/// A Rust file of the crate.
struct Source {
    /// Its path below `src`.
    path: PathBuf,
    /// Its code, without comments, strings and tests.
    code: String,
}

impl Source {
    /// The path of its module: `["array", "kernel", "pack"]`.
    fn module(&self) -> Vec<String> {
        let path = self.path.with_extension("");
        path.iter().map(|part| part.to_str().unwrap().to_owned()).collect()
    }

    /// The number of its layer; `None` for `lib.rs`.
    fn layer(&self, of: &Layers) -> Option<usize> {
        let layer = &self.module()[0];
        if layer == "lib" {
            return None;
        }
        Some(of.layer_of(layer).unwrap_or_else(|| panic!("{layer} is in no layer")))
    }
}

/// Every file of a crate that is compiled without `cfg(test)`.
fn sources(name: &str) -> Vec<Source> {
    let src = Path::new(ROOT).join(name).join("src");
    let (mut sources, mut folders) = (Vec::new(), vec![src.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && path.file_name().is_none_or(|name| name != "tests.rs")
            {
                let code = without_tests(&plain(&fs::read_to_string(&path).unwrap()));
                sources.push(Source { path: path.strip_prefix(&src).unwrap().to_owned(), code });
            }
        }
    }
    sources
}

/// The code without comments and the text of strings.
fn plain(source: &str) -> String {
    let (mut code, mut rest) = (String::new(), source);
    while let Some(first) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let is_end = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                is_end
            });
            code.push_str("\"\"");
            end.map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") {
            3
        } else {
            code.push(first);
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    code
}

/// The code without modules that are compiled for tests alone.
fn without_tests(code: &str) -> String {
    let (mut kept, mut rest) = (String::new(), code);
    while let Some((before, after)) = rest.split_once("#[cfg(test)]\nmod ") {
        kept.push_str(before);
        let body = after.find(['{', ';']).unwrap();
        rest = if after[body..].starts_with(';') {
            &after[body + 1..]
        } else {
            &after[body + group(&after[body..]).len()..]
        };
    }
    kept + rest
}

/// The text from the brace at the start to the one that closes it.
fn group(code: &str) -> &str {
    let mut depth = 0;
    let end = code.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == '}' && depth == 0
    });
    &code[..=end.expect("braces close")]
}

/// The names at the ends of a path or of a list of paths in braces, each with those before it.
fn paths(code: &str) -> Vec<Vec<String>> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut all = Vec::new();
    if code.starts_with('{') {
        let list = group(code);
        let (mut depth, mut is_first) = (0, false);
        for (index, c) in list.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if is_first && depth == 1 && word(c) {
                all.extend(paths(&list[index..]));
            }
            is_first = depth == 1 && (c == '{' || c == ',' || (is_first && c.is_whitespace()));
        }
        return all;
    }
    let (name, rest) = code.split_at(code.find(|c| !word(c)).unwrap_or(code.len()));
    match rest.strip_prefix("::") {
        Some(rest) => all.extend(paths(rest)),
        None => all.push(Vec::new()),
    }
    for path in &mut all {
        path.insert(0, name.to_owned());
    }
    all
}

/// The paths that the code names, from the root of the crate: by `crate::`, `tensor_core::` and
/// `super::`, and those that begin with a module that was imported in this way. `$crate::` is for macros, which name
/// what is public.
fn imports(source: &Source) -> Vec<Vec<String>> {
    let (code, module) = (&source.code, source.module());
    let mut found = Vec::new();
    for root in ["crate::", "tensor_core::", "super::"] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || "_$:".contains(c)) {
                continue;
            }
            let (mut after, mut around) = (&code[at + root.len()..], &module[..0]);
            if root == "super::" {
                around = &module[..module.len() - 1];
                // A module within the file may have one more.
                while let Some(rest) = after.strip_prefix(root) {
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
        for (at, _) in code.match_indices(&format!("{name}::")) {
            let before = code[..at].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && !"_$:".contains(c)) {
                let after = paths(&code[at + name.len() + 2..]);
                below.extend(after.into_iter().map(|after| [path, &after].concat()));
            }
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
        for source in sources(of.name) {
            let Some(layer) = source.layer(of) else { continue };
            let path = format!("{}: {}", of.name, source.path.display());
            for import in imports(&source) {
                count += 1;
                let name = &import[0];
                match of.layer_of(name) {
                    Some(imported) if imported <= layer => {}
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
        for (at, _) in source.code.match_indices(" use ") {
            let line = &source.code[..at];
            let before = line.rsplit('\n').next().unwrap_or_default().trim_start();
            if !before.starts_with("pub") {
                continue;
            }
            let after = source.code[at + " use ".len()..].trim_start_matches("self::");
            let (after, root) = match after.strip_prefix("crate::") {
                Some(after) => (after, Vec::new()),
                None => (after, module.clone()),
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
    let sources = sources(name);
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
fn the_crates_list_their_layers_in_order() {
    for of in &CRATES {
        let source =
            sources(of.name).into_iter().find(|source| source.layer(of).is_none()).unwrap();
        let modules: Vec<_> = (source.code.lines())
            .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "))
            .filter_map(|line| line.strip_suffix(';'))
            .collect();
        assert_eq!(modules, of.layers.concat(), "{}", of.name);
    }
}

#[test]
fn the_architecture_lists_the_layers_in_order() {
    let page = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once("\n## Layers\n").expect("a section on layers");
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows: Vec<_> = (section.lines())
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(layer, _)| layer)
        .collect();
    assert_eq!(rows, CRATES.iter().flat_map(|of| of.layers.concat()).collect::<Vec<_>>());
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
    let page = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
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
    let source = Source { path: PathBuf::from("u/v.rs"), code: without_tests(&plain(code)) };
    let found: Vec<_> = imports(&source).iter().map(|path| path.join(" ")).collect();
    assert_eq!(
        found,
        ["a b", "a c", "d", "g", "o p", "u i", "q", "u r", "u s t", "a b self", "a b z v", "d w"]
    );
}
