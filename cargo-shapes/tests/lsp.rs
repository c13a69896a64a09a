//! `cargo shapes lsp`, by a session that was recorded with rust-analyzer 1.95 on this program:
//!
//! ```text
//! let rows = Tensor::<shape![32, 10]>::zeros();
//! let column = rows.mean_axis_keepdims::<1>();
//! let sum = &rows + &column;
//! let y: u8 = &rows;
//! ```

use std::env;
use std::fs;
use std::io::{BufReader, Cursor, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use cargo_shapes::lsp::{Frame, Session};
use serde_json::{Value, json};

const SESSION: &str = include_str!("lsp/session.jsonl");

fn frame(body: &Value) -> Frame {
    Frame::new(body.to_string().into_bytes())
}

/// The recorded messages: who sent each, and its body.
fn recorded() -> Vec<(String, Value)> {
    let read = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        (line["from"].as_str().unwrap().to_owned(), line["body"].clone())
    };
    SESSION.lines().map(read).collect()
}

/// The bodies that the editor gets in place of others.
fn changed(session: &mut Session) -> Vec<Value> {
    let mut changed = Vec::new();
    for (from, body) in recorded() {
        let sent = frame(&body);
        if from == "editor" {
            session.from_editor(&sent);
            continue;
        }
        let got = session.from_server(sent.clone());
        if got != sent {
            changed.push(serde_json::from_slice(got.body()).unwrap());
        }
    }
    changed
}

#[test]
fn shapes_are_folded_in_hovers_hints_and_diagnostics() {
    let changed = changed(&mut Session::default());
    let text = |pointer: &str| -> Vec<String> {
        let found = changed.iter().filter_map(|body| body.pointer(pointer)?.as_str());
        found.map(str::to_owned).collect()
    };
    let hover = text("/result/contents/value");
    assert_eq!(hover.len(), 1, "the other hover has no shape");
    assert!(hover[0].contains("let rows: Tensor<[32, 10]>\n"), "{}", hover[0]);
    let diagnostics = text("/params/diagnostics/0/message");
    let folded = "expected u8, found &Tensor<[32, 10], f32>".to_owned();
    assert!(diagnostics.contains(&folded), "{diagnostics:?}");
    assert!(diagnostics.iter().all(|message| !message.contains("(()")), "{diagnostics:?}");
    let hints = changed.iter().find_map(|body| body["result"].as_array()).unwrap();
    let labels: Vec<String> = hints
        .iter()
        .map(|hint| {
            hint["label"]
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part["value"].as_str().unwrap())
                .collect()
        })
        .collect();
    assert!(labels.contains(&": Tensor<[784, 10]>".to_owned()), "{labels:?}");
    assert!(hints[0]["label"][1]["location"].is_object(), "`Tensor` keeps its link");
    let inserted = hints[0]["textEdits"][0]["newText"].as_str().unwrap();
    assert!(inserted.contains("Tensor<(((), "), "what goes into the program is code: {inserted}");
}

#[test]
fn everything_else_passes_byte_for_byte() {
    let mut session = Session::default();
    let rest = [
        r#"{"jsonrpc":"2.0", "id":7,"result":{"contents":"Tensor<((), Dim<2>)>"} }"#,
        r#"{"jsonrpc":"2.0","method":"window/logMessage","params":{"message":"`Tensor<((), Dim<2>)>`"}}"#,
        "no JSON with Dim<2>",
        r#"{"jsonrpc":"2.0","id":null,"error":{"message":"Dim<2>"}}"#,
    ];
    for body in rest {
        let sent = Frame::new(body.as_bytes().to_vec());
        assert_eq!(session.from_server(sent.clone()), sent);
    }
    // An answer is known by its request, once.
    session.from_editor(&frame(&json!({ "id": 7, "method": "textDocument/hover" })));
    let sent = Frame::new(rest[0].as_bytes().to_vec());
    let got: Value = serde_json::from_slice(session.from_server(sent.clone()).body()).unwrap();
    assert_eq!(got["result"]["contents"], "Tensor<((), Dim<2>)>", "a word that is no code");
    session.from_editor(&frame(&json!({ "id": "a", "method": "textDocument/hover" })));
    let answer = json!({ "id": "a", "result": { "contents": [{ "language": "rust", "value": "x: Dim<2>" }, "`One`"] } });
    let got: Value = serde_json::from_slice(session.from_server(frame(&answer)).body()).unwrap();
    assert_eq!(
        got["result"]["contents"],
        json!([{ "language": "rust", "value": "x: 2" }, "`One`"])
    );
    assert_eq!(session.from_server(frame(&answer)), frame(&answer));
}

#[test]
fn diagnostics_that_are_pulled_are_folded() {
    let mut session = Session::default();
    session.from_editor(&frame(&json!({ "id": 1, "method": "textDocument/diagnostic" })));
    let diagnostic = |message: &str| {
        json!({
            "message": message, "data": { "rendered": format!("error: {message}\n") },
            "relatedInformation": [{ "message": message }],
        })
    };
    let report = |message: &str| {
        json!({ "id": 1, "result": {
            "kind": "full", "items": [diagnostic(message)],
            "relatedDocuments": { "file:///a.rs": { "kind": "full", "items": [diagnostic(message)] } },
        } })
    };
    let got = session.from_server(frame(&report("found `(((), Batch), Dim<10>)`")));
    assert_eq!(serde_json::from_slice::<Value>(got.body()).unwrap(), report("found `[Batch, 10]`"));
}

/// Corrections are in better words already, and what they insert into programs is code.
#[test]
fn corrections_pass_as_they_are() {
    let mut session = Session::default();
    session.from_editor(&frame(&json!({ "id": 1, "method": "textDocument/codeAction" })));
    let message = "this compiles: adds the bound `shape![I]: Broadcast<shape![O]>`; the result is `[200, 5, 2]`";
    let edit =
        json!({ "changes": { "file:///a.rs": [{ "newText": ": Shape<(((), I), Dim<2>)>" }] } });
    for sent in [
        json!({ "id": 1, "result": [{ "title": message, "kind": "quickfix", "edit": edit }] }),
        json!({ "method": "textDocument/publishDiagnostics", "params": { "diagnostics": [{
            "message": "cannot broadcast `Tensor<[3]>`", "relatedInformation": [{ "message": message }],
        }] } }),
    ] {
        assert_eq!(session.from_server(frame(&sent)), frame(&sent));
    }
}

#[test]
fn documentation_and_shortened_types_are_kept() {
    let mut session = Session::default();
    for (sent, expected) in [
        (
            "```rust\nx: Dim<2>\n```\n\n---\n\n`1` is `One`\n```\nlet x: (((), One), Dim<3>);\n```\n",
            "```rust\nx: 2\n```\n\n---\n\n`1` is `One`\n```\nlet x: (((), One), Dim<3>);\n```\n",
        ),
        (
            "```rust\nx: &Tensor<(((), Dim<64>), …)>\n```\n",
            "```rust\nx: &Tensor<(((), Dim<64>), …)>\n```\n",
        ),
    ] {
        session.from_editor(&frame(&json!({ "id": 1, "method": "textDocument/hover" })));
        let answer = |value: &str| json!({ "id": 1, "result": { "contents": { "kind": "markdown", "value": value } } });
        let got: Value =
            serde_json::from_slice(session.from_server(frame(&answer(sent))).body()).unwrap();
        assert_eq!(got, answer(expected));
    }
    session.from_editor(&frame(&json!({ "id": 2, "method": "textDocument/inlayHint" })));
    let hints = frame(&json!({ "id": 2, "result": [{ "label": ": Tensor<(((), Dim<64>), …)>" }] }));
    assert_eq!(session.from_server(hints.clone()), hints);
}

#[test]
fn frames_are_read_whole() {
    let bytes = b"Content-Type: x\r\ncontent-length: 2\r\n\r\n{}Content-Length: 0\r\n\r\n";
    let mut reader = Cursor::new(&bytes[..]);
    let mut written = Vec::new();
    while let Some(frame) = Frame::read(&mut reader).unwrap() {
        frame.write(&mut written).unwrap();
    }
    assert_eq!(written, bytes);
    for cut in
        ["Content-Length: 5\r\n\r\n{}", "Content-Length: 5\r\n", "Length: 5\r\n\r\n{}", "\r\n"]
    {
        assert!(Frame::read(&mut Cursor::new(cut)).is_err(), "{cut:?}");
    }
}

/// A server that answers with what it gets: each byte goes through both directions.
#[cfg(unix)]
#[test]
fn the_process_passes_what_it_does_not_know() {
    let mut proxy = start("cat", Path::new("."));
    let sent: String = ["{\"id\": 1}", "[ ]", "é"]
        .iter()
        .map(|body| format!("Content-Length: {}\r\n\r\n{body}", body.len()))
        .collect();
    proxy.stdin.take().unwrap().write_all(sent.as_bytes()).unwrap();
    let output = proxy.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), sent);
}

fn start(server: &str, folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_cargo-shapes"))
        .args(["lsp", server])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Reads until a message of the server is the one.
fn wait(server: &mut BufReader<ChildStdout>, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let frame = Frame::read(server).unwrap().expect("the server goes on");
        let body: Value = serde_json::from_slice(frame.body()).unwrap();
        if is_it(&body) {
            return body;
        }
    }
}

/// Needs `rustup component add rust-analyzer rust-src`; takes a minute, in which the library is compiled.
#[test]
#[ignore = "needs rust-analyzer: cargo test -p cargo-shapes --test lsp -- --ignored"]
fn a_real_rust_analyzer_is_understood() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor");
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tensor-core");
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"editor\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         tensor-core = {{ path = '{}' }}\n",
        library.display()
    );
    let program = "use tensor_core::{Tensor, shape};\nfn main() {\n    let rows = Tensor::<shape![32, 10]>::zeros();\n}\n";
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/main.rs"), program).unwrap();
    fs::copy(library.parent().unwrap().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();

    let mut proxy = start("rust-analyzer", &folder);
    let mut editor = proxy.stdin.take().unwrap();
    let mut server = BufReader::new(proxy.stdout.take().unwrap());
    let mut send = |body: Value| frame(&body).write(&mut editor).unwrap();
    let root = format!("file://{}", folder.display());
    let file = format!("{root}/src/main.rs");
    send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "processId": null, "rootUri": root, "initializationOptions": { "checkOnSave": false },
        "capabilities": { "experimental": { "serverStatusNotification": true } },
    } }));
    wait(&mut server, |body| body["id"] == 1);
    send(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": {
        "uri": file, "languageId": "rust", "version": 1, "text": program,
    } } }));
    wait(&mut server, |body| body["params"]["quiescent"] == true);
    let position = json!({ "line": 2, "character": 9 });
    send(json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": {
        "textDocument": { "uri": file }, "position": position,
    } }));
    let hover = wait(&mut server, |body| body["id"] == 2 && body.get("method").is_none());
    assert!(hover.to_string().contains("let rows: Tensor<[32, 10]>"), "{hover}");
    send(json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown", "params": null }));
    wait(&mut server, |body| body["id"] == 3 && body.get("method").is_none());
    send(json!({ "jsonrpc": "2.0", "method": "exit", "params": null }));
    drop(editor);
    proxy.wait().unwrap();
}
