//! Sizes as types.

/// The largest size that is encoded as one part.
const ONE_PART: u64 = 9_999;

/// The parts of the type of a size: `Dim<50000, 257>`; none for `One`.
#[doc(hidden)]
pub fn parts(size: u64) -> Vec<u64> {
    if size <= ONE_PART {
        return if size == 1 { Vec::new() } else { vec![size] };
    }
    let parts = [size / 1_000_000 * 1_000_000, size / 1_000 % 1_000 * 1_000, size % 1_000];
    parts.into_iter().filter(|&part| part > 0).collect()
}

/// `One`, `Dim<3>`, `Dim<50000, 257>`
pub(super) fn size_type(size: u64) -> String {
    let parts: Vec<_> = parts(size).iter().map(u64::to_string).collect();
    if parts.is_empty() { "One".to_owned() } else { format!("Dim<{}>", parts.join(", ")) }
}
