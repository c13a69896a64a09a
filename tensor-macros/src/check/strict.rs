//! Strict code: its mode, and the expressions that are operations on several operands.

use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, Ident, Item, Lit, Result, UnOp};

use crate::parse::strict::{Argument, Expression, MODES};

/// The broadcasting that operands may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One operand may stretch.
    OneSide,
    /// Only axes of size `One` may stretch: all operands except scalars must have the same rank.
    Rank,
    /// No operand may stretch.
    Same,
}

impl Mode {
    /// The mode that a word names.
    fn of(word: &Ident) -> Option<Self> {
        [(Self::Rank, "rank"), (Self::Same, "same")]
            .into_iter()
            .find_map(|(mode, name)| (word == name).then_some(mode))
    }

    /// The mode of `fuse!`, where each mode has a name.
    pub fn of_fuse(word: &Ident) -> Option<Self> {
        if word == "strict" { Some(Self::OneSide) } else { Self::of(word) }
    }

    /// The word in front of the argument of `fuse!`.
    pub fn word(self) -> &'static str {
        match self {
            Self::OneSide => "strict",
            Self::Rank => "rank",
            Self::Same => "same",
        }
    }

    /// The rule for operands that make a new tensor.
    pub fn rule(self) -> &'static str {
        match self {
            Self::OneSide => "one_side",
            Self::Rank => "rank",
            Self::Same => "same",
        }
    }

    /// The rule for an in-place operation, whose target keeps its shape: only the other operand can stretch.
    pub fn in_place_rule(self) -> Option<&'static str> {
        match self {
            Self::OneSide => None,
            Self::Rank => Some("rank_in_place"),
            Self::Same => Some("same_in_place"),
        }
    }
}

/// The mode of an attribute; `None` for `#[strict(off)]`.
///
/// # Errors
///
/// At a word that is no mode.
pub fn attribute(argument: &Argument) -> Result<Option<Mode>> {
    match argument {
        Argument::Nothing => Ok(Some(Mode::OneSide)),
        Argument::Word(word) if word == "off" => Ok(None),
        Argument::Word(word) => {
            Mode::of(word).map(Some).ok_or_else(|| Error::new(word.span(), MODES))
        }
    }
}

/// The mode of an expression.
///
/// # Errors
///
/// At a word that is no mode.
pub fn expression(argument: &Argument) -> Result<Mode> {
    match argument {
        Argument::Nothing => Ok(Mode::OneSide),
        Argument::Word(word) => Mode::of(word).ok_or_else(|| {
            Error::new(
                word.span(),
                "expected an expression, or `rank:` or `same:` and an expression: \
                 write `strictly!(a - b)`, `strictly!(rank: a - b)` or `strictly!(same: a - b)`",
            )
        }),
    }
}

/// The expression of `relaxed!`, whose operands may stretch.
///
/// # Errors
///
/// At a word in front of it.
pub fn relaxed(written: Expression) -> Result<Expr> {
    match written.mode {
        Argument::Nothing => Ok(written.expression),
        Argument::Word(word) => {
            Err(Error::new(word.span(), "expected an expression alone: write `relaxed!(a - b)`"))
        }
    }
}

/// Checks that an item contains expressions.
///
/// # Errors
///
/// At what is none.
pub fn item(item: Item) -> Result<Item> {
    let holds_expressions = match &item {
        Item::Mod(module) => module.content.is_some(),
        Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => true,
        // A trait method without a body.
        Item::Verbatim(_) => true,
        _ => false,
    };
    if holds_expressions {
        return Ok(item);
    }
    Err(Error::new(
        item.span(),
        "`#[strict]` is for a function, an `impl`, a trait or an inline module `mod name { … }`; \
         for an expression write `strictly!(a - b)`",
    ))
}

/// Whether an attribute gives the item its own mode.
pub fn has_its_own_mode(attributes: &[Attribute]) -> bool {
    let is_mode = |attribute: &Attribute| {
        attribute.path().segments.last().is_some_and(|segment| segment.ident == "strict")
    };
    attributes.iter().any(is_mode)
}

/// Whether this is a number or string literal, which needs no check.
pub fn is_scalar(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => !matches!(literal.lit, Lit::Verbatim(_)),
        Expr::Cast(_) => true,
        Expr::Paren(inner) => is_scalar(&inner.expr),
        Expr::Group(inner) => is_scalar(&inner.expr),
        Expr::Reference(inner) => is_scalar(&inner.expr),
        Expr::Unary(inner) => !matches!(inner.op, UnOp::Deref(_)) && is_scalar(&inner.expr),
        _ => false,
    }
}

/// How the type of a receiver or of an in-place target can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandPlace {
    /// `x`, `self.weight`: by duplicating it.
    Named,
    /// `xs[0]`, `*x()`: by a reference.
    Computed,
    /// `f()`, `a + b`: by binding it to a variable.
    Value,
}

/// The kind of an expression: a named place, a computed place, or a value.
pub fn place(expression: &Expr) -> OperandPlace {
    match expression {
        Expr::Path(_) => OperandPlace::Named,
        Expr::Paren(inner) => place(&inner.expr),
        Expr::Group(inner) => place(&inner.expr),
        Expr::Field(field) => part_of(&field.base),
        Expr::Unary(inner) if matches!(inner.op, UnOp::Deref(_)) => part_of(&inner.expr),
        Expr::Index(_) => OperandPlace::Computed,
        _ => OperandPlace::Value,
    }
}

/// The kind of a field of this expression. A field of a value counts as computed: the value may be a
/// reference, out of which it cannot be moved.
fn part_of(whole: &Expr) -> OperandPlace {
    match place(whole) {
        OperandPlace::Named => OperandPlace::Named,
        OperandPlace::Computed | OperandPlace::Value => OperandPlace::Computed,
    }
}

/// Whether an operand may be duplicated: a variable, a field of one, a reference to these, or a number.
/// All of these have the same value when they are evaluated twice.
pub fn is_simple(expression: &Expr) -> bool {
    match expression {
        Expr::Reference(reference) if reference.mutability.is_none() => {
            place(&reference.expr) == OperandPlace::Named
        }
        Expr::Lit(_) => true,
        _ => place(expression) == OperandPlace::Named,
    }
}

/// Whether an operand leaves no temporaries that it borrows from: its parts are simple, or are computed and
/// moved. This is a syntactic check: `false` may be wrong.
pub fn leaves_no_temporaries(expression: &Expr) -> bool {
    match expression {
        Expr::Paren(inner) => leaves_no_temporaries(&inner.expr),
        Expr::Group(inner) => leaves_no_temporaries(&inner.expr),
        Expr::Unary(inner) if !matches!(inner.op, UnOp::Deref(_)) => {
            leaves_no_temporaries(&inner.expr)
        }
        Expr::Binary(binary) => {
            leaves_no_temporaries(&binary.left) && leaves_no_temporaries(&binary.right)
        }
        Expr::Call(call) => is_simple(&call.func) && call.args.iter().all(leaves_no_temporaries),
        Expr::MethodCall(call) => {
            is_simple(&call.receiver) && call.args.iter().all(leaves_no_temporaries)
        }
        _ => is_simple(expression),
    }
}

/// The number of arguments of a method that are operands; `None` for other methods.
pub fn operands_of_method(name: &str, mode: Mode) -> Option<usize> {
    match name {
        "equal" | "not_equal" | "less" | "less_equal" | "greater" | "greater_equal" => Some(1),
        "minimum" | "maximum" | "floor_divide" | "remainder" | "pow" | "atan2" => Some(1),
        "clamp" => Some(2),
        "zip_assign" => mode.in_place_rule().map(|_| 1),
        _ => None,
    }
}

/// The number of arguments of a function that are operands; `None` for other functions.
pub fn operands_of_function(name: &str) -> Option<usize> {
    match name {
        "zip_with" => Some(2),
        "zip_with3" | "select" => Some(3),
        "zip_with4" => Some(4),
        _ => None,
    }
}

/// The forms of arguments of the macros of the standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// `vec![a, b]`: expressions; `x = a` is a named format argument.
    List,
    /// `assert!(a)`: expressions, the first of which is also shown as written.
    Shown,
}

/// The form of arguments of macros that evaluate them like functions; `None` for other macros.
pub fn arguments_of_macro(name: &str) -> Option<Arguments> {
    match name {
        "assert" | "debug_assert" => Some(Arguments::Shown),
        "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" | "eprint"
        | "eprintln" | "format" | "panic" | "print" | "println" | "vec" | "write" | "writeln" => {
            Some(Arguments::List)
        }
        _ => None,
    }
}
