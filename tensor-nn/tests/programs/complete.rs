//! The cases are those of everything that is public. The names are read from the sources.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::repository::{read, sources};

/// Functions that make what the cases compute with, or that set it up: they occur in the cases, and have none of their own.
const SET_UP: [&str; 32] = [
    "centred",
    "eval",
    "first_state",
    "fixed",
    "greedy",
    "hann",
    "ignore",
    "interleaved",
    "keys",
    "mel_filters",
    "new",
    "not_centred",
    "new_scaled",
    "reserve",
    "smooth_labels",
    "temperature",
    "top_k",
    "top_p",
    "training_at",
    "truncate",
    "update",
    "values",
    "weigh",
    "weigh_positive",
    "with_capacity",
    "with_epsilon",
    "with_group",
    "with_state_of",
    "with_window",
    "without_bias",
    "zeros",
    "halves",
];

/// Public functions that no program has, and why.
const NO_TENSORS: [(&str, &str); 17] = [
    ("pass::training", "its numbers are those of a seed, which a program refuses: `training_at`"),
    ("pass::rng", "it gives the numbers of a pass"),
    ("pass::is_training", "a fact about a pass"),
    ("kv_cache::len", "a size"),
    ("kv_cache::is_empty", "a size"),
    ("kv_cache::capacity", "a size"),
    ("chunks::of", "an axis"),
    ("positions::table", "a constant"),
    ("rotary::new_shaped", "`new_scaled` without scaling"),
    ("scaling::attention_factor", "a number"),
    ("scaling::frequencies", "numbers"),
    ("audio::whisper", "the numbers of a spectrogram"),
    ("optim::steps", "a number that is read outside of a program"),
    ("optim::rate", "a number that is read outside of a program"),
    ("loss_scale::scale", "a number that is read outside of a program"),
    ("optim::set_rate", "a number that is set outside of a program: `set_rate_tensor`"),
    ("error::misfits", "an error"),
];

/// Files whose functions are not public, or compute before there is a tensor.
const FILES: [(&str, &str); 8] = [
    ("data", "the order of examples"),
    ("batches", "tensors of examples"),
    ("dataset", "examples"),
    ("padded", "tensors of examples"),
    ("slot", "private"),
    ("error", "private, but for `misfits`"),
    ("numbers", "private"),
    ("initial", "private"),
];

/// Public types that no case has, and why.
const NO_LAYERS: [(&str, &str); 24] = [
    ("Activation", "a trait of activations"),
    ("BatchStatistics", "private to the updates of a layer"),
    ("Bias", "a trait"),
    ("ChannelAxis", "an axis"),
    ("Chunks", "an axis"),
    ("Direction", "a trait"),
    ("GruGates", "the type behind `Gru`"),
    ("HeadsFill", "a trait"),
    ("Layer", "a trait, whose method `Sequential` calls"),
    ("LayerList", "a trait"),
    ("LstmGates", "the type behind `Lstm`"),
    ("LstmState", "the state that `Lstm` returns"),
    ("Mask", "a trait"),
    ("Misfit", "a part of an error"),
    ("Outputs", "a trait"),
    ("ParameterStep", "for rules outside of this crate, which cannot be traced"),
    ("Recurrent", "the type behind `Lstm` and `Gru`"),
    ("RecurrentCell", "a trait"),
    ("RecurrentLayer", "the type behind `LstmCell` and `GruCell`"),
    ("RecurrentState", "the states that `Lstm` and `Gru` return"),
    ("RotaryPairs", "a trait"),
    ("Rule", "a trait"),
    ("SharesHeads", "a trait"),
    ("StepError", "an error"),
];

/// The names of the files of a folder, with their code without comments.
fn code_of(folder: &str) -> Vec<(String, String)> {
    let code = |(path, text): (PathBuf, String)| {
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        (stem, lines.collect::<Vec<_>>().join("\n"))
    };
    sources(folder).into_iter().map(code).collect()
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// The public functions, as `file::name`.
fn functions() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (stem, text) in code_of("src") {
        let mut generated = None;
        for line in text.lines() {
            if let Some(rest) = line.trim_start().strip_prefix("pub fn ") {
                // The names of `$name` are in the calls of the macro.
                match (rest.strip_prefix('$'), words(rest).next()) {
                    (Some(rest), _) => generated = words(rest).next(),
                    (None, name) => {
                        names.extend(name.map(|name| format!("{stem}::{name}")));
                    }
                }
            }
            let is_call = line.starts_with("    ") && !line.starts_with("     ");
            match generated {
                Some("name") if is_call && line.trim_start().starts_with(char::is_lowercase) => {
                    if let Some((name, _)) = line.trim_start().split_once('(')
                        && words(name).count() == 1
                    {
                        names.insert(format!("{stem}::{name}"));
                    }
                }
                Some("forward") => drop(names.insert(format!("{stem}::forward"))),
                _ => {}
            }
        }
    }
    names
}

/// The types and functions that the modules list in `pub use`, but for those that the documentation hides.
fn listed() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in ["layers", "losses", "optim"] {
        let text = read(format!("src/{file}.rs"));
        for (before, list) in text.match_indices("\npub use ").map(|(at, _)| text.split_at(at)) {
            let list = list.split(';').next().expect("an end");
            if !before.ends_with("#[cfg_attr(doc, doc(hidden))]") {
                let (_, names_of) = list.rsplit_once("::").expect("a path");
                names.extend(words(names_of).map(str::to_owned));
            }
        }
    }
    names
}

#[test]
fn everything_public_has_a_case() {
    let cases = crate::names();
    let of_functions: BTreeSet<&str> =
        cases.iter().map(|name| name.split(' ').next().expect("a name")).collect();
    let text = code_of("tests/programs").into_iter();
    let text: String = text.filter(|(stem, _)| stem != "complete").map(|(_, text)| text).collect();
    let used: BTreeSet<&str> = words(&text).collect();

    let functions = functions();
    assert!(functions.len() > 90, "{functions:?}: is this how they are written?");
    let is_left_out = |name: &str| {
        let (stem, last) = name.split_once("::").expect("a file and a name");
        FILES.iter().any(|(file, _)| *file == stem)
            || NO_TENSORS.iter().any(|(left_out, _)| *left_out == name)
            || SET_UP.contains(&last) && used.contains(last)
    };
    let missing: Vec<_> = functions
        .iter()
        .filter(|name| !of_functions.contains(&name[..]) && !is_left_out(name))
        .collect();
    assert!(missing.is_empty(), "these functions have no case: {missing:#?}");
    let unknown: Vec<_> = of_functions.iter().filter(|name| !functions.contains(**name)).collect();
    assert!(unknown.is_empty(), "these cases are of no function: {unknown:#?}");
    for (name, reason) in NO_TENSORS {
        let exists = functions.contains(name);
        assert!(exists && !of_functions.contains(name), "`{name}`: {reason}");
    }

    let listed = listed();
    assert!(listed.len() > 90, "{listed:?}: is this how they are written?");
    let is_left_out = |name: &str| NO_LAYERS.iter().any(|(left_out, _)| *left_out == name);
    let missing: Vec<_> =
        listed.iter().filter(|name| !used.contains(&name[..]) && !is_left_out(name)).collect();
    assert!(missing.is_empty(), "these types are in no case: {missing:#?}");
    for (name, reason) in NO_LAYERS {
        assert!(listed.contains(name) && !used.contains(name), "`{name}`: {reason}");
    }
}
