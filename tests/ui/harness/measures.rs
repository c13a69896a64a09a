//! How long the messages are, how many there are for one mistake, and how often the first line says
//! it all: `measures.txt` holds what was reached, and nothing may get worse.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::sizes::{Sizes, topic};
use super::story::errors;
use super::{folder, mistakes, name, snapshot};

/// The row of all topics together.
const TOTAL: &str = "total";

const HEADER: &str = "\
# What the compiler says about the mistakes of each topic: how many errors and lines there are in all,
# the lines of the longest, the lines of one mistake on average, and of the mistakes that are about two
# sizes (sizes.txt) how many name both in the first line. Nothing here may get worse; written by
# `BLESS=1 cargo test --test ui measures`.
";

/// One row: sums over the mistakes of a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    mistakes: usize,
    errors: usize,
    lines: usize,
    longest: usize,
    of_two_sizes: usize,
    naming_both: usize,
}

impl Row {
    fn add(&mut self, said: &str, names_both: Option<bool>) {
        let lines = said.lines().count();
        self.mistakes += 1;
        self.errors += errors(said);
        self.lines += lines;
        self.longest = self.longest.max(lines);
        self.of_two_sizes += usize::from(names_both.is_some());
        self.naming_both += usize::from(names_both == Some(true));
    }

    /// What is worse than it was, in words. Averages are compared as fractions.
    fn worse_than(&self, was: &Self) -> Vec<String> {
        let average = |row: &Self, sum: usize| sum as f64 / row.mistakes as f64;
        let mut worse = Vec::new();
        if self.errors * was.mistakes > was.errors * self.mistakes {
            let (now, was) = (average(self, self.errors), average(was, was.errors));
            worse.push(format!("{now:.3} errors for one mistake, {was:.3} before"));
        }
        if self.lines * was.mistakes > was.lines * self.mistakes {
            let (now, was) = (average(self, self.lines), average(was, was.lines));
            worse.push(format!("{now:.2} lines for one mistake, {was:.2} before"));
        }
        if self.longest > was.longest {
            worse.push(format!("{} lines in the longest, {} before", self.longest, was.longest));
        }
        if self.naming_both * was.of_two_sizes < was.naming_both * self.of_two_sizes {
            let (now, was) = (self.share(), was.share());
            worse.push(format!("{now} first lines name both sizes, {was} before"));
        }
        worse
    }

    fn share(&self) -> String {
        match self.of_two_sizes {
            0 => "-".to_owned(),
            of => format!("{} of {of}", self.naming_both),
        }
    }
}

/// The rows by topic, and [`TOTAL`].
pub type Measures = BTreeMap<String, Row>;

/// What the snapshots give.
pub fn measured(sizes: &Sizes) -> Measures {
    let mut measures = Measures::new();
    for mistake in mistakes() {
        let said = snapshot(&mistake).unwrap_or_default();
        let mistake = name(&mistake);
        let names_both = sizes.named(&mistake, &said);
        for row in [topic(&mistake).unwrap_or_default(), TOTAL] {
            measures.entry(row.to_owned()).or_default().add(&said, names_both);
        }
    }
    measures
}

/// The table, as `measures.txt` has it.
pub fn written(measures: &Measures) -> String {
    let columns =
        ["topic", "mistakes", "errors", "lines", "longest", "average", "both sizes named"];
    let mut table = vec![columns.map(str::to_owned)];
    let is_total = |topic: &str| topic == TOTAL;
    let mut rows: Vec<_> = measures.iter().collect();
    rows.sort_by_key(|(topic, _)| is_total(topic));
    for (topic, row) in rows {
        let average = format!("{:.1}", row.lines as f64 / row.mistakes as f64);
        let numbers = [row.mistakes, row.errors, row.lines, row.longest].map(|n| n.to_string());
        let [mistakes, errors, lines, longest] = numbers;
        table.push([topic.clone(), mistakes, errors, lines, longest, average, row.share()]);
    }
    let widths = std::array::from_fn::<_, 7, _>(|column| {
        table.iter().map(|row| row[column].len()).max().unwrap_or_default()
    });
    let line = |row: &[String; 7]| {
        let [first, rest @ ..] = row;
        let cells = rest.iter().zip(&widths[1..]).map(|(cell, width)| format!("  {cell:>width$}"));
        format!("{first:<0$}{1}\n", widths[0], cells.collect::<String>())
    };
    HEADER.to_owned() + "\n" + &table.iter().map(line).collect::<String>()
}

/// Reads what [`written`] wrote.
pub fn parse(table: &str) -> Result<Measures, String> {
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).skip(1);
    let mut measures = Measures::new();
    for line in rows {
        let mut words = line.split_whitespace();
        let topic = words.next().unwrap_or_default();
        // The average, number 4, follows from the others.
        let numbers: Vec<&str> = words.filter(|word| !["of", "-"].contains(word)).collect();
        let number = |at: usize| -> Result<usize, String> {
            let word = numbers.get(at).ok_or(format!("a number is missing: {line}"))?;
            word.parse().map_err(|_| format!("`{word}` is not a number: {line}"))
        };
        let (naming_both, of_two_sizes) =
            if numbers.len() > 5 { (number(5)?, number(6)?) } else { (0, 0) };
        let row = Row {
            mistakes: number(0)?,
            errors: number(1)?,
            lines: number(2)?,
            longest: number(3)?,
            of_two_sizes,
            naming_both,
        };
        measures.insert(topic.to_owned(), row);
    }
    Ok(measures)
}

/// What got worse, a line each: topic by topic, and in all.
pub fn worse(now: &Measures, was: &Measures) -> Vec<String> {
    let both = now.iter().filter_map(|(topic, row)| Some((topic, row, was.get(topic)?)));
    both.flat_map(|(topic, row, was)| {
        row.worse_than(was).into_iter().map(move |what| format!("{topic}: {what}"))
    })
    .collect()
}

/// Where the table is.
pub fn file() -> PathBuf {
    folder().join("measures.txt")
}

/// The table that was recorded.
pub fn recorded() -> Result<String, String> {
    fs::read_to_string(file()).map_err(|error| format!("measures.txt: {error}"))
}

#[test]
fn a_table_is_read_as_it_was_written() {
    let row = |said: &[(&str, Option<bool>)]| {
        let mut row = Row::default();
        said.iter().for_each(|(said, both)| row.add(said, *both));
        row
    };
    let long = row(&[("error: a\n b\n c\nerror: d\n", Some(true)), ("error: e\n", None)]);
    let short = row(&[("error: a\n b\n", Some(false))]);
    let expected =
        Row { mistakes: 2, errors: 3, lines: 5, longest: 4, of_two_sizes: 1, naming_both: 1 };
    assert_eq!(long, expected);
    let measures: Measures = [("one".to_owned(), long), (TOTAL.to_owned(), short)].into();
    assert_eq!(parse(&written(&measures)).as_ref(), Ok(&measures));
    let without_two_sizes: Measures = [("one".to_owned(), row(&[("error: a\n", None)]))].into();
    assert_eq!(parse(&written(&without_two_sizes)).as_ref(), Ok(&without_two_sizes));
    assert!(parse("topic\none 1 2 x\n").is_err());

    assert!(long.worse_than(&long).is_empty());
    let [lines] = &short.worse_than(&Row { lines: 1, naming_both: 0, ..short })[..] else {
        panic!("only the average is worse");
    };
    assert_eq!(lines, "2.00 lines for one mistake, 1.00 before");
    let complaints = long.worse_than(&Row { longest: 3, errors: 2, ..long });
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert_eq!(short.worse_than(&Row { naming_both: 1, ..short }).len(), 1);
}
