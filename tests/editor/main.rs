//! What rust-analyzer shows of a program: the type of every variable in `program.rs`, whose comments state it, the first
//! sentence of the documentation of a method, and completions.
//!
//! It takes a minute the first time, because rust-analyzer builds the procedural macros: `.ci/run editor`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

const PROGRAM: &str = include_str!("program.rs");

/// rust-analyzer, and a package whose program it has read.
struct Editor {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    program: String,
    requests: u64,
}

impl Editor {
    /// `None` if rust-analyzer is not installed.
    fn open() -> Option<Self> {
        let version = Command::new("rust-analyzer").arg("--version").output().ok()?;
        if !version.status.success() {
            return None;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let package = package(root);
        let mut command = Command::new("rust-analyzer");
        command.current_dir(&package).env("CARGO_TARGET_DIR", root.join("target/editor"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("rust-analyzer starts");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        thread::spawn(move || received(output).try_for_each(|message| sender.send(message)));
        let program = format!("file://{}", package.join("src/main.rs").display());
        let mut editor = Self { process, input, messages, program, requests: 0 };
        editor.request(
            "initialize",
            json!({
                "rootUri": format!("file://{}", package.display()),
                "capabilities": { "experimental": { "serverStatusNotification": true } },
                "initializationOptions": {
                    "checkOnSave": false,
                    "cachePriming": { "enable": false },
                    "inlayHints": { "maxLength": null },
                },
            }),
        );
        editor.send(json!({ "method": "initialized", "params": {} }));
        let document =
            json!({ "uri": editor.program, "languageId": "rust", "version": 1, "text": PROGRAM });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        while editor.receive()["params"]["quiescent"] != true {}
        Some(editor)
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it reads");
        self.input.flush().expect("it reads");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// The next message. Requests of rust-analyzer get an empty answer.
    fn receive(&mut self) -> Value {
        let message = self.messages.recv_timeout(Duration::from_secs(600)).expect("it answers");
        if message.get("method").is_some() && message.get("id").is_some() {
            self.send(json!({ "id": message["id"], "result": null }));
        }
        message
    }

    /// The result of a request, which is repeated while rust-analyzer reads files.
    fn request(&mut self, method: &str, params: Value) -> Value {
        loop {
            self.requests += 1;
            let id = self.requests;
            self.send(json!({ "id": id, "method": method, "params": params }));
            let answer = loop {
                let message = self.receive();
                if message["id"] == id && message.get("method").is_none() {
                    break message;
                }
            };
            match answer.get("error") {
                None => return answer["result"].clone(),
                Some(error) if error["code"] == -32801 => thread::sleep(Duration::from_secs(1)),
                Some(error) => panic!("{method}: {error}"),
            }
        }
    }

    /// A request about the position behind `text`, where it is first in `source`.
    fn at(&mut self, method: &str, source: &str, text: &str) -> Value {
        let before = source.split(text).next().expect("the text").to_owned() + text;
        let character = before.rsplit('\n').next().expect("a line").len();
        let position = json!({ "line": before.matches('\n').count(), "character": character });
        self.request(
            method,
            json!({ "textDocument": { "uri": self.program }, "position": position }),
        )
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A package with the program.
fn package(root: &Path) -> PathBuf {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor");
    fs::create_dir_all(package.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\ntensor-core = {{ path = {:?} }}\n",
        root.join("tensor-core")
    );
    fs::write(package.join("Cargo.toml"), manifest).expect("a file");
    fs::write(package.join("src/main.rs"), PROGRAM).expect("a file");
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).expect("a file");
    package
}

/// The messages of a language server.
fn received(mut output: impl BufRead) -> impl Iterator<Item = Value> {
    std::iter::from_fn(move || {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim().split_once(": ") {
                Some((_, value)) => length = value.parse().unwrap_or(length),
                None => break,
            }
        }
        let mut text = vec![0; length];
        output.read_exact(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    })
}

/// The types that the comments of the program state, by the number of the line.
fn stated() -> BTreeMap<usize, &'static str> {
    let line = |(number, line): (usize, &'static str)| Some((number, line.split_once("; // ")?.1));
    PROGRAM.lines().enumerate().filter_map(line).collect()
}

#[test]
#[ignore = "needs rust-analyzer, which it looks for: .ci/run editor"]
fn rust_analyzer_shows_shapes_and_documentation() {
    let Some(mut editor) = Editor::open() else {
        println!("skipped: rustup component add rust-analyzer");
        return;
    };
    let lines = PROGRAM.lines().count();
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": lines - 1, "character": 0 } });
    let of_program = json!({ "textDocument": { "uri": editor.program }, "range": range });
    let hints = editor.request("textDocument/inlayHint", of_program);
    let mut found = BTreeMap::new();
    for hint in hints.as_array().expect("hints").iter().filter(|hint| hint["kind"] == 1) {
        let line = hint["position"]["line"].as_u64().expect("a number") as usize;
        let parts = hint["label"]
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![json!({ "value": hint["label"] })]);
        let label: String = parts.iter().filter_map(|part| part["value"].as_str()).collect();
        found.entry(line).or_insert(label);
    }
    let stated = stated();
    assert!(stated.len() > 40, "{}", stated.len());
    let wrong: Vec<String> = stated
        .iter()
        .filter(|(line, is)| found.get(line).is_none_or(|label| label != &format!(": {is}")))
        .map(|(line, is)| format!("line {}: {:?}, and not {is}", line + 1, found.get(line)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    // Of a method that shares its first paragraph with that of `DynTensor`.
    let hover = editor.at("textDocument/hover", PROGRAM, "x.dot");
    let hover = hover["contents"]["value"].as_str().expect("text");
    assert!(hover.contains("The product of the last axis with a matrix"), "{hover}");

    let incomplete = PROGRAM.replace("x.dot(w)", "x.");
    let document = json!({ "uri": editor.program, "version": 2 });
    let changes = json!([{ "text": incomplete }]);
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": changes }),
    );
    let completed = editor.at("textDocument/completion", &incomplete, "= x.");
    let items = completed["items"].as_array().or(completed.as_array()).expect("items");
    let has = |name: &str| {
        items.iter().any(|item| {
            item["label"].as_str().is_some_and(|label| label.split('(').next() == Some(name))
        })
    };
    assert!(has("dot") && has("sum_axis") && has("softmax"));
    // A hidden method of another library's name, and one of a trait for the crate alone.
    for hidden in ["mm", "masked_fill", "as_view", "broadcast_axis"] {
        assert!(!has(hidden), "{hidden}");
    }
}
