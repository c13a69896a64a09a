"""Writes `examples/data/speech.wav` with espeak-ng, and `speech.json`, the probabilities of `onnxruntime`, and those that
NumPy computes in double precision.

    pip install --no-deps silero-vad==6.2.3
    python examples/vad/reference.py        # needs espeak-ng, numpy, onnx and onnxruntime
"""

import json
import subprocess
import wave
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

RATE, WINDOW, CONTEXT = 16000, 512, 64
data = Path(__file__).parent.parent / "data"

# Half a second of noise, a sentence, a second of a tone, a word, and a part of a window.
command = ["espeak-ng", "--stdout", "-s", "180"]
speech = []
for text in ["Shapes are types.", "Yes."]:
    with wave.open(BytesIO(subprocess.run([*command, text], capture_output=True, check=True).stdout)) as file:
        samples, rate = np.frombuffer(file.readframes(file.getnframes()), np.int16), file.getframerate()
    time = np.arange(len(samples) * RATE // rate) / RATE
    speech.append(np.interp(time, np.arange(len(samples)) / rate, samples))
noise = np.random.default_rng(0).normal(0.0, 200.0, RATE // 2)
tone = 3000.0 * np.sin(2.0 * np.pi * 440.0 * np.arange(RATE) / RATE)
samples = np.concatenate([noise, speech[0], tone, speech[1], np.zeros(100)]).astype(np.int16)
with wave.open(str(data / "speech.wav"), "wb") as file:
    file.setparams((1, 2, RATE, 0, "NONE", ""))
    file.writeframes(samples.tobytes())

path = Path(find_spec("silero_vad").origin).parent / "data" / "silero_vad_16k_op15.onnx"
session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
sound = np.pad(samples.astype(np.float32) / 32768.0, (CONTEXT, -len(samples) % WINDOW))
weights = {w.name.removeprefix("model."): onnx.numpy_helper.to_array(w) for w in onnx.load(path).graph.initializer}
weights = {name: w.astype(np.float64) for name, w in weights.items() if w.dtype == np.float32}


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def convolution(x, name, stride):
    weight = weights[name + ".weight"]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (1, 1))), 3, axis=1)[:, ::stride]
    return np.einsum("cnk,ock->on", windows, weight) + weights[name + ".bias"][:, None]


def exact(window, hidden, cell):
    """A probability and the next state, in double precision."""
    x = np.pad(window.astype(np.float64), (0, 64), mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(x, 256)[::128]
    waves = weights["stft.forward_basis_buffer"][:, 0] @ frames.T
    x = np.hypot(waves[:129], waves[129:])
    for layer, stride in enumerate([1, 2, 2, 1]):
        x = np.maximum(convolution(x, f"encoder.{layer}.reparam_conv", stride), 0.0)
    gates = sum(weights["decoder.rnn.weight_" + of] @ y + weights["decoder.rnn.bias_" + of]
                for of, y in [("ih", x[:, 0]), ("hh", hidden)])
    i, f, g, o = np.split(gates, 4)
    cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
    hidden = sigmoid(o) * np.tanh(cell)
    score = weights["decoder.decoder.2.weight"][0, :, 0] @ np.maximum(hidden, 0.0)
    return sigmoid(score + weights["decoder.decoder.2.bias"][0]), hidden, cell


state, hidden, cell = np.zeros((2, 1, 128), np.float32), np.zeros(128), np.zeros(128)
probabilities = {"onnxruntime": [], "exact": []}
for end in range(CONTEXT + WINDOW, len(sound) + 1, WINDOW):
    window = sound[end - WINDOW - CONTEXT : end]
    output, state = session.run(None, {"input": window[None], "state": state, "sr": np.array(RATE)})
    probability, hidden, cell = exact(window, hidden, cell)
    probabilities["onnxruntime"].append(float(f"{output.item():.8g}"))
    probabilities["exact"].append(float(f"{probability:.8g}"))
(data / "speech.json").write_text(json.dumps(probabilities) + "\n")
difference = np.subtract(probabilities["onnxruntime"], probabilities["exact"])
print(len(samples) / RATE, "".join("*" if p > 0.5 else "." for p in probabilities["exact"]), abs(difference).max())
