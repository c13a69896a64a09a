use std::collections::BTreeSet;
use std::fs;

use tensor_explain::Explanation;

use super::links::{Chapters, address, name_of};
use super::{repository, sources};

fn chapters() -> Chapters {
    Chapters::of_summary(&fs::read_to_string(repository().join("book/SUMMARY.md")).unwrap())
}

/// Translates text of a chapter of `tensor-nn`, in which each picture is of these shapes.
fn translated(text: &str) -> String {
    let address = |_: &str| Ok(Some("(4,3)+(3,)".to_owned()));
    chapters().translate("tensor-nn/guide/layers.md", text, address).unwrap()
}

#[test]
fn every_chapter_is_in_the_book_once() {
    let chapters = chapters();
    let names: BTreeSet<String> = chapters.paths().map(name_of).collect();
    assert_eq!(names.len(), chapters.paths().count());
    for package in ["tensor-core", "tensor-nn", "tensor-xla"] {
        for entry in fs::read_dir(repository().join(package).join("guide")).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let path = format!("{package}/guide/{file}");
            let is_there =
                !file.ends_with(".md") || chapters.paths().any(|chapter| chapter == path);
            assert!(is_there, "book/SUMMARY.md lacks {path}");
        }
    }
}

#[test]
fn links_lead_to_chapters_and_items() {
    let links = [
        ("crate::guide::errors", "tensor-nn-errors.md"),
        ("tensor_core::guide::strict", "strict.md"),
        ("https://docs.rs/rayon", "https://docs.rs/rayon"),
        ("#t101-two-sizes-differ", "#t101-two-sizes-differ"),
        ("crate::layers", "https://docs.rs/tensor-nn/latest/tensor_nn/layers/index.html"),
        (
            "crate::data::from_fn()",
            "https://docs.rs/tensor-nn/latest/tensor_nn/data/fn.from_fn.html",
        ),
        (
            "tensor_core::einsum!",
            "https://docs.rs/tensor-core/latest/tensor_core/macro.einsum.html",
        ),
        (
            "trait@tensor_core::Float",
            "https://docs.rs/tensor-core/latest/tensor_core/trait.Float.html",
        ),
        (
            "tensor_core::Tensor::sum_to",
            "https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html#method.sum_to",
        ),
    ];
    for (target, link) in links {
        assert_eq!(
            translated(&format!("see [it]({target}), [x]")),
            format!("see [it]({link}), [x]\n")
        );
    }
}

#[test]
fn programs_are_marked_as_rust_and_not_changed() {
    let text = "```\n# let x = [1](crate::x);\n```\n```text\na\n```\n";
    assert_eq!(translated(text), text.replacen("```", "```rust", 1));
}

#[test]
fn pictures_of_shapes_link_to_the_page() {
    let link = "[Change these shapes](<page/index.html#(4,3)+(3,)>)";
    assert_eq!(translated("![a][picture of b]"), format!("![a][picture of b]\n\n{link}\n"));
    let folder = repository().join("tensor-core/guide/pictures");
    let mut shapes = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let picture = fs::read_to_string(entry.unwrap().path()).unwrap();
        if let Some(address) = address(&picture) {
            shapes += 1;
            // The page draws the same picture.
            let explanation: Explanation = address.parse().unwrap();
            assert_eq!(explanation.to_svg().unwrap(), picture);
        }
    }
    assert_eq!(shapes, 5);
}

#[test]
fn no_link_of_rustdoc_is_left() {
    let files = sources().unwrap();
    assert!(files.iter().any(|(name, _)| name == "page/index.html"));
    for (name, content) in files.iter().filter(|(name, _)| name.ends_with(".md")) {
        let text = str::from_utf8(content).unwrap();
        for prose in text.split("```").step_by(2) {
            let is_link = |part: &str| {
                ["](crate", "@crate", "[`tensor_", "[`crate"].iter().any(|link| part.contains(link))
            };
            assert!(!prose.lines().any(is_link), "{name}: {prose}");
        }
    }
}
