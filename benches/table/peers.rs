//! The peers in Python: measured in the same rounds by a process that waits for its turns, or before
//! and read from a file.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;

use crate::measure::Way;
use crate::options::Options;
use crate::row::Figure;

/// `benches/peers.py`, which answers every line with a line of JSON.
struct Process {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Process {
    fn ask(&mut self, question: &Value) -> io::Result<Value> {
        writeln!(self.questions, "{question}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        Ok(serde_json::from_str(&answer)?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends by itself when there are no more questions, and is not needed any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Peers that take turns with ours.
pub struct Peers {
    process: Rc<RefCell<Process>>,
}

impl Peers {
    /// Starts the peers that this Python has.
    pub fn start(python: &Path, options: &Options) -> io::Result<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers.py");
        let mut child = Command::new(python)
            .arg(script)
            .args(["--serve", "--threads", &options.threads.to_string()])
            .args(options.wall.then_some("--wall"))
            .args(options.avx2.then_some("--avx2"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (questions, answers) = (child.stdin.take(), child.stdout.take());
        let (Some(questions), Some(answers)) = (questions, answers) else {
            return Err(io::Error::other("the peers have no input or output"));
        };
        let mut process = Process { child, questions, answers: BufReader::new(answers) };
        let versions = process.ask(&serde_json::json!({ "do": "versions" }))?;
        println!("peers: {versions}");
        Ok(Peers { process: Rc::new(RefCell::new(process)) })
    }

    /// The peers that have this row.
    pub fn ways(&self, row: &str, element: &str) -> Vec<Way<'static>> {
        let question = serde_json::json!({ "do": "row", "name": row, "element": element });
        let names = match self.process.borrow_mut().ask(&question) {
            Ok(names) => names,
            Err(error) => {
                eprintln!("{row}: the peers do not answer: {error}");
                return Vec::new();
            }
        };
        let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
        names.map(|name| self.way(name)).collect()
    }

    fn way(&self, name: &str) -> Way<'static> {
        let (process, peer) = (Rc::clone(&self.process), name.to_string());
        Way::timed(name, move |calls| {
            let question = serde_json::json!({ "do": "turn", "peer": peer, "calls": calls });
            let answer = process.borrow_mut().ask(&question);
            let time = answer.ok().and_then(|answer| answer.as_u64());
            Duration::from_nanos(time.expect("the peers answer with nanoseconds"))
        })
    }
}

/// Figures that were measured before.
#[derive(Default)]
pub struct Stored {
    rows: Vec<Value>,
}

impl Stored {
    /// Reads what `peers.py --json` wrote.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut file: Value = serde_json::from_slice(&std::fs::read(path)?)?;
        let rows = file.get_mut("rows").and_then(Value::as_array_mut).map(std::mem::take);
        rows.map(|rows| Stored { rows }).ok_or(io::Error::other("it has no `rows`"))
    }

    /// The peers of a row, relative to this limit.
    pub fn figures(&self, row: &str, element: &str, limit: f64) -> Vec<Figure> {
        let found = self.rows.iter().find(|found| {
            found["name"].as_str() == Some(row) && found["element"].as_str() == Some(element)
        });
        let ways = found.and_then(|row| row["ways"].as_object()).into_iter().flatten();
        ways.filter_map(|(name, way)| {
            let median = way["median"].as_f64()?;
            let least = way["least"].as_f64()?;
            Some(Figure { name: name.clone(), median, least, ratio: median / limit })
        })
        .collect()
    }
}
