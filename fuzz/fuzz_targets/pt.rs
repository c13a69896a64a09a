//! Whatever bytes a file of `torch.save` has, reading it gives tensors or an error.
#![no_main]

#[path = "../readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::pt(bytes));
