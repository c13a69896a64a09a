"""Runs ONNX models with onnxruntime, on one thread, for `tests/exported/mod.rs`.

    python3 tools/onnx_run.py FOLDER

Needs the packages of `tensor-onnx/tests/requirements.txt`. A model is a folder with `model.onnx` and the elements of its
inputs, `in.0`, `in.1` …; those of its outputs are written to `out.0`, `out.1` …, or the error to `error`.
"""

import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper


def run(folder):
    model = onnx.load(folder / "model.onnx")
    onnx.checker.check_model(model, full_check=True)
    inputs, initial = {}, {tensor.name for tensor in model.graph.initializer}
    for number, value in enumerate(value for value in model.graph.input if value.name not in initial):
        tensor = value.type.tensor_type
        sizes = [axis.dim_value for axis in tensor.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        inputs[value.name] = np.fromfile(folder / f"in.{number}", dtype).reshape(sizes)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    read = {value.name for value in session.get_inputs()}
    inputs = {name: value for name, value in inputs.items() if name in read}
    for number, output in enumerate(session.run(None, inputs)):
        np.ascontiguousarray(output).tofile(folder / f"out.{number}")


for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    try:
        run(folder)
    except Exception as error:  # Written for the test.
        (folder / "error").write_text(str(error))
