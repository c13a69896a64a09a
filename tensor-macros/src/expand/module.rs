//! The impls of `#[derive(Module)]`.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{ExprAssign, GenericArgument, Ident, Member, PathArguments, Type, parse_quote};

use crate::check::module::{Field, Module, Skipped, Step, Variant, binding};
use crate::parse::module::inner;

/// The impls of `Module`, `StaticModule` and `WalkShapes`.
pub fn impls(module: &Module) -> TokenStream {
    let name = &module.name;
    let [walk, walk_mut, modes] =
        [Walk::Read, Walk::Write, Walk::Modes].map(|walk| walk.body(module));
    // These names are hygienic, so that they do not clash with variables of the program.
    let [path, visitor] = ["path", "visitor"].map(|name| Ident::new(name, Span::mixed_site()));

    let generics = with_bounds(module, &quote!(::tensor_core::module::Module));
    let (parameters, arguments, clause) = generics.split_for_impl();
    let static_generics = with_bounds(module, &quote!(::tensor_core::module::StaticModule));
    let (static_parameters, _, static_clause) = static_generics.split_for_impl();
    let (facts, tree) = (facts(module), tree(module));
    let from_tensors = from_tensors(module);
    let walk_shapes = walk_shapes(module);
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #parameters ::tensor_core::module::Module for #name #arguments #clause {
            fn visit<'__a>(
                &'__a self,
                #path: &::tensor_core::module::Path<'_>,
                #visitor: &mut ::tensor_core::module::Visitor<'__a, '_>,
            ) {
                #walk
            }

            fn visit_mut<'__a>(
                &'__a mut self,
                #path: &::tensor_core::module::Path<'_>,
                #visitor: &mut ::tensor_core::module::VisitorMut<'__a, '_>,
            ) {
                #walk_mut
            }

            fn visit_modes(&mut self, #visitor: &mut ::tensor_core::module::ModeVisitor<'_>) {
                #modes
            }

            #from_tensors
        }

        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #static_parameters ::tensor_core::module::StaticModule for #name #arguments
        #static_clause
        {
            const FACTS: ::tensor_core::__private::Facts = {
                #[allow(unused_imports)]
                use ::tensor_core::__private::FactsOrUnknown as _;
                #facts
            };
            const TREE: ::tensor_core::__private::ModuleTree = {
                #[allow(unused_imports)]
                use ::tensor_core::__private::FactsOrUnknown as _;
                #tree
            };
        }

        #walk_shapes
    }
}

/// The impl of `WalkShapes`: a bound for each type of a field, which takes the state that the one before it gives.
fn walk_shapes(module: &Module) -> TokenStream {
    let name = &module.name;
    let (_, arguments, _) = module.generics.split_for_impl();
    let parameter = |name: &str| Ident::new(name, Span::mixed_site());
    let (visitor, first) = (parameter("__V"), parameter("__S"));
    let mut types = BTreeSet::new();
    let fields = module.variants.iter().flat_map(|variant| &variant.fields);
    let fields: Vec<&Field> =
        fields.filter(|field| types.insert(field.ty.to_token_stream().to_string())).collect();
    let states: Vec<Ident> =
        (1..=fields.len()).map(|number| parameter(&format!("__S{number}"))).collect();
    let mut generics = module.generics.clone();
    generics.params.extend(
        [&visitor, &first]
            .into_iter()
            .chain(&states)
            .map(|name| -> syn::GenericParam { parse_quote!(#name) }),
    );
    let clause = generics.make_where_clause();
    let mut before = &first;
    for (Field { ty, .. }, state) in fields.into_iter().zip(&states) {
        clause.predicates.push(parse_quote! {
            #ty: ::tensor_core::module::WalkShapes<#visitor, #before, Out = #state>
        });
        before = state;
    }
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters ::tensor_core::module::WalkShapes<#visitor, #first> for #name #arguments
        #clause
        {
            type Out = #before;
        }
    }
}

/// The generics of the item, with this bound on the types that must be modules because they are fields.
fn with_bounds(module: &Module, bound: &TokenStream) -> syn::Generics {
    let mut generics = module.generics.clone();
    if !module.bounds.is_empty() {
        let clause = generics.make_where_clause();
        for ty in &module.bounds {
            clause.predicates.push(parse_quote!(#ty: #bound));
        }
    }
    generics
}

/// One of the generated methods.
#[derive(Clone, Copy)]
enum Walk {
    Read,
    Write,
    Modes,
}

impl Walk {
    fn body(self, module: &Module) -> TokenStream {
        if !module.is_enum {
            let fields = module.variants.iter().flat_map(|variant| &variant.fields);
            let reference = if matches!(self, Self::Read) { quote!(&) } else { quote!(&mut) };
            let calls: TokenStream = fields
                .map(|field| {
                    let member = &field.member;
                    self.call(field, &quote!(#reference self.#member))
                })
                .collect();
            return if calls.is_empty() { self.nothing() } else { calls };
        }
        let unused = self.nothing();
        let arms = module.variants.iter().map(|variant| {
            let name = &variant.name;
            let members = variant.fields.iter().map(|field| &field.member);
            let bindings: Vec<_> = variant.fields.iter().map(binding).collect();
            let calls = variant
                .fields
                .iter()
                .zip(&bindings)
                .map(|(field, binding)| self.call(field, &binding.to_token_stream()));
            quote!(Self::#name { #(#members: #bindings,)* .. } => { #(#calls)* })
        });
        if module.variants.is_empty() {
            return quote!(#unused match *self {});
        }
        quote!(#unused match self { #(#arms)* })
    }

    /// Uses the parameters of the method, for the case that there is no field.
    fn nothing(self) -> TokenStream {
        let [path, visitor] = ["path", "visitor"].map(|name| Ident::new(name, Span::mixed_site()));
        match self {
            Self::Read | Self::Write => quote!(let _ = (&#path, &#visitor);),
            Self::Modes => quote!(let _ = &#visitor;),
        }
    }

    /// The call for a field, with the span of its type for messages.
    fn call(self, field: &Field, place: &TokenStream) -> TokenStream {
        let Field { step, ty, is_buffer, .. } = field;
        let [path, visitor] = ["path", "visitor"].map(|name| Ident::new(name, Span::mixed_site()));
        let step = step.on(&path);
        let method = match self {
            Self::Read => quote!(visit),
            Self::Write => quote!(visit_mut),
            Self::Modes => quote!(visit_modes),
        };
        let arguments = match (self, is_buffer) {
            (Self::Read | Self::Write, false) => quote!(#step, #visitor),
            (Self::Read, true) => quote!(#step, &mut ::tensor_core::__private::buffers(#visitor)),
            (Self::Write, true) => {
                quote!(#step, &mut ::tensor_core::__private::buffers_mut(#visitor))
            }
            (Self::Modes, _) => quote!(#visitor),
        };
        quote!(<#ty as ::tensor_core::module::Module>::#method(#place, #arguments);)
    }
}

impl Step {
    /// The path of the field, below that of the struct.
    fn on(&self, path: &Ident) -> TokenStream {
        match self {
            Self::Name(name) => quote!(&#path.field(#name)),
            Self::Index(index) => quote!(&#path.index(#index)),
        }
    }
}

/// The method that makes a struct of the tensors of a file; none for an enum, of whose variants a file does not
/// tell which it is.
///
/// All fields are requested before the first that is `None` ends it.
fn from_tensors(module: &Module) -> TokenStream {
    let [path, tensors] = ["path", "tensors"].map(|name| Ident::new(name, Span::mixed_site()));
    let [variant] = &module.variants[..] else { return TokenStream::new() };
    if module.is_enum {
        return TokenStream::new();
    }
    // `M` of a `Box<M>` may be unsized.
    let is_parameter = |ty: &Type| {
        matches!(ty, Type::Path(path)
            if module.generics.type_params().any(|parameter| path.path.is_ident(&parameter.ident)))
    };
    let (mut requests, mut fields) = (TokenStream::new(), TokenStream::new());
    for field in &variant.fields {
        let Field { member, ty, .. } = field;
        if let Some(value) = &field.value {
            fields.extend(quote!(#member: #value,));
            continue;
        }
        let made = Ident::new(&binding(field).to_string(), Span::mixed_site());
        let step = field.step.on(&path);
        let read = match boxed(ty).filter(|ty| !is_parameter(ty)) {
            Some(ty) => quote! {
                <#ty as ::tensor_core::module::Module>::from_tensors(#step, #tensors)
                    .map(::std::boxed::Box::new)
            },
            None => quote! {
                <#ty as ::tensor_core::module::Module>::from_tensors(#step, #tensors)
            },
        };
        requests.extend(match &field.set[..] {
            [] => quote!(let #made = #read;),
            set => {
                let assignments = assignments(ty, set);
                quote! {
                    let mut #made = #read;
                    if let ::core::option::Option::Some(made) = &mut #made {
                        #assignments
                    }
                }
            }
        });
        fields.extend(quote!(#member: #made?,));
    }
    for Skipped { member, ty, value } in &variant.skipped {
        match value {
            Some(value) => fields.extend(quote!(#member: #value,)),
            None => {
                let name = name_of(member);
                let made = Ident::new(&format!("skipped_{name}"), Span::mixed_site());
                requests.extend(quote! {
                    let #made: ::core::option::Option<#ty> =
                        ::tensor_core::__private::no_value(&#path.field(#name), #tensors);
                });
                fields.extend(quote!(#member: #made?,));
            }
        }
    }
    quote! {
        fn from_tensors(
            #path: &::tensor_core::module::Path<'_>,
            #tensors: &mut ::tensor_core::module::TensorReader<'_>,
        ) -> ::core::option::Option<Self>
        where
            Self: ::core::marker::Sized,
        {
            let _ = (&#path, &#tensors);
            #requests
            ::core::option::Option::Some(Self { #fields })
        }
    }
}

/// The name of a field that is skipped.
fn name_of(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The assignments to fields of `made`, a value of this type, or of each of its elements.
fn assignments(ty: &Type, set: &[ExprAssign]) -> TokenStream {
    let element = match inner(ty) {
        Type::Array(array) => Some(&*array.elem),
        ty => argument("Vec", ty),
    };
    match element.map(|element| assignments(element, set)) {
        Some(assignments) => quote!(for made in made.iter_mut() { #assignments }),
        None => quote!(#(made.#set;)*),
    }
}

/// The type in a `Box` that is not one of a trait.
fn boxed(ty: &Type) -> Option<&Type> {
    argument("Box", ty).filter(|ty| !matches!(ty, Type::TraitObject(_)))
}

/// The first type argument of a type with this name.
fn argument<'a>(name: &str, ty: &'a Type) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// The constants about the model that are known at compile time: for an enum none, as its variants differ.
fn facts(module: &Module) -> TokenStream {
    if module.is_enum {
        return quote!(::tensor_core::__private::Facts::UNKNOWN);
    }
    let fields = module.variants.iter().flat_map(|variant| &variant.fields).map(|field| {
        let ty = &field.ty;
        let of_buffers = field.is_buffer.then(|| quote!(.as_buffers()));
        quote!(.and(::tensor_core::__private::FactsOf::<#ty>::FACTS #of_buffers))
    });
    quote!(::tensor_core::__private::Facts::NONE #(#fields)*)
}

/// The tensors that `from_tensors` requires, as a constant.
fn tree(module: &Module) -> TokenStream {
    let tree = quote!(::tensor_core::__private::ModuleTree);
    let [Variant { fields, skipped, .. }] = &module.variants[..] else {
        return no_tensor(&module.name);
    };
    if module.is_enum {
        return no_tensor(&module.name);
    }
    let fields = fields.iter().filter(|field| field.value.is_none()).map(|field| {
        let Field { ty, step, .. } = field;
        let name = match step {
            Step::Name(name) => name.clone(),
            Step::Index(index) => index.to_string(),
        };
        // A constant that contains itself does not compile.
        match mentions(ty.to_token_stream(), &module.name) {
            true => quote!((#name, #tree::Unknown)),
            false => quote!((#name, ::tensor_core::__private::FactsOf::<#ty>::TREE)),
        }
    });
    let skipped = skipped.iter().filter(|skipped| skipped.value.is_none()).map(|skipped| {
        let (name, tree) = (name_of(&skipped.member), no_tensor(&skipped.ty));
        quote!((#name, #tree))
    });
    quote!(#tree::Fields(&[#(#fields,)* #(#skipped),*]))
}

/// Whether a type has the item of this name within it, which is not one of the same name in another module.
fn mentions(ty: TokenStream, item: &Ident) -> bool {
    let (mut after_colon, mut is_elsewhere) = (false, true);
    ty.into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions(group.stream(), item),
        TokenTree::Ident(name) => {
            if !after_colon {
                is_elsewhere =
                    !["crate", "$crate", "self", "super"].iter().any(|module| name == module);
            }
            let is_item = name == *item && !(after_colon && is_elsewhere);
            after_colon = false;
            is_item || name == "Self"
        }
        TokenTree::Punct(mark) => {
            after_colon = mark.as_char() == ':';
            false
        }
        TokenTree::Literal(_) => false,
    })
}

/// A value of this type, which no file has.
fn no_tensor(ty: &impl ToTokens) -> TokenStream {
    quote!(::tensor_core::__private::ModuleTree::NoTensor(::core::stringify!(#ty)))
}
