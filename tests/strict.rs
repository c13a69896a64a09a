//! Strict code: what it accepts, and that accepted code means what it means without it.

mod repository;
mod snapshots;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use tensor_core::{
    Axis, Broadcast, Shape, Tensor, axis, broadcast::ExpandTo, fuse, relaxed, select, shape,
    strict, strictly, tensor, zip_with, zip_with3, zip_with4,
};

axis!(Batch);

/// The same functions in strict code and outside of it.
macro_rules! with_and_without {
    ($strict:ident $plain:ident [$mode:meta] $($item:item)+) => {
        #[$mode]
        mod $strict {
            use super::*;

            $($item)+
        }

        mod $plain {
            use super::*;

            $($item)+
        }
    };
}

with_and_without! { strict_operators plain_operators [strict]
    pub fn arithmetic(table: &Tensor<shape![2, 3]>, row: Tensor<shape![3]>) -> Tensor<shape![2, 3]> {
        let column = table.sum_axis_keepdims::<1>();
        let scaled = table * &row / column + row - 1.0;
        2.0 * (scaled.clone() + scaled) % 7.0
    }

    pub fn methods(x: &Tensor<shape![2, 3]>, row: &Tensor<shape![3]>) -> Tensor<shape![2, 3]> {
        let tensors = [x.clone(), x.maximum(row)];
        let largest = tensors[1].minimum(&tensors[0]).maximum(row.minimum(x.sum()));
        let mask = x.less(row) & largest.greater_equal(0.0);
        let chosen = select(mask, x, row).clamp(row.clone(), x);
        let boxed = Box::new(x.clone());
        chosen + zip_with(&boxed, row, |a, b| a * b) + boxed.pow(row)
    }
}

#[test]
fn one_side_may_stretch() {
    let table = tensor![[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]];
    let row = tensor![6.0, 12.0, 18.0];
    assert_eq!(
        strict_operators::arithmetic(&table, row.clone()),
        plain_operators::arithmetic(&table, row.clone())
    );
    assert_eq!(strict_operators::methods(&table, &row), plain_operators::methods(&table, &row));
}

#[test]
fn one_of_many_has_the_shape_of_the_result() {
    let (full, row, column) = (tensor![[1, 2], [3, 4]], tensor![1, 2], tensor![[1], [3]]);
    let (low, high) = (&row, &column);
    assert_eq!(strictly!(full.clamp(low, high)), full.clamp(low, high));
    assert_eq!(
        strictly!(zip_with3(low, &full, high, |a, b, c| a + b + c)),
        tensor![[3, 5], [7, 9]]
    );
    let four = strictly!(zip_with4(low, high, low, &full, |a, b, c, d| a + b + c + d));
    assert_eq!(four, tensor![[4, 7], [8, 11]]);
}

/// A layer over any leading axes, in generic code.
struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

#[strict]
impl<I: Axis, O: Axis> Linear<I, O> {
    const SCALE: f32 = 1.0 + 1.0;

    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        (x.dot(&self.weight) + &self.bias) * Self::SCALE
    }

    fn centred<Lead: Shape>(x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., I]> {
        x - x.mean_axis_keepdims::<-1>()
    }

    #[strict(off)]
    fn outer(left: &Tensor<shape![3, 1]>, right: &Tensor<shape![3]>) -> Tensor<shape![3, 3]> {
        left * right
    }
}

#[strict]
fn joined<L: Shape + Broadcast<R, Output = L>, R: Shape + ExpandTo<L>>(
    left: &Tensor<L>,
    right: &Tensor<R>,
) -> Tensor<L> {
    left + right
}

#[strict(same)]
fn normal<S: Shape>(x: &Tensor<S>) -> Tensor<S> {
    let centred = x - x.mean();
    &centred / (&centred * &centred).mean().sqrt()
}

#[test]
fn generic_code_proves_its_shapes() {
    let layer = Linear { weight: Tensor::<shape![3, 2]>::ones(), bias: Tensor::ones() };
    let x = Tensor::full_shaped(shape![Batch(4), 3], 2.0);
    assert_eq!(layer.forward(&x), Tensor::full_shaped(shape![Batch(4), 2], 14.0));
    assert_eq!(Linear::<_, tensor_core::One>::centred(&x).sum().item(), 0.0);
    let outer =
        Linear::<tensor_core::One, tensor_core::One>::outer(&Tensor::ones(), &Tensor::ones());
    assert_eq!(outer, Tensor::ones());
    assert_eq!(joined(&x, &tensor![1.0, 2.0, 3.0]).sum().item(), 48.0);
    assert_eq!(normal(&tensor![1.0, 3.0]), tensor![-1.0, 1.0]);
}

with_and_without! { strict_same plain_same [strict(same)]
    pub fn in_place(x: &mut Tensor<shape![2, 3]>, grads: &mut [Tensor<shape![2, 3]>]) -> f32 {
        let y = x.clone() * 2.0 - x.sum();
        *x += &y;
        *x -= x.mean();
        x.zip_assign(&y, |a, b| a + b);
        grads[0] += &y;
        let last = grads.len() - 1;
        grads[last] *= x.clone();
        let mut total = 0.0;
        for grad in &*grads {
            total += grad.sum().item();
        }
        let three = select(x.less(&y), &y, 0.0).clamp(&y, 1e9);
        let three = three + zip_with3(&*x, &y, &*x, |a, b, c| a + b + c);
        let row = relaxed!(three + tensor![1.0, 2.0, 3.0]).sum_axis::<0>();
        total + row.sum().item()
    }
}

with_and_without! { strict_rank plain_rank [strict(rank)]
    pub fn ones_stretch(table: &Tensor<shape![2, 3]>, mut grad: Tensor<shape![2, 3]>) -> Tensor<shape![2, 3]> {
        let (row, column) = (table.sum_axis_keepdims::<0>(), table.sum_axis_keepdims::<1>());
        grad -= &column;
        grad *= table.mean();
        grad.zip_assign(&row, |a, b| a + b);
        let outer = column.unsqueeze::<0>() * row.unsqueeze::<0>();
        let largest = fuse!((&row * &column).maximum(table.sum()));
        let limits = (largest + &grad).clamp(&row, Tensor::scalar(1e3));
        select(row.less(&column), limits, 0.0) + outer.squeeze::<0>() - table.mean()
    }
}

#[strict(rank)]
fn deviations<Lead: Shape, A: Axis>(x: &Tensor<shape![Lead.., A]>) -> Tensor<shape![Lead.., A]> {
    let centred = x - x.mean_axis_keepdims::<-1>();
    &centred / x.std_axis_keepdims::<-1>() * x.mean()
}

/// JAX with `jax_numpy_rank_promotion="raise"` accepts arrays of rank 0, as of two shapes one has no axes.
#[test]
fn of_one_rank_only_one_stretches() {
    let table = tensor![[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]];
    assert_eq!(
        strict_rank::ones_stretch(&table, table.clone()),
        plain_rank::ones_stretch(&table, table.clone())
    );
    assert_eq!(deviations(&tensor![[1.0, 3.0]]), tensor![[-2.0, 2.0]]);
    let both: Tensor<shape![2, 3]> =
        strictly!(rank: tensor![[1.0], [2.0]] * tensor![[1.0, 2.0, 3.0]]);
    assert_eq!(both, tensor![[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]);
    let four = strictly!(rank: zip_with4(&table, &Tensor::scalar(1.0), &table, &Tensor::scalar(2.0), |a, b, c, d| {
        a * b + c * d
    }));
    assert_eq!(four, 3.0 * table);
}

#[test]
fn same_shapes_and_numbers() {
    let mut x = tensor![[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]];
    let mut y = x.clone();
    let mut grads = [Tensor::ones(), Tensor::ones()];
    let mut others = grads.clone();
    assert_eq!(
        strict_same::in_place(&mut x, &mut grads),
        plain_same::in_place(&mut y, &mut others)
    );
    assert_eq!((x, grads), (y, others));
}

#[test]
fn operations_stand_in_every_place() {
    macro_rules! sum {
        ($left:expr, $right:expr) => {
            strictly!($left * $right)
        };
    }

    #[strict]
    trait Score {
        fn score(&self, x: &Tensor<shape![2], i32>) -> Tensor<shape![2], i32> {
            x + x
        }
    }

    impl Score for () {}

    #[strict]
    fn places(a: &Tensor<shape![2], i32>, b: Tensor<shape![2], i32>) -> Tensor<shape![2], i32> {
        if a + &b == b && !(a - a == b) {
            return a + b;
        }
        let negative = -a + &b;
        let other = b.clone();
        let moved = move |x: &Tensor<shape![2], i32>| x + &other - a;
        let found = 'found: {
            if a.len() == 2 {
                break 'found a * a + moved(a);
            }
            b
        };
        let Some(last) = Some(&found - &negative) else { return found + 1 };
        let reference = &(&last + a);
        match reference - a {
            same if same == last => [a + &same, same].map(|each| each * a)[0].clone(),
            other => other,
        }
    }

    let (a, b) = (tensor![1, 2], tensor![3, 4]);
    assert_eq!(places(&a, b.clone()), (&a * &a + &b - (&b - &a) + &a) * &a);
    assert_eq!(sum!(&a + &b, &b - &a), tensor![8, 12]);
    assert_eq!(().score(&a), tensor![2, 4]);
}

/// Types other than tensors: integers, strings, durations, pointers, types of the user.
#[strict(same)]
mod others {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    pub struct Money(pub i64);

    impl core::ops::Add for Money {
        type Output = Money;

        fn add(self, other: Money) -> Money {
            Money(self.0 + other.0)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Point {
        pub x: i64,
    }

    impl core::ops::Add for Point {
        type Output = i64;

        fn add(self, other: Point) -> i64 {
            self.x + other.x
        }
    }

    pub fn points(x: i64) -> i64 {
        (Point { x }) + (Point { x: x * x }) * 2 + Point { x }.x
    }

    impl core::ops::Mul<i64> for Point {
        type Output = Point;

        fn mul(self, by: i64) -> Point {
            Point { x: self.x * by }
        }
    }

    impl Money {
        pub fn maximum(self, other: Money) -> Money {
            if self.0 < other.0 { other } else { self }
        }
    }

    pub const ROWS: usize = 2 + 3 * 4;
    pub static NAMES: [usize; ROWS - 12] = [ROWS + 1; ROWS - 12];

    pub enum Bits {
        First = 1 << 1,
        Second = (1 << 2) | 1,
    }

    pub const fn twice<const N: usize>(x: usize) -> usize {
        x * 2 + N * N
    }

    pub struct Wallet {
        pub money: Money,
        pub names: Vec<String>,
    }

    impl Wallet {
        pub fn first(&self) -> &Money {
            &self.money
        }

        pub fn take(&mut self) -> Vec<String> {
            std::mem::take(&mut self.names)
        }
    }

    pub fn numbers(left: i32, right: i32) -> (i32, i32, i32) {
        let mut shifted = left << right;
        shifted |= left & right;
        shifted ^= right;
        let add = |x: i32, y: i32| x + y;
        let folded = (1..=right).fold(0, |sum, x| sum + x);
        let power = left.pow(right.try_into().unwrap());
        (shifted, add(left, add(right, folded)), power.clamp(left, right * 1000))
    }

    pub fn texts(name: &String, age: u32) -> String {
        let mut text = String::from("I am ") + name + &format!(", {}", age + age);
        text += &(", and ".to_string() + &name.clone());
        text
    }

    pub fn times(seconds: u64) -> Duration {
        let start = Duration::from_secs(seconds);
        let mut end = start + Duration::from_secs(seconds) * seconds.try_into().unwrap();
        end += start;
        end - start
    }

    pub fn owned(wallet: &mut Wallet, other: Money) -> Money {
        let names = wallet.take();
        let sum = wallet.first().clone() + other.clone();
        sum.maximum(other) + Money(names.len() as i64 + (names.len() % 2) as i64)
    }

    pub fn early(text: &str) -> Result<i32, std::num::ParseIntError> {
        let mut count = 0;
        for (index, part) in text.split(',').enumerate() {
            if index + count as usize > 100 && index * index >= ROWS {
                break;
            }
            count = count
                + part.parse::<i32>()? * {
                    count += 1;
                    count
                };
        }
        Ok(count)
    }

    pub async fn later(x: i32) -> i32 {
        let double = async { x + x }.await * std::future::ready(x).await;
        double - x
    }

    pub fn borrowed(cell: &RefCell<Vec<i32>>) -> i32 {
        let total = *cell.borrow().first().unwrap() + cell.borrow().len() as i32 * cell.borrow()[0];
        cell.borrow_mut()[0] += total;
        total
    }
}

#[test]
fn what_is_no_tensor_is_left_alone() {
    use others::*;

    assert_eq!(numbers(3, 2), ((((3 << 2) | 2) ^ 2), 8, 9));
    assert_eq!(texts(&"Ada".into(), 18), "I am Ada, 36, and Ada");
    assert_eq!(points(3), 3 + 18 + 3);
    assert_eq!(times(3), Duration::from_secs(12));
    let mut wallet = Wallet { money: Money(3), names: vec!["a".into()] };
    assert_eq!(owned(&mut wallet, Money(4)), Money(9));
    assert_eq!(early("1,2"), Ok(5));
    assert!(early("1,x").is_err());
    assert_eq!(NAMES, [15, 15]);
    assert_eq!(twice::<3>(4), 17);
    assert_eq!((Bits::First as i32, Bits::Second as i32), (2, 5));
    assert_eq!(borrowed(&RefCell::new(vec![5, 6])), 15);
    let mut future = Box::pin(later(5));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert_eq!(future.as_mut().poll(&mut context), std::task::Poll::Ready(45));
}

#[test]
#[strict]
fn names_of_the_user_are_not_taken() {
    let (left, right, check, side, shape) = (tensor![1], tensor![2], tensor![3], 4, 5);
    let first = &left + &right + &check * side + shape;
    assert_eq!(first, tensor![1] + tensor![2] + tensor![3] * 4 + 5);
}

#[test]
fn operands_are_evaluated_once_and_in_order() {
    let order = RefCell::new(Vec::new());
    let note = |number: i32| {
        order.borrow_mut().push(number);
        tensor![number]
    };
    let sum = strictly!(note(1) * note(2) + note(3).maximum(note(4)) - note(5));
    assert_eq!(sum, tensor![1]);
    assert_eq!(*order.borrow(), [1, 2, 3, 4, 5]);
}

#[test]
fn values_are_moved_and_dropped_as_before() {
    struct Counted(Rc<()>);

    impl core::ops::Add<i32> for Counted {
        type Output = usize;

        fn add(self, _: i32) -> usize {
            Rc::strong_count(&self.0)
        }
    }

    let counter = Rc::new(());
    let zero = 0;
    assert_eq!(strictly!(Counted(counter.clone()) + zero), 2);
    assert_eq!(Rc::strong_count(&counter), 1);
}

#[test]
fn the_macros_of_the_standard_library_are_looked_into() {
    #[strict]
    fn said(a: &Tensor<shape![2], i32>) -> String {
        assert!((a - a).equal(0).all().item());
        assert_eq!(a + a, a * 2);
        let mut all = vec![a + a, a * a];
        all.truncate(1);
        format!("{} {twice}", &all[0] - a, twice = a + a)
    }

    assert_eq!(said(&tensor![1, 2]), "[1 2] [2 4]");
}

#[test]
fn a_failed_assertion_shows_what_was_written() {
    #[strict]
    fn fails(a: i32, b: i32) {
        assert!(a + b == 3);
    }

    let message = std::panic::catch_unwind(|| fails(1, 1)).unwrap_err();
    let message = message.downcast_ref::<String>().expect("a text");
    assert_eq!(message, "assertion failed: a + b == 3");
}

#[test]
fn a_panic_is_in_the_line_of_the_operation() {
    use std::sync::{Arc, Mutex};

    #[strict]
    fn add(a: &Tensor<shape![Batch]>, b: &Tensor<shape![Batch]>) -> u32 {
        if a.len() == b.len() {
            return line!();
        }
        let _ = a + b; // six lines below `fn add`
        0
    }

    let (two, three) =
        (Tensor::ones_shaped(shape![Batch(2)]), Tensor::ones_shaped(shape![Batch(3)]));
    let line = Arc::new(Mutex::new(0));
    let seen = line.clone();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        *seen.lock().unwrap() = info.location().map_or(0, |place| place.line());
    }));
    let result = std::panic::catch_unwind(|| add(&two, &three));
    std::panic::set_hook(before);
    assert!(result.is_err());
    assert_eq!(*line.lock().unwrap(), add(&two, &two) + 2);
}

#[test]
fn the_chapter_shows_what_the_compiler_says() {
    let chapter = repository::read("tensor-core/guide/strict.md");
    let case = snapshots::Case::read("tests/ui/strict/loss_of_column_and_vector");
    let (program, _) = case.program.split_once("\nfn main").expect("a main function");
    assert!(chapter.contains(&format!("```rust,compile_fail,E0277\n{program}```\n")));
    assert!(chapter.contains(&format!("```text\n{}```\n", case.message)));
}

/// A chain is computed in parts; the value and the order of its operations stay.
#[test]
fn long_chains() {
    macro_rules! chain {
        ($($number:literal)*) => {
            |x: &Tensor<shape![2]>, y: &Tensor<shape![2]>| {
                let strict = strictly!(x $(* $number - y.exp() - &(y + x))* + x.clone());
                let plain = x $(* $number - y.exp() - &(y + x))* + x.clone();
                (strict, plain)
            }
        };
    }
    let compute = chain! {
        0.7 1.01 2.01 3.01 4.01 5.01 6.01 7.01 8.01 9.01
        10.01 11.01 12.01 13.01 14.01 15.01 16.01 17.01 18.01 19.01
        20.01 21.01 22.01 23.01 24.01 25.01 26.01 27.01 28.01 29.01
        30.01 31.01 32.01 33.01 34.01 35.01 36.01 37.01 38.01 39.01
        40.01 41.01 42.01 43.01 44.01 45.01 46.01 47.01 48.01 49.01
        50.01 51.01 52.01 53.01 54.01 55.01 56.01 57.01 58.01 59.01
        60.01 61.01 62.01 63.01 64.01 65.01 66.01 67.01 68.01 69.01
        70.01 71.01 72.01 73.01 74.01 75.01 76.01 77.01 78.01 79.01
        80.01 81.01 82.01 83.01 84.01 85.01 86.01 87.01 88.01 89.01
        90.01 91.01 92.01 93.01 94.01 95.01 96.01 97.01 98.01 99.01
    };
    let (strict, plain) = compute(&tensor![0.25, -1.5], &tensor![1.0, -0.5]);
    let bits = |x: &Tensor<shape![2]>| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&strict), bits(&plain));
}
