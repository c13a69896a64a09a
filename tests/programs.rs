//! Programs within functions: captured tensors, programs of programs, gradients of programs, and tensors that are used
//! where they are not computed.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex};

use tensor_core::autograd::{self, grad, value_and_grad};
use tensor_core::module::{Path, Role, Visitor, VisitorMut};
use tensor_core::trace::{Program, scan, trace};
use tensor_core::{DynTensor, Element, Module, StaticShape, Tensor, axis, fuse, shape, tensor};

axis!(Batch);

/// The message of a panic, and the file in which it is located.
fn panic_of(function: impl FnOnce()) -> (String, String) {
    static HOOK: Mutex<()> = Mutex::new(());
    thread_local! {
        static FILE: RefCell<String> = const { RefCell::new(String::new()) };
    }
    let _one_at_a_time = HOOK.lock().unwrap_or_else(|error| error.into_inner());
    let hook = take_hook();
    set_hook(Box::new(|info| {
        let file = info.location().map_or("", |location| location.file());
        FILE.set(file.to_owned());
    }));
    let caught = catch_unwind(AssertUnwindSafe(function));
    set_hook(hook);
    let payload = caught.expect_err("a panic");
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
    (text.expect("a message"), FILE.take())
}

#[test]
fn a_tensor_that_was_kept_is_refused() {
    fn kept<S: StaticShape, T: Element>() -> Tensor<S, T> {
        let kept = RefCell::new(None);
        trace(&Tensor::<S, T>::zeros(), |x: &Tensor<S, T>| {
            kept.replace(Some(x.clone()));
            x.clone()
        });
        kept.into_inner().expect("the function was called")
    }
    let (integers, bytes) = (kept::<shape![4096], i64>(), kept::<shape![4096], u8>());
    let tiny = kept::<shape![2, 2], f32>();
    let uses: &[&dyn Fn()] = &[
        &|| drop(-&integers),
        &|| drop(&integers + 1),
        &|| drop(&integers + &integers),
        &|| drop(integers.sum()),
        &|| drop(integers.cumsum::<0>()),
        &|| drop(bytes.dot(&bytes)),
        &|| {
            drop(integers.reshape::<shape![64, 64]>().matmul(&integers.reshape::<shape![64, 64]>()))
        },
        &|| drop(tiny.matmul(&tiny)),
        &|| drop(bytes.sort::<0>()),
        &|| drop(fuse!(&bytes + &bytes)),
        &|| drop(integers.cast::<f32>().exp()),
        &|| drop(integers.take::<0, _>(&tensor![1, 2])),
        &|| drop(integers.concat::<0, _>(&integers)),
    ];
    for use_kept in uses {
        let (text, file) = panic_of(|| {
            trace(&Tensor::<shape![4096], u8>::zeros(), |x: &Tensor<shape![4096], u8>| {
                use_kept();
                x.clone()
            });
        });
        let says = text.starts_with(
            "this tensor was kept from the function of the `trace` at tests/programs.rs:",
        );
        assert!(says && file == file!(), "{file}: {text}");
    }
    let (text, _) = panic_of(|| drop(trace(&tensor![0_u8], |_| integers.clone())));
    assert!(
        text.starts_with("these tensors are parts of two programs, of the `trace` at tests/"),
        "{text}"
    );
    // A read of an element.
    let reads: &[&dyn Fn()] =
        &[&|| drop(integers.to_vec()), &|| drop(tensor_core::trace::element_bytes(&integers))];
    for read in reads {
        let (text, file) = panic_of(read);
        let says = text.starts_with("this tensor was kept from the function of the `trace` at");
        assert!(says && file == file!(), "{file}: {text}");
    }
}

/// A tensor that is kept from the body of a loop is kept from a function that the message names.
#[test]
fn tensors_that_outlive_a_body_are_panics() {
    let (text, _) = panic_of(|| {
        trace(&tensor![1.0, 2.0], |x| {
            let kept = RefCell::new(None);
            scan(x, &tensor![1.0, 2.0], |x, item| {
                kept.replace(Some(x * item));
                (x.clone(), ())
            });
            x + kept.into_inner().expect("the body was called")
        });
    });
    let expected =
        "this tensor was kept from the function of the loop or branch at tests/programs.rs:";
    assert!(text.starts_with(expected), "{text}");
}

/// Neither has elements that could be written.
#[test]
fn elements_of_traced_tensors_are_not_written() {
    let (text, _) = panic_of(|| {
        trace(&tensor![1.0, 2.0], |x| {
            let mut x = x.clone();
            x[[0]] = 3.0;
            x
        });
    });
    assert!(text.starts_with("the elements of a tensor that is tracked or traced"), "{text}");
}

#[test]
fn tensors_of_two_threads_are_of_two_programs() {
    let outer = trace(&tensor![1.0, 2.0], |x| {
        let text = std::thread::scope(|scope| {
            let other = scope.spawn(|| panic_of(|| drop(trace(&tensor![1.0, 2.0], |y| x + y))));
            other.join().unwrap().0
        });
        assert!(text.starts_with("these tensors are parts of two programs"), "{text}");
        // Operations of another thread are steps of the program.
        std::thread::scope(|scope| scope.spawn(|| x.exp()).join().unwrap())
    });
    assert_eq!(outer.run(&tensor![0.0, 0.0]).unwrap(), tensor![1.0, 1.0]);
}

/// A module that shows other tensors at each visit.
struct Inconstant {
    visits: RefCell<usize>,
    small: Tensor<shape![3], i64>,
    large: Tensor<shape![3], u8>,
}

impl Module for Inconstant {
    fn visit<'a>(&'a self, path: &Path<'_>, f: &mut Visitor<'a, '_>) {
        *self.visits.borrow_mut() += 1;
        match *self.visits.borrow() % 2 {
            1 => f(path, Role::Parameter, &self.small),
            _ => f(path, Role::Parameter, &self.large),
        }
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, f: &mut VisitorMut<'a, '_>) {
        f(path, Role::Parameter, &mut self.small);
    }
}

impl Clone for Inconstant {
    fn clone(&self) -> Self {
        let visits = RefCell::new(0);
        Self { visits, small: self.small.clone(), large: self.large.clone() }
    }
}

#[test]
fn an_inconstant_module_is_compared_as_it_was_visited() {
    let module =
        Inconstant { visits: RefCell::new(0), small: tensor![1, 2, 3], large: tensor![1, 2, 3] };
    let program = trace(&module, |module| -&module.small);
    assert_eq!(program.run(&module.clone()).unwrap(), tensor![-1, -2, -3]);
    let other = module.clone();
    other.visits.replace(1);
    assert!(program.run(&other).is_err());
}

#[test]
fn intermediate_results_of_a_trace_take_no_memory() {
    type Many = Tensor<shape![1048576]>;
    let program = trace(&Many::zeros(), |x| x.outer(x).sum_axis::<0>().sum());
    assert_eq!(program.cost().peak_bytes, 4 * ((1 << 40) + (1 << 20)));
}

#[test]
fn programs_are_differentiable() {
    let program = trace(&tensor![0.0, 0.0, 0.0], |x| x.powi(3).sum());
    let w = tensor![1.0, 2.0, 3.0];
    let function = |w: &Tensor<shape![3], f64>| program.run(w).unwrap() + w.sum();
    let (value, gradient) = value_and_grad(&w, function);
    assert_eq!((value.item(), gradient), (42.0, tensor![4.0, 13.0, 28.0]));
    // Twice and three times.
    let second = grad(&w, |w| grad(w, function).sum());
    assert_eq!(second, tensor![6.0, 12.0, 18.0]);
    let third = grad(&w, |w| grad(w, |w| grad(w, function).sum()).sum());
    assert_eq!(third, tensor![6.0, 6.0, 6.0]);

    // Several inputs and outputs, of which some have no gradients.
    let inputs = (tensor![[1.0, 2.0], [3.0, 4.0]], tensor![1_i64, 0]);
    let program = trace(&inputs, |(x, index)| {
        let y = x.take::<0, _>(index).unwrap();
        (y.transpose(), y.greater(2.0), y.slice(tensor_core::slice![.., 0]).exp())
    });
    let of = |run: &dyn Fn(&(Tensor<shape![2, 2], f64>, Tensor<shape![2], i64>)) -> _| {
        value_and_grad(&inputs.0, |x| {
            let (y, mask, z): (
                Tensor<shape![2, 2], f64>,
                Tensor<shape![2, 2], bool>,
                Tensor<shape![2], f64>,
            ) = run(&(x.clone(), inputs.1.clone()));
            (y.square().sum() + z.sum(), mask)
        })
    };
    let direct = of(&|(x, index)| {
        let y = x.take::<0, _>(index).unwrap();
        (y.transpose(), y.greater(2.0), y.slice(tensor_core::slice![.., 0]).exp())
    });
    assert_eq!(of(&|inputs| program.run(inputs).unwrap()), direct);
    // Without recording, the outputs are constants.
    assert!(
        !autograd::no_grad(|| program
            .run(&(inputs.0.requires_grad(), inputs.1.clone()))
            .unwrap()
            .0)
        .is_tracked()
    );
}

#[test]
fn a_program_within_a_function_is_part_of_its_program() {
    type X = Tensor<shape![2, 3], f64>;
    let inner = trace(&X::zeros(), |x| (x.transpose(), x.exp().sum_axis::<0>()));
    let function = |x: &X| {
        let (transposed, sums) = inner.run(&(x * 2.0)).unwrap();
        transposed.dot(x).sum() + sums.square().sum()
    };
    let x = tensor![[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]];
    let outer = trace(&X::zeros(), function);
    assert!(outer.to_string().contains("exp"), "{outer}");
    assert_eq!(outer.run(&x).unwrap(), function(&x));
    let outer = trace(&X::zeros(), |x| value_and_grad(x, function));
    assert_eq!(outer.run(&x).unwrap(), value_and_grad(&x, function));
    let outer = trace(&X::zeros(), |x| grad(x, |x| grad(x, function).square().sum()));
    assert_eq!(outer.run(&x).unwrap(), grad(&x, |x| grad(x, function).square().sum()));
    // An input that is an output.
    let same = trace(&X::zeros(), |x| x.clone());
    assert_eq!(trace(&X::zeros(), |x| same.run(x).unwrap()).run(&x).unwrap(), x);
    assert_eq!(grad(&x, |x| (same.run(x).unwrap() * x).sum()), &x * 2.0);
}

#[test]
fn what_a_function_captures_is_what_it_is() {
    type X = Tensor<shape![3], f64>;
    let (x, w) = (tensor![1.0, 2.0, 3.0], tensor![0.5, -1.0, 2.0]);
    // A trace within a trace, with a tensor of the outer one.
    let function = |(x, w): &(X, X)| {
        let inner = trace(&X::zeros(), |y| (y * w + x).square());
        inner.run(&(x * 3.0)).unwrap()
    };
    let direct = |(x, w): &(X, X)| (x * 3.0 * w + x).square();
    let inputs = (x.clone(), w.clone());
    let program = trace(&(X::zeros(), X::zeros()), function);
    assert_eq!(program.run(&inputs).unwrap(), direct(&inputs));
    let slope = |f: &dyn Fn(&(X, X)) -> X| grad(&inputs, |inputs| f(inputs).sum());
    assert_eq!(slope(&function), slope(&direct));
    assert_eq!(slope(&|inputs| program.run(inputs).unwrap()), slope(&direct));
    let of_gradients =
        trace(&(X::zeros(), X::zeros()), |inputs| grad(inputs, |inputs| function(inputs).sum()));
    assert_eq!(of_gradients.run(&inputs).unwrap(), slope(&direct));

    // Gradients within the inner function, with respect to a tensor of the outer one.
    let inner_slope = |w: &X| {
        let inner = trace(&X::zeros(), |y| grad(w, |w| (w * w * y).sum()));
        inner.run(&x).unwrap()
    };
    assert_eq!(trace(&X::zeros(), inner_slope).run(&w).unwrap(), &w * 2.0 * &x);
    assert_eq!(grad(&w, |w| inner_slope(w).sum()), &x * 2.0);

    // Tracked tensors.
    let of = |w: &X| trace(&X::zeros(), |y| (y * w).exp()).run(&x).unwrap().sum();
    assert_eq!(grad(&w, of), grad(&w, |w| (&x * w).exp().sum()));
    let view = |w: &Tensor<shape![2, 3], f64>| {
        let w = w.transpose();
        trace(&X::zeros(), |y| w.dot(&w.transpose()).dot(y)).run(&x).unwrap().sum()
    };
    let w = tensor![[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]];
    assert_eq!(grad(&w, view), grad(&w, |w| w.transpose().dot(w).dot(&x).sum()));

    // Used after the function of the outer trace has returned.
    let inner: RefCell<Option<Program<X, X>>> = RefCell::new(None);
    trace(&X::zeros(), |x| {
        inner.replace(Some(trace(&X::zeros(), |y| x + y)));
        x.clone()
    });
    let inner = inner.into_inner().unwrap();
    let (text, file) = panic_of(|| drop(inner.run(&x)));
    assert!(text.starts_with("this tensor was kept") && file == file!(), "{file}: {text}");
    let (text, _) = panic_of(|| drop(inner.to_stablehlo()));
    assert!(text.contains("another program"), "{text}");
}

#[test]
fn custom_gradients_are_traced() {
    type X = Tensor<shape![20], f64>;
    let x = X::from_vec((0..20).map(|number| f64::from(number) / 7.0 - 1.0).collect()).unwrap();
    let custom = |x: &X| {
        let cube = autograd::custom(x, |x| x.powi(3), |x, gradient| gradient * x.square() * 3.0);
        let again = autograd::checkpoint((x, &cube), |(x, cube)| (x * cube).tanh().sin());
        (again.sum() + cube.sum(), cube.detach())
    };
    let program = trace(&X::zeros(), |x| (value_and_grad(x, custom), custom(x)));
    assert_eq!(program.run(&x).unwrap(), (value_and_grad(&x, custom), custom(&x)));
    let second = |x: &X| grad(x, |x| grad(x, custom).square().sum());
    let slopes = second(&x);
    assert_eq!(trace(&X::zeros(), second).run(&x).unwrap(), slopes);
    // Without custom gradients.
    let plain = |x: &X| (x * x.powi(3)).tanh().sin().sum() + x.powi(3).sum();
    let direct = grad(&x, |x| grad(x, plain).square().sum());
    let difference = (slopes - &direct).abs() / (direct.abs() + 1.0);
    assert!(difference.max().item() < 1e-9, "{difference:?}");
}

#[test]
fn indices_of_a_run_that_are_out_of_range_are_errors() {
    let table = tensor![[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]];
    let program = trace(&(table.clone(), tensor![0_i64, 0]), |(table, index)| {
        table.take::<0, _>(index).unwrap()
    });
    assert_eq!(
        program.run(&(table.clone(), tensor![-4, 0])).unwrap_err().to_string(),
        "the inputs do not fit the program:\n  indices: index -4, at position [0] of the indices, is out of range for \
         axis 0 of size 3: indices go from -3 to 2"
    );
    let one_hot = trace(&tensor![0_i64, 0], |classes| {
        classes.one_hot::<tensor_core::dim!(3), f32>().unwrap()
    });
    assert_eq!(one_hot.run(&tensor![2, -1]).unwrap(), tensor![[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
    let error = one_hot.run(&tensor![0, 7]).unwrap_err().to_string();
    assert!(error.contains("index 7, at position [1]"), "{error}");
    // As a step of another program.
    let outer = trace(&tensor![0_i64, 0], |classes| one_hot.run(&(classes + 1)).unwrap());
    assert!(outer.run(&tensor![1, 6]).is_err());
    // Numbers that `i64` does not have.
    let unsigned = trace(&tensor![0_u64], |index| tensor![1.0, 2.0].take::<0, _>(index).unwrap());
    assert!(unsigned.run(&tensor![u64::MAX]).is_err());
}

#[test]
fn integers_of_a_run_that_are_divided_by_zero_are_errors() {
    type X = Tensor<shape![2, 2], i32>;
    type Function = fn(&X, &X) -> X;
    let (x, y) = (tensor![[7, 5], [4, 3]], tensor![[1, 2], [0, 4]]);
    let zero =
        "`i32` elements of shape [2, 2] by a divisor of shape [2, 2], which is 0 at index [1, 0]";
    let number = "`i32` number by a divisor of shape [2, 2], which is 0 at index [1, 0]";
    let cases: [(Function, &str, &str); 8] = [
        (|x, y| x / y, "div", zero),
        (|x, y| x % y, "rem", zero),
        (|x, y| x.floor_divide(y), "floor_divide", zero),
        (|x, y| x.remainder(y), "remainder", zero),
        (|x, y| fuse!(x / y + 1), "div", zero),
        (|x, y| x + 6 / y, "div", number),
        (|x, y| x + y.powi(-1), "powi", number),
        (|x, y| x / (y - y.abs()), "div", &zero.replace("[1, 0]", "[0, 0]").leak()[..]),
    ];
    for (function, operation, message) in cases {
        let program = trace(&(X::zeros(), X::zeros()), |(x, y)| function(x, y));
        let ones = X::ones();
        let outer = trace(&(X::zeros(), X::zeros()), |inputs| program.run(inputs).unwrap());
        for program in [&program, &outer] {
            let expected = format!(
                "the inputs do not fit the program:\n  {operation}: attempt to divide by zero: {message}"
            );
            let found = program.run(&(x.clone(), y.clone())).unwrap_err().to_string();
            assert_eq!(found, expected);
            if !message.contains("[0, 0]") {
                let found = program.run(&(x.clone(), ones.clone())).unwrap();
                assert_eq!(found, function(&x, &ones));
            }
        }
    }
    // What is empty is not divided.
    let empty = Tensor::<shape![0, 2], i32>::zeros();
    let inputs = (empty.clone(), tensor![0, 1]);
    assert_eq!(trace(&inputs, |(x, y)| x / y).run(&inputs).unwrap(), empty);
}

#[test]
fn indices_of_the_largest_are_traced() {
    type X = Tensor<shape![4, 30]>;
    let x = X::from_vec((0..120).map(|number| ((number * 37) % 101) as f32).collect()).unwrap();
    let function = |x: &X| {
        (x.topk::<-1, tensor_core::dim!(20)>(), x.topk_smallest::<0, tensor_core::dim!(3)>())
    };
    assert_eq!(trace(&X::zeros(), function).run(&x).unwrap(), function(&x));
}

#[test]
fn a_traced_tensor_is_shown_without_elements() {
    trace(&Tensor::<shape![2, 30]>::zeros(), |x| {
        let y = x.exp();
        assert_eq!(format!("{y:?}"), "Tensor[2, 30] f32, traced");
        assert_eq!(format!("{:?}", DynTensor::from(y.clone())), "DynTensor[2, 30] f32, traced");
        y
    });
    trace(&Tensor::<shape![Batch]>::zeros_shaped(shape![Batch(3)]), |x| {
        assert_eq!(format!("{x}"), "[Batch=3] f32, traced");
        x.clone()
    });
}

/// A module whose `visit` shows other numbers of its tensors than its `visit_mut`.
#[derive(Clone)]
struct Uneven([Tensor<shape![3], f64>; 2], [usize; 2]);

impl Module for Uneven {
    fn visit<'a>(&'a self, path: &Path<'_>, f: &mut Visitor<'a, '_>) {
        self.0[..self.1[0]].iter().for_each(|tensor| f(path, Role::Parameter, tensor));
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, f: &mut VisitorMut<'a, '_>) {
        self.0[..self.1[1]].iter_mut().for_each(|tensor| f(path, Role::Parameter, tensor));
    }
}

#[test]
fn walks_that_differ_are_refused() {
    let x = tensor![1.0, 2.0, 3.0];
    for counts in [[2, 1], [1, 2], [2, 0], [0, 1]] {
        let module = Uneven([x.clone(), &x * 2.0], counts);
        let (text, file) = panic_of(|| drop(trace(&module, |Uneven([a, b], _)| a + b)));
        let [shown, replaced] = counts;
        let expected =
            format!("`visit_mut` of the module showed {replaced} tensors, and `visit` {shown}");
        assert!(text.starts_with(&expected) && file == file!(), "{file}: {text}");
        let program = trace(&x, |x| Uneven([x.exp(), x.sin()], counts));
        let (text, file) = panic_of(|| drop(program.run(&x)));
        assert!(text.starts_with(&expected) && file == file!(), "{file}: {text}");
    }
}

#[test]
fn programs_that_capture_are_freed() {
    type X = Tensor<shape![3], f64>;
    let noted = Arc::new(());
    // A tensor whose history owns a value of the test.
    let noting = |x: &X| {
        let noted = noted.clone();
        let rule = move |_: &X, gradient: &X| gradient * Arc::strong_count(&noted).min(1) as f64;
        autograd::custom(x, |x| x.exp(), rule)
    };
    let (x, variable) = (tensor![1.0, 2.0, 3.0], tensor![0.5, 0.0, -0.5].requires_grad());
    let w = noting(&variable);
    let program = trace(&x, |x| x * &w + &w);
    assert_eq!(program.run(&x).unwrap().sum().gradients(&variable), &x + 1.0);
    drop((program, w));
    assert_eq!(Arc::strong_count(&noted), 1);
    // A tensor of an outer function.
    let program = trace(&x, |x| {
        let w = noting(x);
        trace(x, |y| y * 2.0 + &w).run(x).unwrap()
    });
    assert_eq!(grad(&x, |x| program.run(x).unwrap().sum()), tensor![3.0, 3.0, 3.0]);
    drop(program);
    assert_eq!(Arc::strong_count(&noted), 1);
}

#[test]
fn integers_and_masks_have_no_gradients() {
    type Inputs = (Tensor<shape![3], f64>, Tensor<shape![3], u8>, Tensor<shape![3], bool>);
    let function = |(x, numbers, mask): &Inputs| {
        let rounded = (x * 1.5).cast::<i64>().cast::<f64>();
        (x * numbers.cast::<f64>() + mask.cast::<f64>() * x + rounded).sum()
    };
    let (x, numbers, mask) = (tensor![1.0, 2.0, 3.0], tensor![4, 5, 6], tensor![true, false, true]);
    let of = |function: &dyn Fn(&Inputs) -> Tensor<shape![], f64>| {
        grad(&x, |x| function(&(x.clone(), numbers.clone(), mask.clone())))
    };
    let program = trace(&(x.clone(), numbers.clone(), mask.clone()), function);
    assert_eq!(of(&function), tensor![5.0, 5.0, 7.0]);
    assert_eq!(of(&|inputs| program.run(inputs).unwrap()), tensor![5.0, 5.0, 7.0]);
    let slopes = trace(&x, |x| grad(x, |x| (x.cast::<i64>().cast::<f64>() + x * 2.0).sum()));
    assert_eq!(slopes.run(&x).unwrap(), tensor![2.0, 2.0, 2.0]);
    let of_cast = trace(&numbers, |numbers| {
        let floats = numbers.cast::<f64>();
        floats.square().sum().gradients(&floats)
    });
    assert_eq!(of_cast.run(&numbers).unwrap(), tensor![8.0, 10.0, 12.0]);
}

#[test]
fn outputs_are_tracked_as_those_of_the_function() {
    let x = tensor![1.0, 2.0, 3.0];
    let program = trace(&x, |x| (x.exp(), x.detach() * 2.0, autograd::no_grad(|| x.sin())));
    let tracked = x.requires_grad();
    let (exp, detached, sin) = program.run(&tracked).unwrap();
    assert_eq!([&exp, &detached, &sin].map(|y| y.is_tracked()), [true, false, false]);
    assert_eq!(detached.map(|element| element + 1.0), &x * 2.0 + 1.0);
}

#[test]
fn a_captured_number_of_an_outer_program_is_shown_as_a_constant() {
    trace(&tensor![1.0, 2.0], |x| {
        let sum = x.sum();
        let inner = trace(x, |y| y * &sum);
        assert!(inner.to_string().contains("captured(constant [])"), "{inner}");
        inner.run(x).unwrap()
    });
}
