//! Our times compared with the roofline and a hand-written loop, in the same rounds, with the
//! target factor.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench table                       every row
//! cargo bench -p tensor-benchmarks --bench table -- softmax --f64      some rows, in f64
//! cargo bench -p tensor-benchmarks --bench table -- --python python3   with NumPy, PyTorch, JAX
//! ```
//!
//! The limit is the roofline: the time to move the fewest bytes through warm memory (the best
//! hand-written loop over the same bytes), or the floating-point operations at the peak of fused
//! multiply-adds, whichever is larger, both measured in the same round; a 4 × 4 product adds a call that
//! is not inlined. `exp` counts 16 operations, `tanh` 20, the gelu chain 30, a product two for each
//! multiplication. `× limit` is the median of the ratios in each round, `of least` the ratio of the
//! minimum times. Time is CPU time of the thread; `--wall` measures wall time.

#[path = "table/additions.rs"]
mod additions;
#[path = "table/convolutions.rs"]
mod convolutions;
#[path = "table/fused.rs"]
mod fused;
#[path = "table/indices.rs"]
mod indices;
#[path = "table/joins.rs"]
mod joins;
mod measure;
#[path = "table/moves.rs"]
mod moves;
#[path = "table/options.rs"]
mod options;
#[path = "table/peers.rs"]
mod peers;
#[path = "table/products.rs"]
mod products;
#[path = "table/report.rs"]
mod report;
#[path = "table/row.rs"]
mod row;
#[path = "table/steps.rs"]
mod steps;
#[path = "table/sums.rs"]
mod sums;

use std::process::ExitCode;

use measure::roofline::Real;
use options::{Options, USAGE};
use peers::{Peers, Stored};
use row::Table;
use tensor_core::__private::{set_cache_sizes, without_avx512};

/// Every row, in the order of the table.
fn rows<T: Real>(table: &mut Table) {
    additions::rows::<T>(table);
    fused::rows::<T>(table);
    sums::rows::<T>(table);
    indices::rows::<T>(table);
    products::rows::<T>(table);
    joins::rows::<T>(table);
    moves::rows::<T>(table);
    convolutions::rows::<T>(table);
    steps::rows::<T>(table);
}

/// Measures what the arguments ask for.
fn run() -> Result<(), String> {
    let options = Options::read(std::env::args().skip(1))?;
    if options.wall {
        measure::clock::count_elapsed_time();
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build_global()
        .map_err(|error| format!("There are no {} threads: {error}", options.threads))?;
    let peers = match &options.python {
        Some(python) => Some(Peers::start(python, &options).map_err(|error| {
            format!("The peers do not start with {}: {error}", python.display())
        })?),
        None => None,
    };
    let stored = match &options.peers {
        Some(path) => Stored::read(path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
        None => Stored::default(),
    };
    if options.avx2 {
        without_avx512();
    }
    if let Some(kib) = options.caches {
        set_cache_sizes(kib.map(|size| size << 10));
    }
    let mut table = Table::new(options, peers, stored);
    println!("{}\n", measure::processor::description());
    report::head();
    if table.options.double {
        rows::<f64>(&mut table)
    } else {
        rows::<f32>(&mut table)
    }
    report::sum(&table.rows);
    if let Some(path) = &table.options.json {
        report::write(path, &table.rows)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    // `cargo test --benches` only checks that this starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}
