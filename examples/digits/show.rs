//! Results for the terminal.

use std::fmt::Write;

use tensor_core::{Tensor, shape};

use super::data::{Digits, HEIGHT, INK, WIDTH};
use super::{Labels, Scores};

/// How many mistakes are shown, side by side.
const SHOWN: usize = 5;

/// A table of counts, one row for each digit and one column for what it was read as.
pub fn confusion_matrix(counts: &Tensor<shape![10, 10]>) -> String {
    let mut table = String::from("          read as\n          ");
    for column in 0..10 {
        let _ = write!(table, "{column:4}");
    }
    table.push_str("     right\n");
    for row in 0..10 {
        let title = if row == 0 { "digit" } else { "" };
        let _ = write!(table, "{title:>7} {row} ");
        let mut total = 0.0;
        for column in 0..10 {
            let count = counts[[row, column]];
            total += count;
            let _ = match count {
                0.0 => write!(table, "{:>4}", "·"),
                _ => write!(table, "{count:4}"),
            };
        }
        let _ = writeln!(table, "   {:5.1} %", 100.0 * counts[[row, row]] / total.max(1.0));
    }
    table
}

/// The first digits that were read wrong, as pictures with what was read and how surely.
pub fn mistakes(digits: &Digits, probability: &Scores, read: &Labels) -> String {
    let wrong: Vec<usize> = (0..read.len()).filter(|&i| read[[i]] != digits.labels[[i]]).collect();
    if wrong.is_empty() {
        return "none read wrong".to_string();
    }
    let shown = &wrong[..wrong.len().min(SHOWN)];
    let mut text = format!("{} read wrong, the first {}:\n\n", wrong.len(), shown.len());
    let column = 2 * WIDTH + 4;
    for y in 0..HEIGHT {
        for &digit in shown {
            for x in 0..WIDTH {
                text.push_str(shade(digits.images[[digit, y * WIDTH + x]]));
            }
            text.push_str("    ");
        }
        text.push('\n');
    }
    for line in 0..2 {
        for &digit in shown {
            let (label, read) = (digits.labels[[digit]], read[[digit]]);
            let percent = 100.0 * probability[[digit, read as usize]];
            let caption = if line == 0 {
                format!("{label}")
            } else {
                format!("read as {read} ({percent:.0} %)")
            };
            let _ = write!(text, "{caption:column$}");
        }
        text.push('\n');
    }
    text
}

/// Two characters for one pixel, about as wide as high.
fn shade(pixel: f32) -> &'static str {
    const SHADES: [&str; 5] = ["  ", "░░", "▒▒", "▓▓", "██"];
    let level = pixel / f32::from(INK) * (SHADES.len() - 1) as f32;
    SHADES[(level.round() as usize).min(SHADES.len() - 1)]
}
