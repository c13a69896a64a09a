//! The path to `tensor-core` in expansions: `::tensor_core`, the name that a manifest gives it, or, in a
//! package that depends only on `tensor-nn`, the path through that crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};

use self::manifest::{Entry, entries};

mod manifest;

/// The expansion with the paths of the package that is being compiled.
pub fn resolved(expansion: TokenStream) -> TokenStream {
    match &root()[..] {
        [name] if name == "tensor_core" => expansion,
        root => rooted(expansion, root),
    }
}

/// The segments of the path to `tensor-core` in the package that is being compiled; reads its manifest once.
fn root() -> Vec<String> {
    /// The folder of the last package, and its path: a language server expands macros of many packages.
    static LAST: Mutex<Option<(PathBuf, Vec<String>)>> = Mutex::new(None);
    let default = || vec!["tensor_core".to_owned()];
    let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else {
        return default();
    };
    let Ok(mut last) = LAST.lock() else { return default() };
    match &*last {
        Some((known, root)) if *known == folder => root.clone(),
        _ => {
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
            let root = root_of(&manifest, || workspace_manifest(&folder));
            *last = Some((folder, root.clone()));
            root
        }
    }
}

/// The manifest of the workspace of a package: that of the folder itself, or of a parent folder.
fn workspace_manifest(folder: &Path) -> String {
    let manifests =
        folder.ancestors().filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok());
    let is_workspace = |entry: &Entry| entry.keys[0] == "workspace";
    let mut workspaces = manifests.filter(|manifest| entries(manifest).iter().any(is_workspace));
    workspaces.next().unwrap_or_default()
}

/// A dependency of a package.
struct Dependency {
    /// The name of the crate in the package.
    key: String,
    /// The name of the package it refers to.
    package: String,
    inherits: bool,
    optional: bool,
    table: Table,
}

/// The kind of table that a dependency is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Table {
    Dependencies,
    OfPlatforms,
    OfTests,
    OfBuildScripts,
}

impl Dependency {
    /// How many targets may lack the crate: the more, the larger the value.
    fn doubt(&self) -> Table {
        if self.optional { self.table.max(Table::OfPlatforms) } else { self.table }
    }
}

/// The segments of the path to `tensor-core` in a package with this manifest, within the workspace with the
/// other manifest.
///
/// The macros do not know which target they are expanded in. Of several paths to `tensor-core`, the one that
/// exists in the most targets is used: through `tensor-nn`, if the package has `tensor-core` only for tests.
pub fn root_of(manifest: &str, workspace: impl Fn() -> String) -> Vec<String> {
    let entries = entries(manifest);
    if entries.iter().any(|entry| entry.keys == ["package", "name"] && entry.value == "tensor-core")
    {
        return vec!["tensor_core".to_owned()];
    }
    let mut dependencies = dependencies(&entries);
    if dependencies.iter().any(|dependency| dependency.inherits) {
        let shared = self::entries(&workspace());
        for dependency in dependencies.iter_mut().filter(|dependency| dependency.inherits) {
            let renamed = ["workspace", "dependencies", &dependency.key, "package"];
            if let Some(entry) = shared.iter().find(|entry| entry.keys == renamed) {
                dependency.package = entry.value.clone();
            }
        }
    }
    let ways = ["tensor-core", "tensor-nn"].into_iter().flat_map(|package| {
        dependencies.iter().filter(move |dependency| dependency.package == package)
    });
    // Of two with equal doubt, the first one: `tensor-core`.
    let Some(way) = ways.min_by_key(|way| way.doubt()) else {
        return vec!["tensor_core".to_owned()];
    };
    let name = way.key.replace('-', "_");
    match &way.package[..] {
        "tensor-core" => vec![name],
        _ => vec![name, "tensor_core".to_owned()],
    }
}

/// The dependencies of a manifest, from entries such as `dependencies.tensor-core.path`.
fn dependencies(entries: &[Entry]) -> Vec<Dependency> {
    let mut dependencies: Vec<Dependency> = Vec::new();
    for Entry { keys, value } in entries {
        let (keys, normal) = match &keys[..] {
            [target, _, keys @ ..] if target == "target" => (keys, Table::OfPlatforms),
            keys => (keys, Table::Dependencies),
        };
        let [table, key, options @ ..] = keys else { continue };
        let table = match &table[..] {
            "dependencies" => normal,
            "dev-dependencies" | "dev_dependencies" => Table::OfTests,
            "build-dependencies" | "build_dependencies" => Table::OfBuildScripts,
            _ => continue,
        };
        let is_known = |known: &Dependency| known.key == *key && known.table == table;
        let index = dependencies.iter().position(is_known).unwrap_or_else(|| {
            let (key, package) = (key.clone(), key.clone());
            dependencies.push(Dependency { key, package, inherits: false, optional: false, table });
            dependencies.len() - 1
        });
        let dependency = &mut dependencies[index];
        match options.first().map(|option| &option[..]) {
            Some("package") => dependency.package = value.clone(),
            Some("workspace") => dependency.inherits = value == "true",
            Some("optional") => dependency.optional = value == "true",
            _ => {}
        }
    }
    dependencies
}

/// Replaces `::tensor_core` in the tokens by this path.
pub fn rooted(tokens: TokenStream, root: &[String]) -> TokenStream {
    let mut found: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), rooted(group.stream(), root));
                inner.set_span(group.span());
                found.push(inner.into());
            }
            TokenTree::Ident(name) if name == "tensor_core" && begins_a_path(&found) => {
                for (index, part) in root.iter().enumerate() {
                    let colons =
                        if index == 0 { &[][..] } else { &[Spacing::Joint, Spacing::Alone] };
                    for &spacing in colons {
                        let mut colon = Punct::new(':', spacing);
                        colon.set_span(name.span());
                        found.push(colon.into());
                    }
                    found.push(Ident::new(part, name.span()).into());
                }
            }
            token => found.push(token),
        }
    }
    found.into_iter().collect()
}

/// Whether the tokens end with a `::` that no name precedes.
fn begins_a_path(tokens: &[TokenTree]) -> bool {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    match tokens {
        [.., before, a, b] if is_colon(a) && is_colon(b) => !is_in_a_path(before),
        [a, b] => is_colon(a) && is_colon(b),
        _ => false,
    }
}

/// Whether it is a name, not a keyword like the `impl` in `impl ::tensor_core::Module`.
fn is_in_a_path(token: &TokenTree) -> bool {
    let TokenTree::Ident(name) = token else { return false };
    let name = name.to_string();
    ["crate", "self", "super"].contains(&&name[..]) || syn::parse_str::<Ident>(&name).is_ok()
}
