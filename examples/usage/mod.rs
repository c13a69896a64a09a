//! The usage of a program, which `--help` prints: the commands in the program's own documentation.

/// The usage, if an argument asks for it: the first block of text in the documentation of the source.
pub fn requested(source: &str) -> Option<String> {
    std::env::args_os().skip(1).find(|argument| argument == "--help" || argument == "-h")?;
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let block = lines.skip_while(|line| line.trim() != "```text").skip(1);
    let block = block.take_while(|line| line.trim() != "```");
    Some(block.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect())
}
