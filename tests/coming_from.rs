//! The guide's chapter for those who come from NumPy, PyTorch and ndarray: what it names exists, and it
//! has every function of the Array API standard.

mod repository;

use std::collections::BTreeSet;

use repository::{methods_of_rows, name, public_functions, read};
use tensor_core::{
    Tensor, axes, axis, einsum, fuse, rearrange, select, shape, slice, tensor, zip_with,
};

axis!(Found);

/// The functions of the Python Array API standard, 2024.12, with those of its extension for linear
/// algebra.
const ARRAY_API: &str = "
    arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril
    triu zeros zeros_like
    astype can_cast finfo iinfo isdtype result_type
    abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_invert
    bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1
    floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less less_equal log log1p
    log2 log10 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply negative
    nextafter not_equal positive pow real reciprocal remainder round sign signbit sin sinh square sqrt
    subtract tan tanh trunc
    take take_along_axis
    matmul matrix_transpose tensordot vecdot
    cholesky cross det diagonal eigh eigvalsh inv matrix_norm matrix_power matrix_rank outer pinv qr
    slogdet solve svd svdvals trace vector_norm
    broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll
    squeeze stack tile unstack
    argmax argmin count_nonzero nonzero searchsorted where
    unique_all unique_counts unique_inverse unique_values
    argsort sort
    cumulative_prod cumulative_sum max mean min prod std sum var
    all any diff
";

/// The operations on tensors in the documentation of PyTorch 2.15, `torch.` and
/// `torch.nn.functional.`, except those of the Array API with the same name, names that end in `_`,
/// `_like` or `_copy`, and operations of devices, quantised, sparse and random state.
const PYTORCH: &str = "
    absolute addbmm addcdiv addcmul addmm addmv addr adjoint allclose amax amin aminmax angle arccos
    arccosh arcsin arcsinh arctan arctan2 arctanh argwhere as_strided as_tensor atleast_1d atleast_2d
    atleast_3d baddbmm bartlett_window bernoulli bincount binomial blackman_window block_diag bmm
    broadcast_tensors bucketize cartesian_prod cat cdist chain_matmul channel_shuffle cholesky_inverse
    cholesky_solve chunk clamp clamp_max clamp_min clone column_stack combinations complex corrcoef cov
    cummax cummin cumprod cumsum cumulative_trapezoid deg2rad dequantize detach diag diag_embed diagflat
    diagonal_scatter digamma dist div dot dsplit dstack einsum eq erf erfc erfinv exp2 fill fix flatten
    fliplr flipud float_power fmax fmin fmod frac frexp frombuffer from_file from_numpy gather gcd ge
    geqrf ger gradient gru gt hamming_window hann_window heaviside histc histogram histogramdd hsplit
    hstack i0 igamma igammac index_add index_copy index_fill index_put index_reduce index_select inner
    inverse is_complex is_nonzero isclose isin isneginf isposinf isreal istft kaiser_window kron
    kthvalue lcm ldexp le lerp lgamma load lobpcg logaddexp2 logcumsumexp logdet logit logspace logsumexp
    lstm lt lu lu_solve lu_unpack manual_seed masked_fill masked_scatter masked_select matrix_exp median
    mm mode movedim msort mul multinomial mv mvlgamma nan_to_num nanmean nanmedian nanquantile nansum
    narrow ne neg no_grad norm normal nuclear_norm numel orgqr ormqr pca_lowrank permute pinverse poisson
    polar polygamma put quantile quantize_per_channel quantize_per_tensor rad2deg rand randint randn
    randperm range ravel renorm repeat_interleave resolve_conj rnn_relu rnn_tanh rot90 row_stack rsqrt
    rsub save scatter scatter_add scatter_reduce segment_reduce select select_scatter sgn sinc
    slice_scatter sparse_coo_tensor split split_with_sizes std_mean stft sub svd_lowrank swapaxes
    swapdims t take_along_dim tensor_split topk transpose trapezoid trapz triangular_solve tril_indices
    triu_indices true_divide unbind unflatten unfold unique_consecutive unravel_index unsqueeze vander
    var_mean vdot view_as_complex view_as_real vmap vsplit vstack xlogy
    adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
    adaptive_max_pool3d affine_grid alpha_dropout avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear
    binary_cross_entropy binary_cross_entropy_with_logits celu conv1d conv2d conv3d conv_transpose1d
    conv_transpose2d conv_transpose3d cosine_embedding_loss cosine_similarity cross_entropy ctc_loss
    dropout dropout1d dropout2d dropout3d elu embedding embedding_bag feature_alpha_dropout fold
    fractional_max_pool2d gaussian_nll_loss gelu glu grid_sample group_norm gumbel_softmax hardshrink
    hardsigmoid hardswish hardtanh hinge_embedding_loss huber_loss instance_norm interpolate kl_div
    l1_loss layer_norm leaky_relu linear local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d
    lp_pool3d margin_ranking_loss max_pool1d max_pool2d max_pool3d max_unpool2d mish mse_loss
    multi_head_attention_forward multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss
    nll_loss normalize one_hot pad pairwise_distance pdist pixel_shuffle pixel_unshuffle
    poisson_nll_loss prelu relu relu6 rms_norm rrelu scaled_dot_product_attention selu sigmoid silu
    smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanhshrink threshold
    triplet_margin_loss upsample
";

/// Names in calls that are not ours: functions of elements that closures call, and `clone`.
const OF_ELEMENTS: [&str; 11] = [
    "cbrt",
    "clone",
    "wrapping_pow",
    "is_infinite",
    "next_up",
    "next_down",
    "is_sign_negative",
    "copysign",
    "to_radians",
    "to_degrees",
    "powf",
];

/// A row of a table.
struct Row<'a> {
    line: &'a str,
    /// Its name in another library.
    there: &'a str,
    /// Its name here.
    here: &'a str,
    is_array_api: bool,
}

fn chapter() -> String {
    read("tensor-core/guide/coming_from.md")
}

/// The rows of the tables whose first column is the Array API, PyTorch, or "there".
fn rows(chapter: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut heading = "";
    for line in chapter.lines().filter(|line| !line.starts_with("| ---")) {
        let Some(cells) = line.strip_prefix("| ") else {
            heading = "";
            continue;
        };
        let mut cells = cells.split(" | ");
        let (there, here) = (cells.next().unwrap(), cells.next().unwrap());
        if heading.is_empty() {
            heading = there;
        } else {
            rows.push(Row { line, there, here, is_array_api: heading == "Array API" });
        }
    }
    rows
}

/// The text between backticks.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// The names that a piece of code calls: after a dot or a path, before `!`, or all of it.
fn names(code: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut start = 0;
    while let Some(begin) = code[start..].find(is_word).map(|at| start + at) {
        let end = code[begin..].find(|c| !is_word(c)).map_or(code.len(), |at| begin + at);
        let (word, before, after) = (&code[begin..end], &code[..begin], &code[end..]);
        let is_name = word.starts_with(|c: char| c.is_ascii_lowercase());
        let behind_dot = before.ends_with('.') && !before.ends_with("..");
        let is_called = behind_dot || before.ends_with("::") || after.starts_with(['!', '(']);
        let is_all = before.is_empty() && after.is_empty() && word.len() > 1;
        if is_name && (is_called || is_all) {
            names.insert(word);
        }
        start = end;
    }
    names
}

/// The names of functions and methods for users, and of the macros.
fn ours() -> BTreeSet<String> {
    let mut names = methods_of_rows();
    // The macros are functions of their crate.
    for path in
        ["tensor-core/src", "tensor-array/src/io", "tensor-nn/src", "tensor-macros/src/lib.rs"]
    {
        names.extend(public_functions(path, |_| true));
    }
    // `mse(prediction, …`, a loss that a macro makes; `normal, normal_shaped, …`, the forms of a method that one makes.
    let random = ["tensor-core/src/random.rs", "tensor-core/src/random/initialize.rs"];
    let generated = read("tensor-nn/src/losses.rs") + &random.map(read).concat();
    for line in generated.lines().map(str::trim_start) {
        let name = name(line);
        let arguments = ["(prediction", "(probability", "(scores"];
        if arguments.iter().any(|start| line[name.len()..].starts_with(start)) {
            names.insert(name.to_owned());
        } else if line.starts_with(&format!("{name}, {name}_shaped")) {
            names.extend([name.to_owned(), format!("{name}_shaped")]);
        }
    }
    assert!(names.len() > 250, "{} names: is this how methods are written?", names.len());
    names
}

#[test]
fn names_of_ours_exist() {
    let (chapter, ours) = (chapter(), ours());
    assert!(ours.contains("sum_axes") && ours.contains("normal") && ours.contains("einsum"));
    assert!(!ours.contains("permute_dims") && !ours.contains("unsqueeze_"));
    let mut count = 0;
    let mut unknown = Vec::new();
    for row in rows(&chapter) {
        for name in code(row.here).flat_map(names) {
            count += 1;
            if !ours.contains(name) && !OF_ELEMENTS.contains(&name) {
                unknown.push(format!("`{name}` in {}", row.line));
            }
        }
    }
    assert!(unknown.is_empty(), "names that are not ours:\n{}", unknown.join("\n"));
    assert!(count > 200, "{count} names: is this how the tables are written?");
}

#[test]
fn rows_name_something_or_say_why_not() {
    let chapter = chapter();
    let rows = rows(&chapter);
    assert!(rows.len() > 150, "{} rows", rows.len());
    for Row { line, there, here, .. } in rows {
        assert!(!there.is_empty(), "nothing is called so elsewhere: {line}");
        match here.strip_prefix("– ") {
            Some(reason) => assert!(reason.split(' ').count() >= 2, "no reason: {line}"),
            None => assert!(code(here).count() > 0, "neither a name nor a reason: {line}"),
        }
    }
}

#[test]
fn every_function_of_the_standard_has_a_row() {
    let chapter = chapter();
    let rows = rows(&chapter);
    let standard: BTreeSet<&str> = ARRAY_API.split_whitespace().collect();
    let mut named = BTreeSet::new();
    for row in rows.iter().filter(|row| row.is_array_api) {
        for name in code(row.there) {
            assert!(named.insert(name), "`{name}` has two rows");
        }
    }
    let missing: Vec<_> = standard.difference(&named).collect();
    assert!(missing.is_empty(), "without a row: {missing:?}");
    let unknown: Vec<_> = named.difference(&standard).collect();
    assert!(unknown.is_empty(), "not in the standard: {unknown:?}");
}

#[test]
fn every_operation_of_pytorch_has_a_row() {
    let chapter = chapter();
    let tables: String = rows(&chapter).iter().map(|row| format!("{}\n", row.line)).collect();
    let named: BTreeSet<&str> =
        code(&tables).map(|name| name.rsplit('.').next().unwrap_or(name)).collect();
    let missing: Vec<_> =
        PYTORCH.split_whitespace().filter(|&name| !named.contains(name)).collect();
    assert!(missing.is_empty(), "without a row: {missing:?}");
}

/// The chapter agrees with PyTorch's names in the table of operations.
#[test]
fn every_operation_is_found_by_its_name_in_pytorch() {
    let chapter = chapter();
    let tables: String = rows(&chapter).iter().map(|row| format!("{}\n", row.line)).collect();
    let mut missing = Vec::new();
    for operation in tensor_core::operations() {
        let Some(name) = operation.pytorch else { continue };
        let name = name.replace("nn.functional.", "F.");
        if !code(&tables).any(|word| word == name || word.strip_prefix("F.") == Some(&name)) {
            missing.push(format!("`{name}`, here `{}`", operation.name));
        }
    }
    assert!(missing.is_empty(), "not in the chapter: {missing:?}");
}

/// The compositions of operations in the tables give the expected results.
#[test]
fn compositions_do_what_they_replace() {
    let a = tensor![[1.5_f32, -2.0], [3.0, f32::NAN]];
    let b = tensor![[-1.0_f32, 1.0], [2.0, 4.0]];
    let whole = select(a.is_nan(), 0.0, &a);
    assert_eq!(whole, tensor![[1.5, -2.0], [3.0, 0.0]]);
    assert_eq!(whole.sum().item(), 2.5);
    assert_eq!(zip_with(&whole, &b, f32::copysign), tensor![[-1.5, 2.0], [3.0, 0.0]]);
    let powers = zip_with(tensor![2, -3], tensor![3_u32, 2], |a: i32, n: u32| a.wrapping_pow(n));
    assert_eq!(powers, tensor![8, 9]);
    assert!(!a.map(f32::is_infinite).any().item());
    assert!(whole.map(f32::next_up).greater(&whole).all().item());
    assert_eq!(b.map(f32::is_sign_negative), tensor![[true, false], [false, false]]);
    assert_eq!(b.greater_equal(0.0).cast::<f32>(), tensor![[0.0, 1.0], [1.0, 1.0]]);
    assert_eq!(fuse!(whole + (b - whole) * 1.0), b);
    assert_eq!(&whole - whole.trunc(), tensor![[0.5, 0.0], [0.0, 0.0]]);
    let powers = Tensor::<shape![3]>::linspace(0.0, 2.0).map(|x: f32| 10.0_f32.powf(x));
    assert_eq!(powers, tensor![1.0, 10.0, 100.0]);
    assert_eq!(b.flatten().take::<0, _>(&tensor![3, 0]).unwrap(), tensor![4.0, -1.0]);
    // Anticlockwise, as `rot90`.
    assert_eq!(b.transpose().flip::<axes![0]>(), tensor![[1.0, 4.0], [-1.0, 2.0]]);
    let below = Tensor::<shape![2, 2], bool>::full(true).tril(0).nonzero::<Found>();
    assert_eq!(below.to_vec(), [0, 0, 1, 0, 1, 1]);
    assert!((&b - &b).abs().less_equal(1e-6).all().item());
    let distances = (b.unsqueeze::<1>() - &b).norm_axis::<2>();
    assert!(distances.all_close(
        &tensor![[0.0, 18.0_f32.sqrt()], [18.0_f32.sqrt(), 0.0]],
        1e-5,
        1e-6
    ));
    assert_eq!(b.transpose().dot(&b), tensor![[5.0, 7.0], [7.0, 17.0]]);
    let kron = einsum!(i j, k l -> i k j l; b, b).reshape::<shape![4, 4]>();
    assert_eq!(kron[[3, 0]], 2.0 * 2.0);
    let bilinear = einsum!(n i, o i j, n j -> n o; b, Tensor::<shape![3, 2, 2]>::ones(), b);
    assert_eq!(bilinear, tensor![[0.0, 0.0, 0.0], [36.0, 36.0, 36.0]]);
    let lengths = (&b / b.norm_axis_keepdims::<-1>()).norm_axis::<-1>();
    assert!(lengths.all_close(&tensor![1.0, 1.0], 1e-6, 0.0));
    assert!(
        (b.exp().cumsum::<-1>().ln() - b.logsumexp_axis_keepdims::<-1>()).abs().min().item() < 1e-6
    );
    let mask = tensor![[true, false], [true, true]];
    assert_eq!(select(&mask, &b / 0.5, 0.0), tensor![[-2.0, 0.0], [4.0, 8.0]]);
    assert_eq!((&b * &b).sum_axis::<-1>(), tensor![2.0, 20.0]);
    more_compositions();
    assert_eq!(Tensor::full_shaped(b.shape(), 0.5).sum().item(), 2.0);
}

/// Values from PyTorch 2.15.
fn more_compositions() {
    let x = tensor![-3.0_f32, -0.3, 0.2, 4.0];
    let close = |y: Tensor<shape![4]>, expected| assert!(y.all_close(&expected, 1e-5, 1e-6), "{y}");
    close(select(x.greater(0.0), &x, &x * 0.01), tensor![-0.03, -0.003, 0.2, 4.0]);
    close(select(x.greater(0.0), &x, x.exp_m1()), tensor![-0.950213, -0.259182, 0.2, 4.0]);
    close((&x / 6.0 + 0.5).clamp(0.0, 1.0), tensor![0.0, 0.45, 0.533333, 1.0]);
    close(&x * (&x / 6.0 + 0.5).clamp(0.0, 1.0), tensor![0.0, -0.135, 0.106667, 4.0]);
    close(&x * x.softplus().tanh(), tensor![-0.145647, -0.151133, 0.132599, 3.997413]);
    close(&x / (x.abs() + 1.0), tensor![-0.75, -0.230769, 0.166667, 0.8]);
    close(-(-&x).softplus(), tensor![-3.048587, -0.854355, -0.598139, -0.018150]);
    close(select(x.greater(0.1), &x, 20.0), tensor![20.0, 20.0, 0.2, 4.0]);
    close(select(x.abs().greater(0.5), &x, 0.0), tensor![-3.0, 0.0, 0.0, 4.0]);
    close(&x - x.clamp(-0.5, 0.5), tensor![-2.5, 0.0, 0.0, 3.5]);
    close((-&x).softmax::<-1>(), tensor![0.901811, 0.060607, 0.036760, 0.000822]);
    let [a, b] = x.chunk::<-1, 2>();
    assert!((a * b.sigmoid()).all_close(&tensor![-1.649502, -0.294604], 1e-5, 1e-6));
    let half = Tensor::<shape![4]>::full(0.5);
    let m = x.maximum(&half);
    close(
        &m + ((&x - &m).exp2() + (&half - &m).exp2()).log2(),
        tensor![0.622193, 1.154755, 1.357784, 4.122193],
    );
    let p = tensor![0.1_f32, 0.5, 0.9];
    let logit = (&p / (1.0 - &p)).ln();
    assert!(logit.all_close(&tensor![-2.197225, 0.0, 2.197225], 1e-5, 1e-6));
    let vander =
        tensor![1.0_f32, 2.0, 3.0].unsqueeze::<1>().pow(Tensor::<shape![3], f32>::arange());
    assert_eq!(vander, tensor![[1.0, 1.0, 1.0], [1.0, 2.0, 4.0], [1.0, 3.0, 9.0]]);
    let renormed = &x * (1.0 / x.norm_axis_keepdims::<-1>()).minimum(1.0);
    assert!((renormed.norm().item() - 1.0).abs() < 1e-6);
    assert_eq!(zip_with(tensor![f32::NAN, 1.0], tensor![2.0, 3.0], f32::max), tensor![2.0, 3.0]);
    assert_eq!(x.slice(slice![2..]) - x.slice(slice![..-2]), tensor![3.2, 4.3]);
    let areas = (x.slice(slice![1..]) + x.slice(slice![..-1])) * 0.5;
    assert!(areas.cumsum::<0>().all_close(&tensor![-1.65, -1.7, 0.4], 1e-5, 1e-6));
    let image = Tensor::<shape![48]>::arange().reshape::<shape![1, 8, 2, 3]>();
    let large = rearrange!(b (c r s) h w -> b c (h r) (w s); image, r = 2, s = 2);
    assert_eq!(large[[0, 0, 0, 1]], 6.0);
    assert_eq!(large[[0, 1, 1, 0]], 36.0);
    let mixed = rearrange!(b (g c) h w -> b (c g) h w; image, g = 2);
    assert_eq!(mixed[[0, 1, 0, 0]], 24.0);
    let mask = tensor![[true, false], [true, true]];
    let y = Tensor::<shape![2, 2]>::zeros();
    let values = tensor![1.0, 2.0, 3.0].rename_axis::<0, Found>();
    let places = mask.flatnonzero::<Found>();
    let filled = y.flatten().index_copy::<0, _>(&places, &values);
    assert_eq!(filled.unwrap(), tensor![1.0, 0.0, 2.0, 3.0]);
}
