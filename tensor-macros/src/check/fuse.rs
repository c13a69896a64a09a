//! `fuse!`: which parts of an expression are element-wise operations, and what they operate on.

use syn::spanned::Spanned;
use syn::{
    AngleBracketedGenericArguments, BinOp, Error, Expr, ExprCall, ExprMethodCall, Ident, Lit,
    Result, UnOp, token,
};

use super::strict::{Mode, Place, place};
use crate::parse::strict::{Argument, Expression};

/// One pass over some operands.
pub struct Pass {
    /// Whether the operations are in strict code.
    pub mode: Option<Mode>,
    /// What is computed before, each once, without the `&` in front of it.
    pub operands: Vec<Expr>,
    /// The numbers that the program spells out.
    pub numbers: Vec<Expr>,
    /// What is computed from them for each element.
    pub operation: Part,
}

/// An element-wise operation, or what it operates on.
pub enum Part {
    Operand(usize, proc_macro2::Span),
    Number(usize, proc_macro2::Span),
    Parentheses(token::Paren, Box<Part>),
    Reference(token::And, Box<Part>),
    Prefix(UnOp, Box<Part>),
    Infix(Box<Part>, BinOp, Box<Part>),
    Method(Box<Part>, Method, Vec<Part>),
    /// `select(mask, then, otherwise)`, and how the function was named.
    Select(Expr, token::Paren, Vec<Part>),
}

/// The name of a method, and the type that it casts to.
pub struct Method {
    pub dot: token::Dot,
    pub name: Ident,
    pub types: Option<AngleBracketedGenericArguments>,
    pub paren: token::Paren,
}

/// The element-wise methods of tensors, by the number of their arguments.
pub const METHODS: [&[&str]; 3] = [
    &[
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "cast",
        "ceil",
        "cos",
        "cosh",
        "erf",
        "exp",
        "exp_m1",
        "floor",
        "gelu",
        "gelu_tanh",
        "is_finite",
        "is_nan",
        "ln",
        "ln_1p",
        "neg",
        "reciprocal",
        "relu",
        "round",
        "rsqrt",
        "sigmoid",
        "sign",
        "silu",
        "sin",
        "sinh",
        "softplus",
        "sqrt",
        "square",
        "tan",
        "tanh",
        "trunc",
    ],
    &[
        "atan2",
        "equal",
        "floor_divide",
        "greater",
        "greater_equal",
        "less",
        "less_equal",
        "maximum",
        "minimum",
        "not_equal",
        "pow",
        "powi",
        "remainder",
    ],
    &["clamp"],
];

/// The pass that was written, or `Err(Ok(expression))` for a call that has too many or too few
/// arguments, about which the compiler says enough.
///
/// # Errors
///
/// Where there is no operation, and at a word that is no mode.
pub fn pass(written: Expression) -> Result<core::result::Result<Pass, Expr>> {
    let mode = match &written.mode {
        Argument::Nothing => None,
        Argument::Word(word) if word == "strict" => Some(Mode::OneSide),
        Argument::Word(word) if word == "same" => Some(Mode::Same),
        Argument::Word(word) => {
            return Err(Error::new(
                word.span(),
                "expected an expression alone: write `fuse!(x * w + b)`",
            ));
        }
    };
    let mut leaves = Leaves::default();
    let operation = leaves.part(&written.expression);
    match innermost(&operation) {
        Part::Operand(..) | Part::Number(..) => nothing(written.expression).map(Err),
        _ if leaves.operands.is_empty() => Err(nothing_at(&written.expression)),
        _ => {
            let Leaves { operands, numbers, .. } = leaves;
            Ok(Ok(Pass { mode, operands, numbers, operation }))
        }
    }
}

/// A part without parentheses and references around it.
fn innermost(part: &Part) -> &Part {
    match part {
        Part::Parentheses(_, inner) | Part::Reference(_, inner) => innermost(inner),
        _ => part,
    }
}

/// What is to be said where there is no operation.
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

/// An expression without parentheses around it.
fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) if inner.attrs.is_empty() => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        _ => expression,
    }
}

/// What the operations operate on, as far as it was met.
#[derive(Default)]
struct Leaves {
    operands: Vec<Expr>,
    /// What tells whether operands are the same variable; `None` for those that are computed.
    names: Vec<Option<String>>,
    numbers: Vec<Expr>,
}

impl Leaves {
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

    /// An operation, and what is around one; `None` for everything else.
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
                    // An operand is a reference.
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

    /// What is computed before, or was already met.
    fn operand(&mut self, expression: &Expr) -> Part {
        let name = (place(expression) == Place::Named).then(|| name(expression));
        let met = self.names.iter().position(|met| met.is_some() && *met == name);
        let index = met.unwrap_or_else(|| {
            self.operands.push(expression.clone());
            self.names.push(name);
            self.operands.len() - 1
        });
        Part::Operand(index, expression.span())
    }
}

/// Whether this is a number or a truth value as it is spelled in the program: `2.0`, `-1`, `true`.
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

/// Whether this is an operator of tensors.
fn is_infix(op: &BinOp) -> bool {
    use BinOp::*;
    matches!(op, Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_))
        || matches!(op, BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_))
}

/// The tokens of a variable or a field, each with where its name is looked up: a macro may have a
/// variable of the same name as its caller.
fn name(expression: &Expr) -> String {
    fn spell(tokens: proc_macro2::TokenStream, name: &mut String) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Group(group) => spell(group.stream(), name),
                token => {
                    // `#0 bytes(1..2)`: the scope, and where it stands.
                    let span = format!("{:?}", token.span());
                    let scope = span.split("bytes(").next().unwrap_or_default();
                    name.push_str(&format!("{token} {scope} "));
                }
            }
        }
    }
    let mut spelled = String::new();
    spell(quote::ToTokens::to_token_stream(expression), &mut spelled);
    spelled
}
