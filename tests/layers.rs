//! The folders of `tensor-core/src` are layers: none imports a later one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The layers in the order of the data, which is that of `lib.rs` and ARCHITECTURE.md.
const LAYERS: [&str; 18] = [
    "another_file",
    "sizes",
    "ops",
    "element",
    "array",
    "shape",
    "tensor",
    "random",
    "io",
    "module",
    "autograd",
    "interop",
    "fuse",
    "explain",
    "strict",
    "show_shape",
    "guide",
    "bounds",
];

/// A Rust file of the crate.
struct Source {
    /// Its path below `src`.
    path: PathBuf,
    /// Its code, without comments, strings and tests.
    code: String,
}

impl Source {
    /// The modules that it lies in and its own: `["array", "kernel", "pack"]`.
    fn module(&self) -> Vec<String> {
        let path = self.path.with_extension("");
        path.iter().map(|part| part.to_str().unwrap().to_owned()).collect()
    }

    /// The place of its layer in the order; `None` for `lib.rs`.
    fn layer(&self) -> Option<usize> {
        let layer = &self.module()[0];
        if layer == "lib" {
            return None;
        }
        let place = LAYERS.iter().position(|other| other == layer);
        Some(place.unwrap_or_else(|| panic!("{layer} is in no layer")))
    }
}

/// Every file that is compiled without `cfg(test)`.
fn sources() -> Vec<Source> {
    let src = Path::new(ROOT).join("tensor-core/src");
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
    assert!(sources.len() > 100, "{} files", sources.len());
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

/// What stands from the brace at the start to the one that closes it.
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
/// `super::`. `$crate::` is for macros, which name what is public.
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
    found
}

#[test]
fn no_layer_imports_a_later_one() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for source in sources() {
        let Some(layer) = source.layer() else { continue };
        for path in imports(&source) {
            count += 1;
            let name = &path[0];
            match LAYERS.iter().position(|other| other == name) {
                Some(imported) if imported <= layer => {}
                Some(_) => wrong.push(format!("{} imports {name}", source.path.display())),
                None => wrong.push(format!(
                    "{} names crate::{name}: name the module that has it",
                    source.path.display()
                )),
            }
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "the order is {LAYERS:?}\n{}", wrong.join("\n"));
    assert!(count > 300, "{count} imports: is this how they are written?");
}

/// Without a folder and its own files: these are one module. Shapes and their laws are a knot.
#[test]
fn no_two_modules_import_each_other() {
    let sources = sources();
    let modules: BTreeSet<_> = sources.iter().map(Source::module).collect();
    let mut edges = BTreeSet::new();
    for source in &sources {
        for path in imports(source) {
            let lengths = (1..=path.len()).rev();
            let imported = lengths.map(|len| &path[..len]).find(|path| modules.contains(*path));
            edges.extend(imported.map(|imported| (source.module(), imported.to_vec())));
        }
    }
    let each_other = edges.iter().filter(|(a, b)| {
        let is_within = a.starts_with(b) || b.starts_with(a);
        a < b && !is_within && a[0] != "shape" && edges.contains(&(b.clone(), a.clone()))
    });
    assert_eq!(each_other.collect::<Vec<_>>(), [] as [&_; 0]);
    assert!(edges.len() > 200, "{} imports: is this how they are written?", edges.len());
}

#[test]
fn the_crate_lists_its_layers_in_order() {
    let source = sources().into_iter().find(|source| source.layer().is_none()).unwrap();
    let modules: Vec<_> = (source.code.lines())
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "))
        .filter_map(|line| line.strip_suffix(';'))
        .collect();
    assert_eq!(modules, LAYERS);
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
    assert_eq!(rows, LAYERS);
}

#[test]
fn imports_are_found() {
    let code = "use crate::{a::{b, c}, d};\npub(in crate::g) fn h() -> super::i {}\n\
        $crate::j::k; \"crate::l\" // crate::m\n#[cfg(test)]\nmod tests { use crate::n; }\n\
        crate::o::p(); super::super::q; super::{r,\n s::{t}}";
    let source = Source { path: PathBuf::from("u/v.rs"), code: without_tests(&plain(code)) };
    let found: Vec<_> = imports(&source).iter().map(|path| path.join(" ")).collect();
    assert_eq!(found, ["a b", "a c", "d", "g", "o p", "u i", "q", "u r", "u s t"]);
}
