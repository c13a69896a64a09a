//! Methods with the names of other libraries, from the tables of the chapter `coming_from`. A call does not compile,
//! and the message is the row of the table.
//!
//! Each is a hidden method of the type that a tensor dereferences to, so that a method of a user's trait on
//! tensors comes first. Its result is any type, so that what is done with it is no second error. Those that make
//! tensors are functions of tensors as well, because a path such as `Tensor::randn` does not dereference.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, LitInt, LitStr, Result, Token};

/// The libraries, by the heads of their columns.
const LIBRARIES: [(&str, &str); 7] = [
    ("PyTorch", "PyTorch"),
    ("NumPy", "NumPy"),
    ("Array API", "NumPy"),
    ("ndarray", "ndarray"),
    ("candle", "candle"),
    ("burn", "burn"),
    ("nalgebra", "nalgebra"),
];

/// `"guide/coming_from.md"; 1: clip_min narrow; 2: clip; fn 1: randn;`
pub struct Input {
    /// The chapter, below the folder of the package.
    path: LitStr,
    /// The number of arguments of each method that has any.
    pub arguments: BTreeMap<String, usize>,
    /// The number of arguments of each function without a receiver.
    functions: BTreeMap<String, usize>,
}

impl Parse for Input {
    fn parse(input: ParseStream) -> Result<Self> {
        let path = input.parse()?;
        let (mut arguments, mut functions) = (BTreeMap::new(), BTreeMap::new());
        while !input.is_empty() {
            input.parse::<Token![;]>()?;
            if input.is_empty() {
                break;
            }
            let is_function = input.parse::<Option<Token![fn]>>()?.is_some();
            let listed = if is_function { &mut functions } else { &mut arguments };
            let count: usize = input.parse::<LitInt>()?.base10_parse()?;
            input.parse::<Token![:]>()?;
            while !input.is_empty() && !input.peek(Token![;]) {
                let name: Ident = input.parse()?;
                if listed.insert(name.to_string(), count).is_some() {
                    return Err(Error::new(name.span(), "this name is listed twice"));
                }
            }
        }
        Ok(Self { path, arguments, functions })
    }
}

/// The traits and the methods of the chapter.
pub fn methods(input: Input) -> Result<TokenStream> {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let path = std::path::Path::new(&folder).join(input.path.value());
    let chapter = std::fs::read_to_string(&path)
        .map_err(|err| Error::new(input.path.span(), format!("{}: {err}", path.display())))?;
    let names = names(&chapter);
    let mut listed = input.arguments.keys().chain(input.functions.keys());
    if let Some(name) = listed.find(|name| !names.contains_key(*name)) {
        return Err(Error::new(input.path.span(), format!("no row has `{name}`")));
    }
    let traits = names.iter().map(|(name, message)| message.refusal(name));
    let methods = names.keys().map(|name| {
        let (method, bound) = (ident(name), trait_name(name));
        let arguments = arguments(input.arguments.get(name).copied().unwrap_or(0));
        quote! {
            #[doc(hidden)]
            pub fn #method<R>(&self #(, #arguments)*) -> R
            where
                X: #bound,
            {
                never()
            }
        }
    });
    let functions = input.functions.iter().map(|(name, count)| {
        let (mut function, bound, arguments) = (ident(name), trait_name(name), arguments(*count));
        // Of one line, which rustc shows for a call with another number of arguments.
        function.set_span(input.path.span());
        quote! {
            #[doc(hidden)]
            pub fn #function<R>(#(#arguments),*) -> R
            where
                Self: #bound,
            {
                never()
            }
        }
    });
    Ok(quote! {
        #(#traits)*

        #[::tensor_array_macros::bounds_without_source]
        impl<X> NotAReference<X> {
            #(#methods)*
        }

        #[::tensor_array_macros::bounds_without_source]
        impl<S: Shape, T: Element> Tensor<S, T> {
            #(#functions)*
        }
    })
}

/// Parameters of any types.
fn arguments(count: usize) -> impl Iterator<Item = TokenStream> {
    (0..count).map(|_| quote!(_: impl Sized))
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The bound of a method, which nothing satisfies: `MethodIndexSelect`, `MethodAddInPlace`.
pub fn trait_name(name: &str) -> Ident {
    let words = name.split('_').map(|word| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_uppercase() + rest,
        // The name of a method in place ends with `_`.
        None => "InPlace".to_owned(),
    });
    ident(&format!("Method{}", words.collect::<String>()))
}

/// What a message says of a name.
#[derive(Debug, PartialEq)]
pub struct Message {
    /// `PyTorch's `t` is `x.transpose()``
    pub sentence: String,
    /// `write `x.transpose()``
    pub label: String,
}

impl Message {
    fn refusal(&self, name: &str) -> TokenStream {
        let bound = trait_name(name);
        let escaped = |text: &str| text.replace('{', "{{").replace('}', "}}");
        let (doc, sentence, label) =
            (&self.sentence, escaped(&self.sentence), escaped(&self.label));
        quote! {
            #[doc = #doc]
            #[diagnostic::on_unimplemented(
                message = #sentence,
                label = #label,
                note = "the chapter `coming_from` of the guide has more of them [T920]"
            )]
            pub trait #bound {}
        }
    }
}

/// The names in the tables of the chapter that no method here has.
pub fn names(chapter: &str) -> BTreeMap<String, Message> {
    let mut names = BTreeMap::new();
    // The first column of a table is about its own library.
    for first in [true, false] {
        for (library, found, here) in cells(chapter, first) {
            // `a`, `b`: the answer to each name.
            let codes: Vec<&str> = code(&here).collect();
            let one_each = codes.len() == found.len()
                && here.len() + 2 == codes.iter().map(|code| code.len() + 4).sum::<usize>();
            for (at, name) in found.iter().enumerate() {
                let Some(name) = method_name(name) else { continue };
                let answer = if one_each { format!("`{}`", codes[at]) } else { here.clone() };
                if !names.contains_key(name) && !calls(&answer, name) {
                    names.insert(name.to_owned(), message(library, name, &answer));
                }
            }
        }
    }
    names
}

fn message(library: &str, name: &str, answer: &str) -> Message {
    match answer.strip_prefix("– ") {
        Some(reason) => Message {
            sentence: format!("{library}'s `{name}` has no counterpart here: {reason}"),
            label: "not a method of tensors".to_owned(),
        },
        None => Message {
            sentence: format!("{library}'s `{name}` is {answer}"),
            label: match answer.strip_prefix('`').and_then(|code| code.split_once('`')) {
                Some((code, _)) => format!("write `{code}`"),
                None => "not a method of tensors".to_owned(),
            },
        },
    }
}

/// The cells with the names of a library: its name, the names, and the cell with those here.
fn cells(chapter: &str, first: bool) -> Vec<(&'static str, Vec<&str>, String)> {
    let mut found = Vec::new();
    let mut heads: Vec<Option<&str>> = Vec::new();
    // The names of a further column, which may stand in many rows: `mapv`.
    let mut rows_of: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for line in chapter.lines().filter(|line| !line.starts_with("| ---")) {
        let Some(row) = line.strip_prefix("| ").and_then(|row| row.trim_end().strip_suffix('|'))
        else {
            heads.clear();
            continue;
        };
        let row: Vec<&str> = row.split(" | ").map(str::trim).collect();
        if heads.is_empty() {
            let library = |head: &&str| LIBRARIES.iter().find(|(name, _)| name == head);
            heads = row.iter().map(|head| library(head).map(|(_, name)| *name)).collect();
            continue;
        }
        for (at, (cell, library)) in row.iter().zip(&heads).enumerate() {
            if let (Some(library), true) = (library, first == (at == 0)) {
                let names: Vec<&str> = code(cell).collect();
                names.iter().for_each(|name| *rows_of.entry((*library, *name)).or_default() += 1);
                found.push((*library, names, row[1].replace("\\|", "|")));
            }
        }
    }
    if !first {
        found.retain(|(library, names, _)| {
            names.iter().all(|name| rows_of[&(*library, *name)] == 1)
        });
    }
    found
}

/// The text between backticks.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The name of a method, without the path to it: `F.relu6`, `Tensor.to`.
fn method_name(name: &str) -> Option<&str> {
    let name = match name.rsplit_once('.') {
        Some(("F" | "Tensor" | "linalg", name)) => name,
        Some(_) => return None,
        None => name,
    };
    let is_method = name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.contains(|c: char| c.is_ascii_uppercase())
        && syn::parse_str::<Ident>(name).is_ok();
    is_method.then_some(name)
}

/// Whether a piece of code calls a method of this name, which is then one here.
fn calls(answer: &str, name: &str) -> bool {
    let call = format!(".{name}");
    answer.match_indices(&call).any(|(at, _)| {
        let rest = &answer[at + call.len()..];
        rest.starts_with('(') || rest.starts_with("::<")
    })
}
