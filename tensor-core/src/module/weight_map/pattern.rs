//! [`Pattern`]: names of tensors with placeholders.

use core::fmt;

/// A pattern of names: `encoder.layer.{i}.attention`, `*.c_attn.weight`.
///
/// It matches a whole name, or the beginning of one that ends before a dot.
#[derive(Clone, PartialEq)]
pub(super) struct Pattern {
    text: String,
    tokens: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Text(String),
    /// `{i}`: one or more characters without a dot.
    Part(String),
    /// `*`: one or more characters. The first one in a pattern has the number 0.
    Any(usize),
}

/// The texts that the placeholders of a pattern match in a name, and the rest of the name.
pub(super) struct Match<'n> {
    captures: Vec<(Token, &'n str)>,
    rest: &'n str,
}

impl Pattern {
    /// # Panics
    ///
    /// If a brace is not closed, or has no name in it.
    #[track_caller]
    pub(super) fn new(text: &str) -> Self {
        let mut tokens = Vec::new();
        let (mut rest, mut stars) = (text, 0);
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('{') {
                let (name, after) = after
                    .split_once('}')
                    .filter(|(name, _)| !name.is_empty() && !name.contains('{'))
                    .unwrap_or_else(|| {
                        panic!("the pattern `{text}` has a `{{` that is no `{{name}}`")
                    });
                tokens.push(Token::Part(name.to_owned()));
                rest = after;
            } else if let Some(after) = rest.strip_prefix('*') {
                tokens.push(Token::Any(stars));
                stars += 1;
                rest = after;
            } else {
                let end = rest.find(['{', '*']).unwrap_or(rest.len());
                tokens.push(Token::Text(rest[..end].to_owned()));
                rest = &rest[end..];
            }
        }
        Self { text: text.to_owned(), tokens }
    }

    /// The pattern that names of this one are changed to, and back.
    ///
    /// # Panics
    ///
    /// If the two have different placeholders.
    #[track_caller]
    pub(super) fn with_the_placeholders_of(self, other: &Self) -> Self {
        for (one, another) in [(&self, other), (other, &self)] {
            let lacks =
                one.placeholders().find(|token| another.placeholders().all(|x| x != *token));
            if let Some(token) = lacks {
                panic!("the pattern `{one}` has {token}, and `{another}` has not");
            }
        }
        self
    }

    fn placeholders(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| !matches!(token, Token::Text(_)))
    }

    /// Matches a name, or the beginning of one that ends before a dot. Each placeholder matches as few
    /// characters as possible.
    pub(super) fn find<'n>(&self, name: &'n str) -> Option<Match<'n>> {
        let mut captures = Vec::new();
        let rest = find(&self.tokens, name, &mut captures)?;
        Some(Match { captures, rest })
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The name of this pattern with the placeholders and the rest of a match.
    pub(super) fn filled(&self, found: &Match<'_>) -> String {
        let mut name = String::new();
        for token in &self.tokens {
            match token {
                Token::Text(text) => name += text,
                token => {
                    let capture = found.captures.iter().find(|(other, _)| other == token);
                    name += capture.expect("the placeholders of both patterns are the same").1;
                }
            }
        }
        name + found.rest
    }
}

/// Matches tokens at the start of a text, and returns what follows. The depth of the recursion is the number of
/// tokens.
fn find<'n>(
    tokens: &[Token],
    text: &'n str,
    captures: &mut Vec<(Token, &'n str)>,
) -> Option<&'n str> {
    let Some((token, later)) = tokens.split_first() else {
        return (text.is_empty() || text.starts_with('.')).then_some(text);
    };
    if let Token::Text(start) = token {
        return find(later, text.strip_prefix(&start[..])?, captures);
    }
    if let Some((_, known)) = captures.iter().find(|(other, _)| other == token) {
        return find(later, text.strip_prefix(known)?, captures);
    }
    for (start, letter) in text.char_indices() {
        if letter == '.' && matches!(token, Token::Part(_)) {
            return None;
        }
        let (capture, rest) = text.split_at(start + letter.len_utf8());
        captures.push((token.clone(), capture));
        if let Some(rest) = find(later, rest, captures) {
            return Some(rest);
        }
        captures.pop();
    }
    None
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Part(name) => write!(f, "`{{{name}}}`"),
            Self::Any(number) => write!(f, "{} `*`", number + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(from: &str, to: &str, name: &str) -> Option<String> {
        let from = Pattern::new(from);
        let to = Pattern::new(to).with_the_placeholders_of(&from);
        from.find(name).map(|found| to.filled(&found))
    }

    #[test]
    fn placeholders_are_filled() {
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(renamed("a.{i}.b", "x.{i}", "a.12.b"), some("x.12"));
        assert_eq!(renamed("a.{i}.b", "x.{i}", "a.12.b.weight"), some("x.12.weight"));
        assert_eq!(renamed("a.{i}.b", "x.{i}", "a.12.bias"), None);
        assert_eq!(renamed("a.{i}.b", "x.{i}", "a.1.2.b"), None);
        assert_eq!(renamed("h_{i}", "h.{i}", "h_3.w"), some("h.3.w"));
        assert_eq!(renamed("{a}.{b}", "{b}.{a}", "x.y.z"), some("y.x.z"));
        assert_eq!(renamed("*.gamma", "*.weight", "a.b.gamma"), some("a.b.weight"));
        assert_eq!(renamed("*.gamma", "*.weight", "gamma"), None);
        assert_eq!(renamed("*.a.*", "*.b.*", "x.a.y.z"), some("x.b.y.z"));
        assert_eq!(renamed("{i}.{i}", "{i}", "3.3"), some("3"));
        assert_eq!(renamed("{i}.{i}", "{i}", "3.4"), None);
        assert_eq!(renamed("é.{i}", "e.{i}", "é.ü.x"), some("e.ü.x"));
        assert_eq!(renamed("pooler", "pool", "pooler.dense"), some("pool.dense"));
        assert_eq!(renamed("pooler", "pool", "poolers"), None);
    }

    #[test]
    #[should_panic(expected = "the pattern `a.{i}` has `{i}`, and `b` has not")]
    fn placeholders_are_on_both_sides() {
        renamed("a.{i}", "b", "");
    }

    #[test]
    #[should_panic(expected = "the pattern `a.{i` has a `{` that is no `{name}`")]
    fn braces_are_closed() {
        Pattern::new("a.{i");
    }
}
