//! The tables of calls in the documentation of `kernel.rs` and `gradients.rs` of `tensor-array` are those of the source.

use std::fs;

const ARRAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tensor-array/src/array");

fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The code of a file that the table of a page names.
fn code(page: &str, file: &str) -> String {
    let folders = [page, "", "..", "../../../tensor-core/src"];
    let texts = folders.iter().map(|folder| fs::read_to_string(format!("{ARRAY}/{folder}/{file}")));
    let text = texts.flatten().next().unwrap_or_else(|| panic!("{page} names {file}"));
    let is_code = |line: &&str| {
        !["//", "use ", "pub use "].iter().any(|start| line.trim_start().starts_with(start))
    };
    text.split_inclusive('\n').filter(is_code).collect()
}

/// The functions of the first table of calls of a page, each with the code of its files.
fn functions(page: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(format!("{ARRAY}/{page}.rs")).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim_start);
    let table = lines.skip_while(|line| !line.starts_with("| call")).skip(2);
    let (mut source, mut functions) = (String::new(), Vec::new());
    for row in table.map_while(|line| line.strip_prefix("| ")) {
        let (calls, files) = row.split_once(" | ").unwrap();
        if !files.starts_with("the same") {
            let files = quoted(files).filter(|word| word.ends_with(".rs"));
            source = files.map(|file| code(page, file)).collect();
        }
        let name = |call: &str| call.split("::<").next()?.rsplit("::").next().map(str::to_owned);
        functions.extend(quoted(calls).filter_map(name).map(|name| (name, source.clone())));
    }
    functions
}

/// Whether a function calls another one: in its body, or in its files if a macro generates the call.
fn calls(source: &str, function: &str, next: &str) -> bool {
    let calls_next =
        |code: &&str| words(&code.replace(&format!("fn {next}"), "")).any(|word| word == next);
    let bodies: Vec<&str> =
        source.split("fn ").filter(|body| words(body).next() == Some(function)).collect();
    let is_macro = |body: &&str| body.contains('$') || body.contains("for_each_element!");
    let is_generated = bodies.is_empty() || bodies.iter().any(is_macro);
    bodies.iter().any(calls_next) || is_generated && calls_next(&source)
}

#[test]
fn each_function_of_the_tables_calls_the_next() {
    for (page, at_most) in [("kernel", 9), ("gradients", 20)] {
        let functions = functions(page);
        assert!((at_most / 2..=at_most).contains(&functions.len()), "{page}: {functions:?}");
        for ((function, source), (next, _)) in functions.iter().zip(&functions[1..]) {
            let is_call = function == next || calls(source, function, next);
            assert!(is_call, "{page}: `{function}` does not call `{next}`");
        }
    }
}
