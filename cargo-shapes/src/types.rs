//! A parser for the types in the compiler's messages.

use std::ops::Range;

/// A type, or a generic argument, and its position in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its range of bytes in the text.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: Kind,
}

/// The kinds of types that are relevant for shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `()`, `(A,)`, `(A, B)`
    Tuple(Vec<Type>),
    /// `Name`, `path::to::Name<A, B>`
    Path {
        /// The last name of the path.
        name: String,
        /// Its generic arguments.
        arguments: Vec<Type>,
    },
    /// A path that continues after its arguments: `<A as Trait<B>>::Output`, `Tensor::<A>::ones`.
    Projection(Vec<Type>),
    /// A wrapper around types: references, arrays, associated types of arguments (`Output = A`).
    Around(Vec<Type>),
    /// `_`, `{integer}`, a number, a lifetime.
    Leaf,
}

impl Type {
    /// The types that it contains, from left to right.
    pub fn parts(&self) -> &[Self] {
        match &self.kind {
            Kind::Tuple(parts)
            | Kind::Path { arguments: parts, .. }
            | Kind::Projection(parts)
            | Kind::Around(parts) => parts,
            Kind::Leaf => &[],
        }
    }

    /// The name and the arguments of a path.
    pub fn path(&self) -> Option<(&str, &[Self])> {
        match &self.kind {
            Kind::Path { name, arguments } => Some((name, arguments)),
            _ => None,
        }
    }
}

/// Parses the type that starts at byte `start` of the text.
pub fn parse(text: &str, start: usize) -> Option<Type> {
    Parser { text, at: start, depth: 0 }.ty()
}

/// Whether a character can be part of a name.
pub fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The maximum nesting depth of types; rustc's own recursion limit is 128.
const DEPTH: usize = 256;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn name(&mut self) -> Option<String> {
        let len = self.rest().find(|c| !is_name(c)).unwrap_or(self.rest().len());
        let name = self.rest()[..len].to_owned();
        self.at += len;
        (len > 0).then_some(name)
    }

    fn ty(&mut self) -> Option<Type> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let start = self.at;
        let kind = self.kind();
        self.depth -= 1;
        Some(Type { range: start..self.at, kind: kind? })
    }

    fn kind(&mut self) -> Option<Kind> {
        match self.rest().chars().next()? {
            '(' => {
                self.at += 1;
                Some(Kind::Tuple(self.list(")")?))
            }
            '&' => {
                self.at += 1;
                if self.rest().starts_with('\'') {
                    self.lifetime();
                }
                self.eat("mut ");
                Some(Kind::Around(vec![self.ty()?]))
            }
            '\'' => {
                self.lifetime();
                Some(Kind::Leaf)
            }
            '[' => {
                self.at += 1;
                let element = self.ty()?;
                if self.eat("; ") {
                    self.name()?;
                }
                self.eat("]").then(|| Kind::Around(vec![element]))
            }
            '{' => {
                let end = self.rest().find('}')?;
                self.at += end + 1;
                Some(Kind::Leaf)
            }
            '<' => {
                self.at += 1;
                let mut parts = vec![self.ty()?];
                if self.eat(" as ") {
                    parts.push(self.ty()?);
                }
                self.eat(">").then_some(())?;
                self.rest().starts_with("::").then_some(())?;
                self.tail(&mut parts)?;
                Some(Kind::Projection(parts))
            }
            '-' | '0'..='9' => {
                self.eat("-");
                self.name()?;
                Some(Kind::Leaf)
            }
            c if is_name(c) => self.path(),
            _ => None,
        }
    }

    /// `'a `
    fn lifetime(&mut self) {
        self.at += 1;
        let _ = self.name();
        if self.rest().starts_with(' ') && !self.rest().starts_with(" as ") {
            self.at += 1;
        }
    }

    fn path(&mut self) -> Option<Kind> {
        let mut name = self.name()?;
        if name == "_" {
            return Some(Kind::Leaf);
        }
        // Types with special syntax, and code.
        if ["fn", "dyn", "impl", "for", "unsafe", "extern"].contains(&name.as_str())
            || self.rest().starts_with('!')
        {
            return None;
        }
        loop {
            if self.eat("::<") || self.eat("<") {
                let arguments = self.list(">")?;
                if !self.rest().starts_with("::") {
                    return Some(Kind::Path { name, arguments });
                }
                let mut parts = arguments;
                self.tail(&mut parts)?;
                return Some(Kind::Projection(parts));
            }
            if !self.eat("::") {
                return Some(Kind::Path { name, arguments: Vec::new() });
            }
            name = self.name()?;
        }
    }

    /// Parses the rest of a path after its arguments: `::Output`, `::Output<A>`.
    fn tail(&mut self, parts: &mut Vec<Type>) -> Option<()> {
        while self.eat("::") {
            if self.eat("<") {
                parts.append(&mut self.list(">")?);
            } else {
                self.name()?;
                if self.eat("<") {
                    parts.append(&mut self.list(">")?);
                }
            }
        }
        Some(())
    }

    /// Parses `A, B, Output = C` up to the closing token.
    fn list(&mut self, close: &str) -> Option<Vec<Type>> {
        let mut parts = Vec::new();
        loop {
            self.spaces();
            if self.eat(close) {
                return Some(parts);
            }
            let mut part = self.ty()?;
            if self.eat(" = ") || self.eat("=") {
                let value = self.ty()?;
                part = Type { range: part.range.start..self.at, kind: Kind::Around(vec![value]) };
            }
            parts.push(part);
            self.spaces();
            if !self.eat(",") {
                return self.eat(close).then_some(parts);
            }
        }
    }
}
