//! The picture of the README: a message of `cargo check`, and the same one of `cargo shapes check`.

use std::fmt::Write;

use cargo_shapes::render::{Sources, Style, render};
use cargo_shapes::words::{Surroundings, brief, reword};

use crate::compiled::{Program, workspace};

/// What the picture shows.
const MISTAKE: &str = "broadcast/attention_mask";

/// The columns of the terminal: longer lines are continued.
const COLUMNS: usize = 110;
const LINE: usize = 18;
const CHARACTER: f64 = 7.8;

/// The picture as SVG.
pub fn picture(programs: &[Program]) -> String {
    let program = programs.iter().find(|program| program.name == MISTAKE).unwrap();
    let old = &program.messages[0].old;
    let mut new = old.clone();
    reword(&mut new, &Surroundings::default());
    let sources = Sources::new(vec![workspace().to_path_buf()]);
    let style = Style { color: true, ..Style::default() };
    let texts = [
        ("cargo check", render(old, style, &sources)),
        ("cargo shapes check", render(&brief(&new), style, &sources)),
    ];
    let mut lines = Vec::new();
    for (command, text) in texts {
        lines.push(vec![("prompt", "$ ".to_owned()), ("bold", command.to_owned())]);
        lines.extend(text.trim_end().lines().flat_map(|line| wrapped(&spans(line))));
        lines.push(Vec::new());
    }
    lines.pop();
    drawn(&lines)
}

type Span = (&'static str, String);

/// The parts of a line by colour.
fn spans(line: &str) -> Vec<Span> {
    let (mut spans, mut class) = (Vec::new(), "plain");
    for (number, part) in line.split("\x1b[").enumerate() {
        let text = match (number, part.split_once('m')) {
            (0, _) | (_, None) => part,
            (_, Some((code, text))) => {
                class = match code {
                    "0" => "plain",
                    "91" => "red",
                    "92" => "green",
                    "94" => "blue",
                    "96" => "cyan",
                    "1" if class == "plain" => "bold",
                    _ => class,
                };
                text
            }
        };
        if !text.is_empty() {
            spans.push((class, text.to_owned()));
        }
    }
    spans
}

/// The lines of a terminal for one line of text.
fn wrapped(spans: &[Span]) -> Vec<Vec<Span>> {
    let mut lines: Vec<Vec<Span>> = vec![Vec::new()];
    let mut column = 0;
    for (class, text) in spans {
        for c in text.chars() {
            if column == COLUMNS {
                lines.push(Vec::new());
                column = 0;
            }
            let line = lines.last_mut().unwrap();
            match line.last_mut() {
                Some((last, text)) if last == class => text.push(c),
                _ => line.push((class, c.to_string())),
            }
            column += 1;
        }
    }
    lines
}

fn drawn(lines: &[Vec<Span>]) -> String {
    let width = (COLUMNS as f64 * CHARACTER) as usize + 32;
    let height = lines.len() * LINE + 28;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>A message of cargo check, and the same message of cargo shapes check</title>\n\
         <style>text {{ font: 13px monospace; fill: #d8dee9; white-space: pre }} .bold {{ font-weight: bold }}\n\
         .red {{ fill: #ff6e6e; font-weight: bold }} .green {{ fill: #7fd87f; font-weight: bold }}\n\
         .blue {{ fill: #7aa7ff; font-weight: bold }} .cyan {{ fill: #6fd3d3; font-weight: bold }} .prompt {{ fill: #8a94a6 }}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#1e222a\"/>\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = number * LINE + 26;
        write!(svg, "<text y=\"{y}\" xml:space=\"preserve\">").unwrap();
        let mut column = 0;
        for (class, text) in line {
            // A separate column, so that fonts of any width are aligned.
            let x = 16.0 + column as f64 * CHARACTER;
            let length = text.chars().count() as f64 * CHARACTER;
            let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            write!(
                svg,
                "<tspan class=\"{class}\" x=\"{x:.1}\" textLength=\"{length:.1}\">{escaped}</tspan>"
            )
            .unwrap();
            column += text.chars().count();
        }
        svg += "</text>\n";
    }
    svg + "</svg>\n"
}
