//! The memory that a module shares with the page: an argument, which its result replaces.

use std::sync::Mutex;

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes room for an argument of this length, and returns its address.
// SAFETY: no other function of the module has the name.
#[unsafe(no_mangle)]
pub extern "C" fn argument(len: usize) -> *mut u8 {
    let mut buffer = BUFFER.lock().expect("no call panicked");
    *buffer = vec![0; len];
    buffer.as_mut_ptr()
}

/// The address of the result.
// SAFETY: no other function of the module has the name.
#[unsafe(no_mangle)]
pub extern "C" fn result() -> *const u8 {
    BUFFER.lock().expect("no call panicked").as_ptr()
}

/// Replaces the argument by the result, and returns its length.
pub fn replace(answer: impl FnOnce(&[u8]) -> Vec<u8>) -> usize {
    let mut buffer = BUFFER.lock().expect("no call panicked");
    *buffer = answer(&buffer);
    buffer.len()
}
