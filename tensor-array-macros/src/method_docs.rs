//! The documentation of the methods of an impl, written without what all have in common.
//!
//! | written | becomes |
//! | --- | --- |
//! | `Errors: …`, `Panics: …` at the start of a line | a section `# Errors`, `# Panics` |
//! | an example without imports | the example, which imports what it uses of `tensor-core`, and may use `?` |
//!
//! `DynTensor` has the methods of `Tensor`. With the argument `twins`, for the impls of `DynTensor`, the first
//! paragraph of a method `name` is also the expansion of the macro `doc_name!`, for `Tensor`, and a link to the
//! method of `Tensor` follows it. `#[twin(none)]` marks what `Tensor` does not have; the twin of a method with
//! `#[twin(fn)]` is a function of `tensor-core`, with `#[twin(macro)]` a macro.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// The names that examples import; those of macros end in `!`.
const IMPORTS: [&str; 23] = [
    "Axis",
    "DynTensor",
    "Float",
    "IndexError",
    "Padding",
    "QuantileMethod",
    "Shape",
    "Tensor",
    "axes!",
    "axis!",
    "dim!",
    "shape!",
    "slice!",
    "tensor!",
    "windows::Conv1dOptions",
    "windows::Conv2dOptions",
    "windows::Conv3dOptions",
    "windows::ConvOptions",
    "windows::Interpolation",
    "windows::Pool1dOptions",
    "windows::Pool2dOptions",
    "windows::Pool3dOptions",
    "windows::PoolOptions",
];

/// Completes the documentation of the methods of an impl.
pub fn completed(argument: TokenStream, item: TokenStream) -> TokenStream {
    let twins = !argument.is_empty();
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let mut shared = TokenStream::new();
    if let Some(TokenTree::Group(body)) = tokens.last_mut() {
        let members = |input: ParseStream<'_>| members(input, twins, &mut shared);
        match members.parse2(body.stream()) {
            Ok(members) => {
                let span = body.span();
                *body = Group::new(Delimiter::Brace, members);
                body.set_span(span);
            }
            Err(error) => return error.into_compile_error(),
        }
    }
    tokens.into_iter().chain(shared).collect()
}

/// The members of the impl; `shared` gets the macros of their first paragraphs.
fn members(
    input: ParseStream<'_>,
    twins: bool,
    shared: &mut TokenStream,
) -> syn::Result<TokenStream> {
    let mut members = TokenStream::new();
    while !input.is_empty() {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let twin = attributes.iter().position(|attribute| attribute.path().is_ident("twin"));
        let twin = twin.map(|at| kind(&attributes.remove(at)));
        let is_shared =
            twins && !attributes.iter().any(is_hidden) && twin.as_deref() != Some("none");
        let mut doc = Doc::default();
        if let Some(name) = public_name(input).filter(|_| is_shared) {
            doc.link = Some(link(&name, twin.as_deref()));
            shared.extend(paragraph(&name, &attributes));
        }
        attributes.into_iter().for_each(|attribute| doc.attribute(attribute));
        doc.finish();
        members.extend(doc.written);
        rest(input, &mut members)?;
    }
    Ok(members)
}

/// The macro `doc_name!`, which expands to the first paragraph.
fn paragraph(name: &Ident, attributes: &[Attribute]) -> TokenStream {
    let lines: Vec<String> = attributes.iter().map_while(first_paragraph).collect();
    let (text, name) = (lines.join("\n"), format_ident!("doc_{name}"));
    quote! {
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #name { () => { #text }; }
    }
}

/// Copies what follows the attributes of a member: up to its body or `;`.
fn rest(input: ParseStream<'_>, members: &mut TokenStream) -> syn::Result<()> {
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let is_end = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            token => matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'),
        };
        members.extend([token]);
        if is_end {
            break;
        }
    }
    Ok(())
}

/// The name of the `pub fn` that follows.
fn public_name(input: ParseStream<'_>) -> Option<Ident> {
    let ahead = input.fork();
    ahead.parse::<Token![pub]>().ok()?;
    ahead.parse::<Option<Token![const]>>().ok()?;
    ahead.parse::<Option<Token![unsafe]>>().ok()?;
    ahead.parse::<Token![fn]>().ok()?;
    ahead.parse().ok()
}

fn is_hidden(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    list.path.is_ident("doc") && list.tokens.to_string() == "hidden"
}

/// The word in `#[twin(…)]`.
fn kind(attribute: &Attribute) -> String {
    attribute.meta.require_list().map_or_else(|_| String::new(), |list| list.tokens.to_string())
}

/// The sentence that leads from a method of `DynTensor` to its twin.
fn link(name: &Ident, twin: Option<&str>) -> String {
    let (text, page) = match twin {
        None => (format!("Tensor::{name}"), format!("struct.Tensor.html#method.{name}")),
        Some("macro") => (format!("{name}!"), format!("macro.{name}.html")),
        Some(kind) => (name.to_string(), format!("{kind}.{name}.html")),
    };
    let root = "https://docs.rs/tensor-core/latest/tensor_core";
    format!(" [`{text}`]({root}/{page}) is the same for shapes that are types.")
}

/// A line of documentation, as `///` writes it: with the space in front of its text.
fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if pair.path.is_ident("doc") => {
            Some(text.value())
        }
        _ => None,
    }
}

/// The line, unless the first paragraph ends above it.
fn first_paragraph(attribute: &Attribute) -> Option<String> {
    line(attribute).filter(|line| !ends_paragraph(line))
}

fn ends_paragraph(line: &str) -> bool {
    let text = line.trim();
    text.is_empty() || text.starts_with("```") || section(text).is_some()
}

/// The name of the section that begins with this line, and the rest of the line.
fn section(text: &str) -> Option<(&str, &str)> {
    let mut names = ["Errors", "Panics"].into_iter();
    names.find_map(|name| Some((name, text.strip_prefix(name)?.strip_prefix(": ")?)))
}

/// Documentation while it is written.
#[derive(Default)]
struct Doc {
    written: TokenStream,
    /// What follows the first paragraph.
    link: Option<String>,
    /// The lines in the fence that is open, the first one its opening.
    fenced: Vec<String>,
}

impl Doc {
    fn attribute(&mut self, attribute: Attribute) {
        let Some(line) = line(&attribute) else {
            return attribute.to_tokens(&mut self.written);
        };
        let text = line.trim();
        if !self.fenced.is_empty() {
            self.fenced.push(line.clone());
            if text == "```" {
                let fenced = std::mem::take(&mut self.fenced);
                completed_example(fenced).iter().for_each(|line| self.line(line));
            }
            return;
        }
        if ends_paragraph(&line) {
            self.finish();
        }
        if let Some((name, rest)) = section(text) {
            for line in ["", &format!(" # {name}"), "", &format!(" {rest}")] {
                self.line(line);
            }
        } else if text.starts_with("```") {
            self.line("");
            self.fenced.push(line);
        } else {
            attribute.to_tokens(&mut self.written);
        }
    }

    /// Ends the first paragraph.
    fn finish(&mut self) {
        if let Some(link) = self.link.take() {
            self.line(&link);
        }
    }

    fn line(&mut self, line: &str) {
        self.written.extend(quote!(#[doc = #line]));
    }
}

/// The example with the imports of the names that it uses, and with the end that lets it use `?`, unless it has
/// its own. Other text in a fence stays as it is.
fn completed_example(mut fenced: Vec<String>) -> Vec<String> {
    if fenced[0].trim() != "```" {
        return fenced;
    }
    let has = |start: &str| fenced.iter().any(|line| line.trim().starts_with(start));
    let code: String = fenced.iter().map(|line| without_texts(line) + "\n").collect();
    let has_imports = has("use ") || has("# use ");
    if code.contains('?') && !has("# Ok::<") {
        let end = fenced.len() - 1;
        fenced.insert(end, " # Ok::<(), Box<dyn std::error::Error>>(())".to_owned());
    }
    let used = IMPORTS.iter().filter(|path| uses(&code, path));
    let used: Vec<&str> = used.map(|path| path.trim_end_matches('!')).collect();
    let used = match &used[..] {
        [path] => (*path).to_owned(),
        paths => format!("{{{}}}", paths.join(", ")),
    };
    if !has_imports {
        fenced.splice(1..1, [format!(" use tensor_core::{used};"), String::new()]);
    }
    fenced
}

/// The line without what stands in quotes.
fn without_texts(line: &str) -> String {
    line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

/// Whether the code has the last word of the path.
fn uses(code: &str, path: &str) -> bool {
    let word = path.rsplit("::").next().unwrap_or(path);
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    code.match_indices(word).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}
