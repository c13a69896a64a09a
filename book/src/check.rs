//! Checks the links of the book that mdBook has built.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Follows the links of all pages in `folder`, and those to docs.rs in `docs`, the folder of `cargo doc`; returns their number.
///
/// # Errors
///
/// If a page cannot be read, or for all links that lead nowhere.
pub fn check(folder: &Path, docs: &Path) -> Result<usize, Box<dyn Error>> {
    let mut pages = BTreeMap::new();
    let mut links = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder)? {
        let page = entry?.path();
        // The page of an address that does not exist has links from the root of the site.
        if page.extension().is_none_or(|extension| extension != "html")
            || page.ends_with("404.html")
        {
            continue;
        }
        for link in targets(&fs::read_to_string(&page)?) {
            let Some((file, anchor)) = place(&page, &link, docs) else { continue };
            links += 1;
            let text = pages.entry(file.clone()).or_insert_with(|| fs::read_to_string(file).ok());
            let is_there = match text {
                Some(text) => anchor.is_empty() || text.contains(&format!("id=\"{anchor}\"")),
                // A picture, or another file that is no text.
                None => page.with_file_name(&link).is_file(),
            };
            if !is_there {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    if wrong.is_empty() { Ok(links) } else { Err(wrong.join("\n").into()) }
}

/// The targets of links and pictures in a page.
fn targets(page: &str) -> Vec<String> {
    let attributes = ["href=\"", "src=\""].into_iter().flat_map(|name| page.split(name).skip(1));
    let targets = attributes.filter_map(|rest| rest.split_once('"'));
    targets.map(|(target, _)| target.replace("&amp;", "&")).collect()
}

/// The file that a link leads to, and the id in it; `None` for another site.
fn place(page: &Path, link: &str, docs: &Path) -> Option<(PathBuf, String)> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    if let Some(item) = path.strip_prefix("https://docs.rs/tensor-") {
        let (_, item) = item.split_once("/latest/")?;
        return Some((docs.join(item), anchor.to_owned()));
    }
    if path.contains(':') {
        return None;
    }
    let file = if path.is_empty() { page.to_owned() } else { page.with_file_name(path) };
    // The page of `site/` reads shapes after the `#`.
    let anchor = if path.starts_with("page/") { "" } else { anchor };
    Some((file, anchor.to_owned()))
}
