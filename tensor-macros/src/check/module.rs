//! Checks of the fields that `#[derive(Module)]` visits.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::{
    Error, Expr, ExprAssign, Fields, GenericArgument, GenericParam, Generics, PathArguments,
    Result, Type, TypeParamBound, TypePath, WherePredicate, parse_quote,
};

use crate::parse::module::{Body, Item, inner, options};

/// A struct or an enum whose fields are visited.
pub struct Module {
    pub name: Ident,
    pub generics: Generics,
    pub is_enum: bool,
    /// The variants; a struct has one.
    pub variants: Vec<Variant>,
    /// The types that must implement `Module` because they are fields, where only the bounds of the
    /// program can ensure it.
    pub bounds: Vec<Type>,
}

/// A set of fields that a value has at the same time.
pub struct Variant {
    /// The name of the variant, if this is an enum.
    pub name: Option<Ident>,
    pub fields: Vec<Field>,
    /// The fields that are not visited.
    pub skipped: Vec<Skipped>,
}

/// A field that is not visited.
pub struct Skipped {
    pub member: syn::Member,
    pub ty: Type,
    pub value: Option<Expr>,
}

/// A field that contains tensors.
pub struct Field {
    pub member: syn::Member,
    pub step: Step,
    pub ty: Type,
    pub is_buffer: bool,
    pub value: Option<Expr>,
    pub set: Vec<ExprAssign>,
}

/// The name of a field in a path.
pub enum Step {
    Name(String),
    Index(usize),
}

/// Checks the fields that are visited, and collects the bounds of the impls.
///
/// # Errors
///
/// At an option of a field.
pub fn module(item: Item) -> Result<Module> {
    let Item { name, mut generics, bound, body } = item;
    if !bound.is_empty() {
        generics.make_where_clause().predicates.extend(bound);
    }
    let (is_enum, variants) = match body {
        Body::Struct(fields) => (false, vec![variant(None, fields)?]),
        Body::Enum(variants) => {
            let variants = variants.into_iter().map(|(name, fields)| variant(Some(name), fields));
            (true, variants.collect::<Result<_>>()?)
        }
    };
    let bounds = bounds(&generics, variants.iter().flat_map(|variant| &variant.fields));
    Ok(Module { name, generics, is_enum, variants, bounds })
}

/// The fields, and those that are skipped.
fn variant(variant: Option<Ident>, fields: Fields) -> Result<Variant> {
    let (mut walked, mut skipped) = (Vec::new(), Vec::new());
    for (index, field) in fields.into_iter().enumerate() {
        let options = options(&field.attrs)?;
        let rename = match &options.rename {
            Some(name) => Some(checked_name(name)?),
            None => None,
        };
        if let Some(skip) = options.skip {
            if options.buffer.is_some() || rename.is_some() || !options.set.is_empty() {
                let message = "a field that is skipped has no other option than a `value`";
                return Err(Error::new(skip, message));
            }
            let member = field.ident.map_or_else(|| index.into(), syn::Member::from);
            skipped.push(Skipped { member, ty: field.ty, value: options.value });
            continue;
        }
        if options.value.is_none() && holds_number(&field.ty) {
            return Err(Error::new_spanned(
                &field.ty,
                "a number is neither saved nor loaded with a model: make it a tensor, `Tensor<shape![], i64>`, or write \
                 `#[module(value = …)]` above it, with its value in a model that is made from a file, or \
                 `#[module(skip)]`",
            ));
        }
        let (member, step) = match field.ident {
            Some(name) => {
                let step = Step::Name(name.unraw().to_string());
                (name.into(), step)
            }
            None => (index.into(), Step::Index(index)),
        };
        let step = rename.map_or(step, Step::Name);
        walked.push(Field {
            member,
            step,
            ty: field.ty,
            is_buffer: options.buffer.is_some(),
            value: options.value,
            set: options.set,
        });
    }
    Ok(Variant { name: variant, fields: walked, skipped })
}

/// Whether a type is a number, or holds numbers.
fn holds_number(ty: &Type) -> bool {
    const NUMBERS: [&str; 14] = [
        "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize",
    ];
    match inner(ty) {
        Type::Tuple(tuple) => tuple.elems.iter().any(holds_number),
        Type::Array(array) => holds_number(&array.elem),
        Type::Path(TypePath { qself: None, path, .. }) => match path.segments.last() {
            Some(last) if HOLDS.iter().any(|name| last.ident == name) => {
                let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                    return false;
                };
                arguments.args.iter().any(
                    |argument| matches!(argument, GenericArgument::Type(ty) if holds_number(ty)),
                )
            }
            _ => NUMBERS.iter().any(|name| path.is_ident(name)),
        },
        _ => false,
    }
}

/// Checks that a name is valid between two dots.
fn checked_name(name: &syn::LitStr) -> Result<String> {
    let text = name.value();
    if text.is_empty() || text.contains('.') {
        return Err(Error::new(
            name.span(),
            "the name of a field is not empty and has no dot, which separates two names",
        ));
    }
    Ok(text)
}

/// The types for which the impls require `Module`.
///
/// If a field is a generic parameter, as `M` in `Vec<M>`, only a bound of the impl can ensure it. A parameter
/// with bounds within another type, as `I: Axis` in `Linear<I, O>`, is not a module itself.
fn bounds<'a>(generics: &Generics, fields: impl Iterator<Item = &'a Field>) -> Vec<Type> {
    let parameters: BTreeSet<Ident> =
        generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    let bounded = |name: &Ident| {
        let is_bound = |bound: &TypeParamBound| !matches!(bound, TypeParamBound::Lifetime(_));
        let written = generics.params.iter().any(|parameter| {
            matches!(parameter, GenericParam::Type(parameter)
                if parameter.ident == *name && parameter.bounds.iter().any(is_bound))
        });
        let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        written
            || clauses.into_iter().any(|clause| {
                matches!(clause, WherePredicate::Type(clause)
                    if is_parameter(&clause.bounded_ty, name) && clause.bounds.iter().any(is_bound))
            })
    };
    let unbounded = parameters.iter().filter(|name| !bounded(name)).cloned().collect();
    let mut search = Search { parameters, unbounded, found: Vec::new() };
    for field in fields {
        search.field(&field.ty);
    }
    search.found
}

fn is_parameter(ty: &Type, name: &Ident) -> bool {
    matches!(inner(ty), Type::Path(path) if path.path.is_ident(name))
}

struct Search {
    parameters: BTreeSet<Ident>,
    unbounded: BTreeSet<Ident>,
    found: Vec<Type>,
}

/// Types that are modules if their arguments are.
const HOLDS: [&str; 5] = ["Vec", "Option", "Box", "Frozen", "BTreeMap"];

impl Search {
    /// Collects the bounds of the type of a field, or of a part of it that is visited like a field.
    fn field(&mut self, ty: &Type) {
        match inner(ty) {
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| self.field(ty)),
            Type::Array(array) => self.field(&array.elem),
            Type::Path(path) if self.is_of_parameter(path) => self.add(ty.clone()),
            Type::Path(TypePath { qself: None, path, .. }) => {
                let Some(last) = path.segments.last() else { return };
                let PathArguments::AngleBracketed(arguments) = &last.arguments else { return };
                let holds = HOLDS.iter().any(|name| last.ident == name);
                for argument in &arguments.args {
                    match argument {
                        GenericArgument::Type(ty) if holds => self.field(ty),
                        GenericArgument::Type(ty) if last.ident != "PhantomData" => {
                            self.within(ty.to_token_stream());
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Collects the bounds of a type within another: parameters without bounds can only be modules there.
    fn within(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) if self.unbounded.contains(&name) => {
                    self.add(parse_quote!(#name));
                }
                TokenTree::Group(group) => self.within(group.stream()),
                _ => {}
            }
        }
    }

    /// Whether it is a parameter, or an associated type of one, as `M::Head` and `<M as Model>::Head`.
    fn is_of_parameter(&self, path: &TypePath) -> bool {
        path.qself.is_some()
            || path
                .path
                .segments
                .first()
                .is_some_and(|first| self.parameters.contains(&first.ident))
    }

    fn add(&mut self, ty: Type) {
        let written = |ty: &Type| ty.to_token_stream().to_string();
        if self.found.iter().all(|other| written(other) != written(&ty)) {
            self.found.push(ty);
        }
    }
}

/// The name of the variable that a field of a variant is bound to.
pub fn binding(field: &Field) -> Ident {
    match &field.member {
        syn::Member::Named(name) => format_ident!("field_{}", name.unraw()),
        syn::Member::Unnamed(index) => format_ident!("field_{}", index.index),
    }
}
