//! The arguments of the command.

use std::path::PathBuf;

/// How to use it.
pub const USAGE: &str = "\
cargo bench -p tensor-benchmarks --bench table -- [PART…] [OPTION…]

PART             measure rows with this in their name, or with one of several
--f64            in f64 instead of f32
--quick          few rounds: a glance
--wall           by the clock instead of by the time that the thread has a processor
--python PYTHON  measure NumPy, PyTorch and JAX in the same rounds, as far as this Python has them
--peers FILE     add what `benches/peers.py --json FILE` measured
--json FILE      write the figures
--caches SIZES   other sizes of the caches than the processor's, for products and stores: L1,L2,L3 in KiB
--avx2           without AVX-512, as on a machine that lacks it
--threads N      how many threads ours and the peers have: 1 if not said; more are measured by the clock";

/// What is measured, and what it is compared with.
#[derive(Debug, Default)]
pub struct Options {
    pub filters: Vec<String>,
    pub double: bool,
    pub quick: bool,
    pub wall: bool,
    pub avx2: bool,
    pub python: Option<PathBuf>,
    pub peers: Option<PathBuf>,
    pub json: Option<PathBuf>,
    pub threads: usize,
    /// L1, L2 and L3 in KiB.
    pub caches: Option<[usize; 3]>,
}

impl Options {
    /// Reads the arguments; `Err` names the wrong one.
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Options { threads: 1, ..Options::default() };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value."));
            match argument.as_str() {
                // From cargo.
                "--bench" => {}
                "--f64" => options.double = true,
                "--quick" => options.quick = true,
                "--avx2" => options.avx2 = true,
                "--wall" => options.wall = true,
                "--python" => options.python = Some(value()?.into()),
                "--peers" => options.peers = Some(value()?.into()),
                "--json" => options.json = Some(value()?.into()),
                "--caches" => {
                    let sizes = value()?;
                    let kib = sizes.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>();
                    options.caches = match kib.as_deref() {
                        Ok(&[l1, l2, l3]) if l1.min(l2).min(l3) > 0 => Some([l1, l2, l3]),
                        _ => return Err(format!("`{sizes}` is not three sizes in KiB.")),
                    };
                }
                "--threads" => {
                    let number = value()?;
                    options.threads = match number.parse() {
                        Ok(threads) if threads > 0 => threads,
                        _ => return Err(format!("`{number}` is no number of threads.")),
                    };
                }
                option if option.starts_with('-') => {
                    return Err(format!("There is no option `{option}`."));
                }
                _ => options.filters.push(argument),
            }
        }
        // Other threads work for ours, too.
        options.wall |= options.threads > 1;
        Ok(options)
    }
}
