"""Prints the time of onnxruntime for models, on one thread: the seconds of the fastest run.

    python3 tools/onnx_speed.py SECONDS FOLDER…

A folder has `model.onnx`, `data.safetensors` and `case.json`, as `tools/onnx_models.py` writes them. Each model runs for the
given number of seconds.
"""

import json
import pathlib
import struct
import sys
import time

import numpy as np
import onnxruntime

TYPES = {"F32": np.float32, "F64": np.float64, "I64": np.int64, "I32": np.int32, "U8": np.uint8, "BOOL": np.bool_}


def tensors(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    for name, entry in json.loads(data[8 : 8 + length]).items():
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        yield name, np.frombuffer(data[start:end], TYPES[entry["dtype"]]).reshape(entry["shape"])


def main():
    seconds, *folders = sys.argv[1:]
    for folder in map(pathlib.Path, folders):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(folder / "model.onnx", options, ["CPUExecutionProvider"])
        data = dict(tensors(folder / "data.safetensors"))
        names = json.loads((folder / "case.json").read_text())["inputs"]
        inputs = {name: data[f"in.{number}"] for number, name in enumerate(names)}
        best, count, start = float("inf"), 0, time.perf_counter()
        while count <= 20 or time.perf_counter() - start < float(seconds):
            before = time.perf_counter()
            session.run(None, inputs)
            best = min(best, time.perf_counter() - before)
            count += 1
        print(folder.name, best)


main()
