"""Writes the official test cases of ONNX's operators for `tests/onnx.rs`.

    python3 tools/onnx_cases.py FOLDER

Needs the package `onnx`, whose pinned version is in `.ci/run`. Each case is a folder with `model.onnx`, `data.safetensors`
with the inputs `in.0`, `in.1` … and the outputs `out.0` …, and `case.json` with the tolerances.
"""

import json
import pathlib
import struct
import sys
import warnings

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

TYPES = {
    "float32": "F32", "float64": "F64", "float16": "F16", "bfloat16": "BF16", "int8": "I8", "int16": "I16",
    "int32": "I32", "int64": "I64", "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64", "bool": "BOOL",
}


def safetensors(arrays):
    header, data = {}, b""
    for name, array in arrays.items():
        start = len(data)
        data += np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": TYPES[str(array.dtype)],
            "shape": list(array.shape),
            "data_offsets": [start, len(data)],
        }
    header = json.dumps(header).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + data


def write(folder, case):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    inputs, outputs = case.data_sets[0]
    arrays = {}
    for kind, values in (("in", inputs), ("out", outputs)):
        for index, value in enumerate(values):
            if isinstance(value, onnx.TensorProto):
                value = numpy_helper.to_array(value)
            if isinstance(value, (np.ndarray, np.generic)) and str(value.dtype) in TYPES:
                arrays[f"{kind}.{index}"] = np.asarray(value)
    (folder / "data.safetensors").write_bytes(safetensors(arrays))
    about = {
        "rtol": case.rtol,
        "atol": case.atol,
        "inputs": [value.name for value in case.model.graph.input],
        "outputs": len(outputs),
    }
    (folder / "case.json").write_text(json.dumps(about))


def main():
    warnings.simplefilter("ignore")
    folder = pathlib.Path(sys.argv[1])
    cases = collect_testcases()
    for case in cases:
        write(folder / case.name, case)
    print(f"{len(cases)} cases in {folder}")


if __name__ == "__main__":
    main()
