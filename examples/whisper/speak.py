"""Writes the sentences below as `0.wav`, `1.wav` …, spoken by espeak-ng, into a folder: 16,000 Hz, 16 bits, one channel.

    pip install --no-deps espeakng-loader==0.2.4
    python examples/whisper/speak.py FOLDER
"""

import sys
import wave
from array import array
from ctypes import CDLL, CFUNCTYPE, POINTER, c_char_p, c_int, c_short, c_size_t, c_uint, c_void_p
from pathlib import Path

import espeakng_loader

RATE = 16000
SENTENCES = [
    "The quick brown fox jumps over the lazy dog.",
    "The shape of a tensor is part of its type.",
    "My brother bought seven apples and three oranges at the market.",
    "It was raining when the train left the station this morning.",
    "Please close the window before you go to sleep.",
    "The capital of France is Paris, and the capital of Italy is Rome.",
    "She reads a long book about the history of mathematics.",
    "The children played in the garden until it was dark.",
    "Water boils at one hundred degrees and freezes at zero.",
    "Thank you very much for your help. I will see you tomorrow.",
]
# Of `speak_lib.h`: results go to the callback alone, all of the text is one call, and it is UTF-8; the parameter is the
# number of words in a minute.
SYNCHRONOUS, CHARACTERS, UTF8, WORDS_PER_MINUTE = 2, 1, 1, 1


def library():
    """The library, and the list to which it appends samples."""
    espeak, samples = CDLL(espeakng_loader.get_library_path()), array("h")
    espeak.espeak_Synth.argtypes = [c_char_p, c_size_t, c_uint, c_int, c_uint, c_uint, c_void_p, c_void_p]
    callback = CFUNCTYPE(c_int, POINTER(c_short), c_int, c_void_p)

    @callback
    def hear(part, count, _):
        samples.extend(part[:count] if part else [])
        return 0

    espeak.hear, espeak.samples = hear, samples
    espeak.rate = espeak.espeak_Initialize(SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0)
    espeak.espeak_SetSynthCallback(hear)
    if espeak.rate <= 0 or espeak.espeak_SetVoiceByName(b"en-us") != 0:
        raise RuntimeError("espeak-ng has no voice")
    espeak.espeak_SetParameter(WORDS_PER_MINUTE, 145, 0)
    return espeak


def speak(espeak, text):
    """The samples of a text at 16,000 Hz, between which those of espeak-ng are interpolated."""
    del espeak.samples[:]
    text = text.encode()
    espeak.espeak_Synth(text, len(text) + 1, 0, CHARACTERS, 0, UTF8, None, None)
    heard = espeak.samples
    resampled = array("h")
    for i in range((len(heard) - 1) * RATE // espeak.rate):
        left, part = divmod(i * espeak.rate, RATE)
        resampled.append(heard[left] + (heard[left + 1] - heard[left]) * part // RATE)
    return resampled


def write(folder):
    """The files."""
    espeak = library()
    for number, sentence in enumerate(SENTENCES):
        file = Path(folder) / f"{number}.wav"
        with wave.open(str(file), "wb") as sound:
            sound.setparams((1, 2, RATE, 0, "NONE", ""))
            sound.writeframes(speak(espeak, sentence).tobytes())
        yield file


if __name__ == "__main__":
    print(*write(sys.argv[1]), sep="\n")
