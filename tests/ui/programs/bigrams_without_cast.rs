//! Counts of pairs of letters, whose softmax is used further on.
//!
//! The compiler says: "elements of type `i64` are not floating-point numbers"
//! Errors: 2, as the result is used further

use tensor_core::{Tensor, shape};

type Counts = Tensor<shape![27, 27], i64>;

fn letter(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => usize::from(byte - b'a') + 1,
        _ => 0,
    }
}

fn counted(text: &[u8]) -> Counts {
    let mut counts = Counts::ones();
    for pair in text.windows(2) {
        counts[[letter(pair[0]), letter(pair[1])]] += 1;
    }
    counts
}

fn main() {
    let counts = counted(b"the quick brown fox jumps over the lazy dog");
    let sharpened = counts.softmax::<-1>();
    let blended: Tensor<shape![27, 27]> = sharpened * 0.9 + 0.1 / 27.0;
    let entropy = -(&blended * blended.log2()).sum_axis::<1>();
    println!("{entropy:.2}");
}
