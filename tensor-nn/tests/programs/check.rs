//! Runs a case in every way, and compares the results.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Once;

use half::{bf16, f16};
use tensor_core::autograd::value_and_grad;
use tensor_core::module::{AnyTensor, Module, Path, Role, Visitor, VisitorMut};
use tensor_core::trace::trace;
use tensor_core::{DynTensor, Float, IntoTensor, StaticShape, Tensor};

macro_rules! element_types {
    ($($Variant:ident($T:ident) $role:ident;)*) => {
        /// A tensor whose element type is a value. Floats are parameters, which have gradients.
        #[derive(Clone)]
        pub enum Any {
            $($Variant(DynTensor<$T>),)*
        }

        impl Any {
            fn of(tensor: &dyn AnyTensor) -> Self {
                $(if let Some(tensor) = tensor.get() {
                    return Self::$Variant(tensor);
                })*
                panic!("elements of type {}", tensor.element_name())
            }

            /// Replaces a tensor by this one.
            fn assign_to(&self, tensor: &mut dyn AnyTensor) {
                match self {
                    $(Self::$Variant(x) => tensor.assign(x.clone()).expect("the same shape"),)*
                }
            }

            /// A tensor of zeros of the same sizes.
            fn blank(&self) -> Self {
                match self {
                    $(Self::$Variant(x) => {
                        Self::$Variant(DynTensor::full(x.sizes(), $T::default()))
                    })*
                }
            }
        }

        impl Module for Any {
            fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
                match self {
                    $(Self::$Variant(x) => visitor(path, Role::$role, x),)*
                }
            }

            fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
                match self {
                    $(Self::$Variant(x) => visitor(path, Role::$role, x),)*
                }
            }
        }
    };
}

element_types! {
    F32(f32) Parameter;
    F64(f64) Parameter;
    F16(f16) Parameter;
    Bf16(bf16) Parameter;
    I64(i64) Buffer;
    Bool(bool) Buffer;
}

impl Any {
    /// The elements, if they are floats.
    fn floats(&self) -> Option<DynTensor<f64>> {
        match self {
            Self::F32(x) => Some(x.cast()),
            Self::F64(x) => Some(x.clone()),
            Self::F16(x) => Some(x.cast()),
            Self::Bf16(x) => Some(x.cast()),
            Self::I64(_) | Self::Bool(_) => None,
        }
    }

    /// The tensor, tracked if its elements are floats.
    fn tracked(&self) -> Self {
        match self {
            Self::F32(x) => Self::F32(x.requires_grad()),
            Self::F64(x) => Self::F64(x.requires_grad()),
            Self::F16(x) => Self::F16(x.requires_grad()),
            Self::Bf16(x) => Self::Bf16(x.requires_grad()),
            Self::I64(_) | Self::Bool(_) => self.clone(),
        }
    }

    /// The tensor with some elements replaced, if they are floats.
    fn with_floats(&self, replace: impl Fn(usize) -> Option<f64>) -> Self {
        fn of<T: Float>(x: &DynTensor<T>, replace: impl Fn(usize) -> Option<f64>) -> DynTensor<T> {
            let elements = x.iter().enumerate();
            let elements =
                elements.map(|(number, &x)| replace(number).map_or(x, |x| T::from_f64(x)));
            DynTensor::from_vec(x.sizes(), elements.collect()).expect("the same sizes")
        }
        match self {
            Self::F32(x) => Self::F32(of(x, replace)),
            Self::F64(x) => Self::F64(of(x, replace)),
            Self::F16(x) => Self::F16(of(x, replace)),
            Self::Bf16(x) => Self::Bf16(of(x, replace)),
            Self::I64(_) | Self::Bool(_) => self.clone(),
        }
    }

    /// The first element that differs from that of a tensor of the same type; any NaN equals any other. The tolerance is
    /// relative to the largest element, or to 1.
    fn difference(&self, other: &Self, tolerance: f64) -> Option<String> {
        fn of<T: Copy + Debug>(
            x: impl Iterator<Item = T>,
            y: impl Iterator<Item = T>,
            same: impl Fn(T, T) -> bool,
        ) -> Option<String> {
            let mut pairs = x.zip(y).enumerate();
            pairs
                .find(|&(_, (x, y))| !same(x, y))
                .map(|(place, (x, y))| format!("element {place} is {x:?}, not {y:?}"))
        }
        match (self, other) {
            (Self::I64(x), Self::I64(y)) => of(x.iter(), y.iter(), |x, y| x == y),
            (Self::Bool(x), Self::Bool(y)) => of(x.iter(), y.iter(), |x, y| x == y),
            _ => {
                let [x, y] = [self, other].map(|any| any.floats().expect("floats"));
                let largest =
                    y.iter().filter(|y| y.is_finite()).fold(1.0_f64, |x, y| x.max(y.abs()));
                of(x.iter().copied(), y.iter().copied(), |x, y| {
                    let is_close = (x - y).abs() <= tolerance * largest;
                    x.to_bits() == y.to_bits()
                        || x.is_nan() && y.is_nan()
                        || is_close && tolerance > 0.0
                })
            }
        }
    }
}

/// Inputs or outputs.
pub type Tensors = Vec<Any>;

fn tensors_of(module: &dyn Module) -> Tensors {
    let mut tensors = Vec::new();
    module.visit(&Path::ROOT, &mut |_, _, tensor| tensors.push(Any::of(tensor)));
    tensors
}

fn fill(module: &mut dyn Module, tensors: &Tensors) {
    let mut tensors = tensors.iter();
    module.visit_mut(&Path::ROOT, &mut |_, _, tensor| {
        tensors.next().expect("a tensor for each").assign_to(tensor);
    });
}

type Function<'a> = dyn Fn(&Tensors) -> Tensors + 'a;

/// A sum of all outputs that are floats, each element with another weight.
fn loss(outputs: &Tensors) -> Tensor<(), f64> {
    let sum = |x: DynTensor<f64>| {
        let weights = (0..x.len()).map(|number| 1.0 + ((number * 37) % 101) as f64 / 50.0);
        let weights = DynTensor::from_vec(x.sizes(), weights.collect()).expect("the same sizes");
        let sum = (x * weights).expect("the same sizes").sum();
        sum.into_tensor().expect("a number")
    };
    let zero = Tensor::<(), f64>::scalar(0.0);
    outputs.iter().filter_map(Any::floats).map(sum).fold(zero, |all, sum| all + sum)
}

fn slope(function: &Function<'_>, inputs: &Tensors) -> (Tensor<(), f64>, Tensors) {
    value_and_grad(inputs, |inputs| loss(&function(inputs)))
}

/// How far results of a program may be from those of the function, relative to the largest of them or to 1, and why.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "each of two programs of tests has cases of some of them")]
pub enum Expected {
    /// The same bits.
    Bits,
    /// The same bits; the function has no gradients.
    BitsWithoutGradients,
    /// The same bits, and gradients that are added in another order, for this reason.
    BitsButGradients(&'static str),
    /// Off by rounding, for this reason.
    Within(f64, &'static str),
}

/// The cases that have been run, and what is wrong with them.
#[derive(Default)]
pub struct Check {
    pub names: BTreeSet<&'static str>,
    failures: Vec<String>,
    element: &'static str,
    /// The error of a sum of gradients.
    rounding: f64,
    only_names: bool,
}

impl Check {
    /// Collects the names of cases, and runs none.
    pub fn only_names() -> Self {
        Self { only_names: true, ..Self::default() }
    }

    /// The cases of an element type.
    pub fn of<T: Float>(mut self, cases: fn(&mut Self)) -> Self {
        let epsilon = (1..60).map(|power| 0.5_f64.powi(power));
        let epsilon = epsilon.take_while(|&x| T::from_f64(1.0 + x) != T::from_f64(1.0)).last();
        (self.element, self.rounding) = (T::NAME, 16.0 * epsilon.expect("a type of floats"));
        cases(&mut self);
        self
    }

    pub fn finish(self) {
        assert!(self.names.len() > 1);
        assert!(
            self.failures.is_empty(),
            "{} failures:\n{}",
            self.failures.len(),
            self.failures.join("\n")
        );
    }

    /// A function of tensors, whose programs have the same bits. A name is that of the file and of the function, and what
    /// sets the case apart.
    pub fn case<A: Module + Clone, O: Module>(
        &mut self,
        name: &'static str,
        arguments: A,
        function: impl Fn(&A) -> O,
    ) {
        self.case_of(Expected::Bits, name, arguments, function);
    }

    pub fn case_of<A: Module + Clone, O: Module>(
        &mut self,
        expected: Expected,
        name: &'static str,
        arguments: A,
        function: impl Fn(&A) -> O,
    ) {
        self.names.insert(name);
        if self.only_names {
            return;
        }
        self.special(expected, name, tensors_of(&arguments), &|tensors| {
            let mut arguments = arguments.clone();
            fill(&mut arguments, tensors);
            tensors_of(&function(&arguments))
        });
    }

    /// Runs the case, and runs it with special values in the last tensor of floats.
    fn special(
        &mut self,
        expected: Expected,
        name: &'static str,
        inputs: Tensors,
        function: &Function<'_>,
    ) {
        self.run(expected, name, &inputs, function);
        let Some(last) = inputs.iter().rposition(|x| x.floats().is_some()) else { return };
        for numbers in SPECIAL {
            let mut special = inputs.clone();
            special[last] = inputs[last]
                .with_floats(|number| numbers.get(number % (2 * numbers.len() + 1)).copied());
            self.run(expected, name, &special, function);
        }
    }

    fn run(
        &mut self,
        expected: Expected,
        name: &'static str,
        inputs: &Tensors,
        function: &Function<'_>,
    ) {
        let (element, rounding) = (self.element, self.rounding);
        let mut fail = |what: &str, problem: String| {
            self.failures.push(format!("{name} of {element}, {what}: {problem}"))
        };
        let mut results = |what: &str, result: &dyn Fn() -> Tensors| {
            caught(result).map_err(|panic| fail(what, panic)).ok()
        };
        let blank: Tensors = inputs.iter().map(Any::blank).collect();
        let inside = |function: &Function<'_>| {
            let program = trace(&blank, function);
            program.to_stablehlo();
            program.run(inputs).unwrap_or_else(|error| panic!("{error}"))
        };
        let Some(direct) = results("the function", &|| function(inputs)) else { return };
        let program = |x: &Tensors| trace(&blank, function).run(x).expect("the same sizes");
        let nested = |x: &Tensors| trace(&blank, program).run(x).expect("the same sizes");
        let mut found = vec![
            ("the program", 0.0, &direct, results("the program", &|| inside(function))),
            (
                "a program within a program",
                0.0,
                &direct,
                results("a program within a program", &|| inside(&program)),
            ),
        ];
        let tracked: Tensors = inputs.iter().map(Any::tracked).collect();
        let is_differentiable = !matches!(expected, Expected::BitsWithoutGradients)
            && caught(|| loss(&function(&tracked)).is_tracked()).unwrap_or(true);
        let gradients = |function: &Function<'_>, x: &Tensors| {
            let (value, gradients) = slope(function, x);
            [vec![Any::F64(value.into())], gradients].concat()
        };
        let slopes = match is_differentiable {
            true => results("gradients of the function", &|| gradients(function, inputs)),
            false => None,
        };
        if let Some(slopes) = &slopes {
            // Those of a program with several outputs are sums of those of each output, in another order.
            let outputs = direct.iter().filter(|x| x.floats().is_some()).count();
            let is_rounded = matches!(expected, Expected::BitsButGradients(_));
            let within = if is_rounded { rounding } else { 0.0 };
            let rounding = if outputs > 1 || is_rounded { rounding } else { 0.0 };
            let ways: [(&str, f64, &dyn Fn() -> Tensors); 4] = [
                ("gradients within the program", within, &|| inside(&|x| gradients(function, x))),
                ("gradients of the program", rounding, &|| gradients(&program, inputs)),
                ("gradients of the program within a program", rounding, &|| {
                    inside(&|x| gradients(&program, x))
                }),
                ("gradients of a program within a program", rounding, &|| {
                    gradients(&nested, inputs)
                }),
            ];
            for (what, rounding, way) in ways {
                found.push((what, rounding, slopes, results(what, way)));
            }
        }
        let tolerance = match expected {
            Expected::Within(tolerance, _) => tolerance,
            _ => 0.0,
        };
        for (what, rounding, expected, found) in found {
            let Some(found) = found else { continue };
            if found.len() != expected.len() {
                fail(what, format!("{} results, not {}", found.len(), expected.len()));
            }
            for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
                if let Some(problem) = found.difference(expected, tolerance.max(rounding)) {
                    fail(what, format!("{problem}, of result {number}"));
                }
            }
        }
    }
}

/// What the last tensor of floats has some of.
const SPECIAL: [&[f64]; 4] = [
    &[f64::NAN],
    &[f64::INFINITY, f64::NEG_INFINITY],
    &[-0.0, 0.0, 1e-40, -6e-8, 5e-324],
    &[60_000.0, -60_000.0, f64::MAX],
];

/// The results of a function, or the message and the location of its panic.
fn caught<R>(function: impl FnOnce() -> R) -> Result<R, String> {
    thread_local! {
        static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        set_hook(Box::new(|info| {
            let message = info.payload_as_str().unwrap_or_default();
            let location = info.location().expect("a location");
            eprintln!("a panic at {location}: {message}");
            PANIC.set(format!("a panic at {location}: {message}"));
        }));
    });
    catch_unwind(AssertUnwindSafe(function)).map_err(|_| PANIC.take())
}

/// Numbers of both signs that differ from each other.
pub fn numbers<S: StaticShape, T: Float>() -> Tensor<S, T> {
    numbers_shaped(S::VALUE)
}

/// [`numbers`] in a shape whose sizes are known at run time.
pub fn numbers_shaped<S: tensor_core::Shape, T: Float>(shape: S) -> Tensor<S, T> {
    let element = |number: usize| ((number * 37 % 101) as f64 - 50.0) / 40.0;
    let elements = (0..shape.num_elements()).map(|number| T::from_f64(element(number)));
    Tensor::from_vec_shaped(shape, elements.collect()).expect("an element for each")
}
