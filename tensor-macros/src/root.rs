//! Where expansions find `tensor-core`: `::tensor_core`, or within `tensor-nn` in a package that depends
//! on that crate alone.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};

/// The expansion with the paths that this package has.
pub fn resolved(expansion: TokenStream) -> TokenStream {
    if is_within_tensor_nn() { within_tensor_nn(expansion) } else { expansion }
}

/// Whether the package that is compiled has `tensor-core` by way of `tensor-nn` alone. Its manifest is
/// read once.
fn is_within_tensor_nn() -> bool {
    /// The folder of the package that was asked about last, and the answer: a server of an editor asks
    /// for many packages.
    static LAST: Mutex<Option<(PathBuf, bool)>> = Mutex::new(None);
    let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else {
        return false;
    };
    let Ok(mut last) = LAST.lock() else { return false };
    match &*last {
        Some((known, answer)) if *known == folder => *answer,
        _ => {
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
            let answer = !names(&manifest, "tensor-core") && names(&manifest, "tensor-nn");
            *last = Some((folder, answer));
            answer
        }
    }
}

/// Whether a manifest is that of this package, or has it as a dependency.
pub fn names(manifest: &str, package: &str) -> bool {
    let is_package = |word: &str| word.trim().trim_matches(['"', '\'']) == package;
    manifest.lines().any(|line| {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            // `[dependencies.tensor-core]`
            return header.trim_end_matches(']').rsplit('.').next().is_some_and(is_package);
        }
        let Some((key, value)) = line.split_once('=') else { return false };
        match key.trim() {
            "name" | "package" => is_package(value),
            // `tensor-core.workspace = true`
            key => is_package(key.split('.').next().unwrap_or(key)),
        }
    })
}

/// `::tensor_core` as `::tensor_nn::tensor_core`.
pub fn within_tensor_nn(tokens: TokenStream) -> TokenStream {
    let mut found: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), within_tensor_nn(group.stream()));
                inner.set_span(group.span());
                found.push(inner.into());
            }
            TokenTree::Ident(name) if name == "tensor_core" && begins_a_path(&found) => {
                found.push(Ident::new("tensor_nn", name.span()).into());
                for spacing in [Spacing::Joint, Spacing::Alone] {
                    let mut colon = Punct::new(':', spacing);
                    colon.set_span(name.span());
                    found.push(colon.into());
                }
                found.push(name.into());
            }
            token => found.push(token),
        }
    }
    found.into_iter().collect()
}

/// Whether the tokens end with `::` that has no name in front.
fn begins_a_path(tokens: &[TokenTree]) -> bool {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    match tokens {
        [.., before, a, b] if is_colon(a) && is_colon(b) => !is_in_a_path(before),
        [a, b] => is_colon(a) && is_colon(b),
        _ => false,
    }
}

/// Whether it is a name, and no keyword as the `impl` in `impl ::tensor_core::Module`.
fn is_in_a_path(token: &TokenTree) -> bool {
    let TokenTree::Ident(name) = token else { return false };
    let name = name.to_string();
    ["crate", "self", "super"].contains(&&name[..]) || syn::parse_str::<Ident>(&name).is_ok()
}
