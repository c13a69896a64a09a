//! Names of variables, axes and fields.

use std::collections::HashSet;

/// Whether a word is no name in Rust: <https://doc.rust-lang.org/reference/keywords.html>.
pub fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 53] = [
        "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
        "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
        "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
        "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try",
        "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "_",
    ];
    KEYWORDS.contains(&word)
}

/// Whether a word is no name in the code that is written: `union` is one in Rust, but also begins an item.
pub fn is_taken(word: &str) -> bool {
    word == "union" || is_keyword(word)
}

/// What the code that is written imports: the module, the name, and how the code that needs it begins.
pub const IMPORTS: [(&str, &str, &str); 33] = [
    ("half", "bf16", "bf16"),
    ("half", "f16", "f16"),
    ("tensor_core::functional", "layer_norm", "layer_norm("),
    ("tensor_core::functional", "linear", "linear("),
    ("tensor_core::functional", "rms_norm", "rms_norm("),
    ("tensor_core::trace", "cond", "cond("),
    ("tensor_core::trace", "scan", "scan("),
    ("tensor_core::trace", "scan_reverse", "scan_reverse("),
    ("tensor_core::trace", "while_loop", "while_loop("),
    ("tensor_core::windows", "Conv1dOptions", "Conv1dOptions"),
    ("tensor_core::windows", "Conv2dOptions", "Conv2dOptions"),
    ("tensor_core::windows", "Conv3dOptions", "Conv3dOptions"),
    ("tensor_core::windows", "Interpolation", "Interpolation"),
    ("tensor_core::windows", "Pool1dOptions", "Pool1dOptions"),
    ("tensor_core::windows", "Pool2dOptions", "Pool2dOptions"),
    ("tensor_core::windows", "Pool3dOptions", "Pool3dOptions"),
    ("tensor_core", "IndexError", "IndexError"),
    ("tensor_core", "Module", "Module"),
    ("tensor_core", "Padding", "Padding::"),
    ("tensor_core", "Tensor", "Tensor"),
    ("tensor_core", "axes", "axes!["),
    ("tensor_core", "axis", "axis!("),
    ("tensor_core", "dim", "dim!("),
    ("tensor_core", "einsum", "einsum!("),
    ("tensor_core", "select", "select("),
    ("tensor_core", "shape", "shape!["),
    ("tensor_core", "slice", "slice!["),
    ("tensor_core", "tensor", "tensor!["),
    ("tensor_core", "zip_with", "zip_with("),
    ("tensor_core", "zip_with3", "zip_with3("),
    ("tensor_nn::layers", "AdditiveMask", "AdditiveMask("),
    ("tensor_nn::layers", "NoMask", "NoMask"),
    ("tensor_nn::layers", "attention", "attention("),
];

/// The model's struct, and names of the prelude that the code that is written needs.
const PRELUDE: [&str; 13] = [
    "Box", "Clone", "Debug", "Err", "Model", "None", "Ok", "Option", "Result", "Self", "Some",
    "String", "Vec",
];

/// Whether a variable or a type of this name would hide what the code that is written needs.
pub fn is_needed(name: &str) -> bool {
    // A macro has a namespace of its own.
    let is_import = |(_, import, code): &(&str, &str, &str)| *import == name && !code.contains('!');
    IMPORTS.iter().any(is_import) || PRELUDE.contains(&name)
}

/// Names that are used.
#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// The name, or the first of it with a number from 2 on that is not used.
    pub fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut number = 2;
        while is_taken(&unique) || is_needed(&unique) || !self.0.insert(unique.clone()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        unique
    }
}

/// `/encoder/MatMul_output_0` is `mat_mul`; a name without letters is `default`.
pub fn local_name(name: &str, default: &str) -> String {
    let name = name.rsplit(['/', ':', '.']).find(|part| !part.is_empty()).unwrap_or_default();
    let name = name.split("_output_").next().unwrap_or_default();
    let name = snake_case(name);
    match name.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => name,
        false => {
            let digits = name.trim_matches('_');
            if digits.is_empty() { default.to_owned() } else { format!("{default}_{digits}") }
        }
    }
}

/// Words in lower case with underscores.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars().take(60) {
        if c.is_ascii_uppercase() && snake.ends_with(|last: char| last.is_ascii_lowercase()) {
            snake.push('_');
        }
        match c.is_ascii_alphanumeric() {
            true => snake.push(c.to_ascii_lowercase()),
            false if snake.ends_with('_') => {}
            false => snake.push('_'),
        }
    }
    snake.trim_end_matches('_').to_owned()
}

/// Words in camel case.
pub fn camel_case(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or(String::new(), |first| {
                first.to_ascii_uppercase().to_string() + letters.as_str()
            })
        })
        .collect()
}

/// The name of an axis.
pub fn axis_name(name: &str) -> String {
    let camel = camel_case(&name.chars().take(80).collect::<String>());
    match camel.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_needed(&camel) {
        true => camel,
        false => format!("Axis{camel}"),
    }
}

/// The name of a tensor in the file of weights: parts are separated by dots.
pub fn weight_name(name: &str) -> String {
    // TensorFlow numbers the outputs of operations.
    let name = name.strip_suffix(":0").unwrap_or(name);
    let parts = name.split(['.', '/', ':']).filter(|part| !part.is_empty());
    match &parts.collect::<Vec<_>>().join(".")[..] {
        "" => "weight".to_owned(),
        // In the file, it names what the file says about itself.
        "__metadata__" => "metadata".to_owned(),
        name => name.to_owned(),
    }
}
