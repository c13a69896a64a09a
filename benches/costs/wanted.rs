//! The arguments of the command.

/// How often each program is compiled, and how often with `--quick`.
const RUNS: [usize; 2] = [3, 1];

/// Which rows are measured, and how often.
pub struct Wanted {
    parts: Vec<String>,
    pub runs: usize,
}

impl Wanted {
    /// Reads the arguments.
    pub fn read(arguments: impl Iterator<Item = String>) -> Self {
        let (options, parts): (Vec<_>, Vec<_>) =
            arguments.partition(|argument| argument.starts_with('-'));
        let is_quick = options.iter().any(|option| option == "--quick");
        Wanted { parts, runs: RUNS[usize::from(is_quick)] }
    }

    /// Whether a row is measured: all without arguments, else those with one of them in their name.
    pub fn has(&self, name: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|part| name.contains(part.as_str()))
    }
}
