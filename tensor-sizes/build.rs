//! Writes the rows of the tables: `parts.rs`, `joined.rs` and `numbers.rs`.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Sizes below this one are one part.
const WHOLE: usize = 10_000;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for (file, rows) in [("parts.rs", parts()), ("joined.rs", joined()), ("numbers.rs", numbers())]
    {
        fs::write(Path::new(&folder).join(file), rows).expect("OUT_DIR can be written");
    }
}

/// The part that each number is: all below [`WHOLE`], thousands, and millions.
fn parts() -> String {
    let scaled = |scale: usize| (1..1000).map(move |digit| digit * scale);
    let thousands = scaled(1000).filter(|&number| number >= WHOLE);
    let mut rows = String::new();
    for number in (0..WHOLE).chain(thousands).chain(scaled(1_000_000)) {
        let part = part(number);
        // Not one of its rows is listed where a number is no part of a size.
        let _ = writeln!(
            rows,
            "#[diagnostic::do_not_recommend] impl SizePart<{number}> for PartTable {{ type Part = {part}; }}"
        );
    }
    rows
}

/// The size that thousands and units are together, where they are one part.
fn joined() -> String {
    let mut rows = String::new();
    for number in 1000..WHOLE {
        let (thousands, units) = (number / 1000, number % 1000);
        let _ = writeln!(
            rows,
            "impl Joined<{units}> for Thousand{thousands} {{ type Size = JoinedNumber<{number}>; }}"
        );
    }
    rows
}

/// The columns of each number of at most 11 bits.
fn numbers() -> String {
    let mut rows = String::new();
    for number in 0..2048 {
        let (key, high) = (binary(number / 8), number * 2048);
        let (quotient, remainder) = (binary(number / 1000), number % 1000);
        let (high_quotient, high_remainder) = (binary(high / 1000), binary(high % 1000));
        let [units, thousands, millions] =
            [1, 1000, 1_000_000].map(|scale| part(remainder * scale));
        let (to_999, to_1000) = (binary(999 - remainder), binary(1000 - remainder));
        let _ = writeln!(
            rows,
            "impl TableRow for Last{last}<{key}> {{ type TableRow = NumberRow<{quotient}, \
             {high_quotient}, {high_remainder}, {units}, {thousands}, {millions}, {to_999}, {to_1000}>; }}",
            last = number % 8
        );
    }
    rows
}

/// A part of a size, or a whole size, as a type.
fn part(number: usize) -> String {
    let (thousands, units) = (number / 1000, number % 1000);
    match number {
        0 => "NoPart".to_owned(),
        1 => "SinglePart".to_owned(),
        2..1000 => format!("UnitsPart<{number}, U{number}>"),
        1000..1_000_000 if units == 0 => {
            let few =
                if number < WHOLE { format!("Few<Thousand{thousands}>") } else { "Many".into() };
            format!("ThousandsPart<{number}, U{thousands}, {few}>")
        }
        1000..1_000_000 => format!("WholePart<U{thousands}, U{units}>"),
        _ => format!("MillionsPart<{number}, U{}>", thousands / 1000),
    }
}

/// The number as a typenum type: names go up to `U1024`, larger ones append a bit to their half.
fn binary(number: usize) -> String {
    match number {
        0..=1024 => format!("U{number}"),
        _ => format!("UInt<{}, B{}>", binary(number / 2), number % 2),
    }
}
