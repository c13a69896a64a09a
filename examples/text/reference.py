"""Writes the files of `examples/data/gpt2` and `examples/data/llama` with `transformers`, and what tests/gpt2.rs and
tests/llama.rs compare.

    python examples/text/reference.py        # needs torch, tokenizers and transformers
"""

import json
from pathlib import Path

import numpy as np
import torch
from tokenizers import ByteLevelBPETokenizer, Tokenizer, decoders, models, normalizers, processors, trainers
from transformers import (
    GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM,
)

examples = Path(__file__).parent.parent
names = (examples / "data" / "names.txt").read_text().splitlines()
prompt = "anna and ben"


def random(model):
    """Gives a tiny model random weights."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 1:
                is_scale = "weight" in name and ("ln_" in name or "norm" in name)
                parameter.normal_(1.0 if is_scale else 0.0, 0.1)
            else:
                parameter.normal_(0.0, 0.3 if "wte" in name or "embed" in name else 0.15)


def hashed(model):
    """Gives a model weights that tests compute as well, of the index of an element and that of its tensor. Those of
    matrices fit into 16 bits."""
    for place, (_, parameter) in enumerate(sorted(model.named_parameters())):
        x = np.arange(parameter.numel(), dtype=np.uint32) + np.uint32(place << 24)
        for factor in [0x7FEB_352D, 0x846C_A68B]:
            x = (x ^ (x >> np.uint32(16))) * np.uint32(factor)
        x = (x >> np.uint32(24)).astype(np.int8).astype(np.float32)
        x = x / 4096 if parameter.dim() == 2 else 1 + x / 1024
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(x).reshape(parameter.shape))


def computed(model, tokens):
    """Some scores, the loss, and of each gradient its norm and four of its elements."""
    tokens = torch.tensor([tokens])
    output = model(tokens, labels=tokens)
    output.loss.backward()
    gradients = {name: parameter.grad.flatten() for name, parameter in model.named_parameters()}
    return {
        "tokens": tokens[0].tolist(),
        "logits": output.logits[0, :, ::20].tolist(),
        "sum": output.logits.abs().sum().item(),
        "loss": output.loss.item(),
        "gradients": {name: [g.double().norm().item(), *g[:: len(g) // 4].tolist()] for name, g in gradients.items()},
    }


def real(model):
    """What a model with the heads and the width of a real one computes, and what a test needs to make it."""
    model = model.float().eval()
    hashed(model)
    shapes = {name: list(parameter.shape) for name, parameter in model.named_parameters()}
    return {"config": model.config.to_dict(), "shapes": shapes, **computed(model, range(1, 97, 8))}


def write(name, model, tokenizer, others):
    """Writes the files of a tiny model, and what it and others compute."""
    folder = examples / "data" / name
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    tokens = tokenizer.encode(prompt).ids
    text = model.generate(torch.tensor([tokens]), max_new_tokens=12, do_sample=False, pad_token_id=0, eos_token_id=None)
    text = tokenizer.decode(text[0].tolist(), skip_special_tokens=True)
    reference = {"prompt": prompt, "text": text, "tiny": computed(model, tokens), **others}
    # Eight digits are more than an `f32` has.
    rounded = json.loads(json.dumps(reference), parse_float=lambda number: float(f"{float(number):.8g}"))
    (folder / "reference.json").write_text(json.dumps(rounded, separators=(",", ":")) + "\n")


# The formats of two families, ChatML and that of Llama 3, in other words than those of their authors.
chatml = """
{%- if messages[0].role != 'system' -%}
    {{ '<|im_start|>system\\nBe brief.<|im_end|>\\n' }}
{%- endif -%}
{% for message in messages %}
    {% if loop.index0 % 2 == 1 and message['role'] == 'user' and messages[0]['role'] == 'user' %}
        {{ raise_exception('two turns of one side') }}
    {% endif %}
{{ '<|im_start|>' + message.role }}
{{ message.content | trim }}<|im_end|>
{% endfor %}
{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
"""
llama3 = """{{- bos_token }}
{%- set turn = namespace(count=0) %}
{%- if not tools is none %}{{- raise_exception('no tools') }}{% endif %}
{%- for message in messages if message['content'].strip() != '' %}
    {%- set turn.count = turn.count + 1 %}
    {{- '<|start_header_id|>' ~ message['role'] ~ '<|end_header_id|>\\n\\n' }}
    {{- message['content'].strip() + eos_token }}
{%- endfor %}
{%- if add_generation_prompt and turn.count %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}"""
messages = [
    {"role": "user", "content": " Who are you? "},
    {"role": "assistant", "content": "A model <of words> & 'numbers'.\n"},
    {"role": "user", "content": "Go on"},
]


def chat(model, tokenizer):
    """What templates make of messages, and two turns of a chat with the tiny model."""
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    render = lambda template, messages: fast.apply_chat_template(
        messages, chat_template=template, tokenize=False, add_generation_prompt=True
    )
    templates = [{"template": each, "rendered": render(each, messages)} for each in [chatml, llama3]]
    # With tokens of its own for the beginning and the end of a turn.
    template = "{% for m in messages %}{{ bos_token + m.content + eos_token }}{% endfor %}{{ bos_token }}"
    turns, lines = [], ["anna", "ben"]
    for line in lines:
        turns.append({"role": "user", "content": line})
        tokens = tokenizer.encode(render(template, turns), add_special_tokens=False).ids
        text = model.generate(torch.tensor([tokens]), max_new_tokens=8, do_sample=False, pad_token_id=0, eos_token_id=2)
        before, text = [tokenizer.decode(ids) for ids in [tokens, text[0].tolist()]]
        turns.append({"role": "assistant", "content": text[len(before):]})
    return {"messages": messages, "templates": templates, "template": template, "turns": turns}


tokenizer = ByteLevelBPETokenizer()
tokenizer.train_from_iterator(names, vocab_size=300, special_tokens=["<|endoftext|>"], show_progress=False)
torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(
    vocab_size=300, n_positions=64, n_embd=32, n_layer=2, n_head=4, n_inner=48, bos_token_id=0, eos_token_id=0,
)).float().eval()
random(model)
# The heads and the width of GPT-2.
other = real(GPT2LMHeadModel(GPT2Config(
    vocab_size=100, n_positions=16, n_embd=768, n_layer=1, n_head=12, bos_token_id=0, eos_token_id=0,
)))
write("gpt2", model, tokenizer, {"real": other})

# As the tokenizers of Llama and Llama 2: a space is a character, and a text begins with one.
tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
special = ["<unk>", "<s>", "</s>", "<0x0A>"]
tokenizer.train_from_iterator(
    names, trainers.BpeTrainer(vocab_size=128, special_tokens=special, show_progress=False)
)
tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
parts = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
tokenizer.decoder = decoders.Sequence(parts)
# A byte is a token like others.
parts = json.loads(tokenizer.to_str())
parts["added_tokens"].pop()
tokenizer = Tokenizer.from_str(json.dumps(parts))

torch.manual_seed(0)
scaling = {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0}
scaling |= {"high_freq_factor": 4.0, "original_max_position_embeddings": 32}
tiny = LlamaConfig(
    vocab_size=128, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, head_dim=8, max_position_embeddings=64, rms_norm_eps=1e-5, rope_parameters=scaling,
)
model = LlamaForCausalLM(tiny).float().eval()
random(model)
# The same weights with other rotary positions.
scaling = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 8}
yarn = LlamaForCausalLM(LlamaConfig(**{**tiny.to_dict(), "rope_parameters": scaling})).float().eval()
yarn.load_state_dict(model.state_dict())
yarn = {"rope_parameters": scaling, **computed(yarn, tokenizer.encode(prompt).ids)}
# The prompt has more positions than the training, and each token that follows has frequencies of its own.
scaling = {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 4.0}
dynamic = {**tiny.to_dict(), "rope_parameters": scaling, "max_position_embeddings": 4}
dynamic = LlamaForCausalLM(LlamaConfig(**dynamic)).float().eval()
dynamic.load_state_dict(model.state_dict())
tokens = tokenizer.encode(prompt).ids
# Before a longer text, whose frequencies the model keeps.
results = computed(dynamic, tokens)
text = dynamic.generate(torch.tensor([tokens]), max_new_tokens=6, do_sample=False, pad_token_id=0, eos_token_id=2)
text = tokenizer.decode(text[0].tolist())
dynamic = {"rope_parameters": scaling, "text": text, **results}
# Biases of queries, keys and values.
qwen2 = real(Qwen2ForCausalLM(Qwen2Config(
    vocab_size=100, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=128, rms_norm_eps=1e-6,
)))
# The heads and the width of SmolLM2 with 135 million parameters, whose embeddings are tied.
other = real(LlamaForCausalLM(LlamaConfig(
    vocab_size=100, hidden_size=576, intermediate_size=1536, num_hidden_layers=2, num_attention_heads=9,
    num_key_value_heads=3, max_position_embeddings=8192, rms_norm_eps=1e-5, tie_word_embeddings=True,
    rope_parameters={"rope_type": "default", "rope_theta": 100000.0},
)))
others = {"yarn": yarn, "dynamic": dynamic, "qwen2": qwen2, "real": other, "chat": chat(model, tokenizer)}
write("llama", model, tokenizer, others)
