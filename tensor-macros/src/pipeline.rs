//! The pipeline of each macro: parse, check, expand.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;

use crate::expand::fallback::{self, Entry};
use crate::expand::shapes::Pipeline;
use crate::limits::{BIND, DECLARE};
use crate::{check, expand, limits, parse};

pub fn shape(input: TokenStream) -> TokenStream {
    if let Some(literal_sizes) = expand::shape::literal_sizes(&input) {
        return literal_sizes;
    }
    let shape = limits::check(&input, DECLARE);
    match shape.and_then(|()| check::shape::shape(parse::shape::entries(input))) {
        Ok(shape) => expand::shape::shape(&shape),
        Err(err) => fallback::axis(&err, Entry::Shape),
    }
}

pub fn dim(input: TokenStream) -> TokenStream {
    let axis = limits::check(&input, DECLARE);
    match axis.and_then(|()| check::shape::single(parse::shape::entries(input))) {
        Ok(axis) => expand::shape::axis(&axis),
        Err(err) => fallback::axis(&err, Entry::Shape),
    }
}

pub fn axis(input: TokenStream) -> TokenStream {
    if let Err(err) = limits::check(&input, DECLARE) {
        return fallback::item(&err, Entry::NamedAxis);
    }
    let axes = check::axis::named_axes(parse::axis::declarations(input));
    let expand = |axis: &Result<_, Error>| match axis {
        Ok(axis) => expand::axis::named_axis(axis),
        Err(err) => fallback::item(err, Entry::NamedAxis),
    };
    axes.iter().map(expand).collect()
}

pub fn axes(input: TokenStream) -> TokenStream {
    let axes = limits::check(&input, DECLARE);
    match axes.and_then(|()| check::axes::axes(parse::axes::numbers(input))) {
        Ok(axes) => expand::axes::axes(&axes),
        Err(err) => fallback::axis(&err, Entry::Axes),
    }
}

pub fn slice(input: TokenStream) -> TokenStream {
    let slice = limits::check(&input, DECLARE);
    match slice.and_then(|()| check::slice::slice(parse::slice::parts(input))) {
        Ok(slice) => expand::slice::slice(&slice),
        Err(err) => fallback::axis(&err, Entry::Slice),
    }
}

pub fn broadcast_shapes(input: TokenStream) -> TokenStream {
    let operands = limits::check(&input, DECLARE);
    match operands.and_then(|()| check::broadcast::operands(parse::broadcast::operands(input))) {
        Ok(operands) => expand::broadcast::broadcasted(&operands),
        Err(err) => fallback::axis(&err, Entry::Shape),
    }
}

pub fn tensor(input: TokenStream) -> TokenStream {
    let literal = limits::check(&input, BIND).and_then(|()| parse::tensor::literal(input));
    match literal.and_then(check::tensor::tensor) {
        Ok(tensor) => expand::tensor::tensor(&tensor),
        Err(err) => fallback::expression(&err, Entry::Tensor),
    }
}

pub fn strict(argument: TokenStream, item: TokenStream) -> TokenStream {
    let mode = parse::strict::argument(argument).and_then(|word| check::strict::attribute(&word));
    let strict = |mode| {
        limits::check(&item, BIND)?;
        let item = parse::strict::item(item.clone()).and_then(check::strict::item)?;
        Ok(expand::strict::item(item, mode))
    };
    match mode.and_then(|mode| mode.map(strict).transpose()) {
        Ok(Some(strict)) => strict,
        Ok(None) => item,
        Err(err) => fallback::beside(&err, Entry::Strict, &item),
    }
}

pub fn shapes(argument: TokenStream, item: TokenStream) -> TokenStream {
    match check::shapes::attribute(&argument, &item) {
        Ok(name) => expand::shapes::item(item, &name, of_types),
        Err(err) => fallback::beside(&err, Entry::Shapes, &item),
    }
}

/// The pipeline of the macro of this name, if its expansion is a type.
fn of_types(name: &str) -> Option<Pipeline> {
    match name {
        "shape" => Some(shape),
        "dim" => Some(dim),
        "axes" => Some(axes),
        "broadcast_shapes" => Some(broadcast_shapes),
        _ => None,
    }
}

/// Parses an expression, and the word before it.
fn expression(input: TokenStream, example: &str) -> syn::Result<parse::strict::Expression> {
    limits::check(&input, BIND)?;
    parse::strict::expression(input, example)
}

pub fn strictly(input: TokenStream) -> TokenStream {
    let strictly = |written: parse::strict::Expression| {
        let mode = check::strict::expression(&written.mode)?;
        Ok(expand::strict::expression(written.expression, mode))
    };
    match expression(input, "strictly!(a - b)").and_then(strictly) {
        Ok(expression) => expression,
        Err(err) => fallback::expression(&err, Entry::Strict),
    }
}

pub fn relaxed(input: TokenStream) -> TokenStream {
    let relaxed = |written| Ok(check::strict::relaxed(written)?.into_token_stream());
    match expression(input, "relaxed!(a - b)").and_then(relaxed) {
        Ok(expression) => expression,
        Err(err) => fallback::expression(&err, Entry::Strict),
    }
}

pub fn fuse(input: TokenStream) -> TokenStream {
    let written = expression(input, "fuse!(x * w + b)");
    match written.and_then(check::fuse::pass) {
        Ok(Ok(pass)) => expand::fuse::pass(&pass),
        Ok(Err(expression)) => expression.into_token_stream(),
        Err(err) => fallback::expression(&err, Entry::Fuse),
    }
}

pub fn einsum(input: TokenStream) -> TokenStream {
    let written = limits::check(&input, BIND).and_then(|()| parse::einsum::equation(input));
    match written.and_then(check::einsum::einsum) {
        Ok(sum) => expand::einsum::einsum(&sum),
        Err(err) => fallback::expression(&err, Entry::Einsum),
    }
}

pub fn rearrange(input: TokenStream) -> TokenStream {
    let written = limits::check(&input, BIND);
    match written
        .and_then(|()| parse::rearrange::rearrangement(input))
        .and_then(check::rearrange::rearrange)
    {
        Ok(moves) => expand::rearrange::rearrange(&moves),
        Err(err) => fallback::expression(&err, Entry::Rearrange),
    }
}

pub fn show_shape(input: TokenStream) -> TokenStream {
    let request = limits::check(&input, BIND).and_then(|()| parse::show_shape::request(input));
    match request {
        Ok(request) => expand::show_shape::show(&request),
        Err(err) => fallback::expression(&err, Entry::ShowShape),
    }
}

#[cfg(feature = "weights")]
pub fn weights(input: TokenStream) -> TokenStream {
    let written = limits::check(&input, DECLARE).and_then(|()| parse::weights::request(input));
    match written.and_then(check::weights::weights) {
        Ok(weights) => expand::weights::weights(&weights),
        Err(err) => fallback::expression(&err, Entry::Weights),
    }
}

pub fn module(item: TokenStream) -> TokenStream {
    let module = limits::check(&item, DECLARE).and_then(|()| parse::module::item(item));
    match module.and_then(check::module::module) {
        Ok(module) => expand::module::impls(&module),
        Err(err) => fallback::item(&err, Entry::Module),
    }
}
