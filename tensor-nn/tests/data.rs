//! The loader: which batches, in which order, on which thread.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tensor_core::{Axis, Dim, Tensor, axis, shape};
use tensor_nn::data::{Dataset, Loader, from_fn};

axis!(Batch);

/// The examples of all batches of an epoch.
fn epoch(loader: &Loader<Tensor<shape![103], i64>>, epoch: usize) -> Vec<Vec<i64>> {
    loader.epoch::<Batch>(epoch).map(|batch| batch.to_vec()).collect()
}

fn numbers() -> Tensor<shape![103], i64> {
    Tensor::arange()
}

#[test]
fn each_example_is_in_one_batch() {
    for batch in [1, 2, 10, 51, 52, 102, 103, 104, 1000] {
        for drops_last in [false, true] {
            for prefetched in [0, 1, 2, 200] {
                let loader = Loader::new(numbers(), batch).prefetched(prefetched);
                let loader = if drops_last { loader.drop_last() } else { loader };
                let expected: Vec<Vec<i64>> = (numbers().to_vec().chunks(batch))
                    .filter(|chunk| !drops_last || chunk.len() == batch)
                    .map(<[i64]>::to_vec)
                    .collect();
                assert_eq!(loader.num_batches(), expected.len());
                assert_eq!(epoch(&loader, 0), expected);

                let shuffled = epoch(&loader.clone().shuffled(3), 5);
                let lengths =
                    |batches: &[Vec<i64>]| batches.iter().map(Vec::len).collect::<Vec<_>>();
                assert_eq!(lengths(&shuffled), lengths(&expected));
                let distinct: BTreeSet<i64> = shuffled.iter().flatten().copied().collect();
                assert_eq!(distinct.len(), shuffled.iter().flatten().count());
                assert!(distinct.iter().all(|example| (0..103).contains(example)));
            }
        }
    }
}

#[test]
fn the_order_follows_from_the_seed_and_the_epoch() {
    let loader = |seed| Loader::new(numbers(), 103).shuffled(seed);
    let orders: Vec<_> = (0..4)
        .flat_map(|seed| (0..4).map(move |number| (seed, number)))
        .map(|(seed, number)| {
            let order = epoch(&loader(seed), number).concat();
            assert_eq!(order, epoch(&loader(seed).prefetched(2), number).concat());
            order
        })
        .collect();
    let distinct: BTreeSet<_> = orders.iter().collect();
    assert_eq!(distinct.len(), 16);
    // No example stays near its position more often than by chance.
    let moved: i64 =
        orders.iter().flatten().zip((0..103).cycle()).map(|(a, b)| (a - b).abs()).sum();
    assert!((30 * 1648..39 * 1648).contains(&moved), "{moved}");
}

#[test]
fn parts_stay_together() {
    let x = Tensor::<shape![50, 2, 3], f64>::from_fn(|[i, j, k]| (100 * i + 10 * j + k) as f64);
    let y = Tensor::<shape![50], u8>::from_fn(|[i]| i as u8);
    let transposed =
        Tensor::<shape![4, 50], i32>::from_fn(|[i, j]| (10 * j + i) as i32).transpose();
    let loader = Loader::new((x, y, (transposed,)), 8).shuffled(1).prefetched(3);
    let mut seen = BTreeSet::new();
    for (x, y, (z,)) in loader.epoch::<Batch>(0) {
        let x: Tensor<shape![Batch, 2, 3], f64> = x;
        let z: Tensor<shape![Batch, 4], i32> = z;
        for place in 0..y.len() {
            let index = usize::from(y[[place]]);
            assert!(seen.insert(index));
            assert_eq!(x[[place, 1, 2]], (100 * index + 12) as f64);
            assert_eq!(z[[place, 3]], (10 * index + 3) as i32);
        }
    }
    assert_eq!(seen.len(), 50);
}

/// In generic code, the bound is the one of the message.
fn first_batch<D, B: Axis>(loader: &Loader<D>) -> Option<D::Batch>
where
    D: Dataset<B, Batch: Send> + Send + Sync + 'static,
{
    loader.epoch::<B>(0).next()
}

#[test]
fn a_batch_of_a_static_size_needs_all_examples() {
    let loader = Loader::new(numbers(), 10).drop_last();
    let batch: Option<Tensor<shape![10], i64>> = first_batch::<_, Dim<10>>(&loader);
    assert_eq!(batch, Some(Tensor::arange()));
    let smaller = Loader::new(numbers(), 1000);
    let panic = catch_unwind(|| smaller.epoch::<Dim<10>>(0).next()).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert_eq!(
        message,
        "a batch of 103 examples: axis 0 has size 10 in the type, 103 in the data; \
         `drop_last` leaves out a smaller batch"
    );
}

#[test]
#[should_panic(expected = "the data have 3 examples in one part and 2 in another")]
fn parts_of_different_lengths_are_refused() {
    let _ = Loader::new((Tensor::<shape![3]>::zeros(), Tensor::<shape![2]>::zeros()), 2);
}

#[test]
#[should_panic(expected = "a batch has at least one example")]
fn a_batch_has_examples() {
    let _ = Loader::new(numbers(), 0);
}

#[test]
fn no_examples_are_no_batches() {
    let loader = Loader::new(Tensor::<shape![0, 5]>::zeros(), 3).shuffled(1).prefetched(2);
    assert_eq!(loader.epoch::<Batch>(0).count(), 0);
    assert_eq!(Loader::new(from_fn(0, |_| 1.0_f32), 3).epoch::<Batch>(0).count(), 0);
}

#[test]
fn examples_are_made_on_the_thread_and_not_too_early() {
    let made = Arc::new(AtomicUsize::new(0));
    let main = thread::current().id();
    let count = made.clone();
    let data = from_fn(100, move |index| {
        assert_ne!(thread::current().id(), main);
        count.fetch_add(1, Ordering::SeqCst);
        index as u32
    });
    let loader = Loader::new(data, 1).prefetched(3);
    let mut batches = loader.epoch::<Batch>(0);
    for taken in 1..=20 {
        assert_eq!(batches.next().map(|batch| batch.to_vec()), Some(vec![taken as u32 - 1]));
        assert!(made.load(Ordering::SeqCst) <= taken + 3);
    }
    let so_far = made.load(Ordering::SeqCst);
    // The thread ends with the iterator, without the other examples.
    drop(batches);
    let at_the_end = made.load(Ordering::SeqCst);
    assert!((20..=23).contains(&so_far) && at_the_end <= 24);
    thread::sleep(Duration::from_millis(20));
    assert_eq!(made.load(Ordering::SeqCst), at_the_end);
}

#[test]
fn a_panic_is_met_at_its_batch() {
    let data = from_fn(10, |index| {
        assert!(index != 5, "example {index} cannot be read");
        index as f32
    });
    for prefetched in [0, 1, 4] {
        let mut batches = Loader::new(data, 1).prefetched(prefetched).epoch::<Batch>(0);
        assert_eq!(batches.by_ref().take(5).count(), 5);
        let panic = catch_unwind(AssertUnwindSafe(|| batches.next())).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().unwrap(), "example 5 cannot be read");
        if prefetched > 0 {
            assert!(batches.next().is_none());
        }
    }
    // The loader is dropped before the batch that panics is requested.
    let mut batches = Loader::new(data, 1).prefetched(8).epoch::<Batch>(0);
    batches.next().unwrap();
    thread::sleep(Duration::from_millis(20));
    drop(batches);
}

#[test]
fn examples_of_a_function_become_batches() {
    let data = from_fn(7, |index| {
        let picture = Tensor::<shape![2, 2], i16>::full(index as i16);
        (picture, (index % 2 == 0, index as f64))
    });
    let mut sizes = Vec::new();
    for (pictures, (even, number)) in Loader::new(data, 3).epoch::<Batch>(0) {
        let pictures: Tensor<shape![Batch, 2, 2], i16> = pictures;
        let (even, number): (Tensor<shape![Batch], bool>, Tensor<shape![Batch], f64>) =
            (even, number);
        sizes.push(number.len());
        for place in 0..number.len() {
            assert_eq!(even[[place]], number[[place]] % 2.0 == 0.0);
            assert_eq!(f64::from(pictures[[place, 1, 1]]), number[[place]]);
        }
    }
    assert_eq!(sizes, [3, 3, 1]);
}
