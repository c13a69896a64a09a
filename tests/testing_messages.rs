//! The guide's chapter on testing messages shows the files of the template, `examples/message_tests`,
//! as they are.

use std::fs;
use std::path::Path;

const CHAPTER: &str = "tensor-core/guide/testing_messages.md";

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

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
    if std::env::var_os("BLESS").is_some_and(|value| value != "0") {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(CHAPTER), renewed).unwrap();
        return;
    }
    assert!(chapter == renewed, "{CHAPTER} is not what it is made of: run `.ci/bless testing`");
}
