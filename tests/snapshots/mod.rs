//! The UI tests as documents show them: the program without its story, and the message as it is
//! where the program is all of `src/main.rs`.

use crate::repository::read;

/// A mistake, and the compiler's message about it.
pub struct Case {
    pub program: String,
    pub message: String,
}

impl Case {
    /// Reads the case at a path such as `tests/ui/broadcast/two_names`.
    pub fn read(place: &str) -> Self {
        let file = read(format!("{place}.rs"));
        let above = file.lines().take_while(|line| line.starts_with("//!") || line.is_empty());
        let above = above.count();
        let program = file.split_inclusive('\n').skip(above).collect();
        let said = read(format!("{place}.stderr")).replace("$WORKSPACE/", "");
        let name = format!("{}.rs", place.trim_start_matches("tests/ui/"));
        Self { program, message: moved_to_main(&said, &name, above) }
    }
}

/// The message about the file with this name as it is without the `above` lines at its top.
fn moved_to_main(message: &str, name: &str, above: usize) -> String {
    let mut diagnostics: Vec<Vec<&str>> = Vec::new();
    for line in message.trim_end().lines() {
        // A margin is as wide as the longest line number of its diagnostic.
        match diagnostics.last_mut() {
            Some(diagnostic) if !line.starts_with("error") => diagnostic.push(line),
            _ => diagnostics.push(vec![line]),
        }
    }
    let moved = diagnostics.iter().flat_map(|lines| moved_diagnostic(lines, name, above));
    moved.map(|line| line + "\n").collect()
}

/// One diagnostic, line by line.
fn moved_diagnostic(lines: &[&str], name: &str, above: usize) -> Vec<String> {
    let place = |line: &str| -> Option<(usize, String)> {
        let arrow = line.trim_start();
        let rest = arrow.strip_prefix("--> ").or(arrow.strip_prefix("::: "))?;
        let (row, column) = rest.strip_prefix(name)?.strip_prefix(':')?.split_once(':')?;
        let row = row.parse::<usize>().ok()? - above;
        Some((row, format!("{} src/main.rs:{row}:{column}", &arrow[..3])))
    };
    let source = |line: &str| -> Option<(usize, String)> {
        let (row, rest) = line.trim_start().split_once(' ')?;
        let row = row.parse::<usize>().ok()?;
        Some((row.checked_sub(above)?, rest.to_owned()))
    };

    let is_arrow = |line: &&&str| line.trim_start().starts_with("--> ");
    let margin = lines.iter().find(is_arrow).map_or(0, |l| l.len() - l.trim_start().len());
    let rows = lines.iter().filter_map(|line| place(line).or_else(|| source(line)));
    let width = rows.map(|(row, _)| row.to_string().len()).max().unwrap_or(margin);
    let narrower = margin.saturating_sub(width);

    // Text after a `help: ` at the left edge is indented by that word, not by the margin.
    let mut is_in_margin = false;
    let moved = |line: &&str| -> String {
        if let Some((_, place)) = place(line) {
            is_in_margin = true;
            return format!("{:width$}{place}", "");
        }
        if let Some((row, rest)) = source(line) {
            is_in_margin = true;
            return format!("{row:>width$} {rest}");
        }
        if let Some(rest) = line.strip_prefix("...") {
            return format!("...{}", rest.get(narrower..).unwrap_or_default());
        }
        if !line.starts_with(' ') {
            is_in_margin = false;
            return (*line).to_owned();
        }
        is_in_margin |= line.trim_start().starts_with(['|', '=', '-', ':']);
        let cut = if is_in_margin { narrower } else { 0 };
        line.get(cut..).unwrap_or_default().to_owned()
    };
    lines.iter().map(moved).collect()
}
