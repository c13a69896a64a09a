//! One operation with its check.

use core::mem::take;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, BinOp, Expr, ExprBinary, ExprCall, ExprMethodCall};

use crate::check::strict::{self, Mode, OperandPlace};
use crate::expand::mixed_site_at;

/// The span and the kind of an operand, from before the operations in it were replaced.
#[derive(Clone, Copy)]
pub struct OperandSpan {
    at: Span,
    leaves_no_temporaries: bool,
}

impl OperandSpan {
    fn new(expression: &Expr) -> Self {
        let leaves_no_temporaries = strict::leaves_no_temporaries(expression);
        Self { at: begin(expression), leaves_no_temporaries }
    }

    /// The operands of an expression; none if it is no operation.
    pub fn operands(expression: &Expr) -> Vec<Self> {
        match expression {
            Expr::Binary(binary) => {
                [&binary.left, &binary.right].map(|side| Self::new(side)).into()
            }
            Expr::MethodCall(call) => {
                [&*call.receiver].into_iter().chain(&call.args).map(Self::new).collect()
            }
            Expr::Call(call) => call.args.iter().map(Self::new).collect(),
            _ => Vec::new(),
        }
    }
}

/// The start of an expression: the span of its leftmost part.
pub fn begin(expression: &Expr) -> Span {
    match expression {
        Expr::Binary(binary) => return begin(&binary.left),
        Expr::MethodCall(call) => return begin(&call.receiver),
        Expr::Call(call) => return begin(&call.func),
        Expr::Field(field) => return begin(&field.base),
        Expr::Index(index) => return begin(&index.expr),
        _ => {}
    }
    match expression.to_token_stream().into_iter().next() {
        Some(TokenTree::Group(group)) => group.span_open(),
        Some(token) => token.span(),
        None => Span::call_site(),
    }
}

/// The replacement of an operation with the operands `written`; `None` for other expressions.
pub fn replacement(expression: &Expr, written: &[OperandSpan], mode: Mode) -> Option<Expr> {
    match expression {
        Expr::Binary(ExprBinary { left, op, right, .. }) => {
            let by_numbers = strict::is_scalar(left) || strict::is_scalar(right);
            let rule = rule_of(op, mode).filter(|_| !by_numbers)?;
            let Expr::Binary(binary) = expression else { return None };
            Some(if is_assignment(op) {
                in_place(binary, written, rule)
            } else {
                operator(binary, written, rule)
            })
        }
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            let count = strict::operands_of_method(&name, mode)?;
            let in_place = mode.in_place_rule().filter(|_| name == "zip_assign");
            let rule = in_place.unwrap_or(mode.rule());
            are_operands(call.args.iter(), count).then(|| method(call, written, count, rule))
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return None };
            let name = &path.path.segments.last()?.ident;
            let count = strict::operands_of_function(&name.to_string())?;
            let at = name.span();
            are_operands(call.args.iter(), count)
                .then(|| function(call, written, count, mode.rule(), at))
        }
        _ => None,
    }
}

/// Whether an expression is an operation that produces a new tensor, and is replaced.
pub fn is_replaced(expression: &Expr, mode: Mode) -> bool {
    match expression {
        Expr::Binary(ExprBinary { left, op, right, .. }) => {
            let by_numbers = strict::is_scalar(left) || strict::is_scalar(right);
            !by_numbers && !is_assignment(op) && rule_of(op, mode).is_some()
        }
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            name != "zip_assign" && strict::operands_of_method(&name, mode).is_some()
        }
        _ => false,
    }
}

/// The rule for the operands of an operator; `None` if it cannot be violated.
fn rule_of(op: &BinOp, mode: Mode) -> Option<&'static str> {
    use BinOp::*;
    match op {
        Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) => Some(mode.rule()),
        BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_) => Some(mode.rule()),
        _ if is_assignment(op) => mode.in_place_rule(),
        _ => None,
    }
}

/// `+=` and so on
#[rustfmt::skip]
fn is_assignment(op: &BinOp) -> bool {
    use BinOp::*;
    matches!(
        op,
        AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_) | RemAssign(_)
            | BitAndAssign(_) | BitOrAssign(_) | BitXorAssign(_) | ShlAssign(_) | ShrAssign(_)
    )
}

/// Whether there are at least `count` arguments, and not all of the first `count` are numbers.
fn are_operands<'a>(mut arguments: impl ExactSizeIterator<Item = &'a Expr>, count: usize) -> bool {
    let enough = arguments.len() >= count;
    let mut operands = arguments.by_ref().take(count);
    enough && !operands.all(strict::is_scalar)
}

/// `left + right`
fn operator(binary: &ExprBinary, written: &[OperandSpan], rule: &str) -> Expr {
    let ExprBinary { attrs, left, op, right } = binary;
    let mut operation = Operation::new(rule, first(op.to_token_stream()));
    // Unless the right side is simple, it may change a variable on the left, which is therefore read first.
    let left_is_read = strict::is_simple(left) && strict::is_simple(right);
    let left = if left_is_read {
        operation.as_written(left)
    } else {
        operation.keep("__left", left, written[0])
    };
    let right = operation.simple_or_kept("__right", right, written[1]);
    operation.checked(attrs, &quote!(#left #op #right))
}

/// `left += right`
fn in_place(binary: &ExprBinary, written: &[OperandSpan], rule: &str) -> Expr {
    let ExprBinary { attrs, left, op, right } = binary;
    let mut operation = Operation::new(rule, first(op.to_token_stream()));
    let right = operation.simple_or_kept("__right", right, written[1]);
    let left = match strict::place(left) {
        OperandPlace::Named => operation.as_written(left),
        OperandPlace::Computed | OperandPlace::Value => {
            let span = mixed_site_at(written[0].at);
            let value = quote_spanned!(span=> &mut #left);
            operation.keep_place("__left", value, written[0], |left| quote_spanned!(span=> *#left))
        }
    };
    operation.operands.reverse();
    operation.checked(attrs, &quote!(#left #op #right;))
}

/// `left.maximum(right)`
fn method(call: &ExprMethodCall, written: &[OperandSpan], count: usize, rule: &str) -> Expr {
    let mut operation = Operation::new(rule, call.method.span());
    let mut call = call.clone();
    let attributes = take(&mut call.attrs);
    let receiver = &*call.receiver;
    let left = match strict::place(receiver) {
        OperandPlace::Named => operation.as_written(receiver),
        OperandPlace::Value => operation.keep("__left", receiver, written[0]),
        OperandPlace::Computed => {
            let span = mixed_site_at(written[0].at);
            let value = quote_spanned!(span=> &#receiver);
            operation.keep_place(
                "__left",
                value,
                written[0],
                |left| quote_spanned!(span=> (*#left)),
            )
        }
    };
    *call.receiver = Expr::Verbatim(left);
    operation.arguments(call.args.iter_mut().take(count), &written[1..]);
    operation.checked(&attributes, &call.to_token_stream())
}

/// `zip_with(left, right, f)`
fn function(call: &ExprCall, written: &[OperandSpan], count: usize, rule: &str, at: Span) -> Expr {
    let mut operation = Operation::new(rule, at);
    let mut call = call.clone();
    let attributes = take(&mut call.attrs);
    operation.arguments(call.args.iter_mut().take(count), written);
    operation.checked(&attributes, &call.to_token_stream())
}

/// The span of the first token.
fn first(tokens: TokenStream) -> Span {
    tokens.into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// An operand bound to a variable.
struct Kept {
    value: TokenStream,
    variable: Ident,
    leaves_no_temporaries: bool,
}

/// An operation being rewritten.
struct Operation<'a> {
    rule: &'a str,
    /// The span of the operator or of the function's name.
    at: Span,
    /// The variables, in evaluation order.
    kept: Vec<Kept>,
    /// The operands as place expressions, which can be borrowed.
    operands: Vec<TokenStream>,
}

impl<'a> Operation<'a> {
    fn new(rule: &'a str, at: Span) -> Self {
        Self { rule, at, kept: Vec::new(), operands: Vec::new() }
    }

    /// An operand that may be duplicated, as written.
    fn as_written(&mut self, operand: &Expr) -> TokenStream {
        let operand = operand.to_token_stream();
        self.operands.push(operand.clone());
        operand
    }

    /// Binds an operand to a variable.
    fn keep(&mut self, name: &str, operand: &Expr, written: OperandSpan) -> TokenStream {
        let value = operand.to_token_stream();
        self.keep_place(name, value, written, ToTokens::to_token_stream)
    }

    /// Binds `value` to a variable and returns the place expression for it.
    fn keep_place(
        &mut self,
        name: &str,
        value: TokenStream,
        written: OperandSpan,
        place: impl FnOnce(&Ident) -> TokenStream,
    ) -> TokenStream {
        let variable = Ident::new(name, written.at);
        let place = place(&variable);
        let leaves_no_temporaries = written.leaves_no_temporaries;
        self.kept.push(Kept { value, variable, leaves_no_temporaries });
        self.operands.push(place.clone());
        place
    }

    /// The operand itself if it may be duplicated; otherwise binds it to a variable.
    fn simple_or_kept(&mut self, name: &str, operand: &Expr, written: OperandSpan) -> TokenStream {
        if strict::is_simple(operand) {
            self.as_written(operand)
        } else {
            self.keep(name, operand, written)
        }
    }

    /// The arguments of a call, bound to variables unless they may be duplicated.
    fn arguments<'b>(
        &mut self,
        arguments: impl Iterator<Item = &'b mut Expr>,
        written: &[OperandSpan],
    ) {
        let names = ["__first", "__second", "__third", "__fourth"];
        for ((argument, written), name) in arguments.zip(written).zip(names) {
            *argument = Expr::Verbatim(self.simple_or_kept(name, argument, *written));
        }
    }

    /// The operation on the variables, with its check in the other branch.
    fn checked(&self, attributes: &[Attribute], operation: &TokenStream) -> Expr {
        let span = mixed_site_at(self.at);
        let question = self.question();
        let inner = quote_spanned!(span=> if true { #operation } else { #question loop {} });
        let values = self.kept.iter().map(|kept| &kept.value);
        let variables = self.kept.iter().map(|kept| &kept.variable);
        let later = self.kept.get(1..).unwrap_or_default();
        let matched = if later.iter().all(|kept| kept.leaves_no_temporaries) {
            // In parentheses, because a value may be `Point { x, y }`.
            self.kept.iter().rev().fold(inner, |inner, Kept { value, variable, .. }| {
                quote_spanned!(span=> match (#value) { #variable => #inner })
            })
        } else {
            quote_spanned!(span=> match (#(#values),*) { (#(#variables),*) => #inner })
        };
        Expr::Verbatim(quote_spanned!(span=> #(#attributes)* (#matched)))
    }

    /// The check of the operands' types.
    fn question(&self) -> TokenStream {
        let Self { rule, at, operands, .. } = self;
        let rule = Ident::new(&format!("{rule}{}", operands.len()), *at);
        // Two operands are checked by their types, three or more by their shapes.
        let operands = operands.iter().map(|operand| match operands.len() {
            2 => quote_spanned!(*at=> &#operand),
            _ => quote_spanned!(*at=> ::tensor_core::__private::side(&#operand).shape()),
        });
        quote_spanned! {*at=>
            ::tensor_core::__private::#rule(#(#operands),*)
                .check().proof(::tensor_core::__private::never());
        }
    }
}
