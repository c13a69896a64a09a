//! Compiles the same mistakes with each library and prints what a user gets to read.
//!
//! `cargo run -p compare`, in the folder above. A mistake that compiles is run, and its run-time
//! message is used. `cargo run -p compare -- incin` compiles with some libraries alone.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const LIBRARIES: [&str; 6] = ["tensor-core", "dfdx", "nalgebra", "ndarray", "candle", "incin"];

/// Libraries with a subcommand of cargo that prints their messages: `cargo shapes check`.
const TOOLS: [(&str, &str); 2] = [("tensor-core", "shapes"), ("incin", "incin")];

/// The mistakes: the name of the program, what is wrong, and the two sizes that do not fit.
const MISTAKES: [(&str, &str, Option<[&str; 2]>); 8] = [
    ("sum", "`[2, 3] + [2, 4]`", Some(["3", "4"])),
    ("means", "`[4, 3]` less the mean of each row", Some(["3", "4"])),
    ("product", "`[2, 3] × [4, 5]`", Some(["3", "4"])),
    ("bias", "10 scores and a bias of 11", Some(["10", "11"])),
    ("reshape", "6 elements as `[4, 2]`", Some(["6", "8"])),
    ("axis", "the sum over axis 2 of a matrix", None),
    ("chain", "five layers; the fourth takes 64 of 128", Some(["64", "128"])),
    ("generic", "a generic function lacks a bound", None),
];

/// Who finds a mistake.
#[derive(Clone, Copy, PartialEq)]
enum Found {
    /// `cargo check`, and so an editor.
    Check,
    /// `cargo build`, which compiles what is called.
    Build,
    /// Nobody before the program runs.
    Run,
    Never,
}

impl Found {
    const fn named(self) -> &'static str {
        match self {
            Self::Check => "compiler",
            Self::Build => "compiler, in a build only",
            Self::Run => "run",
            Self::Never => "nobody",
        }
    }
}

/// The messages about one mistake.
struct Answer {
    found: Found,
    errors: usize,
    lines: usize,
    first: String,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    // As cargo says it when it runs this, wherever it was compiled.
    let package = std::env::var("CARGO_MANIFEST_DIR").map_err(|_| "run this with `cargo run`")?;
    let folder = Path::new(&package).join("..");
    let mut answers = BTreeMap::new();
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let is_chosen = |library: &&str| chosen.is_empty() || chosen.iter().any(|name| name == library);
    let libraries: Vec<&str> = LIBRARIES.into_iter().filter(is_chosen).collect();
    for &library in &libraries {
        eprintln!("{library}: compiling");
        let mut refused = refusals(&folder, library)?;
        for (mistake, ..) in MISTAKES {
            let program = format!("{library}/examples/{mistake}.rs");
            let answer = match refused.remove(mistake) {
                Some(answer) => Some(answer),
                // A mistake that cannot be made with a library has no program.
                None if !folder.join(program).exists() => None,
                None => Some(run(&folder, library, mistake)?),
            };
            answers.insert((mistake, library), answer);
        }
    }
    print(&answers, &libraries);
    for (library, tool) in TOOLS.iter().filter(|(library, _)| is_chosen(library)) {
        print_with_tool(&folder, library, tool)?;
    }
    Ok(())
}

fn cargo(folder: &Path, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(cargo);
    cargo.args(arguments).current_dir(folder).env("RUST_BACKTRACE", "0");
    Ok(cargo.output()?)
}

/// The compiler's messages about the programs of a library, by their names.
fn refusals(folder: &Path, library: &str) -> Result<BTreeMap<String, Answer>, Box<dyn Error>> {
    let package = format!("mistakes-with-{library}");
    let package = ["check", "--package", &package, "--examples", "--keep-going"];
    let output = cargo(folder, &[&package[..], &["--message-format", "json"]].concat())?;
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        let diagnostic = &message["message"];
        let is_error = diagnostic["level"] == "error";
        let has_place = diagnostic["spans"].as_array().is_some_and(|spans| !spans.is_empty());
        if !(is_error && has_place) {
            continue;
        }
        if message["target"]["kind"][0] != "example" {
            return Err(format!("{library} does not compile: {diagnostic}").into());
        }
        let (Some(program), Some(text)) =
            (message["target"]["name"].as_str(), diagnostic["rendered"].as_str())
        else {
            return Err(format!("not as cargo writes it: {line}").into());
        };
        said.entry(program.to_owned()).or_default().push(text.trim_end().to_owned());
    }
    let answer = |texts: Vec<String>| {
        let text = texts.join("\n\n");
        let first = text.lines().next().unwrap_or_default().to_owned();
        let lines = texts.iter().map(|text| text.lines().count()).sum();
        Answer { found: Found::Check, errors: texts.len(), lines, first, text }
    };
    Ok(said.into_iter().map(|(program, texts)| (program, answer(texts))).collect())
}

/// The output of a program that compiles.
fn run(folder: &Path, library: &str, mistake: &str) -> Result<Answer, Box<dyn Error>> {
    let package = format!("mistakes-with-{library}");
    let output = cargo(folder, &["run", "--quiet", "-p", &package, "--example", mistake])?;
    let said = String::from_utf8(output.stderr)?;
    // Lines that cargo and the standard library add to every failure.
    let noise = ["thread '", "note: run with", "error: could not compile"];
    let is_noise =
        |line: &&str| line.trim().is_empty() || noise.iter().any(|noise| line.starts_with(noise));
    let lines: Vec<&str> = said.lines().filter(|line| !is_noise(line)).collect();
    let found = match output.status.success() {
        true => Found::Never,
        false if said.starts_with("error") => Found::Build,
        false => Found::Run,
    };
    let first = lines.first().copied().unwrap_or_default().to_owned();
    let (errors, text) = (usize::from(found != Found::Never), lines.join("\n"));
    Ok(Answer { found, errors, lines: lines.len(), first, text })
}

/// Whether a text contains both sizes, each as a separate word.
fn names(text: &str, sizes: [&str; 2]) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
    };
    let words = words(text);
    sizes.iter().all(|size| words.iter().any(|word| word == size))
}

/// Prints what the subcommand of a library prints about each program.
fn print_with_tool(folder: &Path, library: &str, tool: &str) -> Result<(), Box<dyn Error>> {
    println!("\n# {library}, `cargo {tool} check`");
    let package = format!("mistakes-with-{library}");
    for (mistake, what, _) in MISTAKES {
        let output = cargo(folder, &[tool, "check", "-q", "-p", &package, "--example", mistake])?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let said = said + &String::from_utf8_lossy(&output.stdout);
        let is_summary = |line: &str| line.starts_with("error: could not compile");
        let errors =
            said.lines().filter(|line| line.starts_with("error") && !is_summary(line)).count();
        println!(
            "\n## {what}: {errors} errors, {} lines\n\n{}",
            said.trim().lines().count(),
            said.trim()
        );
    }
    Ok(())
}

fn print(answers: &BTreeMap<(&str, &str), Option<Answer>>, libraries: &[&str]) {
    println!("| mistake | library | found | errors | lines | names both sizes | first line |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (mistake, what, sizes) in MISTAKES {
        for &library in libraries {
            let Some(answer) = &answers[&(mistake, library)] else {
                println!("| {what} | {library} | - | - | - | - | cannot be written |");
                continue;
            };
            let found = answer.found.named();
            let named = match sizes {
                None => "-",
                Some(sizes) if names(&answer.first, sizes) => "first line",
                Some(sizes) if names(&answer.text, sizes) => "further down",
                Some(_) => "no",
            };
            let Answer { errors, lines, first, .. } = answer;
            let first = first.replace('|', "\\|");
            println!("| {what} | {library} | {found} | {errors} | {lines} | {named} | {first} |");
        }
    }
    println!(
        "\n| library | found by `cargo check` | errors | lines | first line names both sizes |"
    );
    println!("| --- | --- | --- | --- | --- |");
    for &library in libraries {
        let made = MISTAKES.iter().filter_map(|(mistake, _, sizes)| {
            Some((answers[&(*mistake, library)].as_ref()?, *sizes))
        });
        let made: Vec<_> = made.collect();
        let checked: Vec<_> = made.iter().filter(|(a, _)| a.found == Found::Check).collect();
        let mean = |sum: usize| match checked.len() {
            0 => "-".to_owned(),
            number => format!("{:.1}", sum as f64 / number as f64),
        };
        let errors = mean(checked.iter().map(|(answer, _)| answer.errors).sum());
        let lines = mean(checked.iter().map(|(answer, _)| answer.lines).sum());
        let sized: Vec<_> = made.iter().filter_map(|(a, sizes)| Some((a, (*sizes)?))).collect();
        let naming = sized.iter().filter(|(answer, sizes)| names(&answer.first, *sizes)).count();
        println!(
            "| {library} | {} of {} | {errors} | {lines} | {naming} of {} |",
            checked.len(),
            made.len(),
            sized.len()
        );
    }
    println!("\nErrors and lines are those of one mistake that `cargo check` finds, on average.");
}
