//! The table of sizes in `tensor_core::arithmetic`: copies of a template, one for each number.

use core::iter::once;

use proc_macro2::{TokenStream, TokenTree};

/// Expands `parts { … }` and `eleven_digits { … }`.
///
/// `parts` repeats its template for every part of a size: 0, 1 to 999, 1000 to 999,000 by
/// thousands, and one to 999 million by millions. `eleven_digits` repeats it for every number of
/// at most 11 bits, 0 to 2047. These words of the template are replaced in every copy; all numbers but
/// the literal are typenum numbers:
///
/// | word | becomes |
/// | --- | --- |
/// | `NUMBER` | the number, as a literal |
/// | `PLACE` | units, thousands or millions |
/// | `DIGIT` | how many units, thousands or millions it is |
/// | `KEY` | the number by its low three bits, `Last5<U1>` for 13 |
/// | `QUOTIENT` | the number divided by 1000 |
/// | `UNITS`, `THOUSANDS`, `MILLIONS` | its remainder by 1000, as that many units, thousands, millions |
/// | `HIGH_QUOTIENT`, `HIGH_REMAINDER` | the same for 2048 times the number |
pub fn expand(input: TokenStream) -> TokenStream {
    let mut rows = String::new();
    let mut numbers: Vec<usize> = Vec::new();
    for token in input {
        match token {
            TokenTree::Ident(range) if range == "parts" => numbers = parts().collect(),
            TokenTree::Ident(range) if range == "eleven_digits" => numbers = (0..2048).collect(),
            TokenTree::Group(template) => {
                let template = template.stream().to_string();
                for &number in &numbers {
                    write_row(&mut rows, &template, number);
                }
            }
            other => panic!("expected `parts {{ … }}` or `eleven_digits {{ … }}`, found `{other}`"),
        }
    }
    rows.parse().expect("a template is Rust")
}

/// Every part that a size may have.
fn parts() -> impl Iterator<Item = usize> {
    let scaled = |scale: usize| (1..1000).map(move |digits| digits * scale);
    once(0).chain(scaled(1)).chain(scaled(1000)).chain(scaled(1_000_000))
}

/// Appends the copy of `template` for `number`, with its words replaced.
fn write_row(rows: &mut String, template: &str, number: usize) {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let remainder = number % 1000;
    let mut rest = template;
    while let Some(start) = rest.find(is_word) {
        let (between, tail) = rest.split_at(start);
        let (word, tail) = tail.split_at(tail.find(|c| !is_word(c)).unwrap_or(tail.len()));
        rows.push_str(between);
        match word {
            "NUMBER" => rows.push_str(&number.to_string()),
            "PLACE" => rows.push_str(&place(number)),
            "DIGIT" => rows.push_str(&binary(digit(number))),
            "KEY" => rows.push_str(&format!("Last{}<{}>", number % 8, binary(number / 8))),
            "QUOTIENT" => rows.push_str(&binary(number / 1000)),
            "HIGH_QUOTIENT" => rows.push_str(&binary(number * 2048 / 1000)),
            "HIGH_REMAINDER" => rows.push_str(&binary(number * 2048 % 1000)),
            "UNITS" => rows.push_str(&place(remainder)),
            "THOUSANDS" => rows.push_str(&place(remainder * 1000)),
            "MILLIONS" => rows.push_str(&place(remainder * 1_000_000)),
            _ => rows.push_str(word),
        }
        rest = tail;
    }
    rows.push_str(rest);
}

/// A part as a type: `Units<48>`.
fn place(part: usize) -> String {
    match part {
        0 => "Nothing".into(),
        1 => "Single".into(),
        2..1000 => format!("Units<{part}>"),
        1000..1_000_000 => format!("Thousands<{part}>"),
        _ => format!("Millions<{part}>"),
    }
}

/// How many units, thousands or millions a part is.
fn digit(part: usize) -> usize {
    match part {
        0..1000 => part,
        1000..1_000_000 => part / 1000,
        _ => part / 1_000_000,
    }
}

/// The number as a typenum type: names go up to `U1024`, larger ones append a bit to their half.
fn binary(number: usize) -> String {
    match number {
        0..=1024 => format!("U{number}"),
        _ => format!("UInt<{}, B{}>", binary(number / 2), number % 2),
    }
}
