"""Writes `examples/data/speech.wav` with espeak-ng, and `speech.json`, the probabilities of `onnxruntime`.

    pip install --no-deps silero-vad==6.2.3
    python examples/vad/reference.py        # needs espeak-ng, numpy and onnxruntime
"""

import json
import subprocess
import wave
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import numpy as np
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
state, probabilities = np.zeros((2, 1, 128), np.float32), []
for end in range(CONTEXT + WINDOW, len(sound) + 1, WINDOW):
    inputs = {"input": sound[None, end - WINDOW - CONTEXT : end], "state": state, "sr": np.array(RATE)}
    output, state = session.run(None, inputs)
    probabilities.append(float(f"{output.item():.8g}"))
(data / "speech.json").write_text(json.dumps(probabilities) + "\n")
print(len(samples) / RATE, "".join("*" if p > 0.5 else "." for p in probabilities))
