"""Writes the files of `examples/data/llama` with `transformers`, and prints what tests/llama.rs compares.

    python examples/llama/reference.py        # needs torch and transformers
"""

from pathlib import Path

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
scaling = {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0}
scaling |= {"high_freq_factor": 4.0, "original_max_position_embeddings": 32}
model = LlamaForCausalLM(LlamaConfig(
    vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, head_dim=8, max_position_embeddings=128, rms_norm_eps=1e-5, rope_parameters=scaling,
)).float().eval()
with torch.no_grad():
    for name, parameter in model.named_parameters():
        if parameter.dim() == 1:
            parameter.normal_(1.0, 0.1)
        else:
            parameter.normal_(0.0, 0.3 if "embed" in name else 0.15)
folder = Path(__file__).parent.parent / "data" / "llama"
model.save_pretrained(folder)

prompt = torch.tensor([[1, 5, 9, 33, 2, 60, 7, 12]])
with torch.no_grad():
    logits = model(prompt).logits[0]
    text = model.generate(prompt, max_new_tokens=12, do_sample=False, eos_token_id=None, pad_token_id=0)
print("logits[-1, :8]", logits[-1, :8].tolist())
print("logits[0, :8]", logits[0, :8].tolist())
print("sum of the absolute logits", logits.abs().sum().item())
print("text", text[0].tolist())

# The same weights with other rotary positions.
scaling = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 8}
model = LlamaForCausalLM.from_pretrained(folder, rope_parameters=scaling).float().eval()
with torch.no_grad():
    logits = model(prompt).logits[0]
print("yarn: logits[-1, :8]", logits[-1, :8].tolist())
print("yarn: sum of the absolute logits", logits.abs().sum().item())
