//! What the file of `weights!` has.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Error, Result, Type};
use tensor_files::{FileSource, Record};

use crate::parse::weights::Request;

/// The most bytes of a file whose changes rustc tracks, for which it reads all of it into memory: half a second.
const MOST_TRACKED: u64 = 64 << 20;

/// A model and the tensors of a file.
pub struct Weights {
    pub model: Type,
    /// The path as written.
    pub file: String,
    pub span: Span,
    pub tensors: BTreeMap<String, Record>,
    /// The files that were read, in which rustc tracks changes.
    pub tracked: Vec<PathBuf>,
}

/// Reads the header of the file.
///
/// # Errors
///
/// At the path, if there is no such file, or it is not read. At the model, if its type is `Self`.
pub fn weights(Request { model, file }: Request) -> Result<Weights> {
    if let Some(token) = of_itself(model.to_token_stream()) {
        let message =
            "the file is compared in a constant, which has no `Self`: write the name of the model";
        return Err(Error::new_spanned(token, message));
    }
    let span = file.span();
    let file = file.value();
    let at_file = |message: String| Error::new(span, message);
    let path = find(Path::new(&file), span).ok_or_else(|| {
        at_file(format!(
            "there is no file `{}` in the folder of this source file, nor in that of the package's `Cargo.toml`",
            tensor_files::escaped(&file)
        ))
    })?;
    let opened = RefCell::new(Vec::new());
    let open = |path: &Path| {
        // The compiler would wait for what comes through a pipe, and a device may have no end.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("neither a file nor a folder: a pipe or a device"));
        }
        opened.borrow_mut().push(path.to_owned());
        FileSource::open(path)
    };
    let contents = tensor_files::open(&path, &open)
        .map_err(|error| at_file(error.within(&*file).to_string()))?;
    let is_tracked = |path: &PathBuf| {
        path.metadata().is_ok_and(|file| file.is_file() && file.len() <= MOST_TRACKED)
    };
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let tracked = opened.into_inner().into_iter().filter(is_tracked).map(absolute).collect();
    Ok(Weights { model, file, span, tensors: contents.tensors.into_iter().collect(), tracked })
}

/// The file at a path, which is relative to the folder of the source file, as for `include_bytes!`, or to that of the
/// package.
fn find(path: &Path, span: Span) -> Option<PathBuf> {
    let source = span.local_file().and_then(|file| Some(file.parent()?.to_owned()));
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let mut paths = [source, package].into_iter().flatten().map(|folder| folder.join(path));
    paths.find(|path| path.exists())
}

/// The word `Self` in a type.
fn of_itself(tokens: TokenStream) -> Option<TokenTree> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => of_itself(group.stream()),
        TokenTree::Ident(name) if name == "Self" => Some(name.into()),
        _ => None,
    })
}
