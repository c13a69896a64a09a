"""What PyTorch computes, for the tests of layers and losses: writes pytorch/layers.json and pytorch/losses.json.

    python tests/pytorch.py            # needs torch; run in the folder tensor-nn

Everything is computed in float64 with fixed seeds, and rounded to 15 digits. A case is one line: tensors by name,
each with its shape and its elements in row-major order. What PyTorch has not is computed here as the articles have it:
rotary positions by products of complex numbers, Whisper's spectrogram, sinusoidal positions, sampling.
"""

import json
import math
from functools import partial
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
torch.use_deterministic_algorithms(True)
FOLDER = Path(__file__).parent / "pytorch"


def stored(tensor):
    elements = tensor.detach().flatten().tolist()
    return {
        "shape": list(tensor.shape),
        "data": [int(x) if isinstance(x, (bool, int)) else float(f"{x:.15g}") for x in elements],
    }


def write(name, cases):
    lines = []
    for case, make in cases.items():
        torch.manual_seed(sum(map(ord, case)))
        tensors = {key: stored(value) for key, value in make().items()}
        lines.append(f"  {json.dumps(case)}: {json.dumps(tensors)}")
    (FOLDER / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{name}.json: {len(cases)} cases")


def of(layer, *inputs, **more):
    """The parameters and buffers of a layer by their names, its inputs x, x1 … and its output y."""
    with torch.no_grad():
        # Parameters that begin as 0 or 1 would hide that they are used.
        for name, parameter in layer.named_parameters():
            if parameter.unique().numel() == 1:
                parameter.normal_()
    tensors = {name: value.clone() for name, value in layer.state_dict().items()}
    tensors |= {f"x{i or ''}": x for i, x in enumerate(inputs)}
    return tensors | {"y": layer(*inputs)} | more


def running(layer, xs):
    """Three batches in training, the running means after them, and a batch in use."""
    with torch.no_grad():
        layer.weight.normal_()
        layer.bias.normal_()
    tensors = {"weight": layer.weight, "bias": layer.bias}
    for i, x in enumerate(xs):
        tensors |= {f"x{i}": x, f"y{i}": layer(x)}
    tensors |= {name: value.clone() for name, value in layer.state_dict().items()}
    layer.eval()
    return tensors | {"used": layer(xs[0])}


def heads(layer, q, kv=None, **options):
    """nn.MultiheadAttention, whose biases begin as 0."""
    with torch.no_grad():
        layer.in_proj_bias.normal_()
        layer.out_proj.bias.normal_()
    kv = q if kv is None else kv
    y, _ = layer(q, kv, kv, need_weights=False, **options)
    return layer.state_dict() | {"x": q, "context": kv, "y": y}


def block(norm_first, activation, **options):
    layer = nn.TransformerEncoderLayer(
        8, 2, 16, dropout=0.0, activation=activation, batch_first=True, norm_first=norm_first, **options
    )
    with torch.no_grad():
        for parameter in layer.parameters():
            if parameter.dim() == 1:
                parameter.normal_()
    x = torch.randn(2, 5, 8)
    mask = nn.Transformer.generate_square_subsequent_mask(5)
    return layer.state_dict() | {"x": x, "y": layer(x), "causal": layer(x, src_mask=mask)}


def recurrent(layer):
    """A sequence from the first state on, and from another one."""
    x = torch.randn(2, 5, 3)
    count = layer.num_layers * (2 if layer.bidirectional else 1)
    first = {"state": torch.randn(count, 2, 4), "state_cell": torch.randn(count, 2, 4)}
    if isinstance(layer, nn.LSTM):
        y, (hidden, cell) = layer(x)
        y_from, (hidden_from, cell_from) = layer(x, tuple(first.values()))
        more = {"cell": cell, "from_cell": cell_from}
    else:
        y, hidden = layer(x)
        y_from, hidden_from = layer(x, first["state"])
        more = {}
    tensors = {"x": x, "y": y, "hidden": hidden, "from": y_from, "from_hidden": hidden_from}
    return layer.state_dict() | first | tensors | more


def turned(x, first, interleaved=False):
    """Pair i is channel i and channel c / 2 + i, or channels 2 i and 2 i + 1, as a complex number."""
    time, half = x.shape[-2], x.shape[-1] // 2
    angles = torch.outer(torch.arange(first, first + time).double(), 10000.0 ** (-torch.arange(half).double() / half))
    turn = torch.polar(torch.ones_like(angles), angles)
    if interleaved:
        return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (half, 2)).contiguous()) * turn).flatten(-2)
    pairs = torch.complex(x[..., :half].contiguous(), x[..., half:].contiguous()) * turn
    return torch.cat([pairs.real, pairs.imag], -1)


def rotary(first, interleaved=False):
    x = torch.randn(2, 5, 8)
    return {"x": x, "y": turned(x, first, interleaved)}


def grouped():
    """Six query heads share two heads of keys and values; causal, and padded at the end, or at the start: the first
    queries of the second text then attend to nothing."""
    q, k, v = torch.randn(2, 6, 5, 4), torch.randn(2, 2, 5, 4), torch.randn(2, 2, 5, 3)
    keys = torch.tensor([[True] * 5, [True, True, True, False, False]])
    late = torch.tensor([[True] * 5, [False, False, True, True, True]])
    causal = torch.ones(5, 5).tril().bool()
    sdpa = partial(F.scaled_dot_product_attention, q, k, v, enable_gqa=True)
    return {
        "q": q, "k": k, "v": v, "keys": keys, "late": late, "plain": sdpa(), "causal": sdpa(is_causal=True),
        "both": sdpa(attn_mask=causal & keys[:, None, None]), "both_late": sdpa(attn_mask=causal & late[:, None, None]),
    }


def grouped_layer(interleaved):
    """LLaMA's attention: four query heads of 6 channels share two of keys and values, in a width of 10."""
    x = torch.randn(2, 5, 10)
    layers = {
        "q_proj": nn.Linear(10, 24, bias=False), "k_proj": nn.Linear(10, 12, bias=False),
        "v_proj": nn.Linear(10, 12, bias=False), "o_proj": nn.Linear(24, 10, bias=False),
    }
    q, k, v = (layers[name](x).unflatten(-1, (-1, 6)).transpose(1, 2) for name in ["q_proj", "k_proj", "v_proj"])
    found = lambda q, k: layers["o_proj"](
        F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True).transpose(1, 2).flatten(2)
    )
    weights = {f"{name}.weight": layer.weight for name, layer in layers.items()}
    return weights | {"x": x, "y": found(q, k), "rotary": found(turned(q, 0, interleaved), turned(k, 0, interleaved))}


def gated():
    """LLaMA's linear layers, with three activations, and PyTorch's GLU."""
    x, gate, up, down = torch.randn(3, 6), torch.randn(8, 6), torch.randn(8, 6), torch.randn(6, 8)
    tanh = partial(F.gelu, approximate="tanh")
    y = {name: (act(x @ gate.T) * (x @ up.T)) @ down.T for name, act in
         [("swiglu", F.silu), ("geglu", F.gelu), ("geglu_tanh", tanh), ("reglu", F.relu)]}
    weights = {"gate_proj.weight": gate, "up_proj.weight": up, "down_proj.weight": down}
    return {"x": x, "glu": F.glu(x)} | weights | y


def cell(layer):
    x, h, c = torch.randn(2, 3), torch.randn(2, 4), torch.randn(2, 4)
    if isinstance(layer, nn.LSTMCell):
        hidden, memory = layer(x, (h, c))
        return layer.state_dict() | {"x": x, "h": h, "c": c, "hidden": hidden, "memory": memory}
    return layer.state_dict() | {"x": x, "h": h, "hidden": layer(x, h)}


def sound():
    """A chord and a click, 1,600 samples at 16,000 Hz, and what Whisper makes of it; a short transform in full."""
    i = torch.arange(1600).double()
    x = 0.5 * torch.sin(i * 0.1) + 0.25 * torch.cos(i * i * 0.001)
    x[700] += 1.0
    window = torch.hann_window(400)
    power = torch.stft(x, 400, 160, window=window, return_complex=True).abs()[..., :-1] ** 2
    edge = torch.linspace(0, 15.0 + math.log(8.0) * 27.0 / math.log(6.4), 82)
    edge = torch.where(edge < 15.0, edge * 200.0 / 3.0, 1000.0 * torch.exp((edge - 15.0) * math.log(6.4) / 27.0))
    hertz = torch.linspace(0, 8000, 201)[:, None]
    up, down = (hertz - edge[:-2]) / edge.diff()[:-1], (edge[2:] - hertz) / edge.diff()[1:]
    filters = torch.minimum(up, down).clamp(min=0) * 2.0 / (edge[2:] - edge[:-2])
    log = (filters.T @ power).clamp(min=1e-10).log10()
    small = torch.stft(x[:64], 16, 5, window=torch.hann_window(16), return_complex=True).T
    mel = (torch.maximum(log, log.max() - 8.0) + 4.0) / 4.0
    return {"mel": mel[::9], "filters": filters[::25, ::20], "real": small.real, "imaginary": small.imag}


def sinusoidal():
    """The article's positions, and those of Whisper."""
    p = torch.arange(3, 8).double()[:, None]
    article = p * 10000.0 ** (-torch.arange(4).double() / 4)
    whisper = p * torch.exp(-math.log(10000.0) / 3 * torch.arange(4).double())
    return {
        "interleaved": torch.stack([article.sin(), article.cos()], -1).flatten(1),
        "halves": torch.cat([whisper.sin(), whisper.cos()], 1),
    }


def sampling():
    """Temperature, top-k and top-p in the order of Hugging Face's `generate`."""
    logits = torch.randn(3, 12) * 2
    p = (logits / 0.7).softmax(-1)
    k = (logits / 0.7).masked_fill(logits < logits.topk(5).values[:, -1:], -torch.inf).softmax(-1)
    ordered, index = k.sort(descending=True)
    kept = (ordered.cumsum(-1) - ordered < 0.8) & (ordered > 0)
    both = torch.zeros_like(k).scatter(-1, index, ordered * kept)
    return {"logits": logits, "warm": p, "top_k": k, "top_k_top_p": both / both.sum(-1, keepdim=True)}


def activations():
    x = torch.cat([torch.linspace(-6, 6, 25), torch.tensor([-800.0, 800.0])])
    names = ["relu", "gelu", "silu", "tanh", "sigmoid", "softplus", "elu"]
    tensors = {"x": x} | {name: getattr(F, name)(x) for name in names if name not in ["tanh", "sigmoid"]}
    tensors |= {"tanh": torch.tanh(x), "sigmoid": torch.sigmoid(x), "gelu_tanh": F.gelu(x, approximate="tanh")}
    tensors |= {"leaky_relu": F.leaky_relu(x, 0.1), "elu_2": F.elu(x, 2.0)}
    table = torch.randn(3, 4)
    return tensors | {"table": table, "softmax": table.softmax(-1), "log_softmax": table.log_softmax(-1)}


def attention():
    q, k, v = torch.randn(2, 3, 4, 5), torch.randn(2, 3, 6, 5), torch.randn(2, 3, 6, 2)
    allowed = torch.rand(4, 6) > 0.4
    allowed[:, 0] = True
    added = torch.randn(4, 6)
    sdpa = F.scaled_dot_product_attention
    return {
        "q": q, "k": k, "v": v, "allowed": allowed, "added": added,
        "plain": sdpa(q, k, v), "masked": sdpa(q, k, v, attn_mask=allowed),
        "biased": sdpa(q, k, v, attn_mask=added), "causal": sdpa(q, k, v, is_causal=True),
    }


def padded():
    q = torch.randn(2, 5, 8)
    keys = torch.tensor([[True] * 5, [True, True, True, False, False]])
    layer = nn.MultiheadAttention(8, 2, batch_first=True)
    return heads(layer, q, key_padding_mask=~keys) | {"keys": keys}


def padded_embedding():
    """What comes back to a table of which row 2 is for padding."""
    table, words, factors = nn.Embedding(5, 3, padding_idx=2), torch.tensor([[0, 2, 4], [2, 4, 4]]), torch.randn(2, 3, 3)
    with torch.no_grad():
        table.weight.normal_()
    y = table(words)
    (y * factors).sum().backward()
    return table.state_dict() | {"x": words, "y": y, "factors": factors, "gradient": table.weight.grad}


def pooling():
    x, line = torch.randn(2, 3, 8, 9), torch.randn(2, 3, 10)
    return {
        "x": x, "line": line,
        "max2d": F.max_pool2d(x, 3, 2, 1), "avg2d": F.avg_pool2d(x, 2), "avg2d_padded": F.avg_pool2d(x, 3, 2, 1),
        "adaptive": F.adaptive_avg_pool2d(x, (3, 4)), "adaptive_max": F.adaptive_max_pool2d(x, (3, 4)),
        "adaptive_max_gradient": torch.autograd.functional.vjp(
            lambda x: F.adaptive_max_pool2d(x, (3, 4)).square().sum(), x
        )[1],
        "adaptive_max1d": F.adaptive_max_pool1d(line, 5), "mean": x.mean((-2, -1)), "largest": x.amax((-2, -1)),
        "max1d": F.max_pool1d(line, 3, 2), "avg1d": F.avg_pool1d(line, 4, 3),
    }


write("layers", {
    "linear": lambda: of(nn.Linear(5, 4), torch.randn(2, 3, 5)),
    "linear_without_bias": lambda: of(nn.Linear(5, 4, bias=False), torch.randn(3, 5)),
    "conv1d": lambda: of(nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2), torch.randn(2, 4, 11)),
    "conv2d": lambda: of(nn.Conv2d(3, 4, 3, stride=2, padding=1), torch.randn(2, 3, 7, 8)),
    "conv2d_same": lambda: of(nn.Conv2d(2, 4, (3, 5), padding="same", bias=False), torch.randn(2, 2, 6, 7)),
    "conv2d_depthwise": lambda: of(nn.Conv2d(4, 4, 3, padding=2, dilation=2, groups=4), torch.randn(2, 4, 7, 8)),
    "conv_transpose1d": lambda: of(nn.ConvTranspose1d(3, 2, 3, stride=2, padding=1, output_padding=1), torch.randn(2, 3, 5)),
    "conv_transpose2d": lambda: of(nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, groups=2), torch.randn(2, 4, 4, 5)),
    "pooling": pooling,
    "layer_norm": lambda: of(nn.LayerNorm(6), torch.randn(2, 3, 6)),
    "layer_norm_without_bias": lambda: of(nn.LayerNorm(6, eps=0.5, bias=False), torch.randn(2, 6)),
    "layer_norm_of_bert": lambda: of(nn.LayerNorm(6, eps=1e-12), torch.randn(2, 3, 6) * 1e-3),
    "rms_norm": lambda: of(nn.RMSNorm(6, eps=1e-6), torch.randn(2, 3, 6)),
    "group_norm": lambda: of(nn.GroupNorm(2, 4), torch.randn(2, 4, 3, 5)),
    "group_norm_of_sequences": lambda: of(nn.GroupNorm(2, 4), torch.randn(2, 4, 3)),
    "group_norm_of_vectors": lambda: of(nn.GroupNorm(2, 4), torch.randn(2, 4)),
    "instance_norm": lambda: of(nn.InstanceNorm2d(4, affine=True), torch.randn(2, 4, 3, 5)),
    "instance_norm_of_sequences": lambda: of(nn.InstanceNorm1d(4, affine=True), torch.randn(2, 4, 3)),
    "batch_norm1d": lambda: running(nn.BatchNorm1d(3), [torch.randn(5, 3) for _ in range(3)]),
    "batch_norm_of_sequences": lambda: running(nn.BatchNorm1d(3, momentum=0.3), [torch.randn(2, 3, 4) for _ in range(3)]),
    "batch_norm2d": lambda: running(nn.BatchNorm2d(3), [torch.randn(2, 3, 4, 5) for _ in range(3)]),
    "embedding_padded": lambda: padded_embedding(),
    "embedding": lambda: of(nn.Embedding(7, 3), torch.tensor([[0, 6, 2], [2, 2, 1]])),
    "attention": attention,
    "heads": lambda: heads(nn.MultiheadAttention(8, 2, batch_first=True), torch.randn(2, 5, 8)),
    "heads_causal": lambda: heads(
        nn.MultiheadAttention(8, 2, batch_first=True), torch.randn(2, 5, 8),
        attn_mask=torch.triu(torch.ones(5, 5), 1).bool(),
    ),
    "heads_padded": padded,
    "heads_cross": lambda: heads(nn.MultiheadAttention(8, 4, batch_first=True), torch.randn(2, 5, 8), torch.randn(2, 3, 8)),
    "rotary": lambda: rotary(0),
    "rotary_from_3": lambda: rotary(3),
    "rotary_interleaved": lambda: rotary(3, True),
    "grouped": grouped,
    "grouped_layer": lambda: grouped_layer(False),
    "grouped_layer_interleaved": lambda: grouped_layer(True),
    "gated": gated,
    "sinusoidal": sinusoidal,
    "sound": sound,
    "sampling": sampling,
    "block_pre": lambda: block(True, "gelu"),
    "block_post": lambda: block(False, "relu"),
    "block_of_gpt2": lambda: block(True, partial(F.gelu, approximate="tanh"), layer_norm_eps=1e-3),
    "lstm_cell": lambda: cell(nn.LSTMCell(3, 4)),
    "gru_cell": lambda: cell(nn.GRUCell(3, 4)),
    "lstm": lambda: recurrent(nn.LSTM(3, 4, batch_first=True)),
    "lstm_layers": lambda: recurrent(nn.LSTM(3, 4, num_layers=3, batch_first=True)),
    "lstm_bidirectional": lambda: recurrent(nn.LSTM(3, 4, num_layers=2, batch_first=True, bidirectional=True)),
    "gru": lambda: recurrent(nn.GRU(3, 4, batch_first=True)),
    "gru_bidirectional": lambda: recurrent(nn.GRU(3, 4, num_layers=2, batch_first=True, bidirectional=True)),
    "activations": activations,
})


def classes():
    x, y = torch.randn(2, 3, 4) * 3, torch.tensor([[0, 3, 1], [2, 2, 0]])
    partly, weights = torch.tensor([[0, -100, 1], [2, -100, 0]]), torch.rand(4) + 0.1
    # PyTorch has the classes on axis 1.
    score = x.movedim(-1, 1)
    log = score.log_softmax(1)
    tensors = {"x": x, "log": x.log_softmax(-1), "y": y, "partly": partly, "weights": weights}
    for reduction in ["none", "sum", "mean"]:
        tensors |= {
            f"plain_{reduction}": F.cross_entropy(score, y, reduction=reduction),
            f"partly_{reduction}": F.cross_entropy(score, partly, reduction=reduction),
            f"weighted_{reduction}": F.cross_entropy(score, partly, weights, reduction=reduction),
            f"smooth_{reduction}": F.cross_entropy(score, partly, label_smoothing=0.2, reduction=reduction),
            f"all_{reduction}": F.cross_entropy(score, partly, weights, label_smoothing=0.2, reduction=reduction),
            f"nll_{reduction}": F.nll_loss(log, partly, weights, reduction=reduction),
        }
    return tensors


def of_elements():
    x, y = torch.randn(4, 5) * 3, torch.randn(4, 5) * 3
    p, t = torch.rand(4, 5), torch.rand(4, 5)
    p[0, 0], p[0, 1], t[0, 0], t[0, 1] = 0.0, 1.0, 1.0, 1.0
    positive = torch.tensor([0.5, 1.0, 2.0, 3.0, 10.0])
    q, target = torch.randn(4, 5).log_softmax(-1), torch.randn(4, 5).softmax(-1)
    target[0] = torch.tensor([1.0, 0.0, 0.0, 0.0, 0.0])
    tensors = {"x": x, "y": y, "p": p, "t": t, "positive": positive, "log_q": q, "target": target}
    for short, reduction in [("each", "none"), ("mean", "mean")]:
        tensors |= {
            f"mse_{short}": F.mse_loss(x, y, reduction=reduction),
            f"l1_{short}": F.l1_loss(x, y, reduction=reduction),
            f"huber_{short}": F.huber_loss(x, y, delta=1.5, reduction=reduction),
            f"smooth_l1_{short}": F.smooth_l1_loss(x, y, beta=0.7, reduction=reduction),
            f"binary_{short}": F.binary_cross_entropy(p, t, reduction=reduction),
            f"logits_{short}": F.binary_cross_entropy_with_logits(x * 10, t, reduction=reduction),
            f"weighted_{short}": F.binary_cross_entropy_with_logits(
                x * 10, t, pos_weight=positive, reduction=reduction
            ),
        }
    tensors |= {
        "kl_each": F.kl_div(q, target, reduction="none"),
        "kl_mean": F.kl_div(q, target, reduction="batchmean"),
    }
    return tensors


write("losses", {"classes": classes, "elements": of_elements})
