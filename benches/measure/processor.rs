//! The processor that figures are of, and the parameters that follow from it.

use tensor_core::__private::{block_sizes, bypass_from, cache_sizes};

/// One line: the name of the processor as Linux has it, its caches, the blocks of products, and the size from which on
/// results bypass the caches.
pub fn description() -> String {
    let of_linux = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line =
            of_linux.lines().find(|line| line.split(':').next().map(str::trim) == Some(name))?;
        line.split_once(':').map(|(_, value)| value.trim())
    };
    let name = field("model name").unwrap_or(std::env::consts::ARCH);
    let [family, model] = ["cpu family", "model"].map(|name| field(name).unwrap_or("?"));
    let [l1, l2, l3] = cache_sizes().map(|bytes| bytes >> 10);
    let blocks = match block_sizes() {
        Some([mr, nr, kc, nc]) => format!("tiles of {mr} × {nr}, KC {kc}, NC {nc}"),
        None => "by `matrixmultiply`".to_string(),
    };
    format!(
        "{name}, family {family}, model {model}; L1 {l1} KiB, L2 {l2} KiB, L3 {l3} KiB; \
         products of f32: {blocks}; results bypass the caches from {} KiB on",
        bypass_from() >> 10
    )
}
