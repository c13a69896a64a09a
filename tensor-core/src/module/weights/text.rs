//! [`Text`]: a text that is composed in a constant.

/// The most bytes of a text.
const CAPACITY: usize = 8192;

/// The bytes that a text keeps for its last line.
const KEPT: usize = 64;

/// A text that is composed in a constant. A part that does not fit is left out.
pub struct Text {
    bytes: [u8; CAPACITY],
    len: usize,
    is_whole: bool,
}

impl Text {
    pub const fn new() -> Self {
        Self { bytes: [0; CAPACITY], len: 0, is_whole: true }
    }

    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether no part was left out, and one more line fits.
    pub const fn is_whole(&self) -> bool {
        self.is_whole && self.len <= CAPACITY - KEPT
    }

    /// Removes what follows the first `len` bytes.
    pub const fn cut(&mut self, len: usize) {
        self.len = len;
        self.is_whole = true;
    }

    pub const fn push(&mut self, part: &str) {
        let part = part.as_bytes();
        if part.len() > CAPACITY - self.len {
            self.is_whole = false;
            return;
        }
        let mut index = 0;
        while index < part.len() {
            self.bytes[self.len + index] = part[index];
            index += 1;
        }
        self.len += part.len();
    }

    pub const fn push_number(&mut self, number: usize) {
        self.push(Digits::of(number).as_str());
    }

    pub const fn as_str(&self) -> &str {
        text(self.bytes.split_at(self.len).0)
    }
}

/// The decimal digits of a number.
pub struct Digits {
    bytes: [u8; 20],
    start: usize,
}

impl Digits {
    pub const fn of(mut number: usize) -> Self {
        let mut digits = Self { bytes: [0; 20], start: 20 };
        loop {
            digits.start -= 1;
            digits.bytes[digits.start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                return digits;
            }
        }
    }

    pub const fn as_str(&self) -> &str {
        text(self.bytes.split_at(self.start).1)
    }
}

const fn text(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("parts of a text are texts"),
    }
}
