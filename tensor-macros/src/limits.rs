//! Limits of nesting: the compiler and this crate read nested code by recursion, on one stack.
//!
//! Depth is counted on tokens, before anything is parsed, in steps: an operator or a call on the result of
//! the one before is a step; a bracket in a bracket, a prefix operator before another, and generic
//! arguments in generic arguments are [`NESTED`] steps each.

use core::mem::replace;

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree, token_stream};
use syn::{Error, Result};

use crate::check::strict::arguments_of_macro;

/// The maximum number of steps. rustc overflows its stack at about three times this number.
pub const MOST: usize = 1024;

/// The number of steps of a nested bracket, prefix operator or list of generic arguments.
pub const NESTED: usize = 8;

/// The suggestion for expressions.
pub const BIND: &str = "bind a part of it to a variable with `let`";

/// The suggestion for sizes and shapes.
pub const DECLARE: &str = "declare a part of it as a constant or a type";

/// Checks the depth of the input of a macro.
///
/// # Errors
///
/// At the token that is too deep, with the way out `instead`.
pub fn check(tokens: &TokenStream, instead: &str) -> Result<()> {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::of(tokens.clone(), Span::call_site());
    loop {
        match level.next() {
            Some(Some(group)) => {
                let at = group.span_open();
                outer.push(replace(&mut level, Level::of(group.stream(), at)));
                if outer.len() > MOST / NESTED {
                    return Err(too_deep(at, instead));
                }
            }
            Some(None) => {}
            None => {
                level.end();
                let Some(around) = outer.pop() else { return Ok(()) };
                let inner = replace(&mut level, around).deepest + NESTED;
                level.inside = level.inside.max(inner);
            }
        }
        if level.steps() > MOST {
            return Err(too_deep(level.at, instead));
        }
    }
}

fn too_deep(at: Span, instead: &str) -> Error {
    let brackets = MOST / NESTED;
    let message = format!(
        "too deep to be read: at most {brackets} nested brackets, or {MOST} operations in a row; \
         {instead}"
    );
    Error::new(at, message)
}

/// The kind of the last token.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// Nothing or an operator: an operator after it is a prefix.
    Operator,
    /// The first character of an infix operator, which may have more characters.
    Infix(char),
    Operand,
    /// `name!`, and whether its arguments are checked, too.
    Macro(bool),
    /// `{ … }`, which may end a statement.
    Braces,
}

/// The contents of a pair of brackets, up to the current token.
struct Level {
    rest: token_stream::IntoIter,
    /// The span of the last token, or of the opening bracket.
    at: Span,
    last: Last,
    /// The last token if it is a name; if `!` follows, it is the name of a macro.
    name: Option<String>,
    /// For the current expression: the number of operations, of consecutive prefix operators, of open `<`,
    /// the maxima of the last two so far, and the depth of the deepest bracket.
    operations: usize,
    prefixes: usize,
    generics: usize,
    most_prefixes: usize,
    most_generics: usize,
    inside: usize,
    /// The depth of the deepest earlier expression.
    deepest: usize,
}

impl Level {
    fn of(tokens: TokenStream, at: Span) -> Self {
        Self {
            rest: tokens.into_iter(),
            at,
            last: Last::Operator,
            name: None,
            operations: 0,
            prefixes: 0,
            generics: 0,
            most_prefixes: 0,
            most_generics: 0,
            inside: 0,
            deepest: 0,
        }
    }

    /// The depth of the current expression so far.
    fn steps(&self) -> usize {
        self.operations + NESTED * (self.most_prefixes + self.most_generics) + self.inside
    }

    /// Ends the current expression.
    fn end(&mut self) {
        self.deepest = self.deepest.max(self.steps());
        (self.operations, self.prefixes, self.generics, self.inside) = (0, 0, 0, 0);
        (self.most_prefixes, self.most_generics) = (0, 0);
        self.last = Last::Operator;
    }

    /// Advances by one token, and returns it if it is a bracket whose contents are checked.
    fn next(&mut self) -> Option<Option<Group>> {
        let token = self.rest.next()?;
        self.at = match &token {
            TokenTree::Group(group) => group.span_open(),
            token => token.span(),
        };
        let name = self.name.take();
        Some(match token {
            TokenTree::Group(group) => self.group(group),
            TokenTree::Ident(name) => {
                self.word(name.to_string());
                None
            }
            TokenTree::Punct(punct) => {
                self.punct(&punct, name);
                None
            }
            TokenTree::Literal(_) => {
                (self.last, self.prefixes) = (Last::Operand, 0);
                None
            }
        })
    }

    fn group(&mut self, group: Group) -> Option<Group> {
        let is_read = self.last != Last::Macro(false);
        if self.last == Last::Operand {
            self.operations += 1;
        }
        let is_brace = group.delimiter() == Delimiter::Brace;
        self.last = if is_brace { Last::Braces } else { Last::Operand };
        self.prefixes = 0;
        is_read.then_some(group)
    }

    fn word(&mut self, name: String) {
        match &*name {
            "else" => self.last = Last::Operator,
            "as" => {
                self.operations += 1;
                self.last = Last::Operator;
            }
            "return" | "break" | "yield" | "move" | "mut" => self.prefix(),
            _ => {
                if self.last == Last::Braces {
                    self.end();
                }
                (self.last, self.prefixes) = (Last::Operand, 0);
                self.name = Some(name);
            }
        }
    }

    fn prefix(&mut self) {
        self.prefixes += 1;
        self.most_prefixes = self.most_prefixes.max(self.prefixes);
        self.last = Last::Operator;
    }

    fn generic(&mut self) {
        self.generics += 1;
        self.most_generics = self.most_generics.max(self.generics);
    }

    fn punct(&mut self, punct: &Punct, name: Option<String>) {
        let (character, last) = (punct.as_char(), self.last);
        let goes_on = punct.spacing() == Spacing::Joint;
        self.last = if goes_on { Last::Infix(character) } else { Last::Operator };
        match (last, character) {
            (_, ',' | ';') => self.end(),
            // `=>` begins an arm of a `match`.
            (Last::Infix('='), '>') => self.end(),
            // `<=` or `<<`, not generic arguments.
            (Last::Infix('<'), '=' | '<') => self.generics = self.generics.saturating_sub(1),
            (Last::Infix(_), '=') | (Last::Infix('-'), '>') => {}
            (Last::Infix('&'), '&') | (Last::Infix('|'), '|') => self.generics = 0,
            // An attribute or a label begins an item or a statement.
            (Last::Braces, '#' | '\'') => self.end(),
            (_, '.' | ':' | '\'' | '#' | '@') => self.last = Last::Operator,
            (_, '?') => {
                self.operations += 1;
                self.last = Last::Operand;
            }
            (_, '!') if name.is_some() && !goes_on => {
                let is_read = name.is_some_and(|name| arguments_of_macro(&name).is_some());
                self.last = Last::Macro(is_read);
            }
            (_, '>') => {
                self.operations += 1;
                self.generics = self.generics.saturating_sub(1);
                self.last = Last::Operand;
            }
            (Last::Operand | Last::Braces, '<') => {
                self.operations += 1;
                self.generic();
            }
            (Last::Operand | Last::Braces, '=') if !goes_on => self.operations += NESTED / 2,
            (Last::Operand | Last::Braces, _) => self.operations += 1,
            // A path such as `<A as B>::C`.
            (_, '<') => {
                self.generic();
                self.last = Last::Operator;
            }
            // A closure, which contains the rest.
            (_, '|') => {
                self.operations += NESTED / 2;
                self.last = Last::Operator;
            }
            _ => self.prefix(),
        }
    }
}
