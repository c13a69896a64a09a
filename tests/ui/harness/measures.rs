//! How long the messages are, how many there are for one mistake, and how often the first line says
//! it all: `measures.txt` holds what was reached, and nothing may get worse.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::sizes::{Sizes, topic};
use super::story::{LINES, Story, errors, first_error};
use super::{folder, mistakes, name, snapshot};

/// The row of all topics together.
const TOTAL: &str = "total";

const HEADER: &str = "\
# What the compiler says about the mistakes of each topic: how many mistakes are one error, how many errors and
# lines there are in all, how many first errors have at most twelve lines, the lines of the longest mistake, the
# lines of one mistake on average, how many first errors have the promised sentence, and of the mistakes that are
# about two sizes (sizes.txt) how many name both in the first line. Nothing here may get worse; written by
# `.ci/bless ui`.
";

/// One row: sums over the mistakes of a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    mistakes: usize,
    one_error: usize,
    errors: usize,
    lines: usize,
    short: usize,
    longest: usize,
    promised: usize,
    of_two_sizes: usize,
    naming_both: usize,
}

impl Row {
    fn add(&mut self, said: &str, promise: &str, names_both: Option<bool>) {
        let (lines, first) = (said.lines().count(), first_error(said));
        self.mistakes += 1;
        self.one_error += usize::from(errors(said) == 1);
        self.errors += errors(said);
        self.lines += lines;
        self.short += usize::from((1..=LINES).contains(&first.trim_end().lines().count()));
        self.promised += usize::from(first.contains(promise));
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
        let mut fewer = |now: usize, before: usize, what| {
            if now * was.mistakes < before * self.mistakes {
                worse.push(format!("{now} {what}, {before} before"));
            }
        };
        fewer(self.one_error, was.one_error, "mistakes are one error");
        fewer(self.short, was.short, "first errors are short");
        fewer(self.promised, was.promised, "first errors have the promised sentence");
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
    of(
        sizes,
        mistakes().into_iter().map(|mistake| {
            let said = snapshot(&mistake).unwrap_or_default();
            (mistake, said)
        }),
    )
}

/// What is measured of mistakes and of what the compiler says about them.
pub fn of(sizes: &Sizes, said: impl IntoIterator<Item = (PathBuf, String)>) -> Measures {
    let mut measures = Measures::new();
    for (mistake, said) in said {
        let story = Story::read(&mistake).unwrap_or_else(|complaint| panic!("{complaint}"));
        let mistake = name(&mistake);
        let names_both = sizes.named(&mistake, &said);
        for row in [topic(&mistake).unwrap_or_default(), TOTAL] {
            let row = measures.entry(row.to_owned()).or_default();
            row.add(&said, &story.promises[0], names_both);
        }
    }
    measures
}

/// The table, as `measures.txt` has it.
pub fn written(measures: &Measures) -> String {
    let columns = [
        "topic",
        "mistakes",
        "one error",
        "errors",
        "lines",
        "short",
        "longest",
        "average",
        "promised",
        "both sizes named",
    ];
    let mut table = vec![columns.map(str::to_owned)];
    let is_total = |topic: &str| topic == TOTAL;
    let mut rows: Vec<_> = measures.iter().collect();
    rows.sort_by_key(|(topic, _)| is_total(topic));
    for (topic, row) in rows {
        let average = format!("{:.1}", row.lines as f64 / row.mistakes as f64);
        let Row { mistakes, one_error, errors, lines, short, longest, promised, .. } = row;
        let numbers = [mistakes, one_error, errors, lines, short, longest, promised];
        let [mistakes, one_error, errors, lines, short, longest, promised] =
            numbers.map(usize::to_string);
        table.push([
            topic.clone(),
            mistakes,
            one_error,
            errors,
            lines,
            short,
            longest,
            average,
            promised,
            row.share(),
        ]);
    }
    let widths = std::array::from_fn::<_, 10, _>(|column| {
        table.iter().map(|row| row[column].len()).max().unwrap_or_default()
    });
    let line = |row: &[String; 10]| {
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
        // The average, number 6, follows from the others.
        let numbers: Vec<&str> = words.filter(|word| !["of", "-"].contains(word)).collect();
        let number = |at: usize| -> Result<usize, String> {
            let word = numbers.get(at).ok_or(format!("a number is missing: {line}"))?;
            word.parse().map_err(|_| format!("`{word}` is not a number: {line}"))
        };
        let (naming_both, of_two_sizes) =
            if numbers.len() > 8 { (number(8)?, number(9)?) } else { (0, 0) };
        let row = Row {
            mistakes: number(0)?,
            one_error: number(1)?,
            errors: number(2)?,
            lines: number(3)?,
            short: number(4)?,
            longest: number(5)?,
            promised: number(7)?,
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
        said.iter().for_each(|(said, both)| row.add(said, "d", *both));
        row
    };
    let long = row(&[("error: a\n b\n c\nerror: d\n", Some(true)), ("error: e\n", None)]);
    let short = row(&[("error: a\n b\n", Some(false))]);
    let expected = Row {
        mistakes: 2,
        one_error: 1,
        errors: 3,
        lines: 5,
        short: 2,
        longest: 4,
        promised: 0,
        of_two_sizes: 1,
        naming_both: 1,
    };
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
    assert_eq!(long.worse_than(&Row { one_error: 2, short: 3, promised: 1, ..long }).len(), 3);
}
