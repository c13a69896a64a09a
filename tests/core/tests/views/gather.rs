//! Operations by indices, against nested loops on tensors of random sizes and layouts, and what they say
//! about an index that is out of range.

use crate::random_views::{Random, from_lanes, indices, lanes};
use tensor_core::{
    DynTensor, Float, IndexError, IndexingError, Shape, ShapeError, Tensor, axis, dim, shape,
    tensor,
};

axis!(Batch);
axis!(Found);

const RUNS: u64 = 300;

fn element(random: &mut Random) -> i32 {
    random.below(1000) as i32 - 500
}

/// Indices of an axis, some of them negative.
fn index(size: usize) -> impl FnMut(&mut Random) -> i16 {
    move |random| random.below(2 * size.max(1)) as i16 - size as i16
}

fn at(index: i16, size: usize) -> usize {
    usize::try_from(isize::from(index) + if index < 0 { size as isize } else { 0 }).unwrap()
}

/// Sizes with an axis that has elements, or no index.
fn case(random: &mut Random) -> (Vec<usize>, usize) {
    let rank = 1 + random.below(4);
    let (mut sizes, axis) = (random.sizes(rank), random.below(rank));
    sizes[axis] = sizes[axis].max(1);
    (sizes, axis)
}

#[test]
fn take_is_a_loop_over_indices() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let (sizes, axis) = case(random);
        let x = random.tensor(&sizes, element);
        let rank = random.below(3);
        let index_sizes = random.sizes(rank);
        let chosen = random.tensor(&index_sizes, index(sizes[axis]));
        let found = x.take(axis as isize, &chosen).unwrap();
        let expected = [&sizes[..axis], &index_sizes[..], &sizes[axis + 1..]].concat();
        assert_eq!(found.sizes(), expected);
        for place in indices(&expected) {
            let (outer, rest) = place.split_at(axis);
            let (index, inner) = rest.split_at(rank);
            let from = [outer, &[at(chosen.get(index).unwrap(), sizes[axis])], inner].concat();
            assert_eq!(
                found.get(&place).unwrap(),
                x.get(&from).unwrap(),
                "{sizes:?} {axis} {index_sizes:?}"
            );
        }
    }
}

#[test]
fn values_along_an_axis_are_taken_and_put() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let (sizes, axis) = case(random);
        let x = random.tensor(&sizes, element);
        let mut index_sizes = sizes.clone();
        index_sizes[axis] = random.below(5);
        let chosen = random.tensor(&index_sizes, index(sizes[axis]));
        let number = axis as isize;
        let found = x.take_along_axis(number, &chosen).unwrap();
        let values = random.tensor(&index_sizes, element);
        let mut expected = [x.to_vec(), x.to_vec(), x.to_vec(), x.to_vec(), x.to_vec()];
        let places = indices(&sizes);
        for place in indices(&index_sizes) {
            let mut from = place.clone();
            from[axis] = at(chosen.get(&place).unwrap(), sizes[axis]);
            assert_eq!(found.get(&place).unwrap(), x.get(&from).unwrap());
            let (to, value) =
                (places.iter().position(|p| *p == from).unwrap(), values.get(&place).unwrap());
            expected[0][to] = value;
            expected[1][to] += value;
            expected[2][to] = expected[2][to].wrapping_mul(value);
            expected[3][to] = expected[3][to].max(value);
            expected[4][to] = expected[4][to].min(value);
        }
        let results = [
            x.scatter(number, &chosen, &values),
            x.scatter_add(number, &chosen, &values),
            x.scatter_mul(number, &chosen, &values),
            x.scatter_max(number, &chosen, &values),
            x.scatter_min(number, &chosen, &values),
        ];
        for (result, expected) in results.into_iter().zip(expected) {
            let result = result.unwrap();
            assert_eq!((result.sizes(), result.to_vec()), (&sizes[..], expected));
        }
    }
}

#[test]
fn rows_are_copied_and_added() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let (sizes, axis) = case(random);
        let x = random.tensor(&sizes, element);
        let count = random.below(5);
        let chosen = random.tensor(&[count], index(sizes[axis]));
        let mut value_sizes = sizes.clone();
        value_sizes[axis] = count;
        let values = random.tensor(&value_sizes, element);
        let (mut copied, mut added) = (lanes(&x, axis), lanes(&x, axis));
        for (lane, values) in lanes(&values, axis).into_iter().enumerate() {
            for (index, value) in chosen.to_vec().into_iter().zip(values) {
                copied[lane][at(index, sizes[axis])] = value;
                added[lane][at(index, sizes[axis])] += value;
            }
        }
        let number = axis as isize;
        assert_eq!(
            x.index_copy(number, &chosen, &values).unwrap(),
            from_lanes(&sizes, axis, &copied)
        );
        assert_eq!(
            x.index_add(number, &chosen, &values).unwrap(),
            from_lanes(&sizes, axis, &added)
        );
    }
}

#[test]
fn masks_choose_elements() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let (sizes, axis) = case(random);
        let x = random.tensor(&sizes, element);
        let mask = random.tensor(&sizes, |random| random.below(2) == 1);
        let pairs = x.to_vec().into_iter().zip(mask.to_vec());
        let expected: Vec<_> = pairs.filter(|(_, chosen)| *chosen).map(|(x, _)| x).collect();
        assert_eq!(x.masked_select(&mask).unwrap().to_vec(), expected);

        let places: Vec<_> =
            indices(&sizes).into_iter().filter(|place| mask.get(place).unwrap()).collect();
        let numbers: Vec<_> = places.iter().flatten().map(|&index| index as i64).collect();
        let found = mask.nonzero();
        assert_eq!(found.sizes(), [places.len(), sizes.len()]);
        assert_eq!(found.to_vec(), numbers);
        assert_eq!(mask.count_nonzero().to_vec(), [places.len() as i64]);
        assert_eq!(mask.flatnonzero().len(), places.len());

        let mask = random.tensor(&[sizes[axis]], |random| random.below(2) == 1);
        let kept: Vec<Vec<i32>> = (lanes(&x, axis).into_iter())
            .map(|lane| lane.into_iter().zip(mask.to_vec()).filter(|e| e.1).map(|e| e.0).collect())
            .collect();
        let mut kept_sizes = sizes.clone();
        kept_sizes[axis] = mask.to_vec().into_iter().filter(|chosen| *chosen).count();
        let found = x.compress(axis as isize, &mask).unwrap();
        assert_eq!(found, from_lanes(&kept_sizes, axis, &kept));
    }
}

/// Named axes, any leading axes, and axes without elements.
#[test]
fn run_time_axes() {
    fn rows<Lead: Shape>(
        words: &Tensor<Lead, u16>,
        table: &Tensor<shape![5, 2]>,
    ) -> Result<Tensor<shape![Lead.., 2]>, IndexError> {
        table.embedding(words)
    }

    fn last<Lead: Shape>(x: &Tensor<shape![Lead.., 4]>) -> Tensor<shape![Lead..]> {
        x.take::<-1, _>(Tensor::scalar(-1)).unwrap()
    }

    let table = Tensor::<shape![5, 2]>::from_fn(|[row, column]| (10 * row + column) as f32);
    let words = Tensor::from_vec_shaped(shape![Batch(3)], vec![4_u16, 0, 4]).unwrap();
    let embedded: Tensor<shape![Batch, 2]> = rows(&words, &table).unwrap();
    assert_eq!(embedded.to_vec(), [40.0, 41.0, 0.0, 1.0, 40.0, 41.0]);
    assert_eq!(rows(&Tensor::scalar(2), &table).unwrap(), tensor![20.0, 21.0]);
    assert_eq!(last(&Tensor::full_shaped(shape![Batch(2), 4], 1.5)).sizes()[..], [2]);

    let batch = Tensor::from_vec_shaped(shape![Batch(2), 2], vec![1, 2, 3, 4]).unwrap();
    let chosen: Tensor<shape![3, 2], i32> = batch.take::<0, _>(tensor![1, 0, 1]).unwrap();
    assert_eq!(chosen, tensor![[3, 4], [1, 2], [3, 4]]);
    let kept =
        batch.compress::<0, Found>(&batch.take::<1, _>(Tensor::scalar(0)).unwrap().greater(2));
    assert_eq!(kept, Tensor::from_vec_shaped(shape![Found(1), 2], vec![3, 4]).unwrap());

    let none = Tensor::<shape![0, 2]>::zeros();
    assert_eq!(none.take::<0, _>(Tensor::<shape![0], i64>::zeros()).unwrap().len(), 0);
    let error = none.take::<0, _>(tensor![0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "index 0, at position [0] of the indices, is out of range for axis 0 of size 0: the axis has no elements"
    );
}

#[test]
#[should_panic(expected = "The size of tensor a (2) must match the size of tensor b (3)")]
fn named_axes_have_one_size() {
    let x = Tensor::<_, f32>::zeros_shaped(shape![Batch(2), 4]);
    let _ = x.take_along_axis::<-1, _>(Tensor::<_, i64>::zeros_shaped(shape![Batch(3), 1]));
}

#[test]
#[should_panic(expected = "2 elements were found, and `Hidden` has size 3")]
fn what_is_found_has_the_size_of_the_axis() {
    axis!(Hidden = 3);
    let _ = tensor![1, 2, 1].unique::<Hidden>();
}

#[test]
fn an_index_out_of_range_is_named() {
    let x = Tensor::<shape![3, 4]>::zeros();
    let error = x.take_along_axis::<1, _>(tensor![[0, 1], [2, -5], [9, 9]]).unwrap_err();
    let expected = IndexError {
        index: -5,
        position: [1, 1].as_slice().into(),
        size: 4,
        axis: 1,
        is_signed: true,
    };
    assert_eq!(error, expected);
    let error = x.take::<0, _>(Tensor::scalar(u64::MAX)).unwrap_err();
    assert_eq!(error.index, i128::from(u64::MAX));
    assert_eq!(
        error.to_string(),
        "index 18446744073709551615 is out of range for axis 0 of size 3: indices go from -3 to 2"
    );
    let error = tensor![1, 9].one_hot::<dim!(3), f32>().unwrap_err();
    assert_eq!((error.axis, error.index, error.position[0]), (1, 9, 1));
    let error = tensor![1, -1].bincount::<dim!(3)>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "index -1, at position [1] of the indices, is out of range for axis 0 of size 3: indices go from 0 to 2"
    );

    // Nothing is changed.
    let x = tensor![1, 2, 3];
    assert!(x.scatter::<0, _>(tensor![0, 3], &tensor![7, 7]).is_err());
    assert_eq!(x, tensor![1, 2, 3]);
}

#[test]
fn shapes_that_do_not_fit_are_named() {
    let x = DynTensor::<f32>::full(&[3, 4], 0.0);
    let error = |result: Result<DynTensor, IndexingError>| result.unwrap_err().to_string();
    assert_eq!(
        error(x.take_along_axis(1, &DynTensor::full(&[4, 2], 0))),
        "along axis 1, indices choose where all other axes are equal: the tensor has shape [3, 4], the indices [4, 2]"
    );
    assert_eq!(
        error(x.index_add(0, &DynTensor::full(&[2], 0), &DynTensor::full(&[3, 4], 0.0))),
        "the values need shape [2, 4], and have [3, 4]"
    );
    assert_eq!(
        error(DynTensor::full(&[3], 0.0).embedding(&DynTensor::full(&[2], 0))),
        "this takes a tensor of rank 2, and shape [3] has another"
    );
    assert_eq!(
        error(x.take(2, &DynTensor::full(&[2], 0))),
        "axis 2 is out of range for a tensor of rank 2"
    );
    let error = x.masked_select(&DynTensor::full(&[4], true)).unwrap_err();
    assert_eq!(error.to_string(), "the elements of the mask need shape [3, 4], and have [4]");
    assert!(matches!(
        x.take(0, &DynTensor::from(tensor![0]).expand(&[1 << 31, 1 << 29]).unwrap()),
        Err(IndexingError::InvalidShape(ShapeError::TooLarge { .. }))
    ));
}

/// Large ones, in parts.
#[test]
fn rows_of_a_large_table() {
    let table = Tensor::<shape![1000, 1024]>::from_fn(|[row, column]| (row * 2048 + column) as f32);
    let indices =
        Tensor::<shape![3, 700], i32>::from_fn(|[a, b]| ((a * 7919 + b * 104_729) % 1000) as i32);
    let rows = table.take::<0, _>(&indices).unwrap();
    for (row, index) in rows.to_vec().chunks(1024).zip(indices.to_vec()) {
        let first = (index * 2048) as f32;
        assert!(row.iter().enumerate().all(|(column, &found)| found == first + column as f32));
    }
    let columns = table.take::<1, _>(&indices).unwrap();
    let mut places = columns.to_vec().into_iter();
    for row in 0..1000 {
        for index in indices.to_vec() {
            assert_eq!(places.next(), Some((row * 2048 + index) as f32));
        }
    }
}

/// Sums of elements of 16 bits are kept in `f32`, and rounded once: in `bf16` they would stop at 256.
#[test]
fn sums_of_16_bits() {
    fn check<T: Float>() {
        let (one, zeros) = (T::from_f64(1.0), DynTensor::full(&[3, 2], T::from_f64(0.0)));
        let indices: Vec<i64> = (0..2000).map(|number| [0, 2][number % 2]).collect();
        let rows = DynTensor::from_vec(&[2000], indices.clone()).unwrap();
        let ones = DynTensor::full(&[2000, 2], one);
        let added = zeros.index_add(0, &rows, &ones).unwrap();
        let expected = [1000.0, 1000.0, 0.0, 0.0, 1000.0, 1000.0].map(T::from_f64);
        assert_eq!(added.to_vec(), expected);
        // Several blocks in front of the axis.
        let columns = zeros.transpose().unwrap();
        let added = columns.index_add(1, &rows, &DynTensor::full(&[2, 2000], one)).unwrap();
        assert_eq!(added.transpose().unwrap().to_vec(), expected);
        let pairs = indices.iter().flat_map(|&index| [index; 2]).collect();
        let places = DynTensor::from_vec(&[2000, 2], pairs).unwrap();
        assert_eq!(zeros.scatter_add(0, &places, &ones).unwrap().to_vec(), expected);
        // Each factor is nearer to 1 than the distance of 3 from the next number of 16 bits.
        let factor = T::from_f64(1.0 + T::EPSILON.to_f64());
        let product = DynTensor::full(&[1], T::from_f64(2.0));
        let product = product.scatter_mul(
            0,
            &DynTensor::full(&[100], 0_i64),
            &DynTensor::full(&[100], factor),
        );
        let expected = 2.0 * factor.to_f64().powi(100);
        assert!(
            (product.unwrap().to_vec()[0].to_f64() / expected - 1.0).abs() < T::EPSILON.to_f64()
        );

        // The gradients that are such sums.
        let x = Tensor::<shape![4], T>::full(one).requires_grad();
        let taken = x.take::<0, _>(&Tensor::<shape![1000], i64>::full(1)).unwrap();
        let gradient = taken.sum().gradients(&x).to_vec();
        assert_eq!(gradient, [0.0, 1000.0, 0.0, 0.0].map(T::from_f64));
        let x = Tensor::<shape![1999], T>::full(one).requires_grad();
        let gradient = x.windows::<0, dim!(1000)>().sum().gradients(&x);
        assert_eq!(gradient[[999]], T::from_f64(1000.0));
    }
    check::<half::bf16>();
    check::<half::f16>();
    check::<f32>();
}
