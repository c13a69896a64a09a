//! The example that writes what is spoken: its tokens are those of `faster-whisper` 1.2, which
//! `examples/whisper/reference.py` has written.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use tensor_core::{shape, tensor};

#[path = "../../weights/skip.rs"]
mod weights;
#[path = "../main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod whisper;

use whisper::ctranslate2::checkpoint;
use whisper::{PACKAGE, Transcriber};

/// What `faster-whisper` has written for a sound.
#[derive(Deserialize)]
struct Expected {
    text: String,
    tokens: Vec<i64>,
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The sentences of `examples/whisper/speak.py`, spoken, and the sound that comes with the examples.
fn sounds() -> Result<Vec<PathBuf>, String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("whisper");
    fs::create_dir_all(&folder).unwrap();
    let known = std::env::var_os("PYTHONPATH").unwrap_or_default();
    let folders = [repository("target/weights")].into_iter().chain(std::env::split_paths(&known));
    let output = Command::new("python3")
        .arg(repository("examples/whisper/speak.py"))
        .arg(&folder)
        .env("PYTHONPATH", std::env::join_paths(folders).unwrap())
        .output()
        .map_err(|error| format!("python3: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let spoken = String::from_utf8_lossy(&output.stdout);
    let spoken = spoken.lines().map(PathBuf::from);
    Ok(spoken.chain([repository("examples/data/speech.wav")]).collect())
}

#[test]
fn texts() {
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let Some(sounds) = weights::or_skip(sounds()) else { return };
    let expected = fs::read_to_string(repository("examples/data/whisper.json")).unwrap();
    let expected: Vec<Expected> = serde_json::from_str(&expected).unwrap();
    assert_eq!(sounds.len(), expected.len());
    let transcriber = Transcriber::open(&weights).unwrap();
    for (file, expected) in sounds.iter().zip(&expected) {
        let sound = Cursor::new(fs::read(file).unwrap());
        let samples: Result<Vec<f32>, _> = whisper::sound::samples(sound).unwrap().collect();
        let [spectrogram] = &whisper::spectrograms(samples.unwrap())[..] else {
            panic!("a part of 30 seconds");
        };
        let tokens = transcriber.tokens(&transcriber.model.encoder.forward(spectrogram)).unwrap();
        assert_eq!(tokens, expected.tokens, "{}", expected.text);
        assert_eq!(transcriber.text(&tokens).unwrap().trim(), expected.text);
    }
    let (sound, mut printed) = (fs::read(sounds.last().unwrap()).unwrap(), Vec::new());
    whisper::run(&transcriber, Cursor::new(sound), &mut printed).unwrap();
    let last = &expected.last().unwrap().text;
    assert_eq!(String::from_utf8(printed).unwrap(), format!("{last}\n"));
}

#[test]
fn silence() {
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let transcriber = Transcriber::open(&weights).unwrap();
    let (mut printed, mut file) = (Vec::new(), Cursor::new(Vec::new()));
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: whisper::sound::RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    (0..16_000).for_each(|_| writer.write_sample(0_i16).unwrap());
    writer.finalize().unwrap();
    whisper::run(&transcriber, Cursor::new(file.into_inner()), &mut printed).unwrap();
    assert_eq!(printed, b"");
}

/// A sound in parts of 30 seconds; one that is shorter than a frame has none.
#[test]
fn parts() {
    for (samples, parts) in [(0, 0), (159, 0), (160, 1), (480_000, 1), (480_159, 1), (480_160, 2)] {
        let found = whisper::spectrograms(vec![0.1; samples]);
        assert_eq!(found.len(), parts, "{samples}");
        // The last part is filled up with zeros.
        let frames = samples / 160 - 3000 * parts.saturating_sub(1);
        if let Some(last) = found.last().filter(|_| frames < 3000) {
            assert!(last[[0, frames - 1]] != 0.0 && last[[0, frames]] == 0.0);
        }
    }
}

/// A file of CTranslate2 with a tensor of integers, and one of these sizes and element type.
fn file(sizes: &[u32], element: u8, data: &[u8]) -> Vec<u8> {
    let text =
        |text: &str| [&(text.len() as u16 + 1).to_le_bytes(), text.as_bytes(), &[0]].concat();
    let number = |number: u32| number.to_le_bytes().to_vec();
    [
        [number(6), text("WhisperSpec"), number(3), number(2)].concat(),
        [text("decoder/num_heads"), vec![0, 2], number(2), vec![6, 0]].concat(),
        [text("a/b"), vec![sizes.len() as u8], sizes.iter().flat_map(|&n| number(n)).collect()]
            .concat(),
        [vec![element], number(data.len() as u32), data.to_vec()].concat(),
    ]
    .concat()
}

#[test]
fn other_files() {
    let data: Vec<u8> = [1.0_f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let whole = file(&[2, 1], 0, &data);
    let read = checkpoint(&whole).unwrap();
    assert_eq!(read.names(), ["a.b"]);
    assert_eq!(read.tensor::<shape![2, 1], f32>("a.b").unwrap(), tensor![[1.0], [-2.0]]);

    let error = |bytes: &[u8]| checkpoint(bytes).err().unwrap();
    assert_eq!(error(b""), "expected a CTranslate2 file of version 6, found no number");
    assert_eq!(
        error(&fs::read(repository("examples/data/speech.wav")).unwrap()),
        "expected a CTranslate2 file of version 6, found 1179011410"
    );
    for len in 4..whole.len() {
        assert_eq!(error(&whole[..len]), "the CTranslate2 file ends early", "{len} bytes");
    }
    // Sizes that the data do not have.
    for sizes in [&[3, 1][..], &[1], &[], &[u32::MAX; 8]] {
        assert!(!error(&file(sizes, 0, &data)).is_empty(), "{sizes:?}");
    }
    assert!(!error(&file(&[2, 1], 4, &data)).is_empty());
    // A number of tensors that are not there.
    let mut many = whole.clone();
    many[22..26].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(error(&many), "the CTranslate2 file ends early");

    // Weights of another model, under their names.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("whisper_other");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("model.bin");
    fs::write(&path, &whole).unwrap();
    let error = whisper::Whisper::open(&path).unwrap_err().to_string();
    assert!(error.contains("model.bin: "), "{error}");
    assert!(error.contains("`encoder.conv1.weight` is missing"), "{error}");
    assert!(error.contains("`a.b` f32 [2, 1] is left over"), "{error}");
}
