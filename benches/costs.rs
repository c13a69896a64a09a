//! Build costs of the crate itself, and of programs that use it.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench costs                  everything: some minutes
//! cargo bench -p tensor-benchmarks --bench costs -- rebuild       rows with this in their name
//! cargo bench -p tensor-benchmarks --bench costs -- exp --quick   each program compiled once
//! ```
//!
//! | rows | what |
//! | --- | --- |
//! | `rebuild: …` | a release build after one line of the program changed, all else built |
//! | `size: …` | the program without symbols |
//! | `debug: …` | a debug build of `costs/network.rs` in times of its release build |
//! | `crate: …` | a clean release build with two jobs, `cargo check` |
//! | `check: …` | `cargo check` of a model of 100 layers, and of one number changed, as users do it: by the clock, incremental |
//! | `operation: …` | what one more operation on new shapes adds to a release build and its program |
//!
//! Times are CPU time, which other programs change little; rows of wall-clock time state it.
//! Incremental compilation is off. Programs take turns, the median counts.

#[path = "costs/builds.rs"]
mod builds;
#[path = "costs/debug.rs"]
mod debug;
mod measure;
#[path = "costs/models.rs"]
mod models;
#[path = "costs/operations.rs"]
mod operations;
#[path = "costs/rebuilds.rs"]
mod rebuilds;
#[path = "costs/report.rs"]
mod report;
#[path = "costs/wanted.rs"]
mod wanted;

use wanted::Wanted;

fn main() {
    // `cargo test --benches` and `cargo bench -- --test` only ask whether this starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let wanted = Wanted::read(std::env::args().skip(1));
    report::head();
    rebuilds::rows(&wanted);
    models::rows(&wanted);
    debug::row(&wanted);
    builds::rows(&wanted);
    operations::rows(&wanted);
}
