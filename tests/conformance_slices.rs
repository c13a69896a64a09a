//! The cases of `ops.json` that take a part of a tensor, split it or move its axes, without shapes as
//! types: the same numbers, and an error where the types have no impl.

#[allow(dead_code, unused_imports, reason = "each test uses its part")]
mod computed;
#[allow(dead_code, reason = "each test uses its part")]
mod corpus;

use computed::{Run, Written};
use corpus::Case;
use tensor_core::{DynTensor, ShapeError};

/// The numbers of an attribute.
fn list(case: &Case, name: &str) -> Option<Vec<isize>> {
    let list = case.attrs.get(name)?.as_array()?;
    Some(list.iter().map(|item| item.as_i64().unwrap() as isize).collect())
}

fn integer(case: &Case, name: &str) -> isize {
    case.attrs[name].as_i64().unwrap() as isize
}

fn results<T: Written>(x: &DynTensor<T>, case: &Case) -> Result<Vec<DynTensor<T>>, ShapeError> {
    let result = match case.op.as_str() {
        "flip" => x.flip(&list(case, "axes").unwrap()),
        "swap_axes" => x.swap_axes(integer(case, "axis0"), integer(case, "axis1")),
        "diagonal" => {
            x.diagonal(integer(case, "k"), integer(case, "axis0"), integer(case, "axis1"))
        }
        "transpose" => x.permute(&list(case, "perm").unwrap()),
        "split" => {
            let sizes: Vec<usize> =
                list(case, "sizes").unwrap().into_iter().map(isize::unsigned_abs).collect();
            return x.split(integer(case, "axis"), &sizes);
        }
        "slice" => {
            let starts = list(case, "starts").unwrap();
            let ends = list(case, "ends").unwrap();
            let in_order = || (0..starts.len() as isize).collect();
            let axes: Vec<isize> = list(case, "axes").unwrap_or_else(in_order);
            let steps = list(case, "steps").unwrap_or_else(|| vec![1; starts.len()]);
            let mut x = x.clone();
            for place in 0..starts.len() {
                // NumPy cuts bounds down to the axis, which is an error here.
                let size = x.sizes()[axes[place].rem_euclid(x.rank() as isize) as usize] as isize;
                let cut = |bound: isize| bound.clamp(-size, size);
                let (start, end) = (cut(starts[place]), cut(ends[place]));
                x = x.slice_axis_step(axes[place], start, Some(end), steps[place])?;
            }
            Ok(x)
        }
        other => panic!("{other}"),
    };
    result.map(|result| vec![result])
}

#[test]
fn parts_of_dynamic_tensors_have_the_same_numbers() {
    fn check<T: Written>(run: &mut Run, case: &Case) {
        match (case.ok, results(&run.dynamic::<T>("x"), case)) {
            (true, Ok(results)) => {
                results.into_iter().for_each(|result| run.check_dynamic(result));
            }
            (false, Err(_)) => {}
            (_, results) => panic!("{}: {:?}", case.id, results.map(|all| all.len())),
        }
    }
    let ops = ["slice", "split", "flip", "swap_axes", "diagonal", "transpose"];
    let mut cases = Case::all();
    cases.retain(|case| ops.contains(&case.op.as_str()));
    assert!(cases.len() > 70, "{} cases", cases.len());
    let mut run = Run::new(cases.clone());
    for case in &cases {
        run.start(&case.id);
        match case.inputs[0].dtype.as_str() {
            "f32" => check::<f32>(&mut run, case),
            "f64" => check::<f64>(&mut run, case),
            "i64" => check::<i64>(&mut run, case),
            other => panic!("{}: elements of type {other}", case.id),
        }
    }
    let (_, failures) = run.finish();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
