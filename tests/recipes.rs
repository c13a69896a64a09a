//! The recipes of CONTRIBUTING.md work: a copy of the crates with the rows that they add is built, and a program
//! uses the new operations. The rows that CONTRIBUTING.md and the documentation of `ops` quote are those of the source.
//!
//! A comment above a block of a recipe states where it belongs:
//!
//! - ``<!-- tests/recipes.rs: FILE, after `LINE` -->``: the block is inserted below that line of the copy; with
//!   ``after `LINE` and `NEXT` ``, below the first line `NEXT` that follows it;
//! - `<!-- tests/recipes.rs: FILE, new -->`: the block is a file of the copy;
//! - `<!-- tests/recipes.rs: FILE -->`: the block is quoted from the file.

mod repository;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use repository::{ROOT, files, read};

const MARK: &str = "<!-- tests/recipes.rs: ";

/// The crates that are copied.
const CRATES: [&str; 8] = [
    "tensor-array",
    "tensor-array-macros",
    "tensor-core",
    "tensor-explain",
    "tensor-files",
    "tensor-kernels",
    "tensor-macros",
    "tensor-sizes",
];

/// A block of a recipe.
struct Block {
    file: String,
    is_new: bool,
    /// The line of the file that the block follows, after one that comes before it, if it is to be inserted.
    after: Vec<String>,
    lines: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut lines = page.lines();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        let Some(mark) = line.trim().strip_prefix(MARK) else { continue };
        let mark = mark.strip_suffix(" -->").expect("the comment ends in its line");
        let (file, after) = match mark.split_once(", after `") {
            Some((file, after)) => (file, after.trim_end_matches('`').split("` and `").collect()),
            None => (mark, Vec::new()),
        };
        let after = after.into_iter().map(str::to_owned).collect();
        let (file, is_new) = match file.strip_suffix(", new") {
            Some(file) => (file, true),
            None => (file, false),
        };
        let fence = lines.next().expect("a block follows");
        assert_eq!(fence.trim(), "```text", "no block below {line}");
        let indent = fence.len() - fence.trim_start().len();
        let end = format!("{}```", " ".repeat(indent));
        let block = lines.by_ref().take_while(|line| *line != end);
        let lines = block.map(|line| line.get(indent..).unwrap_or_default().to_owned()).collect();
        blocks.push(Block { file: file.to_owned(), is_new, after, lines });
    }
    blocks
}

/// The file with the block below its line.
fn inserted(text: &str, block: &Block) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let first = &block.after[0];
    let count = lines.iter().filter(|line| line.trim() == first).count();
    assert_eq!(count, 1, "the number of lines `{first}` of {}", block.file);
    let below = block.after.iter().fold(0, |start, after| {
        let at = lines[start..].iter().position(|line| line.trim() == after);
        start + at.unwrap_or_else(|| panic!("{} has `{after}`", block.file)) + 1
    });
    lines.splice(below..below, block.lines.iter().map(String::as_str));
    lines.join("\n") + "\n"
}

/// Writes a file unless it has these bytes: cargo builds again what is newer than its results.
fn write(path: &Path, bytes: &[u8]) {
    if fs::read(path).is_ok_and(|found| found == bytes) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, bytes).expect("a writable file");
}

/// The manifest of the copy: the workspace without its root package, and the program.
fn manifest() -> String {
    let manifest = read("Cargo.toml");
    let (workspace, _) = manifest.split_once("\n[package]\n").expect("a root package");
    let (_, rest) = workspace.split_once("\nresolver").expect("the lists of members come first");
    // Compiled once and used once: not optimised.
    let rest = rest.replace("\nopt-level = 3\n", "\nopt-level = 0\n");
    let members = [&CRATES[..], &["program"]].concat();
    format!("[workspace]\nmembers = {members:?}\nresolver{rest}")
}

/// It compiles the library anew: `.ci/run recipes` runs it.
#[test]
#[ignore = "it takes a minute"]
fn what_the_recipes_add_works() {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recipes");
    let table = read("tensor-kernels/src/ops.rs");
    let documentation = table.lines().filter_map(|line| line.strip_prefix("//!"));
    let documentation = documentation.map(str::trim_start).collect::<Vec<_>>().join("\n");
    let blocks = blocks(&(read("CONTRIBUTING.md") + &documentation));
    assert!(blocks.len() >= 13, "{} blocks: is this how they are marked?", blocks.len());

    for path in CRATES.iter().flat_map(|name| files(name, &[""])) {
        let name = path.strip_prefix(ROOT).expect("a path of the project");
        let mut bytes = fs::read(&path).expect("a file");
        for block in blocks.iter().filter(|block| Path::new(&block.file) == name) {
            let text = String::from_utf8(bytes).expect("text");
            if !block.after.is_empty() {
                bytes = inserted(&text, block).into();
            } else {
                let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                let quoted = squeezed(&text).contains(&squeezed(&block.lines.join("\n")));
                assert!(quoted, "{} does not have the block that is quoted from it", block.file);
                bytes = text.into();
            }
        }
        // The methods of `fuse!` are generated below: only the test writes them.
        if name.ends_with("check/methods.rs") && copy.join(name).exists() {
            continue;
        }
        write(&copy.join(name), &bytes);
    }
    for block in blocks.iter().filter(|block| block.is_new) {
        write(&copy.join(&block.file), (block.lines.join("\n") + "\n").as_bytes());
    }
    write(&copy.join("Cargo.toml"), manifest().as_bytes());
    write(&copy.join("Cargo.lock"), &fs::read(Path::new(ROOT).join("Cargo.lock")).expect("a file"));
    write(&copy.join("program/Cargo.toml"), include_bytes!("recipes/Cargo.toml"));
    write(&copy.join("program/src/main.rs"), include_bytes!("recipes/program.rs"));

    let bless = ["test", "--package", "tensor-core-macros", "methods"];
    for arguments in [&bless[..], &["run", "--package", "recipes"]] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&copy).args(arguments).arg("--quiet").env("BLESS", "1");
        cargo.env("CARGO_TARGET_DIR", copy.join("target"));
        let output = cargo.output().expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The files that a recipe names, which are those that it edits: generated ones are in its commands alone.
fn edited(page: &str, recipe: &str) -> BTreeSet<String> {
    let (_, section) = page.split_once(&format!("\n### {recipe}\n")).expect("the recipe");
    let (section, _) = section.split_once("\n### ").expect("another recipe");
    let mut is_block = false;
    let prose = section.lines().filter(|line| {
        let is_fence = line.trim().starts_with("```");
        is_block ^= is_fence;
        !is_block && !is_fence && !line.contains(MARK)
    });
    let prose: String = prose.collect();
    let words = prose.split('`').skip(1).step_by(2);
    words
        .filter(|word| {
            // A file, which may be a new one.
            let folder = word.split('/').next().expect("a part");
            word.contains('/') && word.contains('.') && Path::new(ROOT).join(folder).is_dir()
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn recipes_edit_few_files() {
    let page = read("CONTRIBUTING.md");
    let inserted: BTreeSet<String> = blocks(&page).into_iter().map(|block| block.file).collect();
    let recipes = [("A reduction", 8), ("A view", 9), ("An operation that is no row", 7)];
    for (recipe, at_most) in recipes {
        let files = edited(&page, recipe);
        assert!(files.len() <= at_most, "{recipe} edits {} files: {files:?}", files.len());
        // Those of the crates have a block, which another test compiles.
        let of_crates = files.iter().filter(|file| file.contains("/src/"));
        let without: Vec<_> = of_crates.filter(|file| !inserted.contains(*file)).collect();
        assert!(without.is_empty() && files.len() > 4, "{recipe}: {files:?} without {without:?}");
    }
}
