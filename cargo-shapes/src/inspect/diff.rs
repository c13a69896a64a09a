//! `cargo shapes diff OLD NEW`: whether a program that opens one file opens another.

use std::collections::BTreeMap;
use std::path::Path;

use tensor_files::escaped;

use super::{Entry, named};

/// What a program that opens the file `old` finds in the file `new`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The text to print.
    pub text: String,
    /// Whether the program opens the file.
    pub opens: bool,
}

/// Compares the names, element types and sizes of the tensors of two files.
///
/// # Errors
///
/// A file cannot be read, or is in none of the formats.
pub fn diff(old: &Path, new: &Path) -> Result<Comparison, String> {
    let (before, after) = (named(old)?.entries, named(new)?.entries);
    let (problems, count) = problems(&before, &after);
    let [old, new] = [old, new].map(|path| escaped(&path.display().to_string()));
    let opens = problems.is_empty();
    let same = match count {
        1 => "1 tensor is the same".to_owned(),
        count => format!("{count} tensors are the same"),
    };
    let text = match opens {
        true => format!("a program that opens {old} opens {new}: {same}\n"),
        false => format!(
            "a program that opens {old} does not open {new}; {same}, and:\n  {}\n",
            problems.join("\n  ")
        ),
    };
    Ok(Comparison { text, opens })
}

/// The tensors that differ, in the words of the errors of `Model::open`, and the number of those that do not.
fn problems(before: &[Entry], after: &[Entry]) -> (Vec<String>, usize) {
    let mut left: BTreeMap<&str, &Entry> =
        after.iter().map(|entry| (&entry.name[..], entry)).collect();
    let (mut problems, mut same) = (Vec::new(), 0);
    for old in before {
        let name = escaped(&old.name);
        match left.remove(&old.name[..]) {
            None => problems.push(format!("`{name}` is missing")),
            Some(new) if (&new.element, &new.sizes) == (&old.element, &old.sizes) => same += 1,
            Some(new) => problems.push(format!(
                "`{name}` is {}, not {}{}",
                shown(new),
                shown(old),
                axes(&old.sizes, &new.sizes)
            )),
        }
    }
    let others = after.iter().filter(|entry| left.contains_key(&entry.name[..]));
    problems.extend(
        others.map(|entry| format!("`{}` {} is left over", escaped(&entry.name), shown(entry))),
    );
    (problems, same)
}

fn shown(entry: &Entry) -> String {
    format!("{} {:?}", escaped(&entry.element), entry.sizes)
}

/// The axes whose sizes differ, or the numbers of axes.
fn axes(old: &[u64], new: &[u64]) -> String {
    if old.len() != new.len() {
        let word = |count: usize| match count {
            1 => "1 axis".to_owned(),
            count => format!("{count} axes"),
        };
        return format!(": {}, not {}", word(new.len()), word(old.len()));
    }
    let mut others: Vec<String> = Vec::new();
    for (axis, (old, new)) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
        others.push(format!("axis {axis} has size {new}, not {old}"));
    }
    match others.is_empty() {
        true => String::new(),
        false => format!(": {}", others.join("; ")),
    }
}
