"""Writes the files of `examples/data/gpt2` with `transformers`, and what tests/gpt2.rs compares.

    python examples/gpt2/reference.py        # needs torch, tokenizers and transformers
"""

import json
from pathlib import Path

import torch
from tokenizers import ByteLevelBPETokenizer
from transformers import GPT2Config, GPT2LMHeadModel

examples = Path(__file__).parent.parent
folder = examples / "data" / "gpt2"

tokenizer = ByteLevelBPETokenizer()
names = (examples / "data" / "names.txt").read_text().splitlines()
tokenizer.train_from_iterator(names, vocab_size=300, special_tokens=["<|endoftext|>"], show_progress=False)

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(
    vocab_size=300, n_positions=64, n_embd=32, n_layer=2, n_head=4, n_inner=48, bos_token_id=0, eos_token_id=0,
)).float().eval()
with torch.no_grad():
    for name, parameter in model.named_parameters():
        if parameter.dim() == 1:
            parameter.normal_(1.0 if "ln_" in name and "weight" in name else 0.0, 0.1)
        else:
            parameter.normal_(0.0, 0.3 if "wte" in name else 0.15)
model.save_pretrained(folder)
(folder / "generation_config.json").unlink()
tokenizer.save(str(folder / "tokenizer.json"))

prompt = "anna and ben"
tokens = torch.tensor([tokenizer.encode(prompt).ids])
output = model(tokens, labels=tokens)
output.loss.backward()
text = model.generate(tokens, max_new_tokens=12, do_sample=False, pad_token_id=0)
gradients = {name: parameter.grad.flatten() for name, parameter in model.named_parameters()}
reference = {
    "prompt": prompt,
    "tokens": tokens[0].tolist(),
    "logits": output.logits[0, :, ::20].tolist(),
    "sum": output.logits.abs().sum().item(),
    "text": tokenizer.decode(text[0].tolist(), skip_special_tokens=False),
    "loss": output.loss.item(),
    # Of each gradient its norm and four of its elements.
    "gradients": {name: [g.norm().item(), *g[:: len(g) // 4].tolist()] for name, g in gradients.items()},
}
# Eight digits are more than an `f32` has.
rounded = json.loads(json.dumps(reference), parse_float=lambda number: float(f"{float(number):.8g}"))
(folder / "reference.json").write_text(json.dumps(rounded, separators=(",", ":")) + "\n")
