//! The samples of a WAV file, from its beginning to its end.

use std::io::Read;

use hound::{SampleFormat, WavReader, WavSpec};

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
    let reader = WavReader::new(sound).map_err(|error| error.to_string())?;
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
