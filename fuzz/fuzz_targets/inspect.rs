//! For any bytes of a file, `cargo shapes model` writes structs for it, or reports why not.
#![no_main]

#[path = "../readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::inspect(bytes));
