//! Every case as a file of Rust, compiled and run: its results are those of the call, with gradients.

use std::collections::BTreeMap;

use tensor_core::trace::element_bytes;
use tensor_embed::ToRust;

use crate::case::{Case, Operands};
use crate::embed_runner as runner;
use crate::traced::{Tensors, compare_bytes, program, results};

/// Operations whose sums overflow in another order, or do not meet padding, which an infinite number makes NaN.
const OVERFLOWS: [&str; 4] = ["matmul", "einsum", "conv2d", "conv_transpose2d"];

/// Operations with sums of large numbers that cancel: their errors are relative to the largest result.
const CANCELS: [&str; 2] = ["matmul", "dot"];

#[test]
fn every_program_gives_as_rust_what_the_call_gives() {
    let (mut wrong, mut cases, mut files) = (Vec::new(), Vec::new(), Vec::new());
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for case in Case::read() {
        let Operands { floats, integers, masks, .. } = Operands::<f32>::new(&case);
        let inputs: Tensors<f32> = (floats, integers, masks);
        let Some(program) = program(&case, &inputs) else { continue };
        match program.to_rust() {
            Ok(file) => {
                files.push((file, element_bytes(&inputs)));
                cases.push((case, inputs));
            }
            Err(error) => *refused.entry(format!("{}: {error}", case.op)).or_default() += 1,
        }
    }
    let found = runner::run("sweep", &files, &[], 1);
    for ((case, inputs), (found, _)) in cases.iter().zip(&found) {
        let direct = results(case, inputs).expect("results of a case");
        let fail = |message: String| wrong.push(format!("{}: {message}", case.name()));
        let modes = [&OVERFLOWS[..], &CANCELS].map(|list| list.contains(&&case.op[..]));
        compare_bytes(found, &direct, modes, fail);
    }
    println!(
        "{} programs are written, {} are refused",
        files.len(),
        refused.values().sum::<usize>()
    );
    assert!(refused.is_empty(), "{refused:#?}");
    assert_eq!(found.len(), files.len());
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
