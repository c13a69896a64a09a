//! A model as Rust structs, from the names of its tensors.

use std::collections::{BTreeSet, HashMap};

use super::Entry;

/// A part of a model: a tensor, or named parts in order.
enum Part {
    Tensor(String),
    Parts(Vec<(String, Part)>),
}

/// The structs of a model, the innermost first: names with dots are nested fields, and numbers are an array if
/// all parts have the same type.
pub fn model(entries: &[Entry]) -> String {
    let mut root = Vec::new();
    for entry in entries {
        let path: Vec<&str> = entry.name.split('.').collect();
        insert(&mut root, &path, entry);
    }
    let mut structs = Structs::default();
    structs.of_fields("Model", &root);
    format!("use tensor_core::{{Module, Tensor, shape}};\n\n{}", structs.written.join("\n"))
}

fn insert(parts: &mut Vec<(String, Part)>, path: &[&str], entry: &Entry) {
    let [name, rest @ ..] = path else { return };
    let at = parts.iter().position(|(known, part)| {
        known == name && matches!(part, Part::Parts(_)) == !rest.is_empty()
    });
    match (at, rest) {
        (_, []) => parts.push(((*name).to_owned(), Part::Tensor(type_of(entry)))),
        (Some(at), rest) => {
            if let Part::Parts(inner) = &mut parts[at].1 {
                insert(inner, rest, entry);
            }
        }
        (None, rest) => {
            let mut inner = Vec::new();
            insert(&mut inner, rest, entry);
            parts.push(((*name).to_owned(), Part::Parts(inner)));
        }
    }
}

/// `Tensor<shape![10, 784]>`
pub fn type_of(entry: &Entry) -> String {
    let sizes: Vec<String> = entry.sizes.iter().map(u64::to_string).collect();
    let shape = format!("shape![{}]", sizes.join(", "));
    match &entry.element[..] {
        "f32" => format!("Tensor<{shape}>"),
        element @ ("f16" | "bf16") => format!("Tensor<{shape}, half::{element}>"),
        element => format!("Tensor<{shape}, {element}>"),
    }
}

#[derive(Default)]
struct Structs {
    written: Vec<String>,
    /// The names of structs, by their fields.
    known: HashMap<String, String>,
    names: BTreeSet<String>,
}

impl Structs {
    /// The type of the part with this name.
    fn of(&mut self, name: &str, part: &Part) -> String {
        match part {
            Part::Tensor(ty) => ty.clone(),
            Part::Parts(parts) => {
                let is_list =
                    parts.iter().enumerate().all(|(number, (name, _))| name.parse() == Ok(number));
                if is_list {
                    let types: Vec<String> =
                        parts.iter().map(|(_, part)| self.of(name, part)).collect();
                    if types.windows(2).all(|pair| pair[0] == pair[1]) {
                        return format!("[{}; {}]", types[0], types.len());
                    }
                    return format!("({},)", types.join(", "));
                }
                self.of_fields(&in_camel_case(name), parts)
            }
        }
    }

    /// The struct with these fields; equal structs are written only once.
    fn of_fields(&mut self, name: &str, parts: &[(String, Part)]) -> String {
        let mut fields = String::new();
        let mut used = BTreeSet::new();
        for (name, part) in parts {
            let ty = self.of(name, part);
            let (field, is_same) = field(name, &mut used);
            let original = if is_same { String::new() } else { format!(" // {name}") };
            fields += &format!("    {field}: {ty},{original}\n");
        }
        if let Some(known) = self.known.get(&fields).filter(|_| name != "Model") {
            return known.clone();
        }
        let mut unique = name.to_owned();
        for number in 2.. {
            if self.names.insert(unique.clone()) {
                break;
            }
            unique = format!("{name}{number}");
        }
        self.written.push(format!("#[derive(Module)]\nstruct {unique} {{\n{fields}}}\n"));
        self.known.insert(fields, unique.clone());
        unique
    }
}

/// The name of a field, and whether it equals the name in the file.
fn field(name: &str, used: &mut BTreeSet<String>) -> (String, bool) {
    const KEYWORDS: [&str; 20] = [
        "as", "box", "const", "else", "enum", "final", "fn", "for", "if", "impl", "in", "let",
        "loop", "match", "mod", "move", "ref", "type", "use", "where",
    ];
    let mut field: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if field.starts_with(|c: char| c.is_ascii_digit()) || field.is_empty() {
        field.insert(0, '_');
    }
    field = field.to_lowercase();
    if KEYWORDS.contains(&field.as_str()) || field == "_" || field == "self" {
        field.push('_');
    }
    while !used.insert(field.clone()) {
        field.push('_');
    }
    let is_same = field == name;
    (field, is_same)
}

fn in_camel_case(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let camel: String = words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or(String::new(), |first| {
                first.to_ascii_uppercase().to_string() + letters.as_str()
            })
        })
        .collect();
    match camel.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => {
            if ["Tensor", "Module"].contains(&camel.as_str()) {
                camel + "Part"
            } else {
                camel
            }
        }
        false => format!("Part{camel}"),
    }
}
