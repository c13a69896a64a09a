//! The example that hears speech: its probabilities are those of `onnxruntime`, and those in double precision, which
//! `examples/vad/reference.py` has written.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[path = "../main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod vad;
#[path = "../../weights/skip.rs"]
mod weights;

use vad::PACKAGE;
use vad::model::SileroVad;

/// The probabilities of each window.
#[derive(Deserialize)]
struct Expected {
    onnxruntime: Vec<f32>,
    exact: Vec<f32>,
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(name)
}

fn sound() -> Cursor<Vec<u8>> {
    Cursor::new(fs::read(data("speech.wav")).unwrap())
}

#[test]
fn probabilities() {
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let expected = fs::read_to_string(data("speech.json")).unwrap();
    let Expected { onnxruntime, exact } = serde_json::from_str(&expected).unwrap();
    let model = SileroVad::open(&weights).unwrap();
    let windows: Vec<_> = vad::windows(sound()).unwrap().collect();
    assert_eq!([onnxruntime.len(), exact.len()], [windows.len(); 2]);
    let mut heard = model.start();
    for (place, window) in windows.into_iter().enumerate() {
        let probability;
        (probability, heard) = model.hear(&window.unwrap(), &heard);
        let check = |expected: f32, most: f32| {
            assert!((probability - expected).abs() < most, "{place}: {probability}, {expected}");
        };
        // Sums of 256 products of single precision: those of `onnxruntime` are up to 6.8e-6 from those in double
        // precision, these up to 1.1e-5, and both up to 4e-6 apart.
        check(exact[place], 2e-5);
        check(onnxruntime[place], 1e-5);
    }
}

#[test]
fn speech() {
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let mut printed = Vec::new();
    vad::run(&SileroVad::open(&weights).unwrap(), sound(), &mut printed).unwrap();
    let expected = "   0.58 s to    1.50 s\n   2.78 s to    3.17 s\n";
    assert_eq!(String::from_utf8(printed).unwrap(), expected);
}

#[test]
fn other_sounds() {
    let error = |bytes: Vec<u8>| vad::windows(Cursor::new(bytes)).err().unwrap();
    let mut bytes = sound().into_inner();
    // The samples and the bytes of a second.
    bytes[24..28].copy_from_slice(&44_100_u32.to_le_bytes());
    bytes[28..32].copy_from_slice(&88_200_u32.to_le_bytes());
    assert_eq!(
        error(bytes),
        "expected 1 channel of 16-bit integers at 16000 Hz, found 1 of 16-bit Int at 44100 Hz"
    );
    assert!(!error(b"no sound".to_vec()).is_empty());

    // A file that ends early.
    let mut bytes = sound().into_inner();
    bytes.truncate(10_001);
    let windows: Vec<_> = vad::windows(Cursor::new(bytes)).unwrap().take(10).collect();
    assert!(windows[..9].iter().all(Result::is_ok) && windows[9].is_err());
}

#[test]
fn other_files() {
    let error = |bytes: &[u8]| vad::onnx::checkpoint(bytes).err();
    assert_eq!(error(b"no file").as_deref(), Some("expected an ONNX file"));
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let bytes = fs::read(&weights).unwrap();
    assert!(error(&bytes).is_none());
    for len in (1..bytes.len()).step_by(9973) {
        assert!(error(&bytes[..len]).is_some(), "{len} bytes");
    }
    // A sound.
    let error = SileroVad::open(&data("speech.wav")).unwrap_err().to_string();
    assert!(error.contains("speech.wav: expected an ONNX file"), "{error}");
}
