//! Programs over several devices.

use tensor_xla::{Buffer, Engine, Mesh, Signature, TensorType};

use crate::{buffer, compile, eight_devices, message};

const ROWS: usize = 8;
const INNER: usize = 16;
const COLUMNS: usize = 4;

/// A layer, `tanh(x · w)`, and the sum of its squares, whose tensors are split as these attributes state.
fn layer(mesh: &str, x: &str, w: &str, y: &str, loss: &str) -> String {
    let sharding = |axes: &str| match axes {
        "" => String::new(),
        axes => format!(" {{sdy.sharding = #sdy.sharding<@mesh, {axes}>}}"),
    };
    format!(
        "module {{
           {mesh}
           func.func @main(%x: tensor<8x16xf32>{}, %w: tensor<16x4xf32>{})
               -> (tensor<8x4xf32>{}, tensor<f32>{}) {{
             %zero = stablehlo.constant dense<0.0> : tensor<f32>
             %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
                 : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
             %1 = stablehlo.tanh %0 : tensor<8x4xf32>
             %2 = stablehlo.multiply %1, %1 : tensor<8x4xf32>
             %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1]
                 : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
             return %1, %3 : tensor<8x4xf32>, tensor<f32>
           }}
         }}",
        sharding(x),
        sharding(w),
        sharding(y),
        if loss.is_empty() { String::new() } else { sharding(loss) }
    )
}

/// Elements between -1 and 1, the same for all tests.
fn elements(count: usize) -> Vec<f32> {
    (0..count).map(|index| ((index * 2_654_435_761) % 1000) as f32 / 500.0 - 1.0).collect()
}

/// The outputs of a program, the inputs of which are split as its text states.
fn run(engine: &Engine, text: &str) -> (Vec<f32>, f32, Vec<String>) {
    let layer = compile(engine, text);
    let inputs: Vec<Buffer> = (layer.signature().inputs().iter())
        .map(|input| {
            let count = input.tensor_type().sizes().iter().product();
            Buffer::from_slice(engine, input.tensor_type(), &elements(count)).unwrap()
        })
        .collect();
    let outputs = layer.call(&inputs).unwrap();
    let [loss] = outputs[1].to_vec::<f32>().unwrap()[..] else { panic!("a scalar") };
    (outputs[0].to_vec().unwrap(), loss, layer.operations().unwrap())
}

const MESH: &str = "sdy.mesh @mesh = <[\"data\"=4, \"model\"=2]>";

/// By data, by model, by both, by neither: the results are those of one device, and the compiled program has the
/// collective operations that are expected.
#[test]
fn a_layer_on_eight_devices_is_that_on_one() {
    let Some(engine) = eight_devices() else { return };
    let (expected, expected_loss, alone) = run(engine, &layer("", "", "", "", ""));
    assert!(!alone.iter().any(|name| name.starts_with("all-")), "{alone:?}");
    let ways = [
        ("by data", r#"[{"data"}, {}]"#, "[{}, {}]", r#"[{"data"}, {}]"#, true),
        ("by model", "[{}, {}]", r#"[{}, {"model"}]"#, r#"[{}, {"model"}]"#, true),
        ("by both", r#"[{"data"}, {}]"#, r#"[{}, {"model"}]"#, r#"[{"data"}, {"model"}]"#, true),
        (
            "by data over both",
            r#"[{"data", "model"}, {}]"#,
            "[{}, {}]",
            r#"[{"data", "model"}, {}]"#,
            true,
        ),
        (
            "over both, the other way",
            r#"[{"model", "data"}, {}]"#,
            "[{}, {}]",
            r#"[{"data", "model"}, {}]"#,
            true,
        ),
        ("along the sum", r#"[{}, {"data"}]"#, r#"[{"data"}, {}]"#, "[{}, {}]", true),
        ("copies", "[{}, {}]", "[{}, {}]", "[{}, {}]", false),
    ];
    for (way, x, w, y, reduces) in ways {
        let (found, loss, operations) = run(engine, &layer(MESH, x, w, y, "[]"));
        let far = found.iter().zip(&expected).any(|(a, b)| (a - b).abs() > 1e-5);
        assert!(
            !far && (loss - expected_loss).abs() <= 1e-5 * expected_loss,
            "{way}: {found:?} {loss}"
        );
        assert_eq!(operations.contains(&"all-reduce".to_owned()), reduces, "{way}: {operations:?}");
        assert!(!operations.contains(&"all-gather".to_owned()), "{way}: {operations:?}");
    }
}

/// The first devices of an engine, with axes that have a single device.
#[test]
fn a_mesh_may_have_fewer_devices_than_the_engine() {
    let Some(engine) = eight_devices() else { return };
    let (expected, ..) = run(engine, &layer("", "", "", "", ""));
    for data in [1, 2] {
        let mesh = format!("sdy.mesh @mesh = <[\"data\"={data}, \"model\"=1]>");
        let y = r#"[{"data"}, {"model"}]"#;
        let text = layer(&mesh, r#"[{"data"}, {}]"#, r#"[{}, {"model"}]"#, y, "[]");
        let (found, ..) = run(engine, &text);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-5), "{found:?}");
    }
}

/// The parts of a tensor on devices, put together again, for each way to split it.
#[test]
fn split_tensors_come_back() {
    let Some(engine) = eight_devices() else { return };
    let mesh = Mesh::new([("data", 4), ("model", 2)]).unwrap();
    let names: [&[&str]; 5] = [&[], &["data"], &["model"], &["data", "model"], &["model", "data"]];
    let elements: Vec<i16> = (0..8 * 8 * 6).collect();
    for split in (0..25).map(|number| [names[number % 5], names[number / 5]]) {
        let axes = [split[0], split[1], &[]];
        let Ok(tensor) = TensorType::of::<i16>([8, 8, 6]).sharded(&mesh, &axes) else { continue };
        let buffer = Buffer::from_slice(engine, &tensor, &elements).unwrap();
        assert_eq!(buffer.to_vec::<i16>().unwrap(), elements, "{tensor}");
        assert_eq!(buffer.addresses().unwrap().len(), 8);
    }
    let empty = TensorType::of::<f32>([0, 8]).sharded(&mesh, &[&["data"], &[]]).unwrap();
    let empty = Buffer::from_slice::<f32>(engine, &empty, &[]).unwrap();
    assert!(empty.to_vec::<f32>().unwrap().is_empty());
}

/// The plugin would compile this, and give all rows on each device.
#[test]
fn rows_that_devices_do_not_share_evenly_are_refused() {
    let text =
        layer(MESH, r#"[{"data"}, {}]"#, "[{}, {}]", r#"[{"data"}, {}]"#, "[]").replace("8x", "7x");
    let error = message(Signature::of_text(&text));
    assert!(
        error.ends_with(
            "axis 0 has size 7, which the 4 devices of `data` do not share evenly; 4 or 8 would fit"
        ),
        "{error}"
    );
}

#[test]
fn results_without_a_sharding_are_refused() {
    let text = layer(MESH, r#"[{"data"}, {}]"#, "[{}, {}]", "", "[]");
    let error = message(Signature::of_text(&text));
    assert!(
        error.starts_with("`0` has no sharding, in a program over data = 4, model = 2"),
        "{error}"
    );
}

#[test]
fn a_mesh_with_more_devices_than_there_are_is_refused() {
    let Some(engine) = eight_devices() else { return };
    let mesh = Mesh::new([("data", 16)]).unwrap();
    let rows = TensorType::of::<f32>([16]).sharded(&mesh, &[&["data"]]).unwrap();
    let words = "the mesh data = 16 has 16 devices, and the engine has 8; `Options::cpu_devices(16)` divides a CPU \
                 into that many";
    assert_eq!(message(Buffer::from_slice(engine, &rows, &[0.0_f32; 16])), words);
    let text = "module { sdy.mesh @mesh = <[\"data\"=16]>
        func.func @main(%x: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}]>}) { return } }";
    assert_eq!(message(engine.compile(text, &Signature::of_text(text).unwrap())), words);
}

/// A signature that splits a tensor in another way than the text.
#[test]
fn another_sharding_is_refused() {
    let Some(engine) = eight_devices() else { return };
    let text = "module { sdy.mesh @mesh = <[\"data\"=4]>
        func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}) { return } }";
    let mesh = Mesh::new([("data", 4)]).unwrap();
    let columns = TensorType::of::<f32>([8, 8]).sharded(&mesh, &[&[], &["data"]]).unwrap();
    assert_eq!(
        message(engine.compile(text, &Signature::new().input("x", columns))),
        "input 0, `x`: the program has f32 [8 over data = 4, 8], the signature f32 [8, 8 over data = 4]"
    );
    let whole = buffer(engine, &[8, 8], &[0.0_f32; 64]);
    assert_eq!(
        message(compile(engine, text).call([&whole])),
        "input 0, `x`: the program needs f32 [8 over data = 4, 8], and the buffer is f32 [8, 8]"
    );
}

/// More than 32 runs on several devices at once would wait for each other forever.
#[test]
fn sharded_calls_of_many_threads_end() {
    let Some(engine) = eight_devices() else { return };
    let text =
        layer(MESH, r#"[{"data"}, {}]"#, r#"[{}, {"model"}]"#, r#"[{"data"}, {"model"}]"#, "[]");
    let layer = compile(engine, &text);
    let counts = [ROWS * INNER, INNER * COLUMNS];
    let inputs: Vec<Buffer> = (layer.signature().inputs().iter().zip(counts))
        .map(|(input, count)| {
            Buffer::from_slice(engine, input.tensor_type(), &elements(count)).unwrap()
        })
        .collect();
    let expected = layer.call(&inputs).unwrap()[0].to_vec::<f32>().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let outputs = layer.call(&inputs).unwrap();
                    assert_eq!(outputs[0].to_vec::<f32>().unwrap(), expected);
                }
            });
        }
    });
}
