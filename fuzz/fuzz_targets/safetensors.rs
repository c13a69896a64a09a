//! Whatever bytes a `.safetensors` file has, reading it gives a tensor or an error.
#![no_main]

#[path = "../readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::safetensors(bytes));
