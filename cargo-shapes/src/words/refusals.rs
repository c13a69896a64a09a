//! What an error of rustc refuses: types, and the bounds that they do not satisfy.

use serde_json::Value;

use crate::diagnostic::{quoted, texts};

/// The types and the bounds that an error refuses; bounds without their path.
pub fn refusals(diagnostic: &Value) -> Vec<(String, String)> {
    let refused = texts(diagnostic).into_iter().filter(|text| is_refusal(text));
    let pair = |text| match quoted(text)[..] {
        [bound, ty] => Some((ty.to_owned(), without_path(bound).to_owned())),
        _ => None,
    };
    refused.filter_map(pair).chain(restrictions(diagnostic)).collect()
}

/// The type parameters that an error proposes to restrict, and the bounds.
pub fn restrictions(diagnostic: &Value) -> impl Iterator<Item = (String, String)> {
    texts(diagnostic).into_iter().filter_map(|text| {
        let (_, restriction) = text.split_once("restricting type parameter ")?;
        match quoted(restriction)[..] {
            [parameter, bound] => Some((parameter.to_owned(), without_path(bound).to_owned())),
            _ => None,
        }
    })
}

/// A bound without the path to its trait.
pub fn without_path(bound: &str) -> &str {
    let name = bound.find('<').unwrap_or(bound.len());
    bound[..name].rfind("::").map_or(bound, |at| &bound[at + 2..])
}

/// Whether a message states that a trait is not implemented.
pub fn is_refusal(message: &str) -> bool {
    message.starts_with("the trait `") && message.contains("` is not implemented for `")
}
