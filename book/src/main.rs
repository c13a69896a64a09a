//! Writes the sources of the book: the chapters of the guides, whose links to items become links to docs.rs, and the page
//! of `site/`, to which pictures of shapes link.
//!
//! ```text
//! cargo run -p book                         writes target/book/src, which `mdbook build book` reads
//! cargo run -p book -- check target/doc     checks the links of target/book/html, and those to items in a folder of rustdoc
//! ```

mod check;
mod links;

use std::error::Error;
use std::fs;
use std::path::Path;

use links::Chapters;

fn main() -> Result<(), Box<dyn Error>> {
    let book = repository().join("target/book");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, docs] = &arguments[..]
        && command == "check"
    {
        let links = check::check(&book.join("html"), Path::new(docs))?;
        println!("book: {links} links lead somewhere");
        return Ok(());
    }
    if !arguments.is_empty() {
        return Err("expected no argument, or `check` and the folder of `cargo doc`".into());
    }
    let folder = book.join("src");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for (name, content) in sources()? {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(path, content)?;
    }
    Ok(())
}

/// The root folder of the workspace.
fn repository() -> &'static Path {
    let book = Path::new(env!("CARGO_MANIFEST_DIR"));
    book.parent().unwrap_or(book)
}

/// The files of the book, each with its path in the folder of the sources.
fn sources() -> Result<Vec<(String, Vec<u8>)>, Box<dyn Error>> {
    let summary = read(&repository().join("book/SUMMARY.md"))?;
    let chapters = Chapters::of_summary(&summary);
    let mut files = vec![("SUMMARY.md".to_owned(), chapters.summary(&summary).into_bytes())];
    for path in chapters.paths() {
        let text = read(&repository().join(path))?;
        let folder = repository().join(path).with_file_name("pictures");
        let picture = |name: &str| read(&folder.join(name));
        for name in links::pictures(&text) {
            files.push((format!("pictures/{name}"), picture(name)?.into_bytes()));
        }
        let address = |name: &str| Ok(links::address(&picture(&format!("{name}.svg"))?));
        files.push((links::name_of(path), chapters.translate(path, &text, address)?.into_bytes()));
    }
    for entry in fs::read_dir(repository().join("site/page"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        files.push((format!("page/{name}"), fs::read(&path)?));
    }
    Ok(files)
}

fn read(path: &Path) -> Result<String, Box<dyn Error>> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

#[cfg(test)]
mod tests;
