"""The models of `compare.py`, with random weights."""

import torch
from torch import nn
from torch.nn import functional as F

attend = F.scaled_dot_product_attention
# The largest difference between elements of two peers that compute the same in `f32`, absolute and relative together.
TOLERANCE = 1e-4


def heads(x, count):
    return x.unflatten(-1, (count, -1)).transpose(1, 2)


def merged(x):
    return x.transpose(1, 2).flatten(2)


class Block(nn.Module):
    """A block of an encoder, with its normalisations before or after."""

    def __init__(self, width, count, norm_first):
        super().__init__()
        self.count, self.norm_first = count, norm_first
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.linear1, self.linear2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def attention(self, x, mask):
        q, k, v = (heads(part, self.count) for part in self.qkv(x).chunk(3, -1))
        return self.out(merged(attend(q, k, v, attn_mask=mask)))

    def layers(self, x):
        return self.linear2(F.gelu(self.linear1(x)))

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask)
            return x + self.layers(self.norm2(x))
        x = self.norm1(x + self.attention(x, mask))
        return self.norm2(x + self.layers(x))


class MiniLm(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.positions = nn.Embedding(30522, 384), nn.Embedding(512, 384)
        self.segments, self.norm = nn.Embedding(2, 384), nn.LayerNorm(384)
        self.blocks = nn.ModuleList(Block(384, 12, False) for _ in range(6))

    def forward(self, words, is_word):
        x = self.words(words) + self.positions.weight[: words.shape[1]] + self.segments.weight[0]
        x = self.norm(x)
        for block in self.blocks:
            x = block(x, is_word[:, None, None, :])
        weights = is_word.unsqueeze(-1).float()
        return F.normalize((x * weights).sum(1) / weights.sum(1))


class Encoder(nn.Module):
    """Of Whisper."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv1d(80, 384, 3, padding=1), nn.Conv1d(384, 384, 3, stride=2, padding=1)
        self.positions = nn.Parameter(torch.randn(1500, 384))
        self.blocks, self.norm = nn.ModuleList(Block(384, 6, True) for _ in range(4)), nn.LayerNorm(384)

    def forward(self, spectrogram):
        x = F.gelu(self.conv2(F.gelu(self.conv1(spectrogram)))).transpose(1, 2) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.norm(x)


class DecoderBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out, self.queries, self.cross_out = (nn.Linear(384, n) for n in (1152, 384, 384, 384))
        self.linear1, self.linear2 = nn.Linear(384, 1536), nn.Linear(1536, 384)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(384) for _ in range(3))

    def forward(self, x, past, sound):
        q, k, v = (heads(part, 6) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        x = x + self.out(merged(attend(q, k, v)))
        q = heads(self.queries(self.norm2(x)), 6)
        x = x + self.cross_out(merged(attend(q, sound[0], sound[1])))
        return x + self.linear2(F.gelu(self.linear1(self.norm3(x)))), k, v


class Decoder(nn.Module):
    """Of Whisper, for one token: the keys and values of the tokens before, and those of the sound, are inputs."""

    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(51864, 384), nn.Embedding(448, 384)
        self.blocks, self.norm = nn.ModuleList(DecoderBlock() for _ in range(4)), nn.LayerNorm(384)

    def forward(self, token, position, past, sound):
        x, kept = self.tokens(token) + self.positions(position), []
        for i, block in enumerate(self.blocks):
            x, k, v = block(x, past[2 * i : 2 * i + 2], sound[2 * i : 2 * i + 2])
            kept += [k, v]
        return self.norm(x) @ self.tokens.weight.T, kept


class LlamaBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(768, n, bias=False) for n in (768, 256, 256, 768))
        self.gate, self.up = (nn.Linear(768, 2048, bias=False) for _ in range(2))
        self.down = nn.Linear(2048, 768, bias=False)
        self.norm1, self.norm2 = nn.RMSNorm(768), nn.RMSNorm(768)

    def forward(self, x, cos, sin, past, is_prompt):
        def turned(x):
            first, second = x.chunk(2, -1)
            return x * cos + torch.cat([-second, first], -1) * sin

        y = self.norm1(x)
        q, k, v = (heads(layer(y), n) for layer, n in ((self.q, 12), (self.k, 4), (self.v, 4)))
        k, v = torch.cat([past[0], turned(k)], 2), torch.cat([past[1], v], 2)
        found = attend(turned(q), *(x.repeat_interleave(3, 1) for x in (k, v)), is_causal=is_prompt)
        x = x + self.o(merged(found))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y)), k, v


class Llama(nn.Module):
    """For a prompt, or for one token, with the keys and values of the tokens before as inputs."""

    def __init__(self, is_prompt):
        super().__init__()
        self.is_prompt = is_prompt
        self.tokens, self.scores = nn.Embedding(16000, 768), nn.Linear(768, 16000, bias=False)
        self.blocks, self.norm = nn.ModuleList(LlamaBlock() for _ in range(12)), nn.RMSNorm(768)
        angles = torch.outer(torch.arange(256.0), 10000 ** (-torch.arange(0, 64, 2) / 64)).repeat(1, 2)
        self.cos, self.sin = nn.Buffer(angles.cos()), nn.Buffer(angles.sin())

    def forward(self, tokens, positions, past):
        x, kept = self.tokens(tokens), []
        cos, sin = self.cos[positions], self.sin[positions]
        for i, block in enumerate(self.blocks):
            x, k, v = block(x, cos, sin, past[2 * i : 2 * i + 2], self.is_prompt)
            kept += [k, v]
        return self.scores(self.norm(x[:, -1])), kept


def all_models():
    torch.manual_seed(1)
    prompt = Llama(True)
    token = Llama(False)
    token.load_state_dict(prompt.state_dict())
    made = [MiniLm(), Encoder(), Decoder(), prompt, token]
    return [model.eval() for model in made]


def inputs():
    """Those of each row; for the rows of tokens those of the first, the number and the position before all others."""
    words = [torch.randint(1000, 30000, sizes) for sizes in ((32, 64), (1, 16))]
    none = [torch.zeros(1, 6, 0, 64)] * 8
    llama = [torch.zeros(1, 4, 0, 64)] * 24
    return {
        "MiniLM, 32 × 64": (words[0], torch.ones(32, 64, dtype=torch.bool)),
        "MiniLM, 1 × 16": (words[1], torch.ones(1, 16, dtype=torch.bool)),
        "Whisper, encoder": (torch.rand(1, 80, 3000) * 1.5 - 0.5,),
        "Whisper, token": (*token_at(0, 0), none, [torch.randn(1, 6, 1500, 64)] * 8),
        "Llama, prompt of 128": (torch.randint(0, 1000, (1, 128)), torch.arange(128), llama),
        "Llama, token": (*token_at(0, 128), [torch.randn(1, 4, 128, 64)] * 24),
    }


def token_at(token, position):
    return torch.tensor([[token]]), torch.tensor([position])


def rows(run, given):
    """The rows of a peer: `run(row, *inputs)` is a call of a model."""

    def whole(row):
        return (lambda: None), lambda state, _: run(row, *given[row])

    def whisper(state, token):
        past, sound = state
        return run("Whisper, token", *token_at(token, token), past, sound)[1], sound

    def llama(state, token):
        return (run("Llama, token", *token_at(token, 128 + token), state[0])[1],)

    found = {row: whole(row) for row in given if not row.endswith("token")}
    found["Whisper, token"] = (lambda: given["Whisper, token"][2:]), whisper
    found["Llama, token"] = (lambda: given["Llama, token"][2:]), llama
    return found


def check(name, run, in_pytorch, given):
    """Ends the program if a peer does not compute the same as PyTorch from the same weights and inputs."""
    for row, first in given.items():
        found, expected = (flat(of(row, *first)) for of in (run, in_pytorch))
        try:
            torch.testing.assert_close(found, expected, rtol=TOLERANCE, atol=TOLERANCE)
        except AssertionError as error:
            raise SystemExit(f"{name} does not compute `{row}` as PyTorch does: {error}") from error


def of_row(made):
    mini_lm, encoder, decoder, prompt, token = made
    return dict(zip(inputs(), [mini_lm, mini_lm, encoder, decoder, prompt, token]))


def in_pytorch(made):
    """`run` of `rows`."""
    models = of_row(made)

    @torch.inference_mode()
    def run(row, *given):
        return models[row](*given)

    return run


def flat(given):
    """The tensors in nested lists, one after the other."""
    return [given] if torch.is_tensor(given) else [tensor for part in given for tensor in flat(part)]


def in_onnxruntime(made, given, options, folder):
    """`run` of `rows`."""
    import onnxruntime

    models, sessions = of_row(made), {}
    length = torch.export.Dim("length", max=400)
    for number, row in enumerate(given):
        example, shapes = given[row], None
        if row == "Whisper, token":
            example = (*token_at(1, 1), [torch.zeros(1, 6, 3, 64)] * 8, example[3])
            shapes = (None, None, [{2: length}] * 8, [None] * 8)
        if row == "Llama, token":
            shapes = (None, None, [{2: length}] * 24)
        file = str(folder / f"{number}.onnx")
        # Several inputs of one name would be one.
        example = tuple([tensor.clone() for tensor in part] if isinstance(part, list) else part for part in example)
        torch.onnx.export(models[row], example, file, dynamic_shapes=shapes, verbose=False)
        sessions[row] = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])

    def run(row, *given):
        names = [one.name for one in sessions[row].get_inputs()]
        feeds = {name: tensor.numpy() for name, tensor in zip(names, flat(given), strict=True)}
        scores, *kept = map(torch.from_numpy, sessions[row].run(None, feeds))
        return scores, kept

    return run


def in_ctranslate2(whisper):
    """The rows of Whisper, of the library that `faster-whisper` is made with."""
    import ctranslate2

    spectrogram = ctranslate2.StorageView.from_array(inputs()["Whisper, encoder"][0].numpy())
    return {"Whisper, encoder": ((lambda: None), lambda state, _: whisper.encode(spectrogram))}
