//! Whatever bytes a file has, `cargo shapes model` writes structs for it, or says why not.
#![no_main]

#[path = "../readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::inspect(bytes));
