//! Loops: what a program computes by one step, on kernels and on a plugin, is what the function computes.

use std::fmt::Debug;

use tensor_core::autograd::{custom, grad, value_and_grad};
use tensor_core::trace::{
    cond, element_bytes, scan, scan_along, scan_reverse, scan_reverse_along, switch, trace,
    try_trace, while_loop,
};
use tensor_core::{IndexingError, Module, Tensor, axis, shape, tensor};
use tensor_xla::jit;

use crate::engine;

axis!(Time = 7);
axis!(Steps);

/// Compares programs with a loop with the function, up to rounding.
#[track_caller]
fn agrees<I: Module + Clone, O: Module + Clone + Debug>(inputs: &I, function: impl Fn(&I) -> O) {
    agrees_by("scan", inputs, function);
}

/// Compares programs that have a step with the function, up to rounding: a program, and one within another, on kernels and on
/// a plugin.
#[track_caller]
fn agrees_by<I: Module + Clone, O: Module + Clone + Debug>(
    step: &str,
    inputs: &I,
    function: impl Fn(&I) -> O,
) {
    let direct = function(inputs);
    let program = trace(inputs, &function);
    let text = program.to_string();
    assert!(text.contains(&format!("= {step}(")), "{text}");
    assert_close(&direct, &program.run(inputs).unwrap(), &text);
    let nested = trace(inputs, |inputs| program.run(inputs).unwrap());
    assert_close(&direct, &nested.run(inputs).unwrap(), &text);
    let Some(engine) = engine() else { return };
    let compiled = engine.compile_program(program);
    let compiled = compiled.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_close(&direct, &compiled.call(inputs).unwrap(), &text);
}

#[track_caller]
fn assert_close(direct: &dyn Module, found: &dyn Module, text: &str) {
    let (direct, found) = (element_bytes(direct), element_bytes(found));
    assert_eq!(direct.len(), found.len());
    for (tensor, (direct, found)) in direct.iter().zip(&found).enumerate() {
        assert_eq!(direct.len(), found.len(), "{text}");
        for (place, (direct, found)) in direct.chunks(4).zip(found.chunks(4)).enumerate() {
            let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
            let is_close =
                (number(direct) - number(found)).abs() <= 1e-5 * number(direct).abs().max(1.0);
            assert!(
                direct == found || is_close,
                "element {place} of tensor {tensor} is {}, not {}, of\n{text}",
                number(found),
                number(direct)
            );
        }
    }
}

type Weights = (Tensor<shape![3, 3]>, Tensor<shape![3]>);
type Words = Tensor<shape![Time, 3]>;

fn weights() -> Weights {
    let weights = Tensor::from_fn(|[i, j]| (i as f32 - 1.0) * 0.4 + j as f32 * 0.1);
    (weights, tensor![0.1, -0.2, 0.3])
}

fn words() -> Words {
    Tensor::from_fn(|[i, j]| (i as f32 * 0.7 + j as f32).sin())
}

/// A recurrent layer with two states, one of them a number of words, which forgets where a mask says so.
fn recurrent(
    (weights, bias): &Weights,
    words: &Words,
    mask: &Tensor<shape![Time], bool>,
) -> (Tensor<shape![3]>, Tensor<shape![], i64>, Tensor<shape![Time, 3]>, Tensor<shape![Time], i64>)
{
    let state = (Tensor::<shape![3]>::zeros(), Tensor::<shape![], i64>::zeros());
    let ((last, count), (states, counts)) =
        scan(&state, &(words.clone(), mask.clone()), |(state, count), (word, forgets)| {
            let kept = tensor_core::select(forgets, 0.0, state);
            let next = (kept.dot(weights) + word + bias).tanh();
            let count = count + 1;
            ((next.clone(), count.clone()), (next, count))
        });
    (last, count, states, counts)
}

fn mask() -> Tensor<shape![Time], bool> {
    Tensor::from_fn(|[word]| word % 3 == 2)
}

#[test]
fn states_and_results_of_several_types() {
    agrees(&(weights(), words(), mask()), |(weights, words, mask)| recurrent(weights, words, mask));
}

#[test]
fn gradients_of_states_items_and_captured_tensors() {
    let inputs = (weights(), words());
    let loss = |(weights, words): &(Weights, Words)| {
        let (last, _, states, _) = recurrent(weights, words, &mask());
        (last * tensor![1.0, 2.0, 3.0]).sum() + states.square().mean()
    };
    agrees(&inputs, move |inputs| value_and_grad(inputs, loss));
    // Of a program, and of second order.
    let program = trace(&inputs, loss);
    let direct = grad(&inputs, loss);
    assert_close(&direct, &grad(&inputs, |inputs| program.run(inputs).unwrap()), "");
    agrees(&inputs, move |inputs| grad(inputs, |inputs| grad(inputs, loss).0.0.square().sum()));
}

#[test]
fn from_the_last_item_to_the_first() {
    agrees(&words(), |words| {
        value_and_grad(words, |words| {
            let sums = scan_reverse(&Tensor::<shape![3]>::zeros(), words, |sum, word| {
                let sum = sum * 0.5 + word.exp();
                (sum.clone(), sum)
            });
            (sums.1.ln() * words).sum() + sums.0.sum()
        })
    });
}

#[test]
fn loops_in_loops() {
    agrees(&words(), |words| {
        value_and_grad(words, |words| {
            let rows = scan(&tensor![0.0].sum(), words, |total, word| {
                let (sum, _) = scan(total, word, |sum, x| (sum * 0.9 + x.sin(), ()));
                (sum.clone(), sum)
            });
            rows.0.square() + rows.1.sum()
        })
    });
}

#[test]
fn sizes_that_are_known_when_the_program_runs() {
    for steps in [1, 4] {
        let rows = Tensor::<shape![Steps, 2]>::from_fn_shaped(shape![Steps(steps), 2], |[i, j]| {
            (i + 2 * j) as f32
        });
        agrees(&rows, |rows| scan(&tensor![0.0, 1.0], rows, |sum, row| (sum + row, sum * row)));
    }
}

#[test]
fn no_items() {
    let none = Tensor::<shape![Steps, 2]>::ones_shaped(shape![Steps(0), 2]);
    let body =
        |sum: &Tensor<shape![2]>, row: &Tensor<shape![2]>| (sum + row, (sum.sum(), row.exp()));
    let state = tensor![5.0, 6.0];
    let (last, (sums, rows)) = scan(&state, &none, body);
    assert_eq!((&last, &sums.sizes()[..], &rows.sizes()[..]), (&state, &[0][..], &[0, 2][..]));
    let program = trace(&none, |none| scan(&state, none, body));
    assert_eq!(program.run(&none).unwrap().0, state);
}

#[test]
fn states_and_results_that_the_body_does_not_compute() {
    agrees(&(words(), weights()), |(words, (weights, bias))| {
        value_and_grad(&(words.clone(), bias.clone()), |(words, bias)| {
            let state = (bias.clone(), bias * 2.0);
            let ((a, b), (rows, ones)) = scan(&state, words, |(_, b), word| {
                let one = Tensor::<shape![3]>::ones();
                ((bias.clone(), b.clone()), ((word.dot(weights), bias.clone()), one))
            });
            (a * b).sum() + (rows.0 * rows.1).sum() + ones.sum()
        })
    });
}

#[test]
fn what_depends_on_no_input_is_computed_at_once() {
    let program = trace(&tensor![1.0], |x| {
        x + scan(&tensor![0.0], &words(), |sum, word| (sum + word.sum(), ())).0
    });
    assert_eq!(program.num_steps(), 1, "{program}");
}

#[test]
fn a_wrong_index_in_a_loop_is_an_error() {
    let table = tensor![[0.0, 1.0], [2.0, 3.0]];
    let look_up = |indices: &Tensor<shape![3], i64>| {
        let found = scan(&tensor![0.0, 0.0], indices, |sum, index| {
            let row = table.take::<0, _>(index).unwrap();
            (sum + &row, row)
        });
        Ok::<_, IndexingError>(found.1)
    };
    let program = try_trace(&tensor![0, 0, 0], look_up).unwrap();
    assert_eq!(program.run(&tensor![1, 0, -1]).unwrap(), look_up(&tensor![1, 0, -1]).unwrap());
    let error = program.run(&tensor![1, 2, 0]).unwrap_err().to_string();
    assert!(error.contains("scan: indices: index 2 is out of range for axis 0"), "{error}");
}

#[test]
fn a_program_has_one_step_for_all_items() {
    let steps = |count: usize| {
        let rows = Tensor::<shape![Steps, 2]>::ones_shaped(shape![Steps(count), 2]);
        let program = trace(&rows, |rows| {
            grad(rows, |rows| scan(&tensor![0.0, 0.0], rows, |a, b| ((a + b).tanh(), ())).0.sum())
        });
        (program.num_steps(), program.cost().operations)
    };
    assert_eq!(steps(2).0, steps(1000).0);
    assert!(steps(1000).1 > 100 * steps(2).1);
}

/// How often a text has another.
fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn a_loop_runs_once_for_results_of_several_types() {
    let inputs = (weights(), words(), mask());
    let program = trace(&inputs, |(weights, words, mask)| recurrent(weights, words, mask));
    assert_eq!(count(&program.to_string(), "= scan("), 1, "{program}");
    assert_eq!(count(&program.to_stablehlo(), "stablehlo.while"), 1);
    // One loop for the results and what the gradient reads of them, and the loop of the gradient.
    let program = trace(&inputs, |(weights, words, mask)| {
        value_and_grad(weights, |weights| {
            let (last, count, states, counts) = recurrent(weights, words, mask);
            let counts = counts.cast::<f32>().sum() + count.cast::<f32>();
            (last.square().sum() + states.sum()) * counts
        })
    });
    assert_eq!(count(&program.to_string(), "= scan("), 2, "{program}");
    assert_eq!(count(&program.to_stablehlo(), "stablehlo.while"), 2);
}

/// The products of a network of recurrent steps are computed once, and twice for its gradient.
#[test]
fn a_gradient_computes_no_step_again() {
    let program = trace(&(weights(), words()), |(weights, words)| {
        value_and_grad(weights, |(weights, bias)| {
            let step = |state: &Tensor<shape![3]>, word: &Tensor<shape![3]>| {
                ((state.dot(weights) + word + bias).tanh(), ())
            };
            scan(&Tensor::<shape![3]>::zeros(), words, step).0.sum()
        })
    });
    let text = program.to_stablehlo();
    assert_eq!(count(&text, "stablehlo.dot_general"), 3, "{text}");
    assert_eq!(count(&text, "stablehlo.tanh"), 1, "{text}");
    // Results come out of loops as they are.
    assert_eq!(count(&text, "stablehlo.concatenate"), 0, "{text}");
}

/// What the gradient reads of a step, and the body returns, is kept once.
#[test]
fn results_that_a_gradient_reads_are_kept_once() {
    let program = trace(&(weights(), words()), |(weights, words)| {
        value_and_grad(words, |words| {
            let step = |state: &Tensor<shape![3]>, word: &Tensor<shape![3]>| {
                let next = (state.dot(&weights.0) + word).tanh();
                (next.clone(), next)
            };
            scan(&Tensor::<shape![3]>::zeros(), words, step).1.sum()
        })
    });
    let text = program.to_stablehlo();
    // The results, and the gradients of the words.
    assert_eq!(count(&text, "stablehlo.dynamic_update_slice"), 2, "{text}");
}

/// The slope of a function such as `sin` is kept instead of what it is computed from.
#[test]
fn slopes_are_computed_by_the_first_loop() {
    let slope = |words: &Words| {
        let step = |state: &Tensor<shape![3]>, word: &Tensor<shape![3]>| ((state * word).sin(), ());
        value_and_grad(words, |words| scan(&tensor![1.0, 2.0, 3.0], words, step).0.sum())
    };
    agrees(&words(), slope);
    let text = trace(&words(), slope).to_stablehlo();
    assert!(text.rfind("stablehlo.cosine") < text.rfind("\"stablehlo.while"), "{text}");
    assert_eq!(count(&text, "stablehlo.cosine"), 1, "{text}");
}

/// The text of a program is the same whatever was traced before, in the same process and of the same functions.
#[test]
fn a_program_has_one_text() {
    let inputs = (weights(), words());
    let loss = |(weights, words): &(Weights, Words)| {
        let (last, _, states, _) = recurrent(weights, words, &mask());
        last.sum() + states.square().mean()
    };
    let program = trace(&inputs, loss);
    let (text, listing) = (program.to_stablehlo(), program.to_string());
    let nested = trace(&inputs, |inputs| grad(inputs, |inputs| program.run(inputs).unwrap()));
    let of_gradient = nested.to_stablehlo();
    grad(&inputs, |inputs| program.run(inputs).unwrap());
    trace(&inputs, |inputs| grad(inputs, |inputs| grad(inputs, loss).1.sum()));
    assert_eq!(program.to_stablehlo(), text);
    assert_eq!(
        (trace(&inputs, loss).to_stablehlo(), trace(&inputs, loss).to_string()),
        (text, listing)
    );
    let again = trace(&inputs, |inputs| grad(inputs, |inputs| program.run(inputs).unwrap()));
    assert_eq!(again.to_stablehlo(), of_gradient);
}

/// States of several types of floats, with their gradients, as `f32`.
#[test]
fn states_of_several_types_of_floats() {
    let mixed = |words: &Words| {
        let state = (Tensor::<shape![3], f64>::zeros(), Tensor::<shape![3]>::ones());
        let ((sum, product), (sums, products)) = scan(&state, words, |(sum, product), word| {
            let sum = (sum * 0.5 + word.cast::<f64>() + product.cast::<f64>()).tanh();
            let product = (product * word + sum.cast::<f32>()).sin();
            ((sum.clone(), product.clone()), (sum, product))
        });
        let of_f64 = (sum.sum() + sums.square().mean()).cast::<f32>();
        of_f64 * product.sum() + products.mean()
    };
    agrees(&words(), |words| value_and_grad(words, mixed));
    agrees(&words(), |words| grad(words, |words| grad(words, mixed).square().sum()));
    let program = trace(&words(), |words| value_and_grad(words, mixed));
    assert_eq!(count(&program.to_string(), "= scan("), 2, "{program}");
}

/// Infinities and NaNs of a state, and of its gradient.
#[test]
fn special_values_in_loops() {
    let words = tensor![[0.0, -0.0, 1.0], [f32::INFINITY, -1.0, f32::MAX], [1.0, f32::NAN, 0.0]];
    agrees(&words, |words| {
        value_and_grad(words, |words| {
            let (last, states) = scan(&tensor![1.0, 2.0, 3.0], words, |state, word| {
                let next = (state * word).relu().sqrt();
                (next.clone(), next.minimum(word))
            });
            last.sum() + states.max()
        })
    });
}

/// Three nested loops, and their second gradient.
#[test]
fn gradients_of_loops_in_loops() {
    let loss = |words: &Words| {
        let sum = |total: &Tensor<shape![]>, row: &Tensor<shape![3]>| {
            let (sum, sums) = scan(total, row, |sum, x| {
                let sum = (sum * 0.9 + x).sin();
                (sum.clone(), sum)
            });
            (sum, sums)
        };
        let (total, rows) = scan(&Tensor::scalar(0.1), words, |total, word| {
            let (total, rows) = scan(total, words, |total, other| sum(total, &(word * other)));
            (total.tanh(), rows.mean())
        });
        total + rows.square().sum()
    };
    agrees(&words(), |words| value_and_grad(words, loss));
    agrees(&words(), |words| grad(words, |words| grad(words, loss).square().sum()));
    let text = trace(&words(), |words| value_and_grad(words, loss)).to_stablehlo();
    assert_eq!(count(&text, "stablehlo.while"), 6, "{text}");
}

/// The rule of a custom gradient reads a tensor that the body of a loop or branch does not.
#[test]
fn custom_gradients_capture() {
    let times = |x: &Tensor<shape![3]>, scale: &Tensor<shape![3]>| {
        let scale = scale.clone();
        custom(x, |x| x.sin(), move |x, gradient| gradient * x.cos() * &scale)
    };
    let of_loop = move |words: &Words| {
        let scale = words.sum_axis::<0>();
        scan(&tensor![0.1, 0.2, 0.3], words, |state, word| (times(state, &scale) + word, ()))
            .0
            .sum()
    };
    let of_branch = move |words: &Words| {
        let (scale, word) = (words.sum_axis::<0>(), words.index::<0>(1));
        cond(&words.sum().less(1e3), &word, |x| times(x, &scale), |x| x.exp()).square().sum()
    };
    agrees(&words(), |words| value_and_grad(words, of_loop));
    agrees(&words(), |words| grad(words, |words| grad(words, of_loop).square().sum()));
    agrees_by("cond", &words(), |words| value_and_grad(words, of_branch));
    agrees_by("cond", &words(), |words| grad(words, |words| grad(words, of_branch).square().sum()));
}

/// Bodies return tensors that are tracked and not traced, as they are.
#[test]
fn gradients_of_tracked_tensors() {
    let scale = tensor![0.5, -1.0, 2.0].requires_grad();
    let of_loop = |words: &Words| {
        let zeros = Tensor::<shape![3]>::zeros();
        let (sum, scales) = scan(&zeros, words, |sum, word| (sum + word, scale.exp()));
        (scales.sum_axis::<0>() * sum).sum()
    };
    let of_branch = |words: &Words| {
        let word = words.index::<0>(1);
        (cond(&words.sum().less(1e3), &word, |_| scale.clone(), |word| word.clone()) * &word).sum()
    };
    for loss in [&of_loop as &dyn Fn(&Words) -> Tensor<shape![]>, &of_branch] {
        let direct = loss(&words()).gradients(&scale);
        let program = trace(&words(), loss);
        let found = program.run(&words()).unwrap().gradients(&scale);
        assert_close(&direct, &found, &program.to_string());
        let gradient = trace(&words(), |words| loss(words).gradients(&scale));
        assert_close(&direct, &gradient.run(&words()).unwrap(), &gradient.to_string());
    }
}

/// A program that is traced in the body of a loop reads a tensor in its gradient alone.
#[test]
fn programs_in_loops_capture() {
    let loss = |words: &Words| {
        let other = words.sum_axis::<0>();
        let next = |state: &Tensor<shape![3]>, word: &Tensor<shape![3]>| {
            let program = trace(&other, |x| {
                let is_large = state.sum().greater(0.1);
                cond(&is_large, state, |_| other.clone(), |_| x.clone()).softmax::<0>()
            });
            ((program.run(&other).unwrap() + state * word).tanh(), ())
        };
        scan(&tensor![0.1, 0.2, 0.3], words, next).0.sum()
    };
    agrees(&words(), |words| value_and_grad(words, loss));
    let program = trace(&words(), loss);
    let found = grad(&words(), |words| program.run(words).unwrap());
    assert_close(&grad(&words(), loss), &found, &program.to_string());
}

/// A body captures the result of `detach`, which a loop without a gradient goes on from.
#[test]
fn second_gradients_beside_a_loop_with_a_condition() {
    let loss = |x: &Tensor<shape![3]>| {
        let halved = |x: &Tensor<shape![3]>| {
            while_loop(&x.detach(), |x| x.abs().max().greater(0.1), |x| x * 0.5)
        };
        cond(&x.sum().less(9.0), x, |y| (y.powi(3) * halved(x)).sum(), |y| y.sum())
    };
    let x = tensor![0.5, -0.25, 1.0];
    agrees_by("cond", &x, |x| grad(x, |x| grad(x, loss).square().sum()));
}

/// The gradient of a loop whose results depend on no item, or have no elements, is one of constants.
#[test]
fn gradients_of_loops_that_are_constants() {
    agrees(&words(), |words| {
        let squared = words.square().sum();
        grad(words, |words| {
            let lists = scan(&(), words, |_, _| ((), (tensor![1.0, 2.0], squared.clone()))).1;
            lists.0.mean() * lists.1.sum() * words.sum()
        })
    });
    let of_constants = |words: &Words| {
        let loss = |scale: &Tensor<shape![3]>| scan(&(), words, |_, _| ((), scale.clone())).1.sum();
        let scale = words.sum_axis::<0>();
        (grad(&scale, loss), grad(&scale, |scale| (grad(scale, loss) * scale).sum()))
    };
    let program = trace(&words(), of_constants);
    assert_eq!(program.run(&words()).unwrap(), of_constants(&words()));
    let rows = Tensor::<shape![Time, 0]>::zeros();
    let of_rows = |x: &Tensor<shape![]>| {
        grad(x, |x| {
            let (product, results) = scan(x, &rows, |x, row| (x * 2.0 + row.sum(), row * x));
            product + results.sum()
        })
    };
    let x = Tensor::scalar(1.5);
    assert_eq!(trace(&x, of_rows).run(&x).unwrap(), of_rows(&x));
}

#[test]
fn costs_beyond_the_largest_number() {
    axis!(Many);
    let program = trace(&Tensor::<shape![], u8>::scalar(1), |x| {
        let items = x.expand_shaped(shape![Many(1 << 40)]);
        let count = |sum: &Tensor<shape![], i64>| scan(sum, &items, |sum, _| (sum + 1, ())).0;
        scan(&Tensor::scalar(0), &items, |sum, _| (count(sum), ())).0
    });
    assert_eq!((program.cost().operations, program.cost().bytes), (u64::MAX, u64::MAX));
}

#[test]
fn the_cost_of_loops_and_branches() {
    let table = Tensor::<shape![600, 600]>::ones();
    let x = Tensor::<shape![600]>::ones();
    let body = |x: &Tensor<shape![600]>| x.dot(&table);
    let once = trace(&x, body).cost();
    let items = Tensor::<shape![Time]>::zeros();
    let looped = trace(&(x.clone(), items), |(x, items)| scan(x, items, |x, _| (body(x), ())).0);
    let cost = looped.cost();
    assert_eq!(cost.operations, 7 * once.operations);
    assert!((7 * once.bytes..8 * once.bytes).contains(&cost.bytes), "{cost:?}");
    assert_eq!((cost.constant_bytes, cost.while_loops), (4 * 600 * 600, 0));
    assert!(cost.peak_bytes >= once.peak_bytes);
    // What a body captures of the program is no constant of it.
    let inputs = (x.clone(), table.clone(), Tensor::<shape![Time]>::zeros());
    let of_input = trace(&inputs, |(x, table, items)| scan(x, items, |x, _| (x.dot(table), ())).0);
    let (cost_of_input, size) = (of_input.cost(), 4 * 600 * 600);
    assert_eq!((cost_of_input.constant_bytes, of_input.large_constants().len()), (0, 0));
    assert!((7 * size..9 * size).contains(&cost_of_input.bytes), "{cost_of_input:?}");
    assert!((size..size + (1 << 16)).contains(&cost_of_input.peak_bytes), "{cost_of_input:?}");
    let constant = &looped.large_constants()[0];
    assert_eq!((constant.bytes, constant.read_by), (4 * 600 * 600, "matmul"));
    let cost = trace(&x, |x| while_loop(x, |x| x.max().less(1e9), body)).cost();
    assert_eq!((cost.operations, cost.while_loops), (once.operations + 601, 1));
    let branch = |x: &Tensor<shape![600]>| cond(&x.sum().less(1.0), x, body, |x| x.exp());
    let cost = trace(&x, branch).cost();
    assert_eq!((cost.operations, cost.while_loops), (once.operations + 601, 0));
    assert_eq!(cost.constant_bytes, 4 * 600 * 600 + 4);
}

/// What a function of a branch computes of an input is computed where it is taken, and what it computes of constants where it is
/// traced.
#[test]
fn a_function_that_is_not_taken() {
    let one = Tensor::<shape![], i64>::scalar(1);
    let quotient = |divisor: &Tensor<shape![], i64>| {
        cond(&divisor.not_equal(0), divisor, |divisor| &one / divisor, |_| &one - 2)
    };
    let program = trace(&one, quotient);
    for (divisor, expected) in [(1, 1), (0, -1)] {
        assert_eq!(program.run(&Tensor::scalar(divisor)).unwrap().item(), expected);
    }
    let taken =
        trace(&one, |divisor| cond(&divisor.equal(0), divisor, |x| &one / x, |x| x.clone()));
    let error = taken.run(&Tensor::scalar(0)).unwrap_err().to_string();
    assert!(error.contains("cond: div"), "{error}");
    let zero = Tensor::<shape![], i64>::zeros();
    let of_constants = || {
        trace(&one, |x| cond(&x.equal(0), x, |x| x + &one / &zero, |x| x.clone()));
    };
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(of_constants)).unwrap_err();
    let message = panic.downcast_ref::<String>().cloned();
    let message = message.or(panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap();
    assert!(message.contains("zero"), "{message}");
}

#[test]
fn a_function_with_a_loop_compiles_itself() {
    let Some(engine) = engine() else { return };
    let last = jit(engine, |rows: &Tensor<shape![Steps, 2]>| {
        scan(&tensor![0.0, 0.0], rows, |sum, row| (sum + row, ())).0
    });
    for count in [3, 5] {
        let rows = Tensor::<shape![Steps, 2]>::ones_shaped(shape![Steps(count), 2]);
        assert_eq!(last.call(&rows).unwrap(), tensor![count as f32, count as f32]);
    }
}

#[test]
#[should_panic(expected = "the body of a loop changes the type of state 0 from f32 [3] to f32 [2]")]
fn a_state_that_changes_its_sizes_is_refused() {
    let rows = Tensor::<shape![Steps, 2]>::ones_shaped(shape![Steps(3), 2]);
    trace(&rows, |rows| {
        let state = Tensor::<shape![Steps]>::zeros_shaped(shape![Steps(3)]);
        scan(&state, rows, |_, _| (Tensor::<shape![Steps]>::zeros_shaped(shape![Steps(2)]), ())).0
    });
}

/// A branch of several types of results, and of gradients of what both functions read, capture, and pass on.
#[test]
fn branches() {
    for sign in [1.0, -1.0] {
        let inputs = (weights(), tensor![0.5, 0.25, 2.0] * sign);
        agrees_by("cond", &inputs, |((weights, bias), x)| {
            let loss = |(weights, bias, x): &(
                Tensor<shape![3, 3]>,
                Tensor<shape![3]>,
                Tensor<shape![3]>,
            )| {
                let (y, count) = cond(
                    &x.sum().greater(0.0),
                    &(x.clone(), bias.clone()),
                    |(x, bias)| (x.dot(weights) + bias, Tensor::<shape![], i64>::zeros()),
                    |(x, _)| (x.clone(), x.greater(-1.0).cast::<i64>().sum()),
                );
                (y * bias).square().sum() + count.cast::<f32>() * x.sum()
            };
            let inputs = (weights.clone(), bias.clone(), x.clone());
            let second = grad(&inputs, |inputs| grad(inputs, loss).2.square().sum());
            (loss(&inputs), grad(&inputs, loss), second)
        });
    }
}

/// The body of a loop stops where its sum is large.
#[test]
fn branches_in_loops() {
    agrees(&words(), |words| {
        value_and_grad(words, |words| {
            let (last, _) = scan(&Tensor::<shape![3]>::zeros(), words, |sum, word| {
                let is_small = sum.square().sum().less(2.0);
                (
                    cond(
                        &is_small,
                        &(sum.clone(), word.clone()),
                        |(a, b)| a + b,
                        |(a, _)| a.clone(),
                    ),
                    (),
                )
            });
            last.square().sum()
        })
    });
}

/// A loop along each axis, from both ends, with items of several types and results with fewer axes.
#[test]
fn loops_along_any_axis() {
    let x: Tensor<shape![2, Time, 3]> =
        Tensor::from_fn(|[i, j, k]| (i as f32 - j as f32 * 0.3 + k as f32).sin());
    let mask: Tensor<shape![2, Time, 3], bool> = Tensor::from_fn(|[i, j, k]| (i + j + k) % 2 == 0);
    agrees(&(x.clone(), mask), |(x, mask)| {
        value_and_grad(x, |x| {
            let zeros = Tensor::<shape![2, 3]>::zeros();
            let items = (x.clone(), mask.clone());
            let (last, (sums, any)) = scan_along::<1, _, _, _>(&zeros, &items, |sum, (x, mask)| {
                let sum = sum * 0.5 + tensor_core::select(mask, x, 0.0);
                (sum.clone(), (sum, mask.cast::<f32>()))
            });
            let sums: Tensor<shape![2, Time, 3]> = sums;
            let zeros = Tensor::<shape![2, Time]>::zeros();
            let (_, rows) = scan_reverse_along::<-1, _, _, _>(&zeros, x, |sum, x| {
                let sum = (sum + x).tanh();
                (sum.clone(), sum)
            });
            let rows: Tensor<shape![2, Time, 3]> = rows;
            (sums * &any * &rows).sum() + last.square().sum()
        })
    });
}

/// The states of a loop whose number of steps depends on an input, of several types, and tensors that both functions capture.
#[test]
fn loops_while_a_condition_holds() {
    for limit in [0.5, 20.0] {
        let inputs = (weights(), tensor![0.5, 0.25, 2.0], Tensor::<shape![]>::scalar(limit));
        agrees_by("while_loop", &inputs, |((weights, bias), x, limit)| {
            let state = (x.clone(), Tensor::<shape![], i64>::zeros());
            while_loop(
                &state,
                |(x, count)| x.square().sum().less(limit) & count.less(100),
                |(x, count)| (x * 1.5 + x.dot(weights) * bias, count + 1),
            )
        });
    }
}

#[test]
fn loops_while_a_condition_holds_in_other_loops() {
    agrees_by("while_loop", &words(), |words| {
        let state = (Tensor::<shape![3]>::zeros(), Tensor::<shape![], i64>::zeros());
        let (sum, count) = while_loop(
            &state,
            |(_, count)| count.less(5),
            |(sum, count)| {
                let (last, _) = scan(sum, words, |sum, word| ((sum * 0.5 + word).sin(), ()));
                let doubled =
                    while_loop(&last, |last| last.abs().max().less(1.0), |last| last * 2.0);
                (doubled, count + 1)
            },
        );
        (sum, count)
    });
}

/// A loop reads a table at an index that is wrong in its third step.
#[test]
fn a_wrong_index_in_a_loop_with_a_condition_is_an_error() {
    let inputs = (tensor![1.0, 2.0], Tensor::<shape![], i64>::scalar(2));
    let total = |(table, steps): &(Tensor<shape![2]>, Tensor<shape![], i64>)| {
        let state = (Tensor::<shape![], i64>::zeros(), Tensor::<shape![]>::zeros());
        let more = |(step, _): &(Tensor<shape![], i64>, Tensor<shape![]>)| step.less(steps);
        while_loop(&state, more, |(step, sum)| (step + 1, sum + table.take::<0, _>(step).unwrap()))
    };
    let program = trace(&inputs, total);
    assert_eq!(program.run(&inputs).unwrap().1.item(), 3.0);
    let error = program.run(&(inputs.0, Tensor::scalar(3))).unwrap_err().to_string();
    assert!(error.contains("while_loop: indices: index 2 is out of range for axis 0"), "{error}");
}

#[test]
fn the_gradient_of_a_loop_with_a_condition() {
    // Doubled five times.
    let doubled =
        |x: &Tensor<shape![3]>| while_loop(x, |x| x.abs().max().less(30.0), |x| x * 2.0).sum();
    let x = tensor![0.5, 0.25, 1.0];
    assert_eq!(grad(&x, doubled), tensor![32.0, 32.0, 32.0]);
    // A program has one of what does not depend on the loop.
    let rest = trace(&x, |x| {
        grad(x, |x| (x * while_loop(&x.detach(), |x| x.max().less(30.0), |x| x * 2.0)).sum())
    });
    assert_eq!(rest.run(&x).unwrap(), &x * 32.0);
    // Nor of what depends on another state of a loop.
    agrees(&x, |x| {
        let halved = |y: &Tensor<shape![]>| while_loop(y, |y| y.abs().greater(0.5), |y| y * 0.5);
        let start = (Tensor::<shape![]>::scalar(0.3), x.sum());
        grad(x, |x| scan(&start, x, |(sum, y), x| ((sum * x + x, halved(&(y * x))), ())).0.0)
    });
    let message_of = |function: &dyn Fn()| {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(function));
        *panic.expect_err("a panic").downcast::<String>().expect("a message")
    };
    let message = message_of(&|| drop(trace(&x, |x| grad(x, doubled))));
    let line = format!("the `while_loop` at {}:", file!());
    assert!(
        message.starts_with(&line) && message.contains("has no gradient in a program"),
        "{message}"
    );
    let program = trace(&x, doubled);
    let of_a_program = || drop(grad(&x, |x| program.run(x).expect("the same sizes")));
    assert_eq!(message_of(&of_a_program), message);
}

/// A branch of three functions, with gradients of what they read and capture, for each index and beyond.
#[test]
fn branches_by_an_index() {
    for index in [-3, 0, 1, 2, 3, i64::MAX] {
        let inputs = (weights(), tensor![0.5, 0.25, 2.0], Tensor::<shape![], i64>::scalar(index));
        agrees_by("switch", &inputs, |((weights, bias), x, index)| {
            let loss = |(bias, x): &(Tensor<shape![3]>, Tensor<shape![3]>)| {
                let operands = (x.clone(), bias.clone());
                let (y, count) = switch(
                    index,
                    &operands,
                    &[
                        &|(x, bias)| (x.dot(weights) + bias, Tensor::<shape![], i64>::zeros()),
                        &|(x, _)| (x.exp(), x.greater(0.3).cast::<i64>().sum()),
                        &|(x, bias)| (x * bias, Tensor::scalar(7)),
                    ],
                );
                y.square().sum() + count.cast::<f32>() * x.sum()
            };
            let inputs = (bias.clone(), x.clone());
            let second = grad(&inputs, |inputs| grad(inputs, loss).1.square().sum());
            (loss(&inputs), grad(&inputs, loss), second)
        });
    }
}

#[test]
#[should_panic(
    expected = "result 0 of a branch is f32 [2] in function 0, and f32 [3] in function 1"
)]
fn branches_with_results_of_other_sizes_are_refused() {
    let inputs = (Tensor::<shape![], i64>::scalar(0), tensor![1.0]);
    trace(&inputs, |(index, x)| {
        let of = |size| Tensor::<shape![Steps]>::zeros_shaped(shape![Steps(size)]);
        switch(index, x, &[&|_| of(2), &|_| of(3)])
    });
}

#[test]
fn functions_with_branches_and_loops_compile_themselves() {
    let Some(engine) = engine() else { return };
    let powers = jit(engine, |(x, index): &(Tensor<shape![Steps]>, Tensor<shape![], i64>)| {
        let x = switch(index, x, &[&|x| x.clone(), &|x| x + 1.0]);
        while_loop(&x, |x| x.max().less(100.0), |x| x * 2.0)
    });
    for (count, index, expected) in [(2, 0, 128.0), (3, 1, 128.0), (3, 5, 128.0)] {
        let ones = Tensor::<shape![Steps]>::ones_shaped(shape![Steps(count)]);
        let found = powers.call(&(ones, Tensor::scalar(index))).unwrap();
        assert_eq!(found.to_vec(), vec![expected; count]);
    }
}
