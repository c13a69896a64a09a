//! The function that an error is in, and copies of it with corrections.
//!
//! One run of rustc checks as many copies as there are candidates, each with the names that the function sees.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, File, ImplItemFn, ItemFn, ItemImpl, Signature, TraitItemFn, TypeParam, TypePath};

/// A replacement of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What replaces them.
    pub text: String,
}

impl Edit {
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }
}

/// A function in the text of a file.
pub struct Function<'a> {
    /// From its visibility to its end, without attributes.
    pub range: Range<usize>,
    /// Its signature.
    pub signature: &'a Signature,
    /// Its body.
    pub body: &'a Block,
    /// The `impl` that it is an item of.
    pub of: Option<&'a ItemImpl>,
    in_trait: bool,
}

/// Parses a file. The positions of `syn` are those of the text then.
pub fn parse(text: &str) -> Option<File> {
    // What `syn` removes from the text would move all positions.
    if text.starts_with(['\u{feff}', '#']) && !text.starts_with("#[") && !text.starts_with("#![") {
        return None;
    }
    syn::parse_str(text).ok()
}

/// The range of a part of a file.
pub fn range(part: &impl Spanned) -> Range<usize> {
    part.span().byte_range()
}

/// The place of an error: a function, or another item.
pub struct Item<'a> {
    /// The item, or the `impl` that a function is in.
    pub range: Range<usize>,
    /// The type parameters that it can use.
    pub parameters: Vec<&'a TypeParam>,
    /// The function.
    pub function: Option<Function<'a>>,
}

impl Item<'_> {
    /// What rustc is to accept: the whole function, or the whole item.
    pub fn whole(&self) -> Range<usize> {
        self.function.as_ref().map_or(self.range.clone(), |function| function.range.clone())
    }
}

/// The innermost item that has a range.
pub fn find<'a>(file: &'a File, at: &Range<usize>) -> Option<Item<'a>> {
    let mut finder = Finder { at, of: None, found: None };
    finder.visit_file(file);
    finder.found
}

struct Finder<'a, 'r> {
    at: &'r Range<usize>,
    of: Option<&'a ItemImpl>,
    found: Option<Item<'a>>,
}

impl<'a> Finder<'a, '_> {
    fn note(&mut self, start: Range<usize>, sig: &'a Signature, body: &'a Block, in_trait: bool) {
        let signature = range(sig);
        let start = if start.is_empty() { signature.start } else { start.start };
        let own = start.min(signature.start)..range(body).end;
        if let Some(item) = self.found.as_mut()
            && within(self.at, &own)
        {
            if self.of.is_none() && !in_trait {
                item.range = own.clone();
            }
            item.function =
                Some(Function { range: own, signature: sig, body, of: self.of, in_trait });
        }
    }
}

impl<'a> Visit<'a> for Finder<'a, '_> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let outer = self.of.take();
        let own = range(item);
        if within(self.at, &own) {
            self.found = Some(Item { range: own, parameters: Vec::new(), function: None });
            visit::visit_item(self, item);
        }
        self.of = outer;
    }

    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        self.note(range(&item.vis), &item.sig, &item.block, false);
        visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        self.of = Some(item);
        visit::visit_item_impl(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        if within(self.at, &range(item)) {
            self.note(range(&item.vis), &item.sig, &item.block, false);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'a TraitItemFn) {
        if within(self.at, &range(item)) {
            if let Some(body) = &item.default {
                self.note(0..0, &item.sig, body, true);
            }
            visit::visit_trait_item_fn(self, item);
        }
    }

    fn visit_type_param(&mut self, parameter: &'a TypeParam) {
        self.found.iter_mut().for_each(|item| item.parameters.push(parameter));
    }
}

/// The ranges of `Self` in `Self::Output`.
#[derive(Default)]
struct Associated(Vec<Range<usize>>);

impl<'a> Visit<'a> for Associated {
    fn visit_type_path(&mut self, ty: &'a TypePath) {
        let segments = &ty.path.segments;
        if ty.qself.is_none() && segments.len() == 2 && segments[0].ident == "Self" {
            self.0.push(range(&segments[0]));
        }
        visit::visit_type_path(self, ty);
    }
}

impl Function<'_> {
    /// Whether a copy of it can have another name: that of a trait cannot.
    pub fn can_be_copied(&self) -> bool {
        !self.in_trait
    }

    /// `<Self as Trait>::Output` in place of `Self::Output`.
    fn associated(&self, text: &str, of: &ItemImpl) -> Vec<Edit> {
        let Some((path, _)) = &of.trait_ else { return Vec::new() };
        let mut types = Associated::default();
        types.visit_signature(self.signature);
        types.visit_block(self.body);
        let edit = |at: Range<usize>| Edit {
            range: at,
            text: format!("<Self as {}>", &text[range(path)]),
        };
        types.0.into_iter().map(edit).collect()
    }

    /// The text of the file with edits, and with copies of the function after it; and the range of each copy.
    pub fn with_copies(
        &self,
        text: &str,
        edits: &[Edit],
        copies: &[Vec<Edit>],
    ) -> (String, Vec<Range<usize>>) {
        let end = self.of.map_or(self.range.clone(), range).end;
        let mut result = edited(text, &(0..end), edits);
        let mut ranges = Vec::new();
        for (number, edits) in copies.iter().enumerate() {
            result.push_str("\nconst _: () = {");
            let name = range(&self.signature.ident);
            let mut edits: Vec<Edit> =
                edits.iter().filter(|edit| within(&edit.range, &self.range)).cloned().collect();
            if let Some(of) = self.of {
                // A function that implements a trait becomes one of the type.
                let without = of.trait_.as_ref().map(|(path, of)| Edit {
                    range: range(path).start..range(of).end,
                    text: String::new(),
                });
                let open = of.brace_token.span.open().byte_range();
                let header = range(&of.impl_token).start..open.end;
                result.push_str(&edited(text, &header, without.as_slice()));
                edits.extend(self.associated(text, of));
                let new = format!("{}_{number}", &text[name.clone()].trim_start_matches("r#"));
                edits.push(Edit { range: name, text: new });
            }
            let start = result.len();
            result.push_str(&edited(text, &self.range, &edits));
            ranges.push(start..result.len());
            result.push_str(if self.of.is_some() { "}};" } else { "};" });
        }
        result.push_str(&text[end..]);
        (result, ranges)
    }
}

/// Whether a range lies within another one.
pub fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// A part of a text with edits, which do not overlap; at one position, they are applied in their order.
pub fn edited(text: &str, part: &Range<usize>, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut result = String::with_capacity(part.len() + 64);
    let mut at = part.start;
    for edit in edits {
        result.push_str(&text[at..edit.range.start.max(at)]);
        result.push_str(&edit.text);
        at = edit.range.end.max(at);
    }
    result + &text[at..part.end]
}
