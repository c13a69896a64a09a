//! `cargo shapes lsp`: a proxy between an editor and rust-analyzer that rewrites shapes in diagnostics,
//! hovers and inlay hints. All other messages are passed on unchanged.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

use crate::shapes::translated;
use crate::text::message;
use crate::wrapper::exit_code;

/// Requests whose results contain types.
const REQUESTS: [&str; 5] = [
    "textDocument/hover",
    "textDocument/inlayHint",
    "inlayHint/resolve",
    "textDocument/diagnostic",
    "workspace/diagnostic",
];

/// A message of the protocol: its header and its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    header: Vec<u8>,
    body: Vec<u8>,
}

impl Frame {
    /// A message with this body.
    pub fn new(body: Vec<u8>) -> Self {
        Self { header: format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes(), body }
    }

    /// Reads a message; `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Reading fails, or the header has no length.
    pub fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let (mut header, mut len) = (Vec::new(), None);
        loop {
            let start = header.len();
            if reader.read_until(b'\n', &mut header)? == 0 {
                return if header.is_empty() {
                    Ok(None)
                } else {
                    Err(io::ErrorKind::UnexpectedEof.into())
                };
            }
            let line = String::from_utf8_lossy(&header[start..]).trim().to_owned();
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                len = value.trim().parse::<u64>().ok();
            }
        }
        let len = len.ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "a message without its length")
        })?;
        let mut body = Vec::new();
        if reader.take(len).read_to_end(&mut body)? as u64 != len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(Self { header, body }))
    }

    /// Writes the message as it was read.
    ///
    /// # Errors
    ///
    /// Writing fails.
    pub fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        writer.write_all(&self.header)?;
        writer.write_all(&self.body)?;
        writer.flush()
    }

    /// The body of the message.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// The unanswered requests: an answer has the id of its request, but no method.
#[derive(Debug, Default)]
pub struct Session {
    requests: HashMap<String, String>,
}

impl Session {
    /// Records a message of the editor, which is passed on unchanged.
    pub fn from_editor(&mut self, frame: &Frame) {
        let is_request = REQUESTS.iter().any(|request| contains(&frame.body, request));
        if let Some(value) =
            is_request.then(|| serde_json::from_slice::<Value>(&frame.body).ok()).flatten()
            && let Some(method) =
                value["method"].as_str().filter(|method| REQUESTS.contains(method))
        {
            self.requests.insert(value["id"].to_string(), method.to_owned());
        }
    }

    /// Rewrites the shapes in a message of the server.
    pub fn from_server(&mut self, frame: Frame) -> Frame {
        let has_types =
            ["Dim<", "(()", "One", "Tensor<"].iter().any(|part| contains(&frame.body, part));
        let is_answer = !self.requests.is_empty();
        if !has_types && !is_answer {
            return frame;
        }
        let Ok(mut value) = serde_json::from_slice::<Value>(&frame.body) else { return frame };
        let before = value.clone();
        if value["method"] == "textDocument/publishDiagnostics" {
            diagnostics(&mut value["params"]["diagnostics"]);
        } else if value.get("method").is_none()
            && let Some(method) = self.requests.remove(&value["id"].to_string())
            && let Some(result) = value.get_mut("result")
        {
            match method.as_str() {
                "textDocument/hover" => hover(&mut result["contents"]),
                "textDocument/inlayHint" => {
                    result.as_array_mut().into_iter().flatten().for_each(hint)
                }
                "inlayHint/resolve" => hint(result),
                _ => reports(result),
            }
        }
        if value == before { frame } else { Frame::new(value.to_string().into_bytes()) }
    }
}

fn contains(body: &[u8], part: &str) -> bool {
    body.windows(part.len()).any(|window| window == part.as_bytes())
}

/// Rewrites the lists of a diagnostic report: of a document, of related documents, of a workspace.
fn reports(report: &mut Value) {
    match report {
        Value::Object(fields) => {
            for (name, field) in fields {
                match name.as_str() {
                    "items" if is_list_of_diagnostics(field) => diagnostics(field),
                    _ => reports(field),
                }
            }
        }
        Value::Array(reports_) => reports_.iter_mut().for_each(reports),
        _ => {}
    }
}

fn is_list_of_diagnostics(list: &Value) -> bool {
    list.as_array().is_some_and(|list| list.iter().all(|item| item.get("message").is_some()))
}

fn diagnostics(list: &mut Value) {
    for diagnostic in list.as_array_mut().into_iter().flatten() {
        change(diagnostic.get_mut("message"), words);
        change(diagnostic.pointer_mut("/data/rendered"), words);
        let related = diagnostic.get_mut("relatedInformation").and_then(Value::as_array_mut);
        for related in related.into_iter().flatten() {
            change(related.get_mut("message"), words);
        }
    }
}

/// Rewrites the text of a diagnostic: rustc puts types in backticks, rust-analyzer may omit them.
fn words(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| if line.contains('`') { message(line) } else { code(line) })
        .collect()
}

/// Rewrites code, unless rust-analyzer has shortened a type: an axis may be missing.
fn code(line: &str) -> String {
    if line.contains('…') { line.to_owned() } else { translated(line) }
}

fn change(value: Option<&mut Value>, new: impl FnOnce(&str) -> String) {
    if let Some(Value::String(text)) = value {
        *text = new(text);
    }
}

/// Rewrites a hover: Markdown, marked strings, or lists of them.
fn hover(contents: &mut Value) {
    match contents {
        Value::String(text) => *text = markdown(text),
        Value::Array(parts) => parts.iter_mut().for_each(hover),
        Value::Object(_) => {
            let is_code = contents.get("language").is_some() || contents["kind"] == "plaintext";
            change(
                contents.get_mut("value"),
                |text| if is_code { words(text) } else { markdown(text) },
            );
        }
        _ => {}
    }
}

/// Rewrites the code in the fences before the documentation, which is kept as it was written.
fn markdown(text: &str) -> String {
    let (mut in_fence, mut in_documentation) = (false, false);
    let lines = text.split_inclusive('\n').map(|line| {
        let is_fence = line.trim_start().starts_with("```");
        in_fence ^= is_fence;
        in_documentation |= !in_fence && line.trim_end() == "---";
        match in_fence && !is_fence && !in_documentation {
            true => code(line),
            false => line.to_owned(),
        }
    });
    lines.collect()
}

/// Rewrites a hint: its label is a text, or parts with links. The text that it inserts into programs is kept.
fn hint(hint: &mut Value) {
    let label = match hint.get_mut("label") {
        Some(Value::String(text)) => {
            *text = code(text);
            return;
        }
        Some(Value::Array(parts)) => parts,
        _ => return,
    };
    let values: Vec<&str> =
        label.iter().map(|part| part["value"].as_str().unwrap_or_default()).collect();
    let old = values.concat();
    let new = code(&old);
    if new == old {
        return;
    }
    // Parts that have not changed keep their links.
    let mut end = 0;
    let kept = values.iter().take_while(|value| {
        let is_same = new[end..].starts_with(**value);
        end += if is_same { value.len() } else { 0 };
        is_same
    });
    let kept = kept.count();
    let rest = new[end..].to_owned();
    label.truncate(kept);
    if !rest.is_empty() {
        label.push(json!({ "value": rest }));
    }
}

/// Starts the server, by default `rust-analyzer`, and relays messages between it and the editor.
pub fn run(arguments: &[OsString]) -> ExitCode {
    let arguments = match arguments {
        [first, rest @ ..] if first == "--" => rest,
        all => all,
    };
    let default =
        env::var_os("CARGO_SHAPES_RUST_ANALYZER").unwrap_or_else(|| "rust-analyzer".into());
    let (program, arguments) =
        arguments.split_first().map_or((&default, &[][..]), |(first, rest)| (first, rest));
    let mut server = Command::new(program);
    let server = server.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut server = match server {
        Ok(server) => server,
        Err(error) => {
            eprintln!("error: cargo shapes cannot run `{}`: {error}", program.display());
            return ExitCode::FAILURE;
        }
    };
    let (Some(mut to_server), Some(from_server)) = (server.stdin.take(), server.stdout.take())
    else {
        return ExitCode::FAILURE;
    };
    let session = Arc::new(Mutex::new(Session::default()));
    let of_editor = Arc::clone(&session);
    thread::spawn(move || -> io::Result<()> {
        let mut editor = BufReader::new(io::stdin());
        while let Some(frame) = Frame::read(&mut editor)? {
            of_editor.lock().unwrap_or_else(PoisonError::into_inner).from_editor(&frame);
            frame.write(&mut to_server)?;
        }
        Ok(())
    });
    let forwarded = forward(&mut BufReader::new(from_server), &session);
    match (forwarded, server.wait()) {
        (Ok(()), Ok(status)) => exit_code(status),
        (Err(error), _) | (_, Err(error)) => {
            eprintln!("error: cargo shapes lsp: {error}");
            ExitCode::FAILURE
        }
    }
}

fn forward(server: &mut impl BufRead, session: &Mutex<Session>) -> io::Result<()> {
    let mut editor = io::stdout();
    while let Some(frame) = Frame::read(server)? {
        let frame = session.lock().unwrap_or_else(PoisonError::into_inner).from_server(frame);
        frame.write(&mut editor)?;
    }
    Ok(())
}
