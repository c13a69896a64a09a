//! Functions that are compiled when they are called.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tensor_core::autograd::{grad, value_and_grad};
use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape, tensor};
use tensor_xla::{Engine, Error, jit, jit_step, try_jit, try_jit_step};

use crate::engine;

axis!(Batch);
type Rows = Tensor<shape![Batch, 2]>;

fn rows(size: usize) -> Rows {
    Rows::from_fn_shaped(shape![Batch(size), 2], |[row, column]| (2 * row + column) as f32)
}

/// No engine, and the one that is there.
fn engines() -> impl Iterator<Item = Option<&'static Engine>> {
    [None].into_iter().chain(engine().map(Some))
}

/// A counter of the calls of a function, which are those that trace it where there is an engine.
fn counted<I, O>(function: impl Fn(&I) -> O) -> (Arc<AtomicUsize>, impl Fn(&I) -> O) {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = calls.clone();
    let counted = move |inputs: &I| {
        count.fetch_add(1, Ordering::Relaxed);
        function(inputs)
    };
    (calls, counted)
}

#[test]
fn a_function_is_traced_once_for_each_size() {
    for engine in engines() {
        let (calls, function) = counted(|rows: &Rows| rows.square().sum_axis::<-1>());
        let squares = jit(engine, function);
        for size in [3, 1, 3, 1, 0] {
            let expected = rows(size).square().sum_axis::<-1>();
            assert_eq!(squares.call(&rows(size)).unwrap(), expected, "{engine:?}");
        }
        let traced = if engine.is_some() { 3 } else { 5 };
        assert_eq!(calls.load(Ordering::Relaxed), traced);
    }
}

#[test]
fn the_programs_that_were_used_last_are_kept() {
    let Some(engine) = engine() else { return };
    let (calls, function) = counted(|rows: &Rows| rows + 1.0);
    let more = jit(engine, function).keep(2);
    for size in [1, 2, 1, 3, 1] {
        more.call(&rows(size)).unwrap();
    }
    let kept = ["f32 [Batch=1, 2]", "f32 [Batch=3, 2]"].map(str::to_owned).to_vec();
    assert_eq!(more.programs_kept(), (kept, 1));
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    more.call(&rows(2)).unwrap();
    assert_eq!((calls.load(Ordering::Relaxed), more.programs_kept().1), (4, 2));
    assert!(format!("{more:?}").contains("f32 [Batch=2, 2]"), "{more:?}");
}

#[test]
fn results_have_gradients_and_are_steps_of_outer_programs() {
    for engine in engines() {
        let cube = Arc::new(jit(engine, |x: &Tensor<shape![2]>| x.powi(3)));
        let x = tensor![1.0, 2.0];
        let slope = grad(&x, |x| cube.call(x).unwrap().sum());
        assert_eq!(slope, tensor![3.0, 12.0]);
        let inner = cube.clone();
        let twice =
            jit(engine, move |x: &Tensor<shape![2]>| inner.call(&inner.call(x).unwrap()).unwrap());
        assert_eq!(twice.call(&x).unwrap(), tensor![1.0, 512.0]);
        let program = trace(&x, |x| cube.call(x).unwrap());
        assert_eq!(program.run(&x).unwrap(), tensor![1.0, 8.0]);
    }
}

#[test]
fn a_step_keeps_its_state_for_batches_of_other_sizes() {
    for engine in engines() {
        let mut eager = tensor![1.0, -2.0];
        let step = |weights: &mut Tensor<shape![2]>, rows: &Rows| {
            let (loss, slope) = value_and_grad(weights, |weights| (rows * weights).square().mean());
            *weights -= slope * 0.1;
            loss
        };
        let mut compiled = jit_step(engine, eager.clone(), step);
        for size in [2, 3, 2, 1, 3] {
            let expected = step(&mut eager, &rows(size));
            let loss = compiled.call(&rows(size)).unwrap();
            assert!((loss.item() - expected.item()).abs() <= 1e-5 * expected.item().abs());
        }
        let state = compiled.state().unwrap();
        assert!((state - &eager).abs().max().item() < 1e-5, "{engine:?}");
        if engine.is_some() {
            assert_eq!(compiled.programs_kept().0.len(), 3);
        }
        compiled.set_state(tensor![0.0, 0.0]).unwrap();
        assert_eq!(compiled.call(&rows(2)).unwrap().item(), 0.0);
    }
}

#[test]
fn errors_are_those_of_the_function() {
    #[derive(Debug, PartialEq)]
    enum Problem {
        Odd,
        Engine(String),
    }
    impl From<Error> for Problem {
        fn from(error: Error) -> Self {
            Self::Engine(error.to_string())
        }
    }
    let check = |rows: &Rows| match rows.sizes()[0] % 2 {
        0 => Ok(rows.sum()),
        _ => Err(Problem::Odd),
    };
    for engine in engines() {
        let sum = try_jit(engine, check);
        assert_eq!(sum.call(&rows(3)), Err(Problem::Odd));
        assert_eq!(sum.call(&rows(2)).unwrap().item(), 6.0);
        let mut total = try_jit_step(engine, tensor![1.0], move |total, rows: &Rows| {
            let sum = check(rows)?;
            *total += &sum;
            Ok::<_, Problem>(sum)
        });
        assert_eq!(total.call(&rows(2)).unwrap().item(), 6.0);
        assert_eq!(total.call(&rows(1)), Err(Problem::Odd));
        assert_eq!(total.call(&rows(2)).unwrap().item(), 6.0);
        assert_eq!(total.state().unwrap(), tensor![13.0]);
    }
}

#[test]
#[should_panic(expected = "would be compiled in each call")]
fn a_function_keeps_a_program() {
    let _ = jit(None, |rows: &Rows| rows.sum()).keep(0);
}
