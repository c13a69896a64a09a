//! Programs that are traced compute what the functions compute, bit for bit.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{RefUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex};

use half::{bf16, f16};
use rand::Rng;
use tensor_core::autograd::{checkpoint, grad, value_and_grad};
use tensor_core::element::CastTo;
use tensor_core::random::{Fans, Generator};
use tensor_core::trace::{Program, cond, element_bytes, scan, scan_reverse, trace, while_loop};
use tensor_core::{DynTensor, Float, Module, Tensor, axis, dim, shape, tensor, zip_with};
use tensor_nn::layers::{Causal, CausalLowerRight, Dropout, Mask, Pass};

axis!(Batch);

/// Positions are compared when the program runs: it has no table of the elements that are kept.
#[test]
fn triangles_have_no_constants() {
    type Scores = Tensor<shape![2, 300, 400]>;
    let x = Scores::from_vec((0..240_000).map(|number| number as f32 - 1e5).collect()).unwrap();
    let of = |x: &Scores| {
        let masked = (Causal.masked(x.clone()), CausalLowerRight.masked(x.clone()));
        (masked, value_and_grad(x, |x| (x.tril(3) + x.triu(-5)).square().sum()))
    };
    let program = trace(&Scores::zeros(), of);
    assert!(program.cost().constant_bytes < 100, "{program}");
    assert!(program.to_stablehlo().len() < 10_000);
    assert_eq!(program.run(&x).unwrap(), of(&x));
    assert_eq!(of(&x).0.0[[1, 2, 2]], x[[1, 2, 2]]);
    assert_eq!(of(&x).0.0[[1, 2, 3]], f32::NEG_INFINITY);
}

/// Once without a program, where the part is computed again outside of the function of `grad`.
#[test]
fn gradients_within_a_checkpoint() {
    let of_y = |x: &Tensor<shape![2]>| grad(&tensor![0.5, 2.0], |y| (y.square() * x).sum()).sum();
    let slope = |x: &Tensor<shape![2]>| grad(x, |x| checkpoint(x, of_y));
    let x = tensor![3.0, 5.0];
    assert_eq!(slope(&x), tensor![1.0, 4.0]);
    agrees(&Tensor::zeros(), &x, slope);
}

#[test]
fn large_constants_are_listed() {
    type Numbers = Tensor<shape![1_000_000], i64>;
    let program = trace(&Numbers::zeros(), |x| {
        let table = Tensor::<shape![600, 600]>::eye();
        (x + Numbers::arange() * 2 + 1, x.equal(3), table)
    });
    let large = program.large_constants();
    let of = |number: usize| (large[number].read_by, large[number].element, large[number].bytes);
    assert_eq!([of(0), of(1)], [("add", "i64", 8_000_000), ("output", "f32", 1_440_000)]);
    assert_eq!((&large[1].sizes[..], large.len()), (&[600, 600][..], 2));
    assert!(program.cost().constant_bytes > 9_440_000);
}

/// Traces a function, and compares its results with those of the program, on other elements than those of the
/// trace.
#[track_caller]
fn agrees<I: Module + Clone, O: Module + Clone + PartialEq + std::fmt::Debug>(
    traced_with: &I,
    inputs: &I,
    function: impl Fn(&I) -> O,
) {
    let program = trace(traced_with, &function);
    assert_eq!(program.run(inputs).unwrap(), function(inputs), "{program}");
}

/// Numbers of both signs that differ from each other.
fn numbers<S: tensor_core::StaticShape>() -> Tensor<S> {
    let count = Tensor::<S>::zeros().len();
    let elements = (0..count).map(|number| ((number * 37 % 101) as f32 - 50.0) / 20.0);
    Tensor::from_vec(elements.collect()).unwrap()
}

#[test]
fn tiny_tensors() {
    type X = Tensor<shape![3]>;
    let (zeros, x) = (X::zeros(), numbers());
    agrees(&zeros, &x, |x: &X| x + x);
    agrees(&zeros, &x, |x: &X| x.dot(x));
    agrees(&zeros, &x, |x: &X| {
        let mut y = x.clone();
        y += x;
        y *= 2.0;
        y
    });
    agrees(&zeros, &x, |x: &X| x.clone() - x.sum());
    agrees(&tensor![0_i64, 0], &tensor![3, -5], |x| x * x + 7);
    agrees(&tensor![[0.0, 0.0], [0.0, 0.0]], &tensor![[1.0, 2.0], [3.0, 4.0]], |x| x.matmul(x));
}

#[test]
fn searches() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let edges = tensor![-inf, -1.0, 0.0, 0.0, 2.5, inf, nan, nan];
    let values = tensor![[nan, -inf, 0.0], [-0.0, 3.0, inf], [-1.0, -2.0, 2.5]];
    let find = |(edges, values): &(Tensor<shape![8]>, Tensor<shape![3, 3]>)| {
        let places = (edges.searchsorted(values), edges.searchsorted_right(values));
        (places, values.isin(edges))
    };
    agrees(&(Tensor::zeros(), Tensor::zeros()), &(edges, values), find);
    let find = |(edges, value): &(Tensor<shape![4], i64>, Tensor<shape![], i64>)| {
        let places = (edges.searchsorted(value), edges.searchsorted_right(value));
        (places, value.isin(edges))
    };
    let inputs = (tensor![i64::MIN, 3, 3, 7], Tensor::scalar(3));
    agrees(&(Tensor::zeros(), Tensor::scalar(0)), &inputs, find);
    // Nothing to compare with.
    let none = Tensor::<shape![0]>::zeros();
    agrees(&tensor![1.0, 2.0], &tensor![3.0, 4.0], |x| (none.searchsorted(x), x.isin(&none)));
}

#[test]
fn counts() {
    let x =
        tensor![[f64::NAN, 0.3, -0.1, 0.0], [0.1, f64::INFINITY, 1.0, 0.7], [0.6, 0.2, -0.0, 1.1]];
    agrees(&Tensor::zeros(), &x, |x: &Tensor<shape![3, 4], f64>| {
        let counts = (x.histogram::<dim!(10)>(0.0..=1.0), x.histogram::<dim!(3)>(-0.1..=1.1));
        (counts, x.histogram::<dim!(0)>(0.0..=1.0), x.histogram::<dim!(7)>(0.1..=0.1))
    });
    // Many edges, at which a rounded quotient is in the previous or the next bin.
    let edges: Vec<_> = (0..1001).map(|bin| 0.1 + bin as f64 * (0.8 / 1000.0)).collect();
    let edges = edges.iter().flat_map(|x| [x.next_down(), *x, x.next_up()]).collect();
    let edges = Tensor::<shape![3003], f64>::from_vec(edges).unwrap();
    agrees(&Tensor::zeros(), &edges, |x| x.histogram::<dim!(1000)>(0.1..=0.9));
    let integers = tensor![[3_u8, 0, 255], [3, 7, 8]];
    agrees(&Tensor::zeros(), &integers, |x: &Tensor<shape![2, 3], u8>| {
        (x.bincount::<dim!(256)>().unwrap(), x.histogram::<dim!(3)>(0.0..=8.0))
    });
    let program = trace(&tensor![0_i64, 0], |x| x.bincount::<dim!(3)>().unwrap());
    for outside in [-1, 3] {
        assert!(program.run(&tensor![0, outside]).is_err(), "{outside}");
    }
}

#[test]
fn sizes_of_the_run() {
    let batch = |size: usize| {
        let elements = (0..3 * size).map(|number| number as f32).collect();
        Tensor::<shape![Batch, 3]>::from_vec_shaped(shape![Batch(size), 3], elements).unwrap()
    };
    agrees(&batch(4), &batch(4), |x| x.sum_axis::<0>() * 2.0 + x.mean_axis_keepdims::<0>());
}

#[test]
fn inputs_that_do_not_fit_are_named() {
    let (x, y) = (tensor![1.0_f32, 2.0], tensor![3.0_f32, 4.0]);
    let given = |names: &[&str]| {
        names.iter().map(|name| (name.to_string(), x.clone())).collect::<BTreeMap<_, _>>()
    };
    let program = trace(&given(&["a", "b"]), |inputs| &inputs["a"] + &inputs["b"]);
    let message = |names: &[&str]| program.run(&given(names)).unwrap_err().to_string();
    assert_eq!(
        message(&["a", "c"]),
        "the inputs do not fit the program:\n  there is `c` where `b` was when the program was traced"
    );
    assert_eq!(
        message(&["a"]),
        "the inputs do not fit the program:\n  the number of tensors is 1, and was 2 when the program was traced"
    );
    let program = trace(&vec![x.clone(), y.clone()], |inputs| &inputs[0] + &inputs[1]);
    let error = program.run(&vec![x.clone(), y, x]).unwrap_err();
    assert!(error.to_string().ends_with("is 3, and was 2 when the program was traced"), "{error}");
}

/// The file and the line of each panic of these calls, with its message.
fn panics<T>(calls: &[T], call: impl Fn(&T) + RefUnwindSafe) -> Vec<(String, u32, String)>
where
    T: RefUnwindSafe,
{
    static HOOK: Mutex<()> = Mutex::new(());
    let _one = HOOK.lock();
    let (before, found) = (take_hook(), Arc::new(Mutex::new(Vec::new())));
    // Other tests may panic meanwhile, on other threads.
    let (here, panics) = (std::thread::current().id(), Arc::clone(&found));
    set_hook(Box::new(move |info| {
        if std::thread::current().id() == here {
            let (at, message) = (info.location().unwrap(), info.payload_as_str().unwrap());
            panics.lock().unwrap().push((at.file().to_owned(), at.line(), message.to_owned()));
        }
    }));
    let results: Vec<_> = calls.iter().map(|x| catch_unwind(|| call(x)).is_err()).collect();
    set_hook(before);
    assert_eq!(results, vec![true; calls.len()], "each call panics");
    found.lock().unwrap().clone()
}

#[test]
fn reading_an_element_panics_at_its_line() {
    type X = Tensor<shape![2]>;
    fn dynamic(x: &X) -> DynTensor {
        x.clone().into()
    }
    let first = line!() + 2;
    let reads: [fn(&X); 25] = [
        |x| _ = x.sum().item(),
        |x| _ = x[[0]],
        |x| _ = x.get([0]),
        |x| _ = x.iter().next(),
        |x| _ = x.to_vec(),
        |x| _ = x.clone().into_vec(),
        |x| _ = x.as_slice(),
        |x| _ = x.clone().as_mut_slice(),
        |x| _ = *x == X::zeros(),
        |x| _ = X::zeros() != *x,
        |x| _ = x.sum() == 1.0,
        |x| _ = x.sum() < 1.0,
        |x| _ = x.all_close(&X::zeros(), 0.0, 0.0),
        |x| _ = x.map(|x| x + 1.0),
        |x| _ = zip_with(x, x, |x, y| x + y),
        |x| _ = x.unique::<Batch>(),
        |x| _ = x.greater(0.0).nonzero::<Batch>(),
        |x| _ = x.masked_select::<Batch>(&x.greater(0.0)),
        |x| _ = dynamic(x).to_vec(),
        |x| _ = dynamic(x).iter().next(),
        |x| _ = dynamic(x).sum().item(),
        |x| _ = dynamic(x)[[0]],
        |x| _ = dynamic(x) == dynamic(x),
        |x| _ = dynamic(x).all_close(&dynamic(x), 0.0, 0.0),
        |x| _ = dynamic(x).unique(),
    ];
    let found = panics(&reads, |read| {
        trace(&X::zeros(), |x| {
            read(x);
            x.clone()
        });
    });
    for ((number, (file, line, message)), expected) in found.iter().enumerate().zip(first..) {
        assert_eq!((&file[..], *line), (file!(), expected), "{number}: {message}");
        let reasons =
            ["a shape and no elements", "is tracked or traced", "a closure has no gradient"];
        assert!(reasons.iter().any(|reason| message.contains(reason)), "{number}: {message}");
    }
}

#[test]
fn random_numbers_that_do_not_follow_from_an_input_are_refused() {
    type X = Tensor<shape![2]>;
    let one_by_one: [fn(&mut Generator); 8] = [
        |rng| _ = rng.truncated_normal::<shape![2], f32>(0.0, 1.0),
        |rng| _ = rng.sample::<shape![2], u8, _>(&rand::distr::StandardUniform),
        |rng| _ = rng.permutation(9),
        |rng| _ = rng.orthogonal::<shape![], dim!(2), dim!(2), f32>(),
        |rng| _ = rng.split().sample_dyn::<u8, _>(&[2], &rand::distr::StandardUniform),
        |rng| _ = rng.next_u32(),
        |rng| _ = rng.next_u64(),
        |rng| rng.fill_bytes(&mut [0; 3]),
    ];
    let tensors: [fn(&mut Generator); 9] = [
        |rng| _ = rng.normal::<shape![2], f32>(0.0, 1.0),
        |rng| _ = rng.uniform::<shape![2], f32>(0.0, 1.0),
        |rng| _ = rng.he_normal::<shape![2, 2], f32>(),
        |rng| _ = rng.integers::<shape![2], i32>(0..9),
        |rng| _ = rng.bernoulli::<shape![2]>(0.5),
        |rng| _ = rng.permutations::<shape![2]>(),
        |rng| _ = rng.categorical(&tensor![0.5, 0.5]),
        |rng| _ = rng.split().bernoulli_dyn(&[2], 0.5),
        |rng| _ = Dropout::new(0.5).forward(&X::ones(), &mut Pass::training(rng)),
    ];
    let refused = |draws: &[fn(&mut Generator)], generator: fn(&Number) -> Generator, words| {
        let found = panics(draws, |draw| {
            trace(&Number::scalar(0), |step| {
                draw(&mut generator(step));
                step.clone()
            });
        });
        for (number, (_, _, message)) in found.iter().enumerate() {
            assert!(message.starts_with(words), "{number}: {message}");
        }
    };
    let same = "the numbers of this generator would be the same whenever the program runs";
    for draws in [&one_by_one[..], &tensors[..]] {
        refused(draws, |_| Generator::seed(1), same);
        // A step that is no input.
        refused(draws, |_| Generator::at(1, &Tensor::scalar(1)), same);
    }
    refused(&one_by_one, |step| Generator::at(1, step), "numbers that are drawn one by one");
    // Outside of a program all of them are drawn.
    let mut rng = Generator::at(1, &Tensor::scalar(1));
    one_by_one.iter().chain(&tensors).for_each(|draw| draw(&mut rng));
}

/// The body of a loop or branch is traced once: its own generator has other numbers in each call, and one that was made outside
/// is refused.
#[test]
fn generators_of_loops_and_branches() {
    type Rows = Tensor<shape![3, 2]>;
    type Inputs = (Rows, Number);
    let inputs = (Rows::ones(), Number::scalar(5));
    agrees(&inputs, &inputs, |(rows, step)| {
        let body = |step: &Number, row: &Tensor<shape![2]>| {
            (step + 1, row + Generator::at(3, step).uniform::<shape![2], f32>(0.0, 1.0))
        };
        scan(&(step * 100), rows, body).1
    });
    let draws: [fn(&RefCell<Generator>, &Inputs); 4] = [
        |rng, (rows, _)| {
            scan(&(), rows, |(), row| {
                ((), row + rng.borrow_mut().normal::<shape![2], f32>(0.0, 1.0))
            });
        },
        |rng, (rows, _)| {
            scan_reverse(&(), rows, |(), row| {
                ((), row + rng.borrow().clone().uniform::<shape![2], f32>(0.0, 1.0))
            });
        },
        |rng, (rows, _)| {
            let row = |row: &Tensor<shape![2]>| {
                row + rng.borrow_mut().split().uniform::<shape![2], f32>(0.0, 1.0)
            };
            scan(&(), rows, |(), x| ((), row(x)));
        },
        |rng, (rows, step)| {
            let drawn =
                |rows: &Rows| rows + rng.borrow_mut().uniform::<shape![3, 2], f32>(0.0, 1.0);
            cond(&step.greater(0), rows, drawn, Rows::clone);
        },
    ];
    let found = panics(&draws, |draw| {
        trace(&(Rows::ones(), Number::scalar(5)), |inputs| {
            draw(&RefCell::new(Generator::at(1, &inputs.1)), inputs);
            inputs.1.clone()
        });
    });
    for (number, (file, _, message)) in found.iter().enumerate() {
        assert_eq!(file, file!(), "{number}");
        assert!(
            message.contains("made outside of the body of a loop or branch"),
            "{number}: {message}"
        );
    }
    // A plain loop draws other numbers for each item.
    draws.iter().for_each(|draw| draw(&RefCell::new(Generator::at(1, &inputs.1)), &inputs));
}

#[test]
fn branches_and_loops_keep_their_tensors() {
    type X = Tensor<shape![2]>;
    type Either = (Option<X>, Option<X>);
    let x = tensor![1.0, -2.0];
    let other_tensors: [fn(&X) -> Either; 2] = [
        |x| {
            let positive = x.greater(0.0).any();
            cond(&positive, x, |x| (Some(x.clone()), None), |x| (None, Some(x * 2.0)))
        },
        |x| {
            let swap = |(a, b): &Either, row: &X| ((b.clone(), a.as_ref().map(|a| a + row)), ());
            scan(&(Some(x.clone()), None), &Tensor::<shape![3, 2]>::ones(), swap).0
        },
    ];
    let found = panics(&other_tensors, |function| {
        trace(&X::ones(), function);
    });
    for ((file, _, message), rule) in
        found.iter().zip(["the functions of a branch", "the state of a loop"])
    {
        assert_eq!(file, file!());
        let names = message.contains(r#"["0"]"#) && message.contains(r#"["1"]"#);
        assert!(message.starts_with(rule) && names, "{message}");
    }
    assert_eq!(other_tensors[0](&x), (Some(x.clone()), None));

    // A branch without operands.
    agrees(&x, &X::zeros(), |x| {
        cond(&x.greater(0.0).any(), &(), |()| x * 2.0, |()| tensor![7.0, 8.0])
    });

    // Without items no call changes the state, also what is no tensor.
    #[derive(Module, Clone, Debug, PartialEq)]
    struct Counted {
        x: X,
        #[module(value = 0)]
        calls: usize,
    }
    let start = Counted { x, calls: 0 };
    let rows = Tensor::<shape![Batch, 2]>::ones_shaped(shape![Batch(0), 2]);
    let count =
        |state: &Counted, row: &X| (Counted { x: &state.x + row, calls: state.calls + 1 }, ());
    assert_eq!(scan(&start, &rows, count).0, start);
}

/// A loop over constants is computed while tracing, by the steps of the one call of its body. It is tracked as any other.
#[test]
fn loops_over_constants_call_their_body_once() {
    type X = Tensor<shape![2]>;
    let rows = numbers::<shape![3, 2]>();
    let calls = Cell::new(0);
    let count = || calls.set(calls.get() + 1);
    let sums = |weights: &X| {
        scan(&X::zeros(), &rows, |sum: &X, row| {
            count();
            let sum = sum * weights + row;
            (sum.clone(), sum)
        })
    };
    let double = |start: &X| {
        while_loop(
            start,
            |x| x.less(100.0).all(),
            |x| {
                count();
                x * 2.0
            },
        )
    };
    let functions: [(&dyn Fn(&X) -> X, usize); 3] = [
        (&|x| x + sums(&X::full(2.0)).0 + sums(&X::ones()).1.sum_axis::<0>(), 2),
        (&|x| x + grad(&X::full(0.5), |weights| sums(weights).0.square().sum()), 1),
        (&|x| x + double(&X::ones()), 1),
    ];
    for (function, bodies) in functions {
        let program = trace(&X::ones(), function);
        assert_eq!(calls.replace(0), bodies);
        assert_eq!(program.num_steps(), if bodies == 2 { 2 } else { 1 }, "{program}");
        let found = program.run(&X::zeros()).unwrap();
        assert!(found.all_close(&function(&X::zeros()), 1e-6, 0.0));
        calls.set(0);
    }
}

/// The results of a loop without items depend on what its body reads: their gradient is 0, as for one that has items.
#[test]
fn loops_without_items_have_gradients() {
    type X = Tensor<shape![2]>;
    let none = Tensor::<shape![Batch, 2]>::zeros_shaped(shape![Batch(0), 2]);
    let start = X::full(3.0);
    let inputs = (X::full(2.0), start.clone());
    let losses: [fn(&X, &X, &Tensor<shape![Batch, 2]>) -> Tensor<shape![]>; 3] = [
        |weights, start, rows| scan(start, rows, |sum, row| (sum + row * weights, ())).0.sum(),
        |weights, start, rows| {
            scan(start, rows, |sum, row| (sum.clone(), row * weights + sum)).1.sum()
        },
        |weights, start, rows| {
            scan_reverse(start, rows, |sum, row| (sum * weights + row, ())).0.square().sum()
        },
    ];
    for (loss, of_start) in losses.into_iter().zip([1.0, 0.0, 6.0]) {
        let slopes = |(weights, start): &(X, X)| {
            let alone = grad(weights, |weights| loss(weights, &X::full(3.0), &none));
            (alone, grad(&(weights.clone(), start.clone()), |(a, b)| loss(a, b, &none)))
        };
        assert_eq!(slopes(&inputs), (X::zeros(), (X::zeros(), X::full(of_start))));
        agrees(&inputs, &inputs, slopes);
        let program = trace(&inputs, |(weights, start)| loss(weights, start, &none));
        let slopes = grad(&inputs, |inputs| program.run(inputs).expect("the same sizes"));
        assert_eq!(slopes, (X::zeros(), X::full(of_start)));
    }
    // A body that does not read the weights is a mistake, with items and without.
    let unused: [fn(&X, &Tensor<shape![Batch, 2]>) -> X; 2] = [
        |_, rows| scan(&X::zeros(), rows, |sum: &X, row| (sum + row, ())).0,
        |weights, rows| {
            scan(&X::zeros(), rows, |sum: &X, row| (sum + row * weights.detach(), ())).0
        },
    ];
    for count in [0, 2] {
        let rows = Tensor::<shape![Batch, 2]>::zeros_shaped(shape![Batch(count), 2]);
        for (_, _, message) in panics(&unused, |body| {
            grad(&start, |weights| body(weights, &rows).sum());
        }) {
            assert!(message.starts_with("the loss does not depend on a parameter"), "{message}");
        }
    }
}

type Number = Tensor<shape![], i64>;

/// Traces draws of a generator at a step, and compares the program with a call, for two steps, which differ. Returns the
/// program.
#[track_caller]
fn draws_agree<O: Module + Clone + PartialEq + std::fmt::Debug>(
    draw: impl Fn(&mut Generator) -> O,
) -> Program<Number, (O, O)> {
    let two = |step: &Number| {
        let mut rng = Generator::at(42, step);
        (draw(&mut rng), draw(&mut rng))
    };
    let program = trace(&Tensor::scalar(0), two);
    let [(a, b), (c, _)] = [3, -4].map(|step| {
        let step = Tensor::scalar(step);
        let numbers = two(&step);
        assert_eq!(program.run(&step).unwrap(), numbers, "{program}");
        numbers
    });
    assert!(a != b && a != c, "two draws differ, and those of two steps");
    program
}

#[test]
fn random_numbers_follow_from_a_step() {
    type X<T = f32> = Tensor<shape![3, 5], T>;
    macro_rules! each {
        ($($Drawn:ty: |$rng:ident| $draw:expr;)*) => {$(
            let program = draws_agree(|$rng: &mut Generator| -> $Drawn { $draw });
            program.to_stablehlo();
        )*};
    }
    each! {
        X: |rng| rng.uniform(-1.0, 1.0);
        X<f64>: |rng| rng.uniform(0.1, 0.7);
        X<bf16>: |rng| rng.uniform(bf16::ZERO, bf16::ONE);
        X: |rng| rng.normal(1.0, 2.0);
        X<f64>: |rng| rng.normal(1.0, 2.0);
        X<f16>: |rng| rng.normal(f16::ZERO, f16::ONE);
        X<bool>: |rng| rng.bernoulli(0.5);
        X<u8>: |rng| rng.integers(3..200);
        X<i8>: |rng| rng.integers(-100..100);
        X<i64>: |rng| rng.integers(i64::MIN..i64::MAX);
        X<i64>: |rng| rng.permutations();
        X: |rng| rng.glorot_uniform();
        X: |rng| rng.glorot_normal();
        X: |rng| rng.he_uniform();
        X: |rng| rng.he_normal();
        X: |rng| rng.he_normal_shaped(shape![3, 5], Fans::of(&[3, 5]));
        Tensor<shape![Batch, 3]>: |rng| rng.normal_shaped(shape![Batch(4), 3], 0.0, 1.0);
        DynTensor<bool>: |rng| rng.bernoulli_dyn(&[2, 5, 7], 0.5);
        DynTensor<i64>: |rng| rng.permutations_dyn(&[20]);
        Tensor<shape![3, 5], i64>: |rng| {
            let weights: Tensor<shape![3, 5, 7], bf16> = rng.uniform(bf16::ZERO, bf16::ONE);
            rng.categorical(&weights).unwrap()
        };
        DynTensor<f64>: |rng| rng.split().split().normal_dyn(&[], 0.0, 1.0);
        X: |rng| Dropout::new(0.5).forward(&X::ones(), &mut Pass::training(rng));
    }
}

/// What a loss does not use has no gradient: not 0 times an infinite slope.
#[test]
fn results_of_loops_that_are_not_used() {
    type X = Tensor<shape![2]>;
    type Rows = Tensor<shape![3, 2]>;
    let rows = Rows::from_fn(|[row, column]| (2 * row + column) as f32);
    agrees(&Rows::ones(), &rows, |rows| {
        value_and_grad(rows, |rows| {
            let body = |sum: &X, row: &X| (sum + row, (row.square(), row.sqrt()));
            let (sum, (squares, _)) = scan(&X::zeros(), rows, body);
            sum.sum() + squares.sum()
        })
    });
    agrees(&Rows::ones(), &rows, |rows| {
        value_and_grad(rows, |rows| {
            let both = |rows: &Rows| (rows * 2.0, rows.sqrt());
            let (doubled, _) = cond(&rows.greater(-9.0).any(), rows, both, both);
            doubled.sum()
        })
    });
    let program = trace(&Rows::ones(), |rows| {
        let (_, (squares, _)) =
            scan(&X::zeros(), rows, |sum: &X, row: &X| (sum + row, (row.square(), row.sqrt())));
        squares.sum()
    });
    let (_, slope) = value_and_grad(&rows, |rows| program.run(rows).expect("the same sizes"));
    assert_eq!(slope, &rows * 2.0);
}

/// A recurrence of every type of floats, with its first and second gradients, as `f32`.
#[test]
fn loops_of_every_type_of_floats() {
    type Weights = Tensor<shape![2, 2]>;
    type Rows = Tensor<shape![4, 2]>;
    fn check<T: Float + CastTo<f32>>(tolerance: f32)
    where
        f32: CastTo<T>,
    {
        let loss = |(weights, rows): &(Weights, Rows)| {
            let (weights, rows) = (weights.cast::<T>(), rows.cast::<T>());
            let zeros = Tensor::<shape![2], T>::zeros();
            let (last, states) = scan(&zeros, &rows, |state, row| {
                let next = (state.dot(&weights) + row).tanh();
                (next.clone(), next.exp() + state)
            });
            (last.sum() + states.mean()).cast::<f32>()
        };
        let function = |inputs: &(Weights, Rows)| {
            let second = grad(inputs, |inputs| grad(inputs, loss).1.square().sum());
            (value_and_grad(inputs, loss), second)
        };
        let inputs = (Weights::from_fn(|[i, j]| i as f32 - 0.5 * j as f32), Rows::full(0.3));
        let found = trace(&inputs, function).run(&inputs).expect("the same sizes");
        for (one, other) in elements(&found).iter().zip(elements(&function(&inputs))) {
            let difference = (one - other).abs();
            assert!(difference <= tolerance * one.abs().max(1.0), "{one}, {other}: {}", T::NAME);
        }
    }
    check::<f64>(1e-6);
    check::<f32>(1e-5);
    check::<f16>(1e-2);
    check::<bf16>(1e-1);
}

/// The elements of all tensors of `f32`.
fn elements(module: &dyn Module) -> Vec<f32> {
    let bytes = element_bytes(module).concat();
    bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}
