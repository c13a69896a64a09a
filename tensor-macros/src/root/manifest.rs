//! A reader of manifests: the values of a `Cargo.toml` with the paths of their keys.
//!
//! A parser for all of TOML takes longer to compile than this crate does. This reader follows the grammar of
//! TOML 1.0 for keys, strings, tables and arrays, and treats everything else as a bare word. It does not
//! decode escapes: no package name needs one.

/// A value that is a string or a bare word, such as `true`, and the keys that lead to it: `tensor-core.workspace
/// = true` in the table `[dependencies]` is `["dependencies", "tensor-core", "workspace"]` and `true`.
#[derive(Debug, PartialEq)]
pub struct Entry {
    pub keys: Vec<String>,
    pub value: String,
}

/// The entries of a manifest in order, up to the first syntax error. Elements of arrays are left out.
pub fn entries(manifest: &str) -> Vec<Entry> {
    let mut reader = Reader { rest: manifest, entries: Vec::new() };
    let mut table = Vec::new();
    loop {
        reader.skip_blank();
        let read = if reader.rest.is_empty() {
            None
        } else if reader.take("[[") {
            reader.header("]]", &mut table)
        } else if reader.take("[") {
            reader.header("]", &mut table)
        } else {
            reader.key_value(&table)
        };
        if read.is_none() {
            return reader.entries;
        }
    }
}

/// The text that is not yet read, and the entries so far. A method returns `None` at a syntax error.
struct Reader<'a> {
    rest: &'a str,
    entries: Vec<Entry>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// Skips spaces, newlines and comments.
    fn skip_blank(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return;
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    /// Reads the rest of a table header, after its bracket.
    fn header(&mut self, end: &str, table: &mut Vec<String>) -> Option<()> {
        *table = self.key(&[])?;
        self.take(end).then_some(())
    }

    /// Reads `key = value`, in the table at these keys.
    fn key_value(&mut self, table: &[String]) -> Option<()> {
        let keys = self.key(table)?;
        if !self.take("=") {
            return None;
        }
        self.skip_spaces();
        self.value(keys)
    }

    /// Reads a dotted key, and appends it to the keys of its table.
    fn key(&mut self, table: &[String]) -> Option<Vec<String>> {
        let mut keys = table.to_vec();
        loop {
            self.skip_spaces();
            let is_of_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let bare = self.rest.len() - self.rest.trim_start_matches(is_of_bare).len();
            let key = if bare > 0 { self.split(bare) } else { self.string()? };
            keys.push(key.to_owned());
            self.skip_spaces();
            if !self.take(".") {
                return Some(keys);
            }
        }
    }

    /// Takes the next `len` bytes.
    fn split(&mut self, len: usize) -> &'a str {
        let (next, rest) = self.rest.split_at(len);
        self.rest = rest;
        next
    }

    /// Reads the contents of a string; only double-quoted ones have escapes.
    fn string(&mut self) -> Option<&'a str> {
        let quotes = ["\"\"\"", "'''", "\"", "'"];
        let quote = quotes.into_iter().find(|quote| self.rest.starts_with(quote))?;
        self.rest = &self.rest[quote.len()..];
        let mut end = 0;
        while !self.rest[end..].starts_with(quote) {
            let mut next = self.rest[end..].chars();
            let is_escape = next.next()? == '\\' && quote.starts_with('"');
            end = self.rest.len() - next.as_str().len();
            end += if is_escape { next.next()?.len_utf8() } else { 0 };
        }
        let contents = self.split(end);
        self.rest = &self.rest[quote.len()..];
        // One or two quotes before the three closing ones belong to the string.
        while quote.len() == 3 && self.take(&quote[..1]) {}
        Some(contents)
    }

    /// Reads a value, whose entries get these keys.
    fn value(&mut self, keys: Vec<String>) -> Option<()> {
        let value = match self.rest.chars().next()? {
            '[' => return self.array(),
            '{' => return self.inline_table(&keys),
            '"' | '\'' => self.string()?,
            _ => match self.rest.find([',', ']', '}', '#', '\n']).unwrap_or(self.rest.len()) {
                0 => return None,
                // A date may have a space before its time.
                end => self.split(end).trim_end(),
            },
        };
        self.entries.push(Entry { keys, value: value.to_owned() });
        Some(())
    }

    /// Reads an array, and discards its elements.
    fn array(&mut self) -> Option<()> {
        self.take("[");
        let kept = self.entries.len();
        loop {
            self.skip_blank();
            if self.take("]") {
                self.entries.truncate(kept);
                return Some(());
            }
            self.value(Vec::new())?;
            self.skip_blank();
            if !self.take(",") && !self.rest.starts_with(']') {
                return None;
            }
        }
    }

    /// Reads an inline table; newlines and a trailing comma are allowed, as in TOML 1.1.
    fn inline_table(&mut self, keys: &[String]) -> Option<()> {
        self.take("{");
        loop {
            self.skip_blank();
            if self.take("}") {
                return Some(());
            }
            self.key_value(keys)?;
            self.skip_blank();
            if !self.take(",") && !self.rest.starts_with('}') {
                return None;
            }
        }
    }
}
