//! A training step by the kernels and, where there is a plugin, by XLA: the same losses.

use std::path::Path;

#[path = "../examples/digits_xla/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod digits_xla;
#[path = "../tensor-xla/tests/plugin/found.rs"]
mod found;

#[test]
fn kernels_and_xla_learn_the_same() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/digits.csv");
    let outcomes = digits_xla::run(&file, &mut std::io::sink()).unwrap();
    for outcome in &outcomes {
        assert!(outcome.accuracy >= 0.9, "{}", outcome.accuracy);
    }
    let has_plugin = found::engine(&tensor_xla::Options::new()).is_some();
    assert_eq!(outcomes.len(), 1 + usize::from(has_plugin));
    if let [kernels, xla] = &outcomes[..] {
        for (step, (kernels, xla)) in kernels.losses.iter().zip(&xla.losses).enumerate().take(30) {
            assert!(
                (kernels - xla).abs() <= 1e-4 * kernels.max(1.0),
                "step {step}: {kernels}, {xla}"
            );
        }
    }
}
