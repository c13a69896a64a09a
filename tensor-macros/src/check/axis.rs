//! Checks of declarations of named axes.

use proc_macro2::{Ident, Span};
use syn::{Attribute, Error, Result, Visibility};

use super::size::{Size, size};
use crate::parse::axis::Declaration;

/// A named axis that can be declared.
pub struct NamedAxis {
    pub attributes: Vec<Attribute>,
    pub visibility: Visibility,
    pub name: Ident,
    /// The static size, if any, or its error.
    pub size: Option<Result<Size>>,
    /// The error in the name. The axis is declared nevertheless, so that its uses cause no further errors.
    pub misnamed: Option<Error>,
}

/// Checks declarations; each is a named axis, or an error.
pub fn named_axes(declarations: Vec<Result<Declaration>>) -> Vec<Result<NamedAxis>> {
    if declarations.is_empty() {
        let message =
            "name the axis: `axis!(Batch)`, or `axis!(Hidden = 768)` for one of known size";
        return vec![Err(Error::new(Span::call_site(), message))];
    }
    let mut declared = Vec::new();
    let mut named = |declaration: Declaration| {
        let name = &declaration.name;
        if declared.contains(name) {
            let message = format!("axis `{name}` is declared twice: give one of them another name");
            return Err(Error::new_spanned(name, message));
        }
        declared.push(name.clone());
        Ok(named_axis(declaration))
    };
    declarations.into_iter().map(|declaration| named(declaration?)).collect()
}

fn named_axis(declaration: Declaration) -> NamedAxis {
    let Declaration { attributes, visibility, name, size: written } = declaration;
    let size = written.map(|written| size(written?));
    NamedAxis { attributes, visibility, misnamed: misnamed(&name), name, size }
}

fn misnamed(name: &Ident) -> Option<Error> {
    let written = name.to_string();
    let lower = written.starts_with(|first: char| first.is_lowercase() || first == '_');
    lower.then(|| {
        let suggestion = capitalised(&written);
        Error::new_spanned(
            name,
            format!("an axis is a type, and is named like one: write `{suggestion}`"),
        )
    })
}

/// Converts `batch_size` to `BatchSize`.
fn capitalised(name: &str) -> String {
    let capitalise = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<String>()
    };
    match name.trim_start_matches("r#").split('_').map(capitalise).collect::<String>() {
        empty if empty.is_empty() => "Batch".to_owned(),
        name => name,
    }
}
