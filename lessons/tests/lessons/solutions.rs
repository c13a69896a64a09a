//! The solutions, as modules: they compile without a warning and are formatted as all code is. That
//! their assertions hold is tested by the walk through all lessons in `runner.rs`.

use std::fs;
use std::path::Path;

use lessons::{LESSONS, lessons_of_chapters};

macro_rules! solutions {
    ($($name:ident = $path:literal)*) => {
        $(
            #[path = $path]
            #[expect(dead_code, reason = "the program's `main`, which only the program can call")]
            mod $name;
        )*
        const COMPILED: &[&str] = &[$(stringify!($name)),*];
    };
}

solutions! {
    scalars = "../../solutions/scalars.rs"
    numbers = "../../solutions/numbers.rs"
    shapes = "../../solutions/shapes.rs"
    keepdims = "../../solutions/keepdims.rs"
    outer = "../../solutions/outer.rs"
    silent_square = "../../solutions/silent_square.rs"
    in_place = "../../solutions/in_place.rs"
    axis_numbers = "../../solutions/axis_numbers.rs"
    expand = "../../solutions/expand.rs"
    reshape = "../../solutions/reshape.rs"
    matmul = "../../solutions/matmul.rs"
    bias = "../../solutions/bias.rs"
    batches = "../../solutions/batches.rs"
    named_axes = "../../solutions/named_axes.rs"
    element_types = "../../solutions/element_types.rs"
    masks = "../../solutions/masks.rs"
    layer_norm = "../../solutions/layer_norm.rs"
    softmax = "../../solutions/softmax.rs"
    generic_layer = "../../solutions/generic_layer.rs"
    attention = "../../solutions/attention.rs"
    linear_weight = "../../solutions/linear_weight.rs"
    square_weight = "../../solutions/square_weight.rs"
    channels = "../../solutions/channels.rs"
    channels_last = "../../solutions/channels_last.rs"
    flatten = "../../solutions/flatten.rs"
    classes = "../../solutions/classes.rs"
    loss = "../../solutions/loss.rs"
    gradients = "../../solutions/gradients.rs"
    frozen = "../../solutions/frozen.rs"
    padding = "../../solutions/padding.rs"
    fused_qkv = "../../solutions/fused_qkv.rs"
    rotary_pairs = "../../solutions/rotary_pairs.rs"
    last_batch = "../../solutions/last_batch.rs"
    optimizers = "../../solutions/optimizers.rs"
    checkpoints = "../../solutions/checkpoints.rs"
}

#[test]
fn every_lesson_belongs_to_one_chapter() {
    let mut named: Vec<_> = lessons_of_chapters().map(|(_, name)| name).collect();
    let mut lessons: Vec<_> = LESSONS.iter().map(|lesson| lesson.name).collect();
    named.sort_unstable();
    lessons.sort_unstable();
    assert_eq!(named, lessons);
}

#[test]
fn every_solution_is_compiled_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("solutions");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.map(|path| path.file_stem().unwrap().to_owned()).collect();
    let mut compiled = COMPILED.to_vec();
    files.sort();
    compiled.sort_unstable();
    assert_eq!(files, compiled);
}
