//! Build times of the crate itself: a clean release build, and `cargo check`.

use std::path::Path;

use crate::measure::median;
use crate::measure::programs::{Package, cargo, folder, root};
use crate::report;
use crate::wanted::Wanted;

/// Seconds by the clock of a clean release build, dependencies included, on two idle processors: if
/// other programs run as well, half the processor time is the better measure.
const CLEAN: f64 = 60.0;
/// `cargo check` of the crate, in times of that of ndarray: 2.2 when the user still compiled the loops.
const CHECK: f64 = 2.5;

/// A clean release build with two jobs: seconds by the clock, and on processors.
fn clean_release((within, package): (&Path, &str)) -> [f64; 2] {
    let target = folder("costs-clean");
    cargo(within, &target, &["fetch"]);
    std::fs::remove_dir_all(&target).expect("a folder that can be removed");
    let build = ["build", "--release", "--package", package, "--jobs", "2"];
    let cost = cargo(within, &target, &build);
    [cost.clock / 1e3, cost.processor / 1e3]
}

/// `cargo check` of a crate alone: seconds on processors.
fn check((within, package): (&Path, &str), runs: usize) -> f64 {
    let target = folder("costs-check");
    cargo(within, &target, &["check", "--package", package]);
    median((0..runs).map(|_| {
        cargo(within, &target, &["clean", "--package", package]);
        cargo(within, &target, &["check", "--package", package]).processor / 1e3
    }))
}

/// Both rows.
pub fn rows(wanted: &Wanted) {
    let peer = Package::with("costs-ndarray", "ndarray = \"0.17\"");
    peer.add("main.rs", "fn main() {}\n");
    let crates = [(root(), "tensor-core"), (peer.folder(), "ndarray")];
    let name = "crate: clean release build, 2 jobs, clock";
    if wanted.has(name) {
        let [ours, peer] = crates.map(clean_release);
        report::row(name, "s", ours[0], Some(peer[0]), Some(CLEAN));
        report::row("crate: the same, on processors", "s", ours[1], Some(peer[1]), None);
    }
    let name = "crate: cargo check";
    if wanted.has(name) {
        let [ours, peer] = crates.map(|of| check(of, wanted.runs));
        report::row(name, "s", ours, Some(peer), Some(CHECK * peer));
    }
}
