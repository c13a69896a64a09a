//! The report, as text and as JSON.

use std::path::Path;

use serde_json::{Value, json};

use crate::measure::processor::description;
use crate::row::{Figure, Measured, Reach};

/// The head of the table.
pub fn head() {
    println!(
        "{:<46}{:>12}{:>12}{:>9}{:>9}{:>15}  {:<8} others, × limit",
        "work", "ours, ns", "limit, ns", "× limit", "of least", "reach", "reached"
    );
}

/// Whether a row reaches its figure: `yes` and `no` if medians and least times agree.
fn verdict(row: &Measured, ours: &Figure) -> &'static str {
    let reached = match row.reach {
        Reach::Limit(times) => [ours.ratio <= times, ours.least / row.limit.least <= times],
        Reach::Nanoseconds(time) => [ours.median <= time, ours.least <= time],
        Reach::Peer(name, times) => match row.figures.iter().find(|peer| peer.name == name) {
            Some(peer) => [ours.ratio <= times * peer.ratio, ours.least <= times * peer.least],
            None => [false; 2],
        },
    };
    match reached {
        [true, true] => "yes",
        [false, false] => "NO",
        _ => "unclear",
    }
}

/// One row of the table.
pub fn print(row: &Measured) {
    let Some((ours, others)) = row.figures.split_first() else { return };
    let reach = match row.reach {
        Reach::Limit(times) => format!("{times:.2}"),
        Reach::Nanoseconds(time) => format!("{time:.1} ns"),
        Reach::Peer(name, times) => format!("{times:.2} {name}"),
    };
    let others: Vec<String> =
        others.iter().map(|other| format!("{} {:.2}", other.name, other.ratio)).collect();
    println!(
        "{:<46}{:>12}{:>12}{:>9.2}{:>9.2}{reach:>15}  {:<8} {}",
        row.name,
        time(ours.median),
        time(row.limit.median),
        ours.ratio,
        ours.least / row.limit.least,
        verdict(row, ours),
        others.join(", "),
    );
}

/// Nanoseconds with the significant digits.
fn time(nanoseconds: f64) -> String {
    if nanoseconds < 100.0 { format!("{nanoseconds:.2}") } else { format!("{nanoseconds:.0}") }
}

/// The last line.
pub fn sum(rows: &[Measured]) {
    let mut counts = [0; 3];
    for row in rows {
        let Some(ours) = row.figures.first() else { continue };
        match verdict(row, ours) {
            "yes" => counts[0] += 1,
            "NO" => counts[1] += 1,
            _ => counts[2] += 1,
        }
    }
    let [reached, missed, unclear] = counts;
    println!("\n{reached} rows reach their figure, {missed} miss it, {unclear} are unclear");
}

/// Writes the figures as `peers.py` does, too.
pub fn write(path: &Path, rows: &[Measured]) -> std::io::Result<()> {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            let ways: serde_json::Map<String, Value> = [&row.limit]
                .into_iter()
                .chain(&row.figures)
                .map(|figure| {
                    let Figure { median, least, ratio, .. } = figure;
                    let value = json!({ "median": median, "least": least, "ratio": ratio });
                    (figure.name.clone(), value)
                })
                .collect();
            let (unit, reach) = match row.reach {
                Reach::Limit(times) => ("limit", times),
                Reach::Nanoseconds(time) => ("ns", time),
                Reach::Peer(name, times) => (name, times),
            };
            json!({
                "name": row.name,
                "element": row.element,
                "reach": reach,
                "reach_unit": unit,
                "ways": ways,
            })
        })
        .collect();
    let text = serde_json::to_string_pretty(&json!({ "processor": description(), "rows": rows }))?;
    std::fs::write(path, text + "\n")
}
