//! Every code that a message of a layer ends with has an entry in the guide, and every entry a message.

#[path = "../../tests/repository/mod.rs"]
mod repository;

use std::collections::BTreeSet;

use repository::{read, sources};

/// The codes in brackets, as `[N101]`.
fn codes(text: &str) -> impl Iterator<Item = String> {
    let ends = text.split("[N").skip(1).filter_map(|rest| rest.split_once(']'));
    let is_code = |code: &str| code.len() == 3 && code.bytes().all(|b| b.is_ascii_digit());
    ends.filter(move |(code, _)| is_code(code)).map(|(code, _)| format!("N{code}"))
}

#[test]
fn every_code_has_an_entry() {
    let page = read("guide/errors.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("## ")?.split_once(':'));
    let entries: BTreeSet<String> = headings.map(|(code, _)| code.to_owned()).collect();
    let said: BTreeSet<String> = sources("src").iter().flat_map(|(_, text)| codes(text)).collect();
    assert!(!entries.is_empty());
    assert_eq!(entries, said);
}
