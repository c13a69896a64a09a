//! `weights!(Encoder, "encoder.safetensors")`: a model and a file.

use proc_macro2::TokenStream;
use syn::{Error, LitStr, Result, Token, Type};

use super::list::read;

/// The arguments, as written.
pub struct Request {
    pub model: Type,
    pub file: LitStr,
}

/// Parses a type and the path of a file.
///
/// # Errors
///
/// Where it is none, or none is there.
pub fn request(tokens: TokenStream) -> Result<Request> {
    const EXAMPLE: &str = "a model and a file, as in `weights!(Encoder, \"encoder.safetensors\")`";
    let example = |err: Error| Error::new(err.span(), format!("{EXAMPLE}: {err}"));
    read(tokens, |input| {
        let model = input.parse().map_err(example)?;
        input.parse::<Token![,]>().map_err(example)?;
        let file = input.parse().map_err(example)?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Request { model, file })
    })
}
