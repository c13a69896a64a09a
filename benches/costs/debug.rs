//! The network in a debug build with the library optimised, compared with its release build.

use crate::measure::programs::{Package, root};
use crate::report;
use crate::wanted::Wanted;

/// How often each program runs: programs take turns, the least time of a step counts.
const RUNS: usize = 5;

/// The least nanoseconds of a step in debug and in release.
fn steps(package: &Package, program: &str) -> [f64; 2] {
    let file = root().join(format!("benches/costs/{program}.rs"));
    let text = std::fs::read_to_string(file).expect("a program of the benchmark");
    package.time(&text, &["build"]);
    package.time(&text, &["build", "--release"]);
    let mut steps = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        for (least, profile) in steps.iter_mut().zip(["debug", "release"]) {
            // The loss, and the time.
            let output = package.run(profile);
            let time = output.split_whitespace().last().and_then(|time| time.parse().ok());
            *least = least.min(time.expect("a time in nanoseconds"));
        }
    }
    steps
}

/// Debug in times of release.
pub fn row(wanted: &Wanted) {
    let name = "debug: step of the network, × release";
    if !wanted.has(name) {
        return;
    }
    let optimised = |library: &str| format!("[profile.dev.package.{library}]\nopt-level = 3\n");
    let ours = Package::new("costs");
    ours.configure(&["tensor-kernels", "tensor-array"].map(optimised).concat());
    let peer = Package::with("costs-ndarray", "ndarray = \"0.17\"");
    peer.configure(&optimised("ndarray"));
    let [ours, peer] = [steps(&ours, "network"), steps(&peer, "network_ndarray")];
    report::row(name, "×", ours[0] / ours[1], Some(peer[0] / peer[1]), Some(2.0));
    report::row(
        "debug: its release build, µs a step",
        "µs",
        ours[1] / 1e3,
        Some(peer[1] / 1e3),
        None,
    );
}
