//! Axes of a model that have a name: sizes that recur, and are likely one.

use std::collections::{BTreeMap, BTreeSet};

use super::Entry;

/// Names of axes, by their size.
pub(super) type Axes = BTreeMap<u64, &'static str>;

/// The smallest size that gets a name: a smaller one recurs by chance.
const SMALLEST: u64 = 8;

/// Words in the names of tables whose first axis is the vocabulary, of GPT-2, BERT, Llama and Whisper.
pub(super) const WORDS: [&str; 6] =
    ["wte", "word_embeddings", "embed_tokens", "tok_embeddings", "token_embedding", "shared"];

/// Words in the names of tables whose first axis are positions.
pub(super) const POSITIONS: [&str; 5] =
    ["wpe", "position_embeddings", "pos_embed", "positional_embedding", "embed_positions"];

/// Words in the names of the linear layers of a block with a separate inner size.
const INNER: [&str; 10] = [
    "mlp",
    "ffn",
    "feed_forward",
    "intermediate",
    "fc1",
    "c_fc",
    "linear1",
    "up_proj",
    "gate_proj",
    "wi",
];

/// Words in the names of attention layers, whose inputs have the width of the model.
const ATTENTION: [&str; 7] =
    ["attn", "attention", "self_attn", "self_attention", "cross_attn", "c_attn", "q_proj"];

/// The axes of a model: its width, which most tensors have, and those that the names of tables and layers tell. A file
/// whose names tell of no table and of no attention has no width.
pub(super) fn axes(entries: &[Entry]) -> Axes {
    // Tensors of numbered blocks are counted once.
    let mut tensors: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for entry in entries {
        for &size in entry.sizes.iter().filter(|&&size| size >= SMALLEST) {
            tensors.entry(size).or_default().insert(without_numbers(&entry.name));
        }
    }
    let mut axes = Axes::new();
    let most = tensors.iter().max_by_key(|(size, names)| (names.len(), **size));
    let Some((&width, _)) = most.filter(|(_, names)| names.len() >= 3) else { return axes };
    let tells = |entry: &Entry| {
        [&WORDS[..], &POSITIONS, &ATTENTION].iter().any(|words| has_word(&entry.name, words))
            && entry.sizes.contains(&width)
    };
    if !entries.iter().any(tells) {
        return axes;
    }
    axes.insert(width, "Hidden");
    for (words, axis) in [(&WORDS[..], "Vocab"), (&POSITIONS[..], "Positions")] {
        let table =
            entries.iter().find(|entry| has_word(&entry.name, words) && entry.sizes.len() == 2);
        if let Some(&size) =
            table.and_then(|table| table.sizes.first()).filter(|&&size| size >= SMALLEST)
        {
            axes.entry(size).or_insert(axis);
        }
    }
    let inner = entries.iter().filter(|entry| has_word(&entry.name, &INNER)).find_map(|entry| {
        let others = entry.sizes.iter().filter(|&&size| size != width && size >= SMALLEST);
        let mut others = others.filter(|size| tensors[*size].len() >= 2);
        (entry.sizes.len() == 2 && entry.sizes.contains(&width)).then(|| others.next()).flatten()
    });
    if let Some(&size) = inner {
        axes.entry(size).or_insert("Inner");
    }
    axes
}

/// Whether one of the words is between two dots of a name.
fn has_word(name: &str, words: &[&str]) -> bool {
    name.split('.').any(|part| words.contains(&part))
}

/// A name with `#` for the parts that are numbers.
fn without_numbers(name: &str) -> String {
    let parts: Vec<&str> =
        name.split('.').map(|part| if part.parse::<u64>().is_ok() { "#" } else { part }).collect();
    parts.join(".")
}
