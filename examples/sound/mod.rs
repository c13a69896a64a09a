//! The sounds that a program reads: its arguments, and the samples of a WAV file from its beginning to its end.

#[path = "../data/mod.rs"]
mod data_folder;

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use hound::{SampleFormat, WavReader, WavSpec};

use data_folder::repository;

/// The samples of a second.
pub const RATE: u32 = 16_000;

/// The samples of a sound, from -1 to 1, while it is read.
///
/// # Errors
///
/// If it is no WAV file of one channel at 16,000 Hz with 16 bits.
pub fn samples<R: Read>(
    sound: R,
) -> Result<impl Iterator<Item = Result<f32, hound::Error>>, String> {
    let reader = WavReader::new(sound).map_err(|error| format!("expected a WAV file: {error}"))?;
    let expected = WavSpec {
        channels: 1,
        sample_rate: RATE,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let WavSpec { channels, sample_rate, bits_per_sample, sample_format } = reader.spec();
    if reader.spec() != expected {
        return Err(format!(
            "expected 1 channel of 16-bit integers at {RATE} Hz, found {channels} of {bits_per_sample}-bit \
             {sample_format:?} at {sample_rate} Hz"
        ));
    }
    Ok(reader.into_samples::<i16>().map(|sample| Ok(f32::from(sample?) / 32_768.0)))
}

/// The arguments of a program: the file after `--weights`, and the sound, `-` for the standard input.
///
/// # Errors
///
/// If there is another argument.
pub fn arguments() -> Result<(Option<PathBuf>, PathBuf), lexopt::Error> {
    use lexopt::prelude::{Long, Value};

    let mut file = repository().join("examples/data/speech.wav");
    let (mut weights, mut parser) = (None, lexopt::Parser::from_env());
    while let Some(argument) = parser.next()? {
        match argument {
            Long("weights") => weights = Some(PathBuf::from(parser.value()?)),
            Value(value) => file = value.into(),
            _ => return Err(argument.unexpected()),
        }
    }
    Ok((weights, file))
}

/// Calls a function with the sound in a file, or with the standard input for `-`.
///
/// # Errors
///
/// If the file cannot be opened, or that of the function, with the name of the file.
pub fn with_sound(
    file: &Path,
    run: impl FnOnce(&mut dyn Read) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    if file == Path::new("-") {
        return run(&mut stdin().lock());
    }
    let sound = File::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
    run(&mut BufReader::new(sound)).map_err(|error| format!("{}: {error}", file.display()).into())
}
