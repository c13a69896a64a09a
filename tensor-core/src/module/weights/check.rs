//! The comparison of a file with a type of models, in a constant: what `open` does when the program runs.

use super::text::{Digits, Text};
use crate::module::{ModuleTree, Path};
use crate::shape::ConstantAxis;

/// The most lines about tensors.
const MOST_LINES: usize = 50;

/// A tensor of a file.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct StoredTensor {
    /// The name.
    pub name: &'static str,
    /// The element type.
    pub element: &'static str,
    /// The sizes of the axes.
    pub sizes: &'static [usize],
    /// The name, the element type and the sizes, as messages show them.
    pub shown: [&'static str; 2],
}

/// The tensors of a file whose names have the same first `at` bytes: a range of those of the file.
#[derive(Clone, Copy)]
struct Names {
    start: usize,
    end: usize,
    at: usize,
}

/// The tensor with a name, and those with longer names that begin with it and a dot.
#[derive(Clone, Copy)]
struct Found {
    tensor: Option<usize>,
    below: Names,
}

impl Found {
    const fn is_nothing(self) -> bool {
        self.tensor.is_none() && self.below.start == self.below.end
    }
}

/// The comparison with the `N` tensors of a file, which are sorted by name.
struct Comparison<'f, const N: usize> {
    tensors: &'f [StoredTensor; N],
    is_used: [bool; N],
    /// Whether lists are compared in the order of the names, which takes less time, and gives no lines.
    is_quick: bool,
    /// The lines so far, and maybe the beginning of another one.
    text: Text,
    /// The number of bytes of the lines so far.
    whole: usize,
    lines: usize,
    problems: usize,
}

/// What does not fit, as the error of `open` words it; `None` if the file fits.
pub const fn misfit<const N: usize>(
    file: &str,
    tensors: &[StoredTensor; N],
    tree: &ModuleTree,
) -> Option<Text> {
    // Most files fit.
    if compared(file, tensors, tree, true).problems == 0 {
        return None;
    }
    let comparison = compared(file, tensors, tree, false);
    if comparison.problems == 0 { None } else { Some(comparison.text) }
}

const fn compared<'f, const N: usize>(
    file: &str,
    tensors: &'f [StoredTensor; N],
    tree: &ModuleTree,
    is_quick: bool,
) -> Comparison<'f, N> {
    let mut text = Text::new();
    text.push(file);
    text.push(" does not fit [T715]:");
    let whole = text.len();
    let mut comparison =
        Comparison { tensors, is_used: [false; N], is_quick, text, whole, lines: 0, problems: 0 };
    let all = Names { start: 0, end: N, at: 0 };
    // A model that is one tensor has an empty name.
    let tensor = if N > 0 && tensors[0].name.is_empty() { Some(0) } else { None };
    comparison.module(tree, &Path::ROOT, Found { tensor, below: all });
    comparison.left_over();
    comparison
}

impl<const N: usize> Comparison<'_, N> {
    const fn module(&mut self, tree: &ModuleTree, path: &Path<'_>, found: Found) {
        match *tree {
            ModuleTree::Tensor(element, axes) => {
                self.tensor(path, found.tensor, element, Some(axes));
            }
            ModuleTree::AnySizes(element) => self.tensor(path, found.tensor, element, None),
            ModuleTree::Fields(fields) => {
                let mut index = 0;
                while index < fields.len() {
                    let (name, ref tree) = fields[index];
                    self.module(tree, &path.field(name), self.find(found.below, name));
                    index += 1;
                }
            }
            ModuleTree::Array(tree, len) if self.is_quick => {
                self.walk(tree, path, found.below, Some(len));
            }
            ModuleTree::List(tree) if self.is_quick => self.walk(tree, path, found.below, None),
            ModuleTree::Array(tree, len) => self.list(tree, path, found.below, len),
            ModuleTree::List(tree) => {
                let len = self.len_of_list(found.below);
                self.list(tree, path, found.below, len);
            }
            ModuleTree::Map(tree) => {
                let mut index = found.below.start;
                while index < found.below.end {
                    let name = self.part(index, found.below.at);
                    let next = self.find(found.below, name);
                    let first = match next.tensor {
                        Some(tensor) => tensor,
                        None => next.below.start,
                    };
                    // Others between two that begin with the same part do not make it another one.
                    if first == index {
                        self.module(tree, &path.field(name), next);
                    }
                    index += 1;
                }
            }
            ModuleTree::Optional(tree) => {
                if !found.is_nothing() {
                    self.module(tree, path, found);
                }
            }
            ModuleTree::NoTensor(type_name) => {
                self.begin(path);
                self.text.push(" is ");
                self.text.push(type_name);
                self.text
                    .push(", which is not read from a file: write `#[module(value = …)]` above it");
                self.end();
            }
            ModuleTree::Unknown => {
                if let Some(index) = found.tensor {
                    self.is_used[index] = true;
                }
                let mut index = found.below.start;
                while index < found.below.end {
                    self.is_used[index] = true;
                    index += 1;
                }
            }
        }
    }

    /// [`list`](Self::list) in the order of the names, which are `0`, `1`, `10` …; a problem if an index is not there once.
    const fn walk(&mut self, tree: &ModuleTree, path: &Path<'_>, below: Names, len: Option<usize>) {
        let (mut next, mut count, mut end) = (below.start, 0, 0);
        while next < below.end {
            let part = self.part(next, below.at);
            let Some(index) = index_of(part) else {
                // It is left over.
                next += 1;
                continue;
            };
            let at = below.at + part.len();
            let mut tensor = None;
            if self.tensors[next].name.len() == at {
                tensor = Some(next);
                next += 1;
            }
            let start = next;
            while next < below.end && self.is_below(next, below.at, part) {
                next += 1;
            }
            let below = Names { start, end: next, at: at + 1 };
            self.module(tree, &path.index(index), Found { tensor, below });
            count += 1;
            end = if index < end { end } else { index + 1 };
        }
        let len = match len {
            Some(len) => len,
            None => end,
        };
        if count != len || end != len {
            self.problems += 1;
        }
    }

    /// Whether a name has this part at a byte, and another one after it.
    const fn is_below(&self, index: usize, at: usize, part: &str) -> bool {
        let (name, end) = (self.tensors[index].name, at + part.len());
        name.len() > end
            && name.as_bytes()[end] == b'.'
            && matches!(order(name, at, part), Order::Begins)
    }

    const fn list(&mut self, tree: &ModuleTree, path: &Path<'_>, below: Names, len: usize) {
        let mut index = 0;
        while index < len {
            let found = self.find(below, Digits::of(index).as_str());
            self.module(tree, &path.index(index), found);
            index += 1;
        }
    }

    /// `n` where the largest index is `n - 1`, and at most the number of tensors.
    const fn len_of_list(&self, names: Names) -> usize {
        let (mut len, mut index) = (0, names.start);
        while index < names.end {
            if let Ok(number) = usize::from_str_radix(self.part(index, names.at), 10)
                && number >= len
            {
                len = number.saturating_add(1);
            }
            index += 1;
        }
        if len < N { len } else { N }
    }

    /// The part of a name from a byte up to the next dot.
    const fn part(&self, index: usize, at: usize) -> &'static str {
        let rest = self.tensors[index].name.split_at(at).1;
        let mut len = 0;
        while len < rest.len() && rest.as_bytes()[len] != b'.' {
            len += 1;
        }
        rest.split_at(len).0
    }

    const fn find(&self, names: Names, key: &str) -> Found {
        let (mut low, mut high) = (names.start, names.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match order(self.tensors[middle].name, names.at, key) {
                Order::Before => low = middle + 1,
                Order::Begins | Order::Behind => high = middle,
            }
        }
        let end = names.at + key.len();
        let mut found = Found { tensor: None, below: Names { start: low, end: low, at: end + 1 } };
        while low < names.end
            && matches!(order(self.tensors[low].name, names.at, key), Order::Begins)
        {
            let name = self.tensors[low].name.as_bytes();
            if name.len() == end {
                found.tensor = Some(low);
            } else if name[end] == b'.' {
                if found.below.start == found.below.end {
                    found.below.start = low;
                }
                found.below.end = low + 1;
            }
            low += 1;
        }
        found
    }

    const fn tensor(
        &mut self,
        path: &Path<'_>,
        found: Option<usize>,
        element: &str,
        axes: Option<Option<&ConstantAxis>>,
    ) {
        let Some(index) = found else {
            self.begin(path);
            self.text.push(" is missing");
            return self.end();
        };
        self.is_used[index] = true;
        let StoredTensor { element: stored, sizes, shown: [_, shown], .. } = self.tensors[index];
        let is_same = is_same(stored, element);
        let fits = match axes {
            None => true,
            // PyTorch 0.3 had no tensors without axes.
            Some(None) => matches!(sizes, [] | [1]),
            Some(axes) => accepts(axes, sizes),
        };
        if is_same && fits {
            return;
        }
        self.begin(path);
        self.text.push(" is ");
        self.text.push(shown);
        self.text.push(", not ");
        self.text.push(element);
        self.text.push(" [");
        match axes {
            Some(axes) => self.axes(axes),
            None => self.text.push(".."),
        }
        self.text.push("]");
        if let (true, Some(axes), [rows, columns]) = (is_same, axes, sizes)
            && accepts(axes, &[*columns, *rows])
        {
            self.text.push(": its axes are in the other order");
        }
        self.end();
    }

    const fn axes(&mut self, axes: Option<&ConstantAxis>) {
        let Some(axis) = axes else { return };
        if axis.before.is_some() {
            self.axes(axis.before);
            self.text.push(", ");
        }
        match (axis.name, axis.size) {
            (Some(name), None) => self.text.push(name),
            (Some(name), Some(size)) => {
                self.text.push(name);
                self.text.push("=");
                self.text.push_number(size);
            }
            (None, Some(size)) => self.text.push_number(size),
            (None, None) => self.text.push("?"),
        }
    }

    const fn left_over(&mut self) {
        let mut index = 0;
        while index < N {
            if !self.is_used[index] && self.is_quick {
                self.problems += 1;
            } else if !self.is_used[index] {
                let [name, shown] = self.tensors[index].shown;
                if name.is_empty() {
                    self.text.push("\n  the tensor without a name, ");
                } else {
                    self.text.push("\n  `");
                    self.text.push(name);
                    self.text.push("` ");
                }
                self.text.push(shown);
                self.text.push(if name.is_empty() { "," } else { "" });
                self.text.push(" is left over");
                self.end();
            }
            index += 1;
        }
        let others = self.problems - self.lines;
        if others > 0 {
            self.text.push("\n  and ");
            self.text.push_number(others);
            self.text.push(" more");
        }
    }

    /// Begins a line about a tensor of the model.
    const fn begin(&mut self, path: &Path<'_>) {
        if path.is_root() {
            return self.text.push("\n  the model");
        }
        self.text.push("\n  `");
        path.write(&mut self.text);
        self.text.push("`");
    }

    /// Ends a line, which is removed if there are too many.
    const fn end(&mut self) {
        self.problems += 1;
        if self.lines < MOST_LINES && self.text.is_whole() {
            self.lines += 1;
            self.whole = self.text.len();
        } else {
            self.text.cut(self.whole);
        }
    }
}

/// The index that is written as this text.
const fn index_of(text: &str) -> Option<usize> {
    let text = text.as_bytes();
    // More digits may be more than `usize` counts.
    if text.is_empty() || text.len() > 9 || text[0] == b'0' && text.len() > 1 {
        return None;
    }
    let (mut number, mut index) = (0, 0);
    while index < text.len() {
        if !text[index].is_ascii_digit() {
            return None;
        }
        number = number * 10 + (text[index] - b'0') as usize;
        index += 1;
    }
    Some(number)
}

/// How a text from a byte on compares with another one.
enum Order {
    Before,
    /// It begins with it.
    Begins,
    Behind,
}

const fn order(text: &str, at: usize, key: &str) -> Order {
    let (text, key) = (text.as_bytes(), key.as_bytes());
    let mut index = 0;
    while index < key.len() {
        if at + index >= text.len() || text[at + index] < key[index] {
            return Order::Before;
        }
        if text[at + index] > key[index] {
            return Order::Behind;
        }
        index += 1;
    }
    Order::Begins
}

const fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && matches!(order(a, 0, b), Order::Begins)
}

/// Whether the axes can have these sizes.
const fn accepts(axes: Option<&ConstantAxis>, sizes: &[usize]) -> bool {
    match (axes, sizes) {
        (None, []) => true,
        (Some(axis), [before @ .., last]) => {
            let is_same = match axis.size {
                Some(size) => size == *last,
                None => true,
            };
            is_same && accepts(axis.before, before)
        }
        _ => false,
    }
}
