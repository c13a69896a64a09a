//! `fuse!`: finds the element-wise operations of an expression, and their operands.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    AngleBracketedGenericArguments, BinOp, Error, Expr, ExprCall, ExprMethodCall, Ident, Lit,
    Result, UnOp, token,
};

use super::methods::METHODS;
use super::strict::{Mode, OperandPlace, place};
use crate::parse::strict::{Argument, Expression};

/// A single pass over some operands.
pub struct Pass {
    /// Whether the operations are in strict code.
    pub mode: Option<Mode>,
    /// The expressions that are evaluated first, each once, without the `&` in front of them.
    pub operands: Vec<Expr>,
    /// Groups of operands with the same name, which are one variable if the compiler resolves the names in
    /// one scope: the number of each operand, and the variable.
    pub same: Vec<Vec<(usize, Ident)>>,
    /// The number and `bool` literals.
    pub numbers: Vec<Expr>,
    /// The operation that is computed from these for each element.
    pub operation: Part,
}

/// An element-wise operation, or one of its operands.
pub enum Part {
    Operand(usize, Span),
    Number(usize, Span),
    Parentheses(token::Paren, Box<Part>),
    Reference(token::And, Box<Part>),
    Prefix(UnOp, Box<Part>),
    Infix(Box<Part>, BinOp, Box<Part>),
    Method(Box<Part>, Method, Vec<Part>),
    /// `select(mask, then, otherwise)`, with the path of the function as written.
    Select(Expr, token::Paren, Vec<Part>),
}

/// The name of a method, and the target type of a cast.
pub struct Method {
    pub dot: token::Dot,
    pub name: Ident,
    pub types: Option<AngleBracketedGenericArguments>,
    pub paren: token::Paren,
}

/// The pass of an expression, or `Err(Ok(expression))` for a call with too many or too few
/// arguments, for which the compiler's own message is enough.
///
/// # Errors
///
/// Where there is no operation, and at a word that is no mode.
pub fn pass(written: Expression) -> Result<core::result::Result<Pass, Expr>> {
    let mode = match &written.mode {
        Argument::Nothing => None,
        Argument::Word(word) => Some(Mode::of_fuse(word).ok_or_else(|| {
            Error::new(word.span(), "expected an expression alone: write `fuse!(x * w + b)`")
        })?),
    };
    let mut leaves = Leaves::of(&written.expression);
    let operation = leaves.part(&written.expression);
    match innermost(&operation) {
        Part::Operand(..) | Part::Number(..) => nothing(written.expression).map(Err),
        _ if leaves.operands.is_empty() => Err(nothing_at(&written.expression)),
        _ => {
            let same = leaves.same();
            let Leaves { operands, numbers, .. } = leaves;
            Ok(Ok(Pass { mode, operands, same, numbers, operation }))
        }
    }
}

/// Removes parentheses and references around a part.
fn innermost(part: &Part) -> &Part {
    match part {
        Part::Parentheses(_, inner) | Part::Reference(_, inner) => innermost(inner),
        _ => part,
    }
}

/// The error for an expression without an operation to fuse.
fn nothing(expression: Expr) -> Result<Expr> {
    match bare(&expression) {
        Expr::MethodCall(call)
            if METHODS.iter().any(|names| names.iter().any(|name| call.method == name)) =>
        {
            Ok(expression)
        }
        Expr::MethodCall(call) => Err(Error::new(
            call.method.span(),
            format!(
                "`{name}` is no element-wise method of tensors: fuse the operand in front of it, \
                 `fuse!(…).{name}(…)`",
                name = call.method
            ),
        )),
        other => Err(nothing_at(other)),
    }
}

fn nothing_at(expression: &Expr) -> Error {
    let message = "nothing to fuse: expected operations on tensors, such as `fuse!(x * w + b)`";
    Error::new_spanned(expression, message)
}

/// Removes parentheses around an expression.
fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) if inner.attrs.is_empty() => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        _ => expression,
    }
}

/// The operands that have been found so far.
struct Leaves<'a> {
    /// The whole expression.
    whole: &'a Expr,
    /// The result of `is_written_in_one_place` for it; `None` until it is needed.
    is_one_place: Option<bool>,
    operands: Vec<Expr>,
    /// The tokens of operands that are variables or fields; `None` for operands that are computed.
    names: Vec<Option<String>>,
    numbers: Vec<Expr>,
}

impl<'a> Leaves<'a> {
    fn of(whole: &'a Expr) -> Self {
        let (operands, names, numbers) = (Vec::new(), Vec::new(), Vec::new());
        Leaves { whole, is_one_place: None, operands, names, numbers }
    }

    fn part(&mut self, expression: &Expr) -> Part {
        if is_number(expression) {
            self.numbers.push(expression.clone());
            return Part::Number(self.numbers.len() - 1, expression.span());
        }
        self.operation(expression).unwrap_or_else(|| self.operand(expression))
    }

    fn boxed(&mut self, expression: &Expr) -> Box<Part> {
        Box::new(self.part(expression))
    }

    /// Reads an operation, with parentheses and references around it; `None` for everything else.
    fn operation(&mut self, expression: &Expr) -> Option<Part> {
        match expression {
            Expr::Paren(inner) if inner.attrs.is_empty() => {
                Some(Part::Parentheses(inner.paren_token, self.boxed(&inner.expr)))
            }
            Expr::Group(inner) => match self.part(&inner.expr) {
                leaf @ (Part::Operand(..) | Part::Number(..)) => Some(leaf),
                part => {
                    Some(Part::Parentheses(token::Paren(inner.group_token.span), Box::new(part)))
                }
            },
            Expr::Reference(inner) if inner.mutability.is_none() && inner.attrs.is_empty() => {
                Some(match self.part(&inner.expr) {
                    // Operands are references already.
                    operand @ Part::Operand(..) => operand,
                    part => Part::Reference(inner.and_token, Box::new(part)),
                })
            }
            Expr::Unary(unary) if unary.attrs.is_empty() => match unary.op {
                UnOp::Neg(_) | UnOp::Not(_) => {
                    Some(Part::Prefix(unary.op, self.boxed(&unary.expr)))
                }
                _ => None,
            },
            Expr::Binary(binary) if binary.attrs.is_empty() && is_infix(&binary.op) => {
                let left = self.boxed(&binary.left);
                Some(Part::Infix(left, binary.op, self.boxed(&binary.right)))
            }
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.select(call),
            _ => None,
        }
    }

    fn method(&mut self, call: &ExprMethodCall) -> Option<Part> {
        let ExprMethodCall { attrs, receiver, dot_token, method, turbofish, paren_token, args } =
            call;
        let is_listed = METHODS.get(args.len())?.iter().any(|name| method == name);
        if !is_listed || !attrs.is_empty() || (turbofish.is_some() && method != "cast") {
            return None;
        }
        let receiver = self.boxed(receiver);
        let arguments = args.iter().map(|argument| self.part(argument)).collect();
        let method = Method {
            dot: *dot_token,
            name: method.clone(),
            types: turbofish.clone(),
            paren: *paren_token,
        };
        Some(Part::Method(receiver, method, arguments))
    }

    fn select(&mut self, call: &ExprCall) -> Option<Part> {
        let Expr::Path(path) = &*call.func else { return None };
        let name = &path.path.segments.last()?.ident;
        if name != "select" || call.args.len() != 3 || !call.attrs.is_empty() {
            return None;
        }
        let arguments = call.args.iter().map(|argument| self.part(argument)).collect();
        Some(Part::Select((*call.func).clone(), call.paren_token, arguments))
    }

    /// Adds an operand, or finds an earlier one: equal names are the same variable if they are resolved
    /// in one scope. If that is not known, each is a separate operand.
    fn operand(&mut self, expression: &Expr) -> Part {
        let name = (place(expression) == OperandPlace::Named).then(|| name(expression));
        let met = self.names.iter().position(|met| met.is_some() && *met == name);
        let is_met = met.is_some() && (self.is_one_scope() || has_one_self(expression));
        let index = met.filter(|_| is_met).unwrap_or_else(|| {
            self.operands.push(expression.clone());
            self.names.push(name);
            self.operands.len() - 1
        });
        Part::Operand(index, expression.span())
    }

    fn is_one_scope(&mut self) -> bool {
        let whole = self.whole;
        *self.is_one_place.get_or_insert_with(|| is_written_in_one_place(whole.to_token_stream()))
    }

    /// The groups of operands with equal names.
    fn same(&self) -> Vec<Vec<(usize, Ident)>> {
        let mut groups: Vec<(&str, Vec<(usize, Ident)>)> = Vec::new();
        for (index, (operand, name)) in self.operands.iter().zip(&self.names).enumerate() {
            let (Some(name), Some(variable)) = (name, variable(operand)) else { continue };
            let member = (index, variable.clone());
            match groups.iter_mut().find(|(of, _)| of == name) {
                Some((_, group)) => group.push(member),
                None => groups.push((name, vec![member])),
            }
        }
        groups.into_iter().map(|(_, group)| group).filter(|group| group.len() > 1).collect()
    }
}

/// The variable that an operand is, or is a field of; `None` for a path.
fn variable(operand: &Expr) -> Option<&Ident> {
    match operand {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Paren(inner) => variable(&inner.expr),
        Expr::Group(inner) => variable(&inner.expr),
        Expr::Field(field) => variable(&field.base),
        Expr::Unary(inner) => variable(&inner.expr),
        _ => None,
    }
}

/// Whether an operand is a field of `self`, which is unique in a function.
fn has_one_self(operand: &Expr) -> bool {
    variable(operand).is_some_and(|variable| variable == "self")
}

/// Whether this is a number or `bool` literal: `2.0`, `-1`, `true`.
fn is_number(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => {
            literal.attrs.is_empty()
                && matches!(literal.lit, Lit::Int(_) | Lit::Float(_) | Lit::Bool(_))
        }
        Expr::Unary(unary) => {
            matches!((&unary.op, &*unary.expr), (UnOp::Neg(_), Expr::Lit(_)))
                && unary.attrs.is_empty()
                && is_number(&unary.expr)
        }
        _ => false,
    }
}

/// Whether this is a binary operator of tensors.
fn is_infix(op: &BinOp) -> bool {
    use BinOp::*;
    matches!(op, Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_))
        || matches!(op, BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_))
}

/// The tokens of a variable or a field, without brackets.
fn name(expression: &Expr) -> String {
    let mut name = String::new();
    for_each_token(expression.to_token_stream(), &mut |token| {
        name.push_str(&token.to_string());
        name.push(' ');
    });
    name
}

/// Calls `visit` with every token except brackets.
fn for_each_token(tokens: TokenStream, visit: &mut impl FnMut(TokenTree)) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => for_each_token(group.stream(), visit),
            token => visit(token),
        }
    }
}

/// Whether every name is located between the brackets of this very `fuse!(…)`, in increasing order.
///
/// Then all names share one scope: they were written together, in the program or in the body of a macro.
/// A name that a macro passes on, from its caller or from itself, is located outside of the brackets, or
/// at the location of another name. In that case only the compiler can tell: a macro may have a variable
/// of the same name as its caller.
fn is_written_in_one_place(expression: TokenStream) -> bool {
    // Tests run without a compiler, and have no span of the call.
    let brackets = proc_macro::is_available().then(Span::call_site);
    let (mut is_one_place, mut last) = (true, None);
    for_each_token(expression, &mut |token| {
        let TokenTree::Ident(name) = token else { return };
        let (at, start) = (name.span(), Some(name.span().start()));
        is_one_place &= last < start;
        is_one_place &= brackets.is_none_or(|brackets| {
            let range = Some(brackets.start())..Some(brackets.end());
            range.contains(&start) && brackets.file() == at.file()
        });
        last = start;
    });
    is_one_place
}
