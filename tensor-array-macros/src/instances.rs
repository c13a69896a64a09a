//! Explicit instantiation of methods for the usual element types; `tensor-kernels` says what for, in its `instances`.

use proc_macro2::{Group, TokenStream, TokenTree};

use crate::tokens::{is_punct, is_word};

/// The element types, and the bounds that are known to hold for each: a method with another bound has no instance.
const TYPES: [(&str, &[&str]); 2] = [
    ("f32", &["Element", "Number", "Signed", "Float"]),
    ("f64", &["Element", "Number", "Signed", "Float"]),
];

/// The paths of the instances of an impl's methods.
pub struct Instances {
    /// Whether the type has a parameter: `T`, as everywhere in this crate.
    is_generic: bool,
    /// The bounds of `T`.
    bounds: Vec<String>,
    paths: Vec<String>,
}

impl Instances {
    /// Those of an impl with this head.
    pub fn of(head: &[TokenTree]) -> Self {
        let start = head.iter().position(|token| is_word(token, "impl"));
        let head = &head[start.map_or(head.len(), |at| at + 1)..];
        let (parameters, _) = parameters(head);
        Self {
            is_generic: !parameters.is_empty(),
            bounds: bounds_of_t(parameters),
            paths: Vec::new(),
        }
    }

    /// Adds the instances of a public method with these attributes, and returns whether there are any. There are none of a
    /// method with `#[inline]` or `#[cfg]`, with an `impl` argument, or with parameters of its own, but for two kinds: `I`,
    /// the type of indices, is `i64`, and in an impl without parameters, the parameter is `T`.
    pub fn add(&mut self, name: &str, attributes: &[Group], method: &[TokenTree]) -> bool {
        let is_excluded = |attribute: &Group| {
            let word = attribute.stream().into_iter().next();
            word.is_some_and(|word| is_word(&word, "inline") || is_word(&word, "cfg"))
        };
        let Some(at) = method.iter().position(|token| is_word(token, "fn")) else { return false };
        let (own, rest) = parameters(&method[at + 2..]);
        let has_closure = matches!(rest.first(), Some(TokenTree::Group(arguments))
            if arguments.stream().into_iter().any(|token| is_word(&token, "impl")));
        let of_indices = matches!(own, [index] if is_word(index, "I"));
        let is_of_t = matches!(own, [t, ..] if is_word(t, "T"));
        let is_other = if self.is_generic { !own.is_empty() && !of_indices } else { !is_of_t };
        if attributes.iter().any(is_excluded) || has_closure || is_other {
            return false;
        }
        let clause = rest.iter().position(|token| is_word(token, "where"));
        let clause = clause.map_or(&[][..], |at| &rest[at + 1..]);
        let all = [&self.bounds[..], &bounds_of_t(own), &bounds_of_t(clause)].concat();
        let before = self.paths.len();
        for (ty, traits) in TYPES {
            if !all.iter().all(|bound| traits.contains(&bound.as_str())) {
                continue;
            }
            self.paths.push(match (self.is_generic, of_indices) {
                (true, false) => format!("DynTensor::<{ty}>::{name}"),
                (true, true) => format!("DynTensor::<{ty}>::{name}::<i64>"),
                (false, _) => format!("DynTensor::{name}::<{ty}>"),
            });
        }
        self.paths.len() > before
    }

    /// The call of the macro that generates them.
    pub fn written(&self) -> TokenStream {
        if self.paths.is_empty() {
            return TokenStream::new();
        }
        let call = format!("::tensor_kernels::instances::instances!({});", self.paths.join(", "));
        call.parse().unwrap_or_default()
    }
}

/// The tokens between `<` and `>`, if a list of parameters comes next, and what follows it.
fn parameters(tokens: &[TokenTree]) -> (&[TokenTree], &[TokenTree]) {
    if !tokens.first().is_some_and(|token| is_punct(token, '<')) {
        return (&[], tokens);
    }
    let mut depth = 0;
    let end = tokens.iter().position(|token| {
        depth += i32::from(is_punct(token, '<')) - i32::from(is_punct(token, '>'));
        depth == 0
    });
    let end = end.unwrap_or(tokens.len() - 1);
    (&tokens[1..end], &tokens[end + 1..])
}

/// The names of the bounds of `T`, in a list of parameters or predicates.
fn bounds_of_t(tokens: &[TokenTree]) -> Vec<String> {
    let of_t = tokens.split(|token| is_punct(token, ',')).filter_map(|predicate| match predicate {
        [parameter, colon, bounds @ ..] if is_word(parameter, "T") && is_punct(colon, ':') => {
            Some(bounds)
        }
        _ => None,
    });
    let words = of_t.flatten().filter(|token| matches!(token, TokenTree::Ident(_)));
    words.map(ToString::to_string).collect()
}
