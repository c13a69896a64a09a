//! Every public function and method documents its failures, and has an example: an example, `# Panics` where the
//! caller is tracked, `# Errors` where it gives a `Result`, which the macro `method_docs` makes of `Panics: …` and
//! `Errors: …`.
//!
//! Read from the sources. The methods that the table of operations makes have their documentation in its
//! rows.

mod repository;

use repository::{read, sources};

/// Folders without traits that users write.
const PRIVATE: [&str; 5] = [
    "tensor-array/src/array",
    "tensor-array/src/ops",
    "tensor-core/src/fuse",
    "tensor-core/src/shape/arithmetic",
    "tensor-core/src/strict",
];

/// The text after documentation and attributes.
struct Item<'a> {
    /// Documentation and attributes, as they are written.
    above: String,
    /// The first line.
    line: &'a str,
    /// The lines through the one that opens the body.
    signature: String,
}

impl Item<'_> {
    fn is_hidden(&self) -> bool {
        self.above.contains("doc(hidden)")
    }

    fn has_example(&self) -> bool {
        self.above.contains("```")
    }

    /// Whether the documentation has a section with this name.
    fn has_section(&self, name: &str) -> bool {
        let headings = [format!("# {name}"), format!("/// {name}: ")];
        headings.iter().any(|heading| self.above.contains(heading))
    }
}

/// The items of a source that have documentation or attributes.
fn items(source: &str) -> Vec<Item<'_>> {
    let lines: Vec<&str> = source.lines().collect();
    let mut items = Vec::new();
    let mut above = String::new();
    let mut open = 0;
    for (number, line) in lines.iter().enumerate() {
        let text = line.trim();
        if open > 0 || text.starts_with("///") || text.starts_with("#[") || text.starts_with("$(#[")
        {
            above += text;
            above.push('\n');
            // An attribute ends where its brackets are closed.
            if !text.starts_with("///") {
                open += text.matches(['[', '(']).count();
                open -= text.matches([']', ')']).count();
            }
            continue;
        }
        if !above.is_empty() {
            let rest = lines[number..].iter();
            let end = rest.clone().position(|line| line.ends_with(['{', ';'])).unwrap_or(0);
            let signature = rest.take(end + 1).copied().collect();
            items.push(Item { above: std::mem::take(&mut above), line: text, signature });
        }
    }
    items
}

/// The missing documentation of a public function.
fn lacks(item: &Item<'_>) -> Vec<&'static str> {
    // Documented by a row of the table, which has another test.
    let by_row = item.above.contains("$(#[$");
    let mut lacks = Vec::new();
    if !by_row && !item.has_example() {
        lacks.push("an example");
    }
    if item.signature.contains("-> Result<") && !by_row && !item.has_section("Errors") {
        lacks.push("`# Errors`, as it gives a `Result`");
    }
    lacks
}

/// Checks the public functions of these sources.
fn check(paths: &[&str], at_least: usize) {
    let mut found = 0;
    let mut missing = Vec::new();
    for (path, source) in paths.iter().flat_map(|path| sources(path)) {
        for item in items(&source) {
            let is_function = ["pub fn ", "pub unsafe fn ", "pub const fn "]
                .iter()
                .any(|start| item.line.starts_with(start));
            if !is_function || item.is_hidden() {
                continue;
            }
            found += 1;
            for lack in lacks(&item) {
                missing.push(format!("{}: `{}` lacks {lack}", path.display(), item.line));
            }
        }
    }
    assert!(found >= at_least, "{found} functions: is this how they are written?");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn methods_of_tensors_have_examples_and_say_when_they_fail() {
    check(&["tensor-core/src/tensor.rs", "tensor-core/src/tensor"], 60);
    check(&["tensor-array/src/array/dynamic.rs", "tensor-array/src/array/dynamic"], 60);
    check(&["tensor-array/src/ops.rs", "tensor-array/src/ops"], 60);
    check(&["tensor-array/src/array/gradients.rs", "tensor-kernels/src/iter.rs"], 3);
    check(&["tensor-array/src/array/gradients/variable.rs"], 1);
}

#[test]
fn other_functions_have_examples() {
    check(
        &[
            "tensor-core/src/explain.rs",
            "tensor-core/src/explain",
            "tensor-explain/src",
            "tensor-kernels/src/memory.rs",
        ],
        10,
    );
}

#[test]
fn models_layers_and_gradients_have_examples() {
    check(&["tensor-nn/src"], 80);
    let gradients = ["tensor-core/src/autograd.rs", "tensor-core/src/autograd"];
    check(&gradients, 10);
    check(&["tensor-core/src/functional", "tensor-core/src/loops.rs"], 7);
    check(&["tensor-core/src/module.rs", "tensor-core/src/module/summary.rs"], 1);
}

#[test]
fn engines_and_buffers_have_examples() {
    check(&["tensor-xla/src"], 50);
}

#[test]
fn traits_that_users_write_have_examples() {
    let mut found = 0;
    let elements = ["tensor-kernels/src/element.rs", "tensor-kernels/src/element"];
    let folders = [&elements[..], &["tensor-array/src", "tensor-core/src"]].concat();
    let sources = folders.iter().flat_map(|folder| sources(folder));
    for (path, source) in sources {
        for item in items(&source) {
            // Of a trait in a macro, the row of the macro has the documentation.
            let is_shown = item.line.starts_with("pub trait ")
                && !item.line.starts_with("pub trait $")
                && !item.is_hidden();
            let is_private = PRIVATE.iter().any(|folder| path.starts_with(folder));
            if !is_shown || is_private {
                continue;
            }
            found += 1;
            assert!(item.has_example(), "{}: `{}` lacks an example", path.display(), item.line);
        }
    }
    // One for each operation that changes sizes, which generic code names; the others are hidden.
    assert!((25..100).contains(&found), "{found} traits for users to know");
}

#[test]
fn rows_of_the_table_have_examples() {
    let mut found = 0;
    for (file, panics) in [("unary", false), ("binary", true)] {
        let path = format!("tensor-kernels/src/ops/{file}.rs");
        let source = read(&path);
        for item in items(&source).iter().filter(|item| item.line.starts_with("method ")) {
            found += 1;
            assert!(item.has_example(), "{path}: `{}` lacks an example", item.line);
            assert!(item.above.contains('→'), "{path}: `{}` lacks its shapes", item.line);
            // Two operands may give a named axis different sizes.
            let says = !panics || item.above.contains("# Panics");
            assert!(says, "{path}: `{}` lacks `# Panics`", item.line);
        }
    }
    assert!(found > 45, "{found} rows: is this how they are written?");
}

#[test]
fn rows_of_reductions_have_examples() {
    let path = "tensor-kernels/src/ops/reductions.rs";
    let source = read(path);
    let (_, rows) = source.split_once("macro_rules! for_each_reduction").unwrap();
    let (rows, _) = rows.split_once("pub use for_each_reduction").unwrap();
    let is_name = |line: &str| {
        let name = line.strip_prefix("x.").and_then(|call| call.split([':', '(']).next());
        name.is_some_and(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
    };
    let methods: Vec<_> = items(rows).into_iter().filter(|item| is_name(item.line)).collect();
    assert!(methods.len() > 40, "{} methods: is this how they are written?", methods.len());
    for item in methods {
        assert!(item.has_example(), "{path}: `{}` lacks an example", item.line);
        assert!(item.above.contains('→'), "{path}: `{}` lacks its shapes", item.line);
    }
}
