//! Tensors from and to other crates: every order of elements, without copies where there need be none.

/// A tensor of every kind that views make of one: rank 0, empty, transposed, backwards, with gaps,
/// stretched.
fn views() -> Vec<tensor_core::DynTensor<i32>> {
    use tensor_core::DynTensor;

    let count = |sizes: &[usize]| {
        let mut next = 0;
        DynTensor::from_fn(sizes, |_| {
            next += 1;
            next
        })
    };
    let (small, large) = (count(&[2, 3, 2]), count(&[4, 5, 6]));
    let mut views = vec![DynTensor::scalar(7), count(&[0]), count(&[3, 0, 2]), count(&[5, 1])];
    for x in [small, large] {
        views.push(x.transpose().unwrap());
        views.push(x.permute(&[2, 0, 1]).unwrap());
        views.push(x.flip(&[0, 2]).unwrap());
        views.push(x.flip(&[1]).unwrap().transpose().unwrap());
        views.push(x.slice_axis(1, 1..3).unwrap());
        views.push(x.windows(1, 2).unwrap());
        views.push(
            x.unsqueeze(1).unwrap().expand(&[x.sizes()[0], 3, x.sizes()[1], x.sizes()[2]]).unwrap(),
        );
        views.push(x);
    }
    views
}

mod ndarray_arrays {
    use ndarray::{Array1, Array2, Array3, ArrayD, ArrayView3, Axis, IxDyn, ShapeBuilder, s};
    use tensor_core::{DynTensor, ShapeError, Tensor, axis, shape, tensor};

    use super::views;

    #[test]
    fn views_have_the_elements_of_every_index() {
        for x in views() {
            let view = x.as_ndarray();
            assert_eq!(view.shape(), x.sizes());
            for (index, element) in view.indexed_iter() {
                let index: Vec<usize> = (0..x.rank()).map(|axis| index[axis]).collect();
                assert_eq!(Some(*element), x.get(&index), "{:?} at {index:?}", x.sizes());
            }
            assert_eq!(ArrayD::from(x.clone()), x.as_ndarray());
            assert_eq!(DynTensor::from(x.as_ndarray().to_owned()), x);
        }
    }

    #[test]
    fn views_copy_nothing() {
        let x = Tensor::<shape![120]>::arange().reshape::<shape![4, 5, 6]>();
        let start = x.as_slice().unwrap().as_ptr();
        let view: ArrayView3<f32> = x.as_ndarray();
        assert_eq!(view.as_ptr(), start);
        let transposed = x.transpose();
        assert_eq!(transposed.as_ndarray().as_ptr(), start);
        assert_eq!(transposed.as_ndarray().strides(), [30, 1, 6]);
    }

    #[test]
    fn arrays_of_every_order_move() {
        let plain = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| (100 * i + 10 * j + k) as i64);
        let fortran =
            Array3::from_shape_fn((4, 5, 6).f(), |(i, j, k)| (100 * i + 10 * j + k) as i64);
        let mut backwards = plain.clone();
        backwards.invert_axis(Axis(1));
        let gaps = plain.clone().slice_move(s![1..; 2, ..; -1, 2..5]);
        let permuted = plain.clone().permuted_axes([2, 0, 1]);
        for array in [plain, fortran, backwards, gaps, permuted] {
            let first = &raw const array[[0, 0, 0]];
            let x = DynTensor::from(array.clone());
            assert_eq!(x.as_ndarray(), array.view().into_dyn());
            let moved = DynTensor::from(array);
            assert_eq!(moved.as_ndarray().as_ptr(), first);
        }
    }

    #[test]
    fn contiguous_elements_move_both_ways() {
        let array = Array2::from_shape_fn((7, 9), |(i, j)| (10 * i + j) as f64);
        let first = array.as_ptr();
        let x: Tensor<shape![7, 9], f64> = array.try_into().unwrap();
        let back = Array2::from(x);
        assert_eq!(back.as_ptr(), first);
        assert_eq!(back[[6, 8]], 68.0);
    }

    #[test]
    fn empty_and_single_arrays() {
        let empty = DynTensor::from(ArrayD::<f32>::zeros(IxDyn(&[3, 0, 2])));
        assert_eq!(empty.sizes(), [3, 0, 2]);
        let single = DynTensor::from(ndarray::arr0(5));
        assert_eq!((single.rank(), single.to_vec()), (0, vec![5]));
        // The rest of a large array begins far into its elements.
        let last = Array1::from_iter(0..1000).slice_move(s![999..]);
        assert_eq!(DynTensor::from(last).to_vec(), [999]);
        let none = Array1::from_iter(0..1000).slice_move(s![500..500]);
        assert_eq!(DynTensor::from(none).sizes(), [0]);
    }

    #[test]
    fn shapes_are_checked() {
        axis!(Batch);
        let array = Array2::<f32>::zeros((2, 3));
        let error = Tensor::<shape![Batch, 4]>::try_from(array).unwrap_err();
        assert!(matches!(error.error(), ShapeError::StaticSize { axis: 1, .. }));
        assert_eq!(error.into_tensor().sizes(), [2, 3]);
    }

    /// `ndarray` multiplies the sizes that are not 0, also of an array that is empty.
    #[test]
    fn sizes_that_ndarray_does_not_take() {
        let x = DynTensor::<f32>::zeros(&[0, 1 << 40, 1 << 40]);
        let message = |panic: Box<dyn std::any::Any + Send>| *panic.downcast::<String>().unwrap();
        let expected = "`ndarray` takes sizes whose product, without those that are 0, is at most isize::MAX, not [0, 1099511627776, 1099511627776]";
        let view = std::panic::catch_unwind(|| x.as_ndarray().len());
        assert_eq!(message(view.unwrap_err()), expected);
        let array = std::panic::catch_unwind(|| ArrayD::from(x.clone()).len());
        assert_eq!(message(array.unwrap_err()), expected);
        let long = DynTensor::<f32>::zeros(&[0, isize::MAX as usize]);
        assert_eq!(long.as_ndarray().shape(), [0, isize::MAX as usize]);
        assert_eq!(ArrayD::from(long.clone()).shape(), long.sizes());
    }

    #[test]
    fn seven_axes_and_more() {
        let x = tensor![1, 2].reshape::<shape![1, 1, 1, 2, 1, 1, 1, 1]>();
        let view: ndarray::ArrayViewD<i32> = x.as_ndarray();
        assert_eq!(view.shape(), [1, 1, 1, 2, 1, 1, 1, 1]);
        let y = tensor![1, 2].reshape::<shape![1, 1, 1, 2, 1, 1]>();
        let view: ndarray::ArrayView6<i32> = y.as_ndarray();
        assert_eq!(view.shape(), [1, 1, 1, 2, 1, 1]);
    }
}

mod nalgebra_matrices {
    use nalgebra::{DMatrix, DVector, SMatrix};
    use tensor_core::{DynTensor, ShapeError, Tensor, axes, shape, slice, tensor};

    #[test]
    fn matrices_move_both_ways() {
        let matrix = DMatrix::from_fn(7, 9, |i, j| (10 * i + j) as f64);
        let first = matrix.as_ptr();
        let x: Tensor<shape![7, 9], f64> = matrix.try_into().unwrap();
        assert_eq!(x[[6, 8]], 68.0);
        let back = DMatrix::from(x);
        assert_eq!(back.as_ptr(), first);
        assert_eq!(back[(6, 8)], 68.0);
    }

    #[test]
    fn vectors_move_both_ways() {
        let vector = DVector::from_fn(50, |i, _| i as f32);
        let first = vector.as_ptr();
        let x: Tensor<shape![50]> = vector.try_into().unwrap();
        let back = DVector::from(x);
        assert_eq!((back.as_ptr(), back[49]), (first, 49.0));
    }

    #[test]
    fn rows_become_columns() {
        let x = Tensor::<shape![600], i32>::arange().reshape::<shape![20, 30]>();
        let matrix = DMatrix::from(x.clone());
        assert!((0..20).all(|i| (0..30).all(|j| matrix[(i, j)] == x[[i, j]])));
        let small = SMatrix::<i32, 2, 3>::new(1, 2, 3, 4, 5, 6);
        let small: Tensor<shape![2, 3], i32> = small.try_into().unwrap();
        assert_eq!(small, tensor![[1, 2, 3], [4, 5, 6]]);
    }

    #[test]
    fn views_copy_nothing() {
        let x = Tensor::<shape![20]>::arange().reshape::<shape![4, 5]>();
        let plain = x.as_nalgebra().unwrap();
        assert_eq!(plain.as_ptr(), x.as_slice().unwrap().as_ptr());
        let part = x.slice(slice![1.., ..; 2]);
        let expected = [5.0, 7.0, 9.0, 10.0, 12.0, 14.0, 15.0, 17.0, 19.0];
        assert_eq!(part.as_nalgebra().unwrap(), DMatrix::from_row_slice(3, 3, &expected));
        let turned = x.transpose();
        assert_eq!(turned.as_nalgebra().unwrap().clone_owned(), plain.transpose());
    }

    #[test]
    fn rows_columns_and_nothing() {
        for (rows, columns) in [(1, 5), (5, 1), (1, 1), (0, 3), (3, 0), (0, 0)] {
            let matrix = DMatrix::from_fn(rows, columns, |i, j| (10 * i + j) as i64);
            let x = DynTensor::from(matrix.clone());
            assert_eq!(x.sizes(), [rows, columns]);
            assert_eq!(x.as_nalgebra().unwrap().clone_owned(), matrix);
            assert_eq!(DMatrix::try_from(x.contiguous()).unwrap(), matrix);
        }
        let column = DynTensor::from(DVector::from_vec(vec![1, 2, 3]));
        assert_eq!(column.as_nalgebra().unwrap(), DMatrix::from_row_slice(3, 1, &[1, 2, 3]));
        for sizes in [[usize::MAX, 0], [0, usize::MAX], [1 << 40, 0]] {
            let long = DynTensor::<f32>::zeros(&sizes);
            assert_eq!(long.as_nalgebra().unwrap().shape(), sizes.into());
            assert_eq!(DMatrix::try_from(long).unwrap().shape(), sizes.into());
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let x = DynTensor::full(&[2, 3, 4], 1.0);
        assert!(matches!(x.as_nalgebra(), Err(ShapeError::Rank { expected: 2, found: 3 })));
        assert!(matches!(DMatrix::try_from(x.clone()), Err(ShapeError::Rank { expected: 2, .. })));
        assert!(matches!(DVector::try_from(x), Err(ShapeError::Rank { expected: 1, .. })));
        let flipped = Tensor::<shape![6]>::arange().reshape::<shape![2, 3]>().flip::<axes![1]>();
        assert_eq!(
            flipped.as_nalgebra().unwrap_err().to_string(),
            "axis 1 runs backwards, and this view takes positive strides alone: `contiguous` copies the tensor"
        );
        let stretched = tensor![1.0, 2.0].expand::<shape![3, 2]>();
        assert_eq!(
            stretched.as_nalgebra().unwrap_err(),
            ShapeError::StrideNotPositive { axis: 0, stride: 0 }
        );
        assert_eq!(DMatrix::from(stretched).row(2).sum(), 3.0);
        // An axis of size 1 takes no step, whichever way.
        let row = tensor![1.0, 2.0].unsqueeze::<0>().flip::<axes![0]>();
        assert_eq!(row.as_nalgebra().unwrap(), DMatrix::from_row_slice(1, 2, &[1.0, 2.0]));
        assert_eq!(flipped.contiguous().as_nalgebra().unwrap()[(0, 0)], 2.0);
        assert_eq!(DMatrix::from(flipped)[(1, 2)], 3.0);
    }
}

mod pictures {
    use image::{GrayImage, ImageBuffer, Luma, Rgb, Rgb32FImage, RgbImage, Rgba};
    use tensor_core::{DynTensor, ShapeError, Tensor, axis, shape};

    axis!(Height, Width);

    #[test]
    fn pixels_are_where_they_were() {
        let image = RgbImage::from_fn(7, 5, |x, y| Rgb([x as u8, y as u8, 9]));
        let first = image.as_raw().as_ptr();
        let pixels: Tensor<shape![Height, Width, 3], u8> = image.try_into().unwrap();
        assert_eq!(pixels.shape(), shape![Height(5), Width(7), 3]);
        assert_eq!([pixels[[4, 6, 0]], pixels[[4, 6, 1]], pixels[[4, 6, 2]]], [6, 4, 9]);
        let back = RgbImage::try_from(pixels).unwrap();
        assert_eq!((back.as_raw().as_ptr(), back.dimensions()), (first, (7, 5)));
    }

    #[test]
    fn pixels_of_all_kinds() {
        let grey = DynTensor::from(GrayImage::from_pixel(3, 2, Luma([9])));
        assert_eq!((grey.sizes(), grey.to_vec()), (&[2, 3, 1][..], vec![9; 6]));
        let deep = ImageBuffer::<Rgba<u16>, Vec<u16>>::new(3, 2);
        assert_eq!(DynTensor::from(deep).sizes(), [2, 3, 4]);
        let bright = DynTensor::full(&[2, 3, 3], 0.5_f32);
        assert_eq!(Rgb32FImage::try_from(bright).unwrap().get_pixel(2, 1), &Rgb([0.5; 3]));
        let empty = RgbImage::try_from(DynTensor::zeros(&[0, 4, 3])).unwrap();
        assert_eq!(empty.dimensions(), (4, 0));
    }

    /// Views are copied into the order of the picture.
    #[test]
    fn turned_pictures() {
        let image = RgbImage::from_fn(40, 30, |x, y| Rgb([x as u8, y as u8, 9]));
        let turned = DynTensor::from(image).permute(&[1, 0, 2]).unwrap();
        let turned = RgbImage::try_from(turned).unwrap();
        assert_eq!((turned.dimensions(), turned.get_pixel(29, 39)), ((30, 40), &Rgb([39, 29, 9])));
    }

    #[test]
    fn a_buffer_that_is_too_long() {
        let image = RgbImage::from_raw(2, 2, vec![1; 100]).unwrap();
        assert_eq!(DynTensor::from(image).to_vec(), [1; 12]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let four = DynTensor::<u8>::zeros(&[2, 2, 4]);
        let error = RgbImage::try_from(four).unwrap_err();
        assert_eq!(error.to_string(), "axis 2 has size 3 in the type, 4 in the data");
        let flat = DynTensor::<u8>::zeros(&[2, 3]);
        let error = RgbImage::try_from(flat).unwrap_err();
        assert!(matches!(error, ShapeError::Rank { expected: 3, found: 2 }));
        let huge = DynTensor::<u8>::zeros(&[0, 1 << 40, 3]);
        assert!(matches!(RgbImage::try_from(huge), Err(ShapeError::TooLarge { .. })));
        let image = RgbImage::new(7, 5);
        assert!(Tensor::<shape![Height, Width, 4], u8>::try_from(image).is_err());
    }
}

mod serde_data {
    use half::{bf16, f16};
    use tensor_core::{DynTensor, Float, Tensor, axis, shape, tensor};

    use super::views;

    #[test]
    fn views_come_back() {
        for x in views() {
            let json = serde_json::to_string(&x).unwrap();
            assert_eq!(serde_json::from_str::<DynTensor<i32>>(&json).unwrap(), x, "{json}");
        }
    }

    #[test]
    fn what_is_written() {
        let x = tensor![[true, false], [false, true]];
        let json = serde_json::to_string(&x.transpose()).unwrap();
        assert_eq!(json, r#"{"shape":[2,2],"data":[true,false,false,true]}"#);
        let x = DynTensor::scalar(0.1);
        assert_eq!(serde_json::to_string(&x).unwrap(), r#"{"shape":[],"data":[0.1]}"#);
    }

    #[test]
    fn floats_come_back_bit_for_bit() {
        let values = [f32::MIN_POSITIVE, 1e-45, -0.0, f32::MAX, 0.1, 1.0 / 3.0];
        let x = DynTensor::from_vec(&[6], values.to_vec()).unwrap();
        let back: DynTensor = serde_json::from_str(&serde_json::to_string(&x).unwrap()).unwrap();
        assert!(back.iter().zip(values).all(|(a, b)| a.to_bits() == b.to_bits()));
    }

    #[test]
    fn fields_come_in_any_order_and_without_names() {
        axis!(Batch);
        type Rows = Tensor<shape![Batch, 2], i32>;
        for json in [
            r#"{"data":[1,2,3,4],"shape":[2,2]}"#,
            r#"{"shape":[2,2],"data":[1,2,3,4]}"#,
            "[[2,2],[1,2,3,4]]",
        ] {
            let x: Rows = serde_json::from_str(json).unwrap();
            assert_eq!(x.shape(), shape![Batch(2), 2]);
            assert_eq!(x.to_vec(), [1, 2, 3, 4]);
        }
    }

    /// The error for this data.
    fn complaint(json: &str) -> String {
        let error = serde_json::from_str::<Tensor<shape![2, 2], i32>>(json).unwrap_err();
        error.to_string()
    }

    #[test]
    fn malformed_data_is_an_error() {
        for (json, says) in [
            (r#"{"shape":[2,2],"data":[1,2,3]}"#, "shape [2, 2] has 4 elements, but 3 were given"),
            (
                r#"{"shape":[2,3],"data":[1,2,3,4,5,6]}"#,
                "axis 1 has size 2 in the type, 3 in the data",
            ),
            (r#"{"shape":[4],"data":[1,2,3,4]}"#, "the type has 2 axes, the data 1"),
            (r#"{"shape":[2,2]}"#, "missing field `data`"),
            (r#"{"data":[1,2,3,4]}"#, "missing field `shape`"),
            (r#"{"shape":[2,2],"shape":[2,2],"data":[]}"#, "duplicate field `shape`"),
            (r#"{"shape":[2,2],"values":[]}"#, "unknown field `values`"),
            (r#"{"shape":[2,-2],"data":[]}"#, "invalid value: integer `-2`, expected usize"),
            (r#"{"shape":[2,2],"data":[1,2,3,4.5]}"#, "invalid type: floating point `4.5`"),
            ("[[2,2]]", "missing field `data`"),
            ("7", "invalid type: integer `7`, expected a tensor, with `shape` and `data`"),
        ] {
            let said = complaint(json);
            assert!(said.starts_with(says), "{json}: {said}");
        }
        // Sizes whose product overflows are no more elements than there are.
        let huge = u64::MAX;
        let json = format!(r#"{{"shape":[{huge},{huge},2],"data":[1]}}"#);
        assert!(serde_json::from_str::<DynTensor<i32>>(&json).is_err());
    }

    /// Checks what a tensor is written as, and that it is read again, NaN included.
    #[track_caller]
    fn comes_back<T>(elements: Vec<T>, data: &str)
    where
        T: Float + serde::Serialize + serde::de::DeserializeOwned,
    {
        let x = DynTensor::from_vec(&[elements.len()], elements).unwrap();
        let json = serde_json::to_string(&x).unwrap();
        assert_eq!(json, format!(r#"{{"shape":[{}],"data":{data}}}"#, x.len()));
        let back: DynTensor<T> = serde_json::from_str(&json).unwrap();
        let bits =
            |x: &DynTensor<T>| -> Vec<u64> { x.iter().map(|x| x.to_f64().to_bits()).collect() };
        assert_eq!(bits(&back), bits(&x), "{json}");
    }

    #[test]
    fn floats_are_numbers_where_people_read_them() {
        let names = r#""NaN","inf","-inf""#;
        let others = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        comes_back(others.to_vec(), &format!("[{names}]"));
        comes_back(others.map(|x| x as f32).to_vec(), &format!("[{names}]"));
        let halves = [1.5, -0.0, 65504.0, 0.1, others[0], others[1], others[2]];
        comes_back(
            halves.map(f16::from_f64).to_vec(),
            &format!("[1.5,-0.0,65504.0,0.099975586,{names}]"),
        );
        comes_back(
            halves.map(bf16::from_f64).to_vec(),
            &format!("[1.5,-0.0,65536.0,0.100097656,{names}]"),
        );
        let smallest = [f16::from_bits(1), f16::from_bits(0x3ff)].to_vec();
        comes_back(smallest, "[5.9604645e-8,0.00006097555]");
    }

    #[test]
    fn every_half_comes_back() {
        let all: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
        let x = DynTensor::from_vec(&[all.len()], all).unwrap();
        let back: DynTensor<f16> =
            serde_json::from_str(&serde_json::to_string(&x).unwrap()).unwrap();
        assert!(
            x.iter()
                .zip(back.iter())
                .all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
        );
    }

    #[test]
    fn floats_that_are_none() {
        let read = |data: &str| {
            let json = format!(r#"{{"shape":[1],"data":[{data}]}}"#);
            serde_json::from_str::<DynTensor<f16>>(&json)
                .map(|x| x.to_vec()[0])
                .map_err(|error| error.to_string())
        };
        assert_eq!(read("2").unwrap(), f16::from_f32(2.0));
        assert_eq!(read("-2").unwrap(), f16::from_f32(-2.0));
        for (data, says) in [
            ("65520", "65520 is out of the range of f16"),
            ("-1e300", "-1"),
            ("null", "invalid type: null, expected f16: a number, \"NaN\", \"inf\" or \"-inf\""),
            ("\"nan\"", "invalid value: string \"nan\", expected f16: a number"),
            ("{}", "invalid type: map, expected f16: a number"),
            ("true", "invalid type: boolean `true`, expected f16"),
        ] {
            let error = read(data).unwrap_err();
            assert!(error.starts_with(says), "{data}: {error}");
        }
    }

    /// As `serde_json` hands over a number with its feature `arbitrary_precision`.
    #[test]
    fn numbers_as_digits() {
        let json = r#"[[1],[{"$serde_json::private::Number":"0.1"}]]"#;
        assert_eq!(serde_json::from_str::<DynTensor<f64>>(json).unwrap().to_vec(), [0.1]);
    }

    /// A format for machines, in which a float is its bits.
    #[test]
    fn bits_where_machines_read_them() {
        fn again<T>(elements: &[T]) -> (Vec<u8>, Vec<T>)
        where
            T: Float + serde::Serialize + serde::de::DeserializeOwned,
        {
            let x = DynTensor::from_vec(&[elements.len()], elements.to_vec()).unwrap();
            let mut bytes = Vec::new();
            ciborium::into_writer(&x, &mut bytes).unwrap();
            let back: DynTensor<T> = ciborium::from_reader(&bytes[..]).unwrap();
            (bytes, back.to_vec())
        }
        let (bytes, back) = again(&[f16::from_f32(1.5), f16::NAN]);
        // Integers of 16 bits.
        assert!(bytes.ends_with(&[0x82, 0x19, 0x3e, 0x00, 0x19, 0x7e, 0x00]), "{bytes:x?}");
        assert_eq!([back[0].to_bits(), back[1].to_bits()], [0x3e00, 0x7e00]);
        let (_, back) = again(&[f32::NAN, f32::INFINITY, -0.0]);
        assert!(back[0].is_nan() && back[1] == f32::INFINITY && back[2].is_sign_negative());
    }
}
