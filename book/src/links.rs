//! Chapters as mdBook reads them: links between chapters, to items on docs.rs, and to the page.

use std::error::Error;

/// The chapters of the book, by their paths in the repository, such as `tensor-core/guide/strict.md`.
pub struct Chapters(Vec<String>);

impl Chapters {
    /// The chapters that a summary links, as paths from its folder.
    pub fn of_summary(summary: &str) -> Self {
        let links = summary.split("](../").skip(1).filter_map(|rest| rest.split_once(')'));
        Self(links.map(|(path, _)| path.to_owned()).collect())
    }

    /// The paths, in the order of the book.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The summary with the names that the chapters have in the book.
    pub fn summary(&self, summary: &str) -> String {
        let name = |text: String, path: &str| text.replace(&format!("../{path}"), &name_of(path));
        self.paths().fold(summary.to_owned(), name)
    }

    /// A chapter with the links of the book. Below each picture of shapes is a link to `address` of its name, if there is one.
    ///
    /// # Errors
    ///
    /// If a picture cannot be read.
    pub fn translate(
        &self,
        path: &str,
        text: &str,
        address: impl Fn(&str) -> Result<Option<String>, Box<dyn Error>>,
    ) -> Result<String, Box<dyn Error>> {
        let mut translated = String::new();
        let mut is_code = false;
        for line in text.lines() {
            let fence = line.trim_start().strip_prefix("```");
            // rustdoc takes a block without a language for Rust.
            if fence == Some("") && !is_code {
                translated.push_str("```rust\n");
            } else if is_code || fence.is_some() {
                translated.push_str(&format!("{line}\n"));
            } else {
                translated.push_str(&format!("{}\n", self.with_links(path, line)));
            }
            is_code ^= fence.is_some();
            let picture = line.split_once("][picture of ").filter(|_| line.starts_with("!["));
            if let Some((_, name)) = picture
                && let Some(address) = address(name.trim_end_matches(']'))?
            {
                translated
                    .push_str(&format!("\n[Change these shapes](<page/index.html#{address}>)\n"));
            }
        }
        Ok(translated)
    }

    fn with_links(&self, path: &str, line: &str) -> String {
        let mut parts = line.split("](");
        let mut translated = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            // `crate::select()` ends with parentheses of its own.
            let end = part.replace("()", "__").find(')').unwrap_or(part.len());
            let (target, rest) = part.split_at(end);
            let link = self.link(path, target).unwrap_or_else(|| target.to_owned());
            translated.push_str(&format!("]({link}{rest}"));
        }
        translated
    }

    /// The link for a path of rustdoc; `None` for any other link.
    fn link(&self, path: &str, target: &str) -> Option<String> {
        let (kind, item) = target.split_once('@').unwrap_or(("struct", target));
        let mut names: Vec<&str> = item.split("::").collect();
        let package = match names.remove(0) {
            "crate" => path.split('/').next()?.to_owned(),
            name if name.starts_with("tensor_") => name.replace('_', "-"),
            _ => return None,
        };
        let chapter = format!("{package}/{}.md", names.join("/"));
        if self.paths().any(|path| path == chapter) {
            return Some(name_of(&chapter));
        }
        let is_type = |name: &&str| name.starts_with(char::is_uppercase);
        let last = names.pop()?;
        let page = if let Some(name) = last.strip_suffix('!') {
            format!("macro.{name}.html")
        } else if names.last().is_some_and(&is_type) {
            format!("struct.{}.html#method.{last}", names.pop()?)
        } else if let Some(name) = last.strip_suffix("()") {
            format!("fn.{name}.html")
        } else if is_type(&last) {
            format!("{kind}.{last}.html")
        } else {
            format!("{last}/index.html")
        };
        let folders: String = names.iter().map(|name| format!("{name}/")).collect();
        let root = format!("https://docs.rs/{package}/latest/{}", package.replace('-', "_"));
        Some(format!("{root}/{folders}{page}"))
    }
}

/// The name of a chapter in the book: that of its file, after the name of its package if that is not `tensor-core`.
pub fn name_of(path: &str) -> String {
    path.replace("tensor-core/", "").replace("guide/", "").replace('/', "-")
}

/// The names of the pictures that a chapter shows.
pub fn pictures(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (_, path) = line.strip_prefix("[picture of ")?.split_once("]: ")?;
        path.strip_prefix("pictures/")
    })
}

/// The part of the page's address after `#` for the shapes of a picture, as its title lists them: `a [4, 3] + b [3] = [4, 3]`;
/// `None` for other pictures.
pub fn address(picture: &str) -> Option<String> {
    let (title, _) = picture.split_once("<title>")?.1.split_once("</title>")?;
    let operands = title.split(" = ").next()?.split(" + ");
    let shapes: Option<Vec<String>> = operands.map(shape).collect();
    shapes.filter(|shapes| shapes.len() > 1).map(|shapes| shapes.join("+"))
}

/// `(4,3)` of `a [4, 3]`, and `(3,)` of `b [3]`.
fn shape(operand: &str) -> Option<String> {
    let (_, sizes) = operand.split_once('[')?;
    let sizes = sizes.split_once(']')?.0.replace(' ', "");
    let comma = if sizes.is_empty() || sizes.contains(',') { "" } else { "," };
    Some(format!("({sizes}{comma})"))
}
