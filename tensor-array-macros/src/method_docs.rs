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
//!
//! A method with `#[doc = doc_name!()]` becomes an argument of that macro, which gives the paragraph as text: rust-analyzer
//! expands no macro in the value of `doc`.
//!
//! The methods of such an impl are [instantiated](crate::instances) as well.
//!
//! All methods are `#[track_caller]`.

use core::iter::Peekable;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::instances::Instances;
use crate::tokens::{is_punct, is_word};

/// The tokens that are read.
type Tokens = Peekable<proc_macro2::token_stream::IntoIter>;

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
    let mut instances = Instances::of(&tokens);
    if let Some(TokenTree::Group(body)) = tokens.last_mut() {
        let members = members(body.stream(), twins, &mut shared, &mut instances);
        let span = body.span();
        *body = Group::new(Delimiter::Brace, members);
        body.set_span(span);
    }
    tokens.into_iter().chain(shared).chain(instances.written()).collect()
}

/// The members of the impl; `shared` gets the macros of their first paragraphs.
fn members(
    body: TokenStream,
    twins: bool,
    shared: &mut TokenStream,
    instances: &mut Instances,
) -> TokenStream {
    let mut input = body.into_iter().peekable();
    let mut all = TokenStream::new();
    while input.peek().is_some() {
        let mut members = TokenStream::new();
        let mut attributes = attributes(&mut input);
        let member = member(&mut input);
        let shared_with = attributes.first().and_then(doc_macro);
        if shared_with.is_some() {
            attributes.remove(0);
        }
        let twin = attributes.iter().position(|attribute| argument(attribute, "twin").is_some());
        let twin = twin.and_then(|at| argument(&attributes.remove(at), "twin"));
        let is_hidden = |attribute| argument(attribute, "doc").as_deref() == Some("hidden");
        let is_shared =
            twins && !attributes.iter().any(is_hidden) && twin.as_deref() != Some("none");
        let name = public_name(&member).filter(|_| twins);
        if let Some(name) = name
            && instances.add(&name.to_string(), &attributes, &member)
        {
            members.extend("#[inline(never)]".parse::<TokenStream>());
        }
        if is_function(&member) && !attributes.iter().any(is_track_caller) {
            members.extend("#[track_caller]".parse::<TokenStream>());
        }
        let mut doc = Doc::default();
        if let Some(name) = name.filter(|_| is_shared) {
            doc.link = Some(link(name, twin.as_deref()));
            shared.extend(paragraph(name, &attributes));
        }
        attributes.into_iter().for_each(|attribute| doc.attribute(attribute));
        doc.finish();
        members.extend(doc.written);
        members.extend(member);
        match shared_with {
            Some(call) => {
                let item = TokenTree::Group(Group::new(Delimiter::Brace, members));
                all.extend(call.into_iter().chain([item]));
            }
            None => all.extend(members),
        }
    }
    all
}

/// `doc_name!` of an attribute `doc = doc_name!()`.
fn doc_macro(attribute: &Group) -> Option<[TokenTree; 2]> {
    match &attribute.stream().into_iter().collect::<Vec<_>>()[..] {
        [word, equals, name @ TokenTree::Ident(_), bang, TokenTree::Group(_)]
            if is_word(word, "doc") && is_punct(equals, '=') && is_punct(bang, '!') =>
        {
            Some([name.clone(), bang.clone()])
        }
        _ => None,
    }
}

/// The contents of the brackets of the attributes that come next.
fn attributes(input: &mut Tokens) -> Vec<Group> {
    let mut attributes = Vec::new();
    while input.next_if(|token| is_punct(token, '#')).is_some() {
        if let Some(TokenTree::Group(attribute)) = input.next() {
            attributes.push(attribute);
        }
    }
    attributes
}

/// The rest of a member after its attributes, through its body or `;`.
fn member(input: &mut Tokens) -> Vec<TokenTree> {
    let mut member = Vec::new();
    for token in input {
        let is_body =
            matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let is_end = is_body || is_punct(&token, ';');
        member.push(token);
        if is_end {
            break;
        }
    }
    member
}

/// Whether a member is a function: a panic within it, such as that for a tensor of another program, is located where it
/// is called.
fn is_function(member: &[TokenTree]) -> bool {
    let is_head = |token: &&TokenTree| matches!(token, TokenTree::Ident(_) | TokenTree::Group(_));
    member.iter().take_while(is_head).any(|token| is_word(token, "fn"))
}

fn is_track_caller(attribute: &Group) -> bool {
    attribute.stream().into_iter().next().is_some_and(|token| is_word(&token, "track_caller"))
}

/// The name of a `pub fn`.
fn public_name(member: &[TokenTree]) -> Option<&Ident> {
    let [first, rest @ ..] = member else { return None };
    let function = rest.iter().position(|token| is_word(token, "fn"))?;
    let is_modifier = |token| is_word(token, "const") || is_word(token, "unsafe");
    let is_public = is_word(first, "pub") && rest[..function].iter().all(is_modifier);
    match rest.get(function + 1) {
        Some(TokenTree::Ident(name)) if is_public => Some(name),
        _ => None,
    }
}

/// The contents of the parentheses of an attribute `name(…)`.
fn argument(attribute: &Group, name: &str) -> Option<String> {
    match &attribute.stream().into_iter().collect::<Vec<_>>()[..] {
        [word, TokenTree::Group(argument)] if is_word(word, name) => {
            Some(argument.stream().to_string())
        }
        _ => None,
    }
}

/// The macro `doc_name!`, which expands to the first paragraph, and an item to one with that paragraph.
fn paragraph(name: &Ident, attributes: &[Group]) -> TokenStream {
    let lines: Vec<String> = attributes.iter().map_while(first_paragraph).collect();
    let text = Literal::string(&lines.join("\n"));
    let item = format!(
        "#[doc(hidden)] #[macro_export] macro_rules! doc_{name} {{
            () => {{ {text} }};
            ($($item:tt)*) => {{ #[doc = {text}] $($item)* }};
        }}"
    );
    item.parse().unwrap_or_default()
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
fn line(attribute: &Group) -> Option<String> {
    match &attribute.stream().into_iter().collect::<Vec<_>>()[..] {
        [word, equals, TokenTree::Literal(text)]
            if is_word(word, "doc") && is_punct(equals, '=') =>
        {
            value(&text.to_string())
        }
        _ => None,
    }
}

/// The value of a string literal that has no escapes but those of quotes and backslashes.
fn value(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let text = raw.trim_matches('#');
        return Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let mut value = String::new();
    let mut characters = literal.strip_prefix('"')?.strip_suffix('"')?.chars();
    while let Some(character) = characters.next() {
        value.push(match character {
            '\\' => characters.next().filter(|next| ['\\', '"', '\''].contains(next))?,
            character => character,
        });
    }
    Some(value)
}

/// Writes an attribute.
fn write(written: &mut TokenStream, attribute: Group) {
    let mut hash = Punct::new('#', Spacing::Alone);
    hash.set_span(attribute.span_open());
    written.extend([TokenTree::Punct(hash), TokenTree::Group(attribute)]);
}

/// The line, unless the first paragraph ends above it.
fn first_paragraph(attribute: &Group) -> Option<String> {
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
    /// The text after the first paragraph.
    link: Option<String>,
    /// The lines in the fence that is open, the first one its opening.
    fenced: Vec<String>,
}

impl Doc {
    fn attribute(&mut self, attribute: Group) {
        let Some(line) = line(&attribute) else {
            return write(&mut self.written, attribute);
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
            write(&mut self.written, attribute);
        }
    }

    /// Ends the first paragraph.
    fn finish(&mut self) {
        if let Some(link) = self.link.take() {
            self.line(&link);
        }
    }

    fn line(&mut self, line: &str) {
        let doc = Ident::new("doc", Span::call_site());
        let text = Literal::string(line);
        let tokens: [TokenTree; 3] =
            [doc.into(), Punct::new('=', Spacing::Alone).into(), text.into()];
        write(&mut self.written, Group::new(Delimiter::Bracket, tokens.into_iter().collect()));
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

/// The line without its quoted texts.
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

#[cfg(test)]
mod tests {
    use super::completed;
    use proc_macro2::{TokenStream, TokenTree};

    /// The tokens, whose literals have their values.
    fn spelled(tokens: TokenStream) -> String {
        let spell = |token| match token {
            TokenTree::Group(group) => {
                format!("({:?} {})", group.delimiter(), spelled(group.stream()))
            }
            TokenTree::Literal(literal) => super::value(&literal.to_string()).unwrap_or_default(),
            token => format!("{token} "),
        };
        tokens.into_iter().map(spell).collect()
    }

    #[track_caller]
    fn expands(argument: &str, item: &str, expected: &str) {
        let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
        // The one escape that the paragraphs of `doc_name!` have.
        let found = spelled(completed(tokens(argument), tokens(item)));
        assert_eq!(found, spelled(tokens(expected)));
    }

    #[test]
    fn sections_and_examples_are_completed() {
        expands(
            "",
            r#"impl Tensor {
                /// First.
                /// Errors: If `a "b"`.
                /// Panics: If c.
                /// ```
                /// let x = tensor![1].read("shape![2]")?;
                /// ```
                #[doc(alias = "u")]
                pub fn one(&self) { body; }
            }"#,
            r##"impl Tensor {
                #[track_caller]
                #[doc = " First."]
                #[doc = ""]
                #[doc = " # Errors"]
                #[doc = ""]
                #[doc = " If `a \"b\"`."]
                #[doc = ""]
                #[doc = " # Panics"]
                #[doc = ""]
                #[doc = " If c."]
                #[doc = ""]
                #[doc = " ```"]
                #[doc = " use tensor_core::tensor;"]
                #[doc = ""]
                #[doc = " let x = tensor![1].read(\"shape![2]\")?;"]
                #[doc = " # Ok::<(), Box<dyn std::error::Error>>(())"]
                #[doc = " ```"]
                #[doc(alias = "u")]
                pub fn one(&self) { body; }
            }"##,
        );
    }

    #[test]
    fn an_example_keeps_its_own_imports() {
        expands(
            "",
            r#"impl Tensor {
                /// ```
                /// use tensor_core::windows::Interpolation;
                /// Interpolation::Nearest;
                /// ```
                /// ```text
                /// shape![2]?
                /// ```
                fn one() {}
            }"#,
            r#"impl Tensor {
                #[track_caller]
                #[doc = ""]
                #[doc = " ```"]
                #[doc = " use tensor_core::windows::Interpolation;"]
                #[doc = " Interpolation::Nearest;"]
                #[doc = " ```"]
                #[doc = ""]
                #[doc = " ```text"]
                #[doc = " shape![2]?"]
                #[doc = " ```"]
                fn one() {}
            }"#,
        );
    }

    #[test]
    fn twins_share_the_first_paragraph() {
        expands(
            "twins",
            r#"impl DynTensor {
                /// First,
                /// second.
                ///
                /// Third.
                pub fn one() {}
                /// Fourth.
                #[twin(macro)]
                pub const fn two() {}
                /// Fifth.
                #[twin(none)]
                pub fn three() {}
                /// Sixth.
                fn four() {}
            }"#,
            r#"impl DynTensor {
                #[track_caller]
                #[doc = " First,"]
                #[doc = " second."]
                #[doc = " [`Tensor::one`](https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html#method.one) is the same for shapes that are types."]
                #[doc = ""]
                #[doc = " Third."]
                pub fn one() {}
                #[track_caller]
                #[doc = " Fourth."]
                #[doc = " [`two!`](https://docs.rs/tensor-core/latest/tensor_core/macro.two.html) is the same for shapes that are types."]
                pub const fn two() {}
                #[track_caller]
                #[doc = " Fifth."]
                pub fn three() {}
                #[track_caller]
                #[doc = " Sixth."]
                fn four() {}
            }
            #[doc(hidden)]
            #[macro_export]
            macro_rules! doc_one {
                () => { " First,\n second." };
                ($($item:tt)*) => { #[doc = " First,\n second."] $($item)* };
            }
            #[doc(hidden)]
            #[macro_export]
            macro_rules! doc_two {
                () => { " Fourth." };
                ($($item:tt)*) => { #[doc = " Fourth."] $($item)* };
            }"#,
        );
    }

    #[test]
    fn a_shared_paragraph_is_text() {
        expands(
            "",
            r#"impl Tensor {
                #[doc = doc_one!()]
                /// Errors: If b.
                pub fn one() {}
                pub fn two() {}
            }"#,
            r##"impl Tensor {
                doc_one! {
                    #[track_caller]
                    #[doc = ""]
                    #[doc = " # Errors"]
                    #[doc = ""]
                    #[doc = " If b."]
                    pub fn one() {}
                }
                #[track_caller]
                pub fn two() {}
            }"##,
        );
    }

    #[test]
    fn twins_have_instances() {
        expands(
            "twins",
            r#"impl<T: Number> DynTensor<T> {
                #[doc(hidden)]
                pub fn one(&self, axis: isize) -> Self {}
                #[doc(hidden)]
                pub fn two(&self) where T: Float {}
                #[doc(hidden)]
                pub fn three<I>(&self, indices: &DynTensor<I>) where I: Integer, T: Float {}
                #[doc(hidden)]
                pub fn four(&self, f: impl Fn(T)) {}
                #[doc(hidden)]
                #[inline]
                pub fn five(&self) {}
                #[doc(hidden)]
                pub fn six<U>(&self) {}
                fn seven(&self) {}
            }"#,
            r#"impl<T: Number> DynTensor<T> {
                #[inline(never)]
                #[track_caller]
                #[doc(hidden)]
                pub fn one(&self, axis: isize) -> Self {}
                #[inline(never)]
                #[track_caller]
                #[doc(hidden)]
                pub fn two(&self) where T: Float {}
                #[inline(never)]
                #[track_caller]
                #[doc(hidden)]
                pub fn three<I>(&self, indices: &DynTensor<I>) where I: Integer, T: Float {}
                #[track_caller]
                #[doc(hidden)]
                pub fn four(&self, f: impl Fn(T)) {}
                #[track_caller]
                #[doc(hidden)]
                #[inline]
                pub fn five(&self) {}
                #[track_caller]
                #[doc(hidden)]
                pub fn six<U>(&self) {}
                #[track_caller]
                fn seven(&self) {}
            }
            ::tensor_kernels::instances::instances!(
                DynTensor::<f32>::one, DynTensor::<f64>::one,
                DynTensor::<f32>::two, DynTensor::<f64>::two,
                DynTensor::<f32>::three::<i64>, DynTensor::<f64>::three::<i64>
            );"#,
        );
    }
}
