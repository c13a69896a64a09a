//! Which two sizes a mistake is about, as `sizes.txt` says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{contains_word, folder, mistakes, name};

/// The two sizes of each mistake that is about two.
pub struct Sizes(BTreeMap<String, [String; 2]>);

impl Sizes {
    /// Reads the list, or says what is wrong with it.
    pub fn read() -> Result<Self, String> {
        let list = fs::read_to_string(folder().join("sizes.txt"));
        Self::parse(&list.map_err(|error| format!("sizes.txt: {error}"))?)
    }

    fn parse(list: &str) -> Result<Self, String> {
        let mut listed = BTreeSet::new();
        let mut sizes = BTreeMap::new();
        for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (mistake, stated) =
                line.split_once(": ").ok_or(format!("`{line}` is not `topic/mistake: 3, 2`"))?;
            if !listed.insert(mistake.to_owned()) {
                return Err(format!("{mistake} is listed twice"));
            }
            if let Some((left, right)) = stated.split_once(", ") {
                sizes.insert(mistake.to_owned(), [left.to_owned(), right.to_owned()]);
            } else if stated != "-" {
                return Err(format!("{mistake}: two sizes, or `-`, not `{stated}`"));
            }
        }
        let known: BTreeSet<String> = mistakes().iter().map(|mistake| name(mistake)).collect();
        if let Some(unknown) = listed.iter().find(|mistake| !known.contains(*mistake)) {
            return Err(format!("{unknown} is no mistake"));
        }
        let topics: BTreeSet<&str> = listed.iter().filter_map(|mistake| topic(mistake)).collect();
        let is_missing = |mistake: &&String| {
            !listed.contains(*mistake) && topic(mistake).is_some_and(|topic| topics.contains(topic))
        };
        match known.iter().find(is_missing) {
            Some(missing) => Err(format!(
                "{missing} is not listed: add `{missing}: 3, 2` with its two sizes, or `{missing}: -`"
            )),
            None => Ok(Self(sizes)),
        }
    }

    /// Whether the first line of a message names both sizes; `None` where there are not two.
    pub fn named(&self, mistake: &str, said: &str) -> Option<bool> {
        let first = said.lines().next().unwrap_or_default();
        Some(self.0.get(mistake)?.iter().all(|size| is_named(first, size)))
    }
}

/// The folder of a mistake.
pub fn topic(mistake: &str) -> Option<&str> {
    mistake.split_once('/').map(|(topic, _)| topic)
}

/// Whether a line names a size: in decimal, or as the type that a program has for it.
fn is_named(line: &str, size: &str) -> bool {
    contains_word(&in_decimal(line), size) || (size == "1" && contains_word(line, "One"))
}

/// The line with `48` for `Dim<48>` and `50257` for `Dim<50000, 257>`, so that no part of a size is
/// taken for a size.
fn in_decimal(line: &str) -> String {
    let mut decimal = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("Dim<") {
        let Some((parts, after)) = after.split_once('>') else { break };
        let parts: Option<Vec<usize>> = parts.split(", ").map(|part| part.parse().ok()).collect();
        decimal.push_str(before);
        decimal.push_str(&parts.map_or("?".to_owned(), |p| p.iter().sum::<usize>().to_string()));
        rest = after;
    }
    decimal + rest
}

#[test]
fn sizes_are_found_in_the_first_line() {
    let said = "error[E0277]: an axis of `Dim<50000, 257>` and one of 30\n  |  3\n";
    let named = |left: &str, right: &str| {
        let sizes = [left.to_owned(), right.to_owned()];
        Sizes([("a/b".to_owned(), sizes)].into()).named("a/b", said)
    };
    assert_eq!(named("50257", "30"), Some(true));
    assert_eq!(named("50257", "3"), Some(false), "below the first line");
    assert_eq!(named("50000", "30"), Some(false), "a part of another size");
    assert_eq!(Sizes(BTreeMap::new()).named("a/b", said), None);
    assert!(is_named("a `One` and a `Batch`", "1") && is_named("a `One` and a `Batch`", "Batch"));
    assert!(!is_named("`Batches`", "Batch"));
}

#[test]
fn a_list_that_is_not_complete_is_refused() {
    assert!(Sizes::read().is_ok(), "{:?}", Sizes::read().err());
    assert!(Sizes::parse("broadcast/two_names: Batch, Seq\n").is_err(), "others of the topic");
    assert!(Sizes::parse("broadcast/no_such_mistake: 3, 2\n").is_err());
    assert!(Sizes::parse("broadcast/two_names: Batch\n").is_err());
    assert!(Sizes::parse("").is_ok());
}
