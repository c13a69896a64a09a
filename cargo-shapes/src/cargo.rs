//! `cargo shapes check`: runs cargo and rewrites the compiler's messages.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::configuration::Wrapper;
use crate::corrections;
use crate::diagnostic::text;
use crate::render::Style;
use crate::stream::{Line, Stream, Warnings};
use crate::wrapper::{self, exit_code};

/// The subcommands of cargo that compile programs.
pub const COMMANDS: [&str; 11] =
    ["check", "c", "build", "b", "test", "t", "clippy", "run", "r", "bench", "rustc"];

/// The destination of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// To the terminal, as text.
    Human,
    /// To the standard output, as JSON, together with cargo's other lines.
    Json,
    /// To the terminal as text, with cargo's other lines as JSON: `json-render-diagnostics`.
    Rendered,
}

/// The parsed arguments of a command, with cargo's syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The arguments that are passed to cargo.
    pub arguments: Vec<OsString>,
    /// The destination of messages.
    pub format: Format,
    /// The style in which messages are rendered.
    pub style: Style,
}

/// The known properties of the terminal.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether messages have colours unless `--color` states otherwise.
    pub color: bool,
    /// The number of columns, if the output is a terminal.
    pub width: Option<usize>,
}

impl Terminal {
    /// The terminal of the standard error; `CARGO_TERM_COLOR`, `NO_COLOR` and `TERM` determine the colours.
    pub fn of_process() -> Self {
        let is_terminal = io::stderr().is_terminal();
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let color = match env::var("CARGO_TERM_COLOR").as_deref() {
            Ok("always") => true,
            Ok("never") => false,
            _ => {
                is_terminal
                    && set("NO_COLOR").is_none()
                    && set("TERM").is_none_or(|term| term != "dumb")
            }
        };
        let size = is_terminal.then(|| terminal_size::terminal_size_of(io::stderr())).flatten();
        Self { color, width: size.map(|(width, _)| usize::from(width.0)) }
    }
}

impl Invocation {
    /// Parses `check --color=never -- …`.
    pub fn read(given: &[OsString], terminal: Terminal) -> Self {
        let own = given.iter().position(|argument| argument == "--").unwrap_or(given.len());
        let mut arguments: Vec<OsString> = Vec::new();
        let (mut color, mut formats) = (terminal.color, Vec::new());
        let mut rest = given[..own].iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_string_lossy();
            let mut value = |name: &str| {
                let joined = text.strip_prefix(name)?;
                match joined.strip_prefix('=') {
                    Some(value) => Some((value.to_owned(), vec![argument.clone()])),
                    None if joined.is_empty() => {
                        let next = rest.next()?;
                        Some((
                            next.to_string_lossy().into_owned(),
                            vec![argument.clone(), next.clone()],
                        ))
                    }
                    None => None,
                }
            };
            if let Some((value, _)) = value("--message-format") {
                formats.extend(value.split(',').map(str::to_owned));
            } else if let Some((value, both)) = value("--color") {
                color = value == "always" || (value == "auto" && terminal.color);
                arguments.extend(both);
            } else {
                arguments.push(argument.clone());
            }
        }
        let has = |name: &str| formats.iter().any(|format| format == name);
        let format = match () {
            () if has("json-render-diagnostics") => Format::Rendered,
            () if formats.iter().any(|format| format.starts_with("json")) => Format::Json,
            () => Format::Human,
        };
        let style = Style {
            color: if format == Format::Json {
                has("json-diagnostic-rendered-ansi")
            } else {
                color
            },
            short: has("short") || has("json-diagnostic-short"),
            width: terminal.width.unwrap_or(Style::default().width),
        };
        let mut wanted = "--message-format=json".to_owned();
        for (is_wanted, name) in [(style.color, "rendered-ansi"), (style.short, "short")] {
            if is_wanted {
                wanted.push_str(&format!(",json-diagnostic-{name}"));
            }
        }
        // Inserted at the front, because arguments after the name of a program are passed to that program.
        arguments.insert(arguments.len().min(1), wanted.into());
        arguments.extend_from_slice(&given[own..]);
        Self { arguments, format, style }
    }
}

/// Runs cargo with these arguments; the first one is the subcommand.
pub fn run(given: &[OsString]) -> ExitCode {
    let invocation = Invocation::read(given, Terminal::of_process());
    // What the calls of rustc share, until the end of this run.
    let shared = (!corrections::time().is_zero()).then(tempfile::tempdir).and_then(Result::ok);
    let mut child = match start(&invocation, shared.as_ref().map(TempDir::path)) {
        Ok(child) => child,
        Err(error) => {
            eprintln!("error: cargo shapes cannot run cargo: {error}");
            return ExitCode::FAILURE;
        }
    };
    let stderr = child.stderr.take().map(|stderr| thread::spawn(|| forward_stderr(stderr)));
    let written = forward(&mut child, &invocation);
    let status = child.wait();
    if let Some(stderr) = stderr {
        let _ = stderr.join();
    }
    match (written, status) {
        (_, Ok(status)) => exit_code(status),
        (_, Err(error)) => {
            eprintln!("error: cargo shapes lost cargo: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(invocation: &Invocation, shared: Option<&Path>) -> io::Result<Child> {
    let this = env::current_exe()?;
    let mut arguments = invocation.arguments.clone();
    // Clippy sets the workspace wrapper itself; this program is then the wrapper for all packages.
    let is_clippy = arguments.first().is_some_and(|command| command == "clippy");
    let wrapper = if is_clippy { Wrapper::All } else { Wrapper::Workspace };
    let argued = wrapper.take_from(&mut arguments);
    let in_environment = wrapper.in_environment();
    let is_in_environment = in_environment.is_some();
    let inner = in_environment.or(argued).or_else(|| wrapper.in_files(&env::current_dir().ok()?));
    let [command, arguments @ ..] = &arguments[..] else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg(command);
    match is_in_environment {
        true => cargo.env(wrapper.variable(), &this),
        // As an option, it is not inherited by tests and programs that run cargo themselves.
        false => {
            cargo.arg("--config").arg(format!("build.{}='{}'", wrapper.name(), this.display()))
        }
    };
    if let Some(inner) = inner.filter(|inner| !inner.is_empty()) {
        cargo.env(wrapper::INNER, inner);
    }
    match shared {
        Some(folder) => cargo.env(corrections::RUN, folder),
        None => cargo.env_remove(corrections::RUN),
    };
    // Cargo draws its progress on a terminal only. Elsewhere it writes its lines in several pieces, which are
    // put together here.
    let stderr = if io::stderr().is_terminal() { Stdio::inherit() } else { Stdio::piped() };
    cargo.args(arguments).stdout(Stdio::piped()).stderr(stderr).spawn()
}

/// Locked while cargo has begun a line on the standard error, and while this program writes there.
static LINE: Mutex<()> = Mutex::new(());

/// Writes to the standard error between two lines of cargo. A program that cargo has started may begin a line and
/// never end it, so the wait is short.
fn write_between_lines(text: &str) -> io::Result<()> {
    let mut line = LINE.try_lock();
    for _ in 0..50 {
        if line.is_ok() {
            break;
        }
        thread::sleep(Duration::from_millis(1));
        line = LINE.try_lock();
    }
    io::stderr().write_all(text.as_bytes())
}

/// Copies what cargo writes to the standard error, and keeps other lines of this program out of a line that cargo
/// has begun.
fn forward_stderr(stderr: impl Read) -> io::Result<()> {
    let mut stderr = BufReader::new(stderr);
    let mut whole_line = None;
    loop {
        let bytes = stderr.fill_buf()?;
        let Some(last) = bytes.last() else { return Ok(()) };
        whole_line.get_or_insert_with(|| LINE.lock());
        io::stderr().write_all(bytes)?;
        let (len, is_whole) = (bytes.len(), *last == b'\n');
        if is_whole {
            whole_line = None;
        }
        stderr.consume(len);
    }
}

/// Processes cargo's output until the build is finished; the rest is output of the program that cargo runs.
fn forward(child: &mut Child, invocation: &Invocation) -> io::Result<()> {
    let Some(output) = child.stdout.take() else { return Ok(()) };
    let mut output = BufReader::new(output);
    let links = invocation.style.color && invocation.format != Format::Json && follows_links();
    let mut printer = Printer {
        stream: Stream::new(invocation.style, links),
        warnings: Warnings::default(),
        format: invocation.format,
        color: invocation.style.color,
        is_terminal: io::stderr().is_terminal(),
    };
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        let is_last = printer.print(&line)?;
        line.clear();
        if is_last {
            break;
        }
    }
    printer.finish()?;
    copy(output)
}

/// Copies the output of a program while it is written.
fn copy(mut output: impl BufRead) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    loop {
        let len = {
            let bytes = output.fill_buf()?;
            stdout.write_all(bytes)?;
            stdout.flush()?;
            bytes.len()
        };
        if len == 0 {
            return Ok(());
        }
        output.consume(len);
    }
}

/// Whether the terminal is known to support hyperlinks.
fn follows_links() -> bool {
    let is = |name: &str, values: &[&str]| {
        env::var(name).is_ok_and(|value| values.contains(&value.as_str()))
    };
    env::var("CARGO_TERM_HYPERLINKS").map_or_else(
        |_| {
            is("TERM_PROGRAM", &["iTerm.app", "WezTerm", "vscode", "ghostty"])
                || ["VTE_VERSION", "KITTY_WINDOW_ID", "WT_SESSION"]
                    .iter()
                    .any(|name| env::var_os(name).is_some())
        },
        |wanted| wanted == "true",
    )
}

struct Printer {
    stream: Stream,
    warnings: Warnings,
    format: Format,
    color: bool,
    is_terminal: bool,
}

impl Printer {
    /// Prints a line, and returns whether it is the last line of the build.
    fn print(&mut self, line: &[u8]) -> io::Result<bool> {
        let json = std::str::from_utf8(line).ok().filter(|line| line.starts_with('{'));
        let Some(json) = json else {
            io::stdout().write_all(line)?;
            return Ok(false);
        };
        for (line, becomes) in self.stream.lines(json) {
            self.line(&line, becomes)?;
        }
        Ok(json.starts_with(r#"{"reason":"build-finished""#))
    }

    fn line(&mut self, line: &str, becomes: Line) -> io::Result<()> {
        match (becomes, self.format) {
            (Line::Folded, _) => {}
            (Line::Same, Format::Json) => io::stdout().write_all(line.as_bytes())?,
            (Line::Changed(value), Format::Json) => writeln!(io::stdout(), "{value}")?,
            (Line::Changed(value), _) => self.text(&value)?,
            (Line::Same, format) => {
                let value: Value = serde_json::from_str(line).unwrap_or_default();
                match text(&value, "reason") {
                    "compiler-message" => self.text(&value)?,
                    _ if format == Format::Rendered => io::stdout().write_all(line.as_bytes())?,
                    _ => {}
                }
                if text(&value, "reason") == "compiler-artifact"
                    && let Some(summary) = self.warnings.summary(&value)
                {
                    self.status("warning", "\x1b[1m\x1b[33m", &summary)?;
                }
            }
        }
        Ok(())
    }

    /// Prints the text of a message.
    fn text(&mut self, line: &Value) -> io::Result<()> {
        if self.warnings.is_new(line) {
            self.erase()?;
            write_between_lines(text(&line["message"], "rendered"))?;
        }
        Ok(())
    }

    /// Prints a line of this program in the format of cargo's own status lines.
    fn status(&self, level: &str, color: &str, words: &str) -> io::Result<()> {
        self.erase()?;
        let line = match self.color {
            true => format!("{color}{level}\x1b[0m\x1b[1m:\x1b[0m {words}\n"),
            false => format!("{level}: {words}\n"),
        };
        write_between_lines(&line)
    }

    /// Erases the progress bar.
    fn erase(&self) -> io::Result<()> {
        if self.is_terminal { io::stderr().write_all(b"\r\x1b[K") } else { Ok(()) }
    }

    fn finish(&self) -> io::Result<()> {
        let words = match self.stream.left_out() {
            0 => return Ok(()),
            _ if self.format == Format::Json => return Ok(()),
            1 => "1 error that follows from these is not shown".to_owned(),
            errors => format!("{errors} errors that follow from these are not shown"),
        };
        self.status("note", "\x1b[1m\x1b[92m", &words)
    }
}
