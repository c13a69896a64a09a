//! The table of sizes in `tensor_core::arithmetic`: copies of a template, one for each number.

use core::iter::once;

use proc_macro2::{TokenStream, TokenTree};

/// Expands `parts { … }` and `ten_bits { … }`.
///
/// `parts` repeats its template for every part of a size: 0, 1 to 999, 1000 to 999,000 by
/// thousands, and one to 999 million by millions. `ten_bits` repeats it for 0 to 1023. In the
/// template, these words stand for something else in every copy:
///
/// | word | becomes |
/// | --- | --- |
/// | `NUMBER` | the number, as a literal |
/// | `PLACE` | the place of this part in a size |
/// | `UNITS`, `THOUSANDS`, `MILLIONS` | the place of so many units, thousands, millions |
/// | `BINARY` | the number, as typenum spells it |
/// | `QUOTIENT`, `REMAINDER` | of the number by 1000, as typenum spells them |
pub fn expand(input: TokenStream) -> TokenStream {
    let mut rows = String::new();
    let mut numbers: Vec<usize> = Vec::new();
    for token in input {
        match token {
            TokenTree::Ident(range) if range == "parts" => numbers = parts().collect(),
            TokenTree::Ident(range) if range == "ten_bits" => numbers = (0..1024).collect(),
            TokenTree::Group(template) => {
                let template = template.stream().to_string();
                for &number in &numbers {
                    write_row(&mut rows, &template, number);
                }
            }
            other => panic!("expected `parts {{ … }}` or `ten_bits {{ … }}`, found `{other}`"),
        }
    }
    rows.parse().expect("a template is Rust")
}

/// Every part that a size may have.
fn parts() -> impl Iterator<Item = usize> {
    let scaled = |scale: usize| (1..1000).map(move |digits| digits * scale);
    once(0).chain(scaled(1)).chain(scaled(1000)).chain(scaled(1_000_000))
}

/// Appends the copy of `template` for `number`: its words are replaced, all else is kept.
fn write_row(rows: &mut String, template: &str, number: usize) {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut rest = template;
    while let Some(start) = rest.find(is_word) {
        let (between, tail) = rest.split_at(start);
        let (word, tail) = tail.split_at(tail.find(|c| !is_word(c)).unwrap_or(tail.len()));
        rows.push_str(between);
        match word {
            "NUMBER" => rows.push_str(&number.to_string()),
            "PLACE" => rows.push_str(&place(number)),
            "UNITS" => rows.push_str(&place(number)),
            "THOUSANDS" => rows.push_str(&place(number * 1000)),
            "MILLIONS" => rows.push_str(&place(number * 1_000_000)),
            "BINARY" => rows.push_str(&binary(number)),
            "QUOTIENT" => rows.push_str(&binary(number / 1000)),
            "REMAINDER" => rows.push_str(&binary(number % 1000)),
            _ => rows.push_str(word),
        }
        rest = tail;
    }
    rows.push_str(rest);
}

/// The place of a part in a size.
fn place(part: usize) -> String {
    match part {
        0 => "Nothing".into(),
        1 => "Single".into(),
        2..1000 => format!("Units<{part}>"),
        1000..1_000_000 => format!("Thousands<{part}>"),
        _ => format!("Millions<{part}>"),
    }
}

/// The number as typenum spells it: its binary digits, the highest one innermost.
fn binary(number: usize) -> String {
    match number {
        0 => "UTerm".into(),
        _ => format!("UInt<{}, B{}>", binary(number / 2), number % 2),
    }
}
