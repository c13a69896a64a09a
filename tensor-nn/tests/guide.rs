//! Every code that a message of a layer ends with has an entry in the guide, and every entry a message.

use std::collections::BTreeSet;
use std::path::Path;

/// The codes in brackets, as `[N101]`, of all files below a folder.
fn codes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            codes(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("text");
            let ends = text.split("[N").skip(1).filter_map(|rest| rest.split_once(']'));
            let is_code = |code: &str| code.len() == 3 && code.bytes().all(|b| b.is_ascii_digit());
            found
                .extend(ends.filter(|(code, _)| is_code(code)).map(|(code, _)| format!("N{code}")));
        }
    }
}

#[test]
fn every_code_has_an_entry() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(package.join("guide/errors.md")).expect("the page");
    let headings = page.lines().filter_map(|line| line.strip_prefix("## ")?.split_once(':'));
    let entries: BTreeSet<String> = headings.map(|(code, _)| code.to_owned()).collect();
    let mut said = BTreeSet::new();
    codes(&package.join("src"), &mut said);
    assert!(!entries.is_empty());
    assert_eq!(entries, said);
}
