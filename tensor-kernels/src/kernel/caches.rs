//! The sizes of the caches that data passes through, as the processor reports them.

use core::sync::atomic::{AtomicUsize, Ordering};

/// The sizes of the levels in bytes; 0 before they are detected.
static SIZES: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

/// The sizes where the processor reports none.
const DEFAULT: [usize; 3] = [32 << 10, 512 << 10, 8 << 20];

/// The sizes of the first, second and third level of data caches in bytes. Products divide their operands by the
/// first two.
pub fn sizes() -> [usize; 3] {
    [level(0), level(1), level(2)]
}

/// The size of the first level of data caches in bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn l1() -> usize {
    level(0)
}

/// The size of the second level.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn l2() -> usize {
    level(1)
}

/// The number of bytes from which on a result bypasses the caches: no later operation would find it there, or would not
/// find it sooner than in memory.
///
/// Xeons since Skylake have an L3 cache on a mesh that all cores, and in a cloud other machines, share: writing to it takes
/// up to twice as long as non-temporal stores to memory, although it may have hundreds of megabytes. There, results of four
/// L2 caches bypass it. Elsewhere, results of more than half of L3 do: it has no room for them and an operand as large.
pub fn bypass_from() -> usize {
    if has_mesh() { 4 * level(1) } else { level(2) / 2 }
}

/// Whether the L3 cache seems to be that of a Xeon since Skylake, judged by AVX-512 and an L3 that does not contain what is in
/// L2. One family of laptop processors, Tiger Lake, has both as well.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn has_mesh() -> bool {
    /// 0 before it is detected, 1 for no, 2 for yes.
    static HAS_MESH: AtomicUsize = AtomicUsize::new(0);
    match HAS_MESH.load(Ordering::Relaxed) {
        0 => {
            let has_mesh = std::arch::is_x86_feature_detected!("avx512f") && l3_excludes_l2();
            HAS_MESH.store(1 + usize::from(has_mesh), Ordering::Relaxed);
            has_mesh
        }
        known => known == 2,
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn has_mesh() -> bool {
    false
}

/// Whether leaf 4 of `cpuid`, which Intel has, describes a third level that is not inclusive.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn l3_excludes_l2() -> bool {
    described(4).any(|cache| cache.eax >> 5 & 7 == 3 && cache.edx & 2 == 0)
}

/// The description of each cache in a leaf of `cpuid`; empty if the processor lacks the leaf.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn described(leaf: u32) -> impl Iterator<Item = core::arch::x86_64::CpuidResult> {
    use core::arch::x86_64::{__cpuid, __cpuid_count};

    // The leaf 0 of each range has the number of the last one.
    let indices = if __cpuid(leaf & 0x8000_0000).eax < leaf { 0 } else { 16 };
    (0..indices)
        .map(move |index| __cpuid_count(leaf, index))
        .take_while(|cache| cache.eax & 0x1f != 0)
}

#[inline]
fn level(level: usize) -> usize {
    match SIZES[level].load(Ordering::Relaxed) {
        0 => detect()[level],
        size => size,
    }
}

/// Sets the sizes for benchmarks; results do not depend on them.
pub fn set_sizes(sizes: [usize; 3]) {
    for (size, to) in sizes.into_iter().zip(&SIZES) {
        to.store(size, Ordering::Relaxed);
    }
}

#[cold]
fn detect() -> [usize; 3] {
    let mut sizes = reported();
    for (size, default) in sizes.iter_mut().zip(DEFAULT) {
        *size = if *size == 0 { default } else { *size };
    }
    // A processor without a third level.
    sizes[2] = sizes[2].max(sizes[1]);
    set_sizes(sizes);
    sizes
}

/// The sizes by level, 0 where none is reported: by leaf 4 of `cpuid` on Intel, and by leaf 0x8000001d, which has
/// the same fields, on AMD.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn reported() -> [usize; 3] {
    let mut sizes = [0; 3];
    for cache in described(4).chain(described(0x8000_001d)) {
        let (kind, level) = (cache.eax & 0x1f, (cache.eax >> 5 & 7) as usize);
        // 1 is a cache of data, 2 of instructions, 3 of both.
        if kind != 2 && (1..=3).contains(&level) {
            let [line, parts, ways] = [cache.ebx & 0xfff, cache.ebx >> 12 & 0x3ff, cache.ebx >> 22];
            let fields = [line, parts, ways, cache.ecx].map(|field| field as usize + 1);
            sizes[level - 1] = fields.iter().product();
        }
    }
    sizes
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn reported() -> [usize; 3] {
    [0; 3]
}
