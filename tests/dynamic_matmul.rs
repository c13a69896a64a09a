//! Products of `DynTensor`: the typed products, and what is refused.

use std::cell::Cell;

use tensor_core::element::Number;
use tensor_core::{DynTensor, ShapeError, Tensor, axis, shape};

axis!(Huge);
axis!(K);
axis!(N);

#[test]
fn typed_products_have_the_same_bits() {
    fn check<T: Number>() {
        let element = |i: usize| T::from_f64((i * 37 % 101) as f64 / 7.0);
        let a = Tensor::<shape![3, 20, 30], T>::from_fn(|[b, i, l]| element(b * 600 + i * 30 + l));
        let b = Tensor::<shape![40, 30], T>::from_fn(|[j, l]| element(j * 30 + l + 5));
        let v = Tensor::<shape![30], T>::from_fn(|[l]| element(l + 1));
        let (right, of_rows) = (b.transpose(), a.transpose().contiguous().transpose());
        let dynamic = |x: Result<DynTensor<T>, ShapeError>| x.unwrap();
        let [da, db, dv, dr] =
            [a.clone().into(), right.clone().into(), v.clone().into(), of_rows.clone().into()]
                as [DynTensor<T>; 4];
        assert!(dynamic(da.matmul(&db)) == a.matmul(&right).into());
        assert!(dynamic(da.dot(&db)) == a.dot(&right).into());
        assert!(dynamic(dr.matmul(&db)) == of_rows.matmul(&right).into());
        assert!(dynamic(da.matmul(&dv)) == a.matmul(&v).into());
        assert!(dynamic(dv.matmul(&db)) == v.matmul(&right).into());
        assert!(dynamic(dv.dot(&dv)) == v.dot(&v).into());
        assert!(dynamic(dv.outer(&dv)) == v.outer(&v).into());
    }
    check::<f32>();
    check::<f64>();
    check::<i8>();
    check::<u16>();
    check::<half::bf16>();
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    fn zeros(sizes: &[usize]) -> DynTensor {
        DynTensor::full(sizes, 0.0)
    }
    let message = |result: Result<DynTensor, ShapeError>| result.unwrap_err().to_string();
    assert_eq!(
        message(zeros(&[2, 3]).matmul(&zeros(&[4, 5, 6]))),
        "cannot multiply: the last axis of the left side has size 3, the second last axis of the right side has size 5"
    );
    assert_eq!(
        message(zeros(&[2, 3]).dot(&zeros(&[4]))),
        "cannot multiply: the last axis of the left side has size 3, the only axis of the right side has size 4"
    );
    assert_eq!(
        message(zeros(&[4, 2, 3]).matmul(&zeros(&[2, 3, 2]))),
        "The size of tensor a (4) must match the size of tensor b (2) at non-singleton dimension 0"
    );
    assert_eq!(
        message(zeros(&[]).matmul(&zeros(&[3]))),
        "`matmul` takes at least one axis on both sides, not operands of rank 0 and 1"
    );
    assert_eq!(
        message(zeros(&[2, 3]).dot(&zeros(&[2, 3, 4]))),
        "`dot` takes at least one axis on its left side, a matrix or a vector on its right side, not operands of rank 2 and 3"
    );
    assert_eq!(
        message(zeros(&[3]).outer(&zeros(&[2, 3]))),
        "`outer` takes two vectors, not operands of rank 1 and 2"
    );
    // `matmul` and `dot` agree on vectors; `dot` does not take batches.
    assert!(zeros(&[2, 0]).matmul(&zeros(&[0, 3])).unwrap() == zeros(&[2, 3]));
    assert!(zeros(&[0, 2]).dot(&zeros(&[2, 3])).unwrap().is_empty());
}

/// Sizes whose product wraps around to 4, of elements that are broadcast.
#[test]
fn results_too_large_for_memory_are_refused() {
    const HUGE: usize = 3_689_348_814_741_910_324;
    fn check<T: Number>() {
        let left =
            Tensor::<_, T>::ones_shaped(shape![1, K(2)]).expand_shaped(shape![Huge(HUGE), K(2)]);
        let right = Tensor::<_, T>::ones_shaped(shape![K(2), N(5)]);
        let (a, b): (DynTensor<T>, DynTensor<T>) = (left.clone().into(), right.clone().into());
        let said = format!(
            "a tensor of shape [{HUGE}, 5] does not fit into memory: it has more than isize::MAX bytes"
        );
        assert_eq!(a.matmul(&b).unwrap_err().to_string(), said);
        assert_eq!(a.dot(&b).unwrap_err(), ShapeError::TooLarge { sizes: vec![HUGE, 5] });
        let message = |product: fn(&Tensor<shape![Huge, K], T>, &Tensor<shape![K, N], T>)| {
            let (left, right) = (left.clone(), right.clone());
            let work = std::panic::AssertUnwindSafe(move || product(&left, &right));
            let panic = std::panic::catch_unwind(work).expect_err("this panics");
            panic.downcast_ref::<String>().expect("a formatted message").clone()
        };
        assert_eq!(message(|a, b| _ = a.matmul(b)), said);
        assert_eq!(message(|a, b| _ = a.dot(b)), said);
    }
    check::<f32>();
    check::<f64>();
    check::<i32>();
    check::<u8>();
    check::<half::f16>();

    // The bytes overflow, the number of elements does not.
    let wide = DynTensor::full(&[1, 1], 0_u64).expand(&[1 << 31, 1]).unwrap();
    let error = wide.matmul(&DynTensor::full(&[1, 1], 0).expand(&[1, 1 << 30]).unwrap());
    assert_eq!(error.unwrap_err(), ShapeError::TooLarge { sizes: vec![1 << 31, 1 << 30] });
    // The leading axes overflow.
    let batch = DynTensor::full(&[1, 1, 1], 0_u8).expand(&[1 << 40, 1, 1]).unwrap();
    let rows = DynTensor::full(&[1, 1], 0_u8).expand(&[1, 1 << 40]).unwrap();
    assert!(matches!(batch.matmul(&rows), Err(ShapeError::TooLarge { .. })));
    let vector = DynTensor::full(&[1], 0_u8).expand(&[1 << 40]).unwrap();
    assert!(matches!(vector.outer(&vector), Err(ShapeError::TooLarge { .. })));
    // No element: no overflow.
    let none = DynTensor::full(&[0, 1], 0_u8);
    assert_eq!(none.matmul(&rows).unwrap().sizes(), [0, 1 << 40]);
}

/// An overflow is reported at the user's call.
#[test]
fn the_place_of_the_panic_is_the_call() {
    // The hook runs on the thread that panics, and other tests panic on theirs.
    thread_local! {
        static PLACE: Cell<Option<(&'static str, u32)>> = const { Cell::new(None) };
    }
    let left = Tensor::<_, f32>::ones_shaped(shape![1, K(2)])
        .expand_shaped(shape![Huge(3_689_348_814_741_910_324), K(2)]);
    let right = Tensor::<_, f32>::ones_shaped(shape![K(2), N(5)]);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map(|place| (place.file(), place.line()));
        PLACE.set(place.map(|(file, line)| (&*file.to_owned().leak(), line)));
        before(info);
    }));
    let work = std::panic::AssertUnwindSafe(|| left.matmul(&right));
    let line = line!() - 1;
    assert!(std::panic::catch_unwind(work).is_err());
    let (file, at) = PLACE.get().expect("the hook has run");
    assert!(file.ends_with("dynamic_matmul.rs") && at == line, "{file}:{at}");
}
