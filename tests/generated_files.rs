//! The files of `tests/generated` are what `tests/generate` writes from the corpus.

mod corpus;
mod generate;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn generated_files_are_up_to_date() {
    let folder = Path::new(corpus::ROOT).join("tests/generated");
    let bless = std::env::var_os("BLESS").is_some_and(|value| value != "0");
    let mut stale = Vec::new();
    let mut names = BTreeSet::new();
    for (name, text) in generate::files() {
        let path = folder.join(name);
        if fs::read_to_string(&path).unwrap_or_default() != text {
            if bless {
                fs::write(&path, text).unwrap();
            } else {
                stale.push(name.to_owned());
            }
        }
        names.insert(name.to_owned());
    }
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !names.contains(&name) {
            stale.push(format!("{name} (nothing generates it: remove it)"));
        }
    }
    assert!(
        stale.is_empty(),
        "files of tests/generated that differ from what tests/generate writes: {stale:?}\n\
         run `BLESS=1 cargo test --workspace --test generated_files` to write them"
    );
}
