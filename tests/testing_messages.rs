//! The guide's chapter on testing messages shows the files of the template, `examples/message_tests`,
//! as they are.

mod repository;

use repository::{compare, read};

const CHAPTER: &str = "tensor-core/guide/testing_messages.md";

/// The chapter, with the fence after each `<!-- path -->` filled from that file.
fn renewed(chapter: &str) -> String {
    let mut renewed = String::new();
    let mut lines = chapter.split_inclusive('\n');
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        let named =
            line.trim_end().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(path) = named {
            let fence = lines.next().expect("a fence");
            assert!(fence.starts_with("```"), "a fence follows {path}");
            lines.by_ref().find(|line| line.trim_end() == "```").expect("the end of a fence");
            renewed += &format!("{fence}{}```\n", read(path));
        }
    }
    renewed
}

#[test]
fn the_chapter_shows_the_template() {
    let chapter = read(CHAPTER);
    let renewed = renewed(&chapter);
    assert!(chapter.matches("<!-- examples/message_tests/").count() >= 3, "what does it show?");
    compare(CHAPTER, &renewed, "testing");
}
