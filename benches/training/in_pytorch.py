"""The networks of `compare.py` as users of PyTorch write them."""

import torch
from torch import nn
from torch.nn import functional as F


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(64, 128)
        self.scores = nn.Linear(128, 10)

    def loss(self, images, labels):
        return F.cross_entropy(self.scores(F.relu(self.hidden(images))), labels)

    def optimizer(self):
        return torch.optim.SGD(self.parameters(), lr=0.1, momentum=0.9, fused=True)


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.strokes = nn.Conv2d(1, 16, 3, padding=1)
        self.parts = nn.Conv2d(16, 32, 3, padding=1)
        self.hidden = nn.Linear(512, 64)
        self.scores = nn.Linear(64, 10)

    def loss(self, images, labels):
        x = F.relu(self.strokes(images.view(-1, 1, 8, 8)))
        x = F.max_pool2d(F.relu(self.parts(x)), 2)
        return F.cross_entropy(self.scores(F.relu(self.hidden(x.flatten(1)))), labels)

    def optimizer(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3, eps=1e-6, weight_decay=0.05, fused=True)


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.look = nn.Linear(64, 128)
        self.encode = nn.Linear(128, 8)
        self.decode = nn.Linear(8, 128)
        self.draw = nn.Linear(128, 64)

    def loss(self, images, _):
        code = self.encode(F.gelu(self.look(images), approximate="tanh"))
        return F.mse_loss(F.sigmoid(self.draw(F.gelu(self.decode(code), approximate="tanh"))), images)

    def optimizer(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3, weight_decay=0.02, fused=True)


class Attention(nn.Module):
    """All heads in one matrix for queries, keys and values, as nanoGPT has it."""

    def __init__(self):
        super().__init__()
        self.joined = nn.Linear(64, 3 * 64, bias=False)
        self.mix = nn.Linear(64, 64, bias=False)

    def forward(self, x):
        q, k, v = self.joined(x).unflatten(-1, (3, 4, 16)).permute(2, 0, 3, 1, 4)
        found = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.mix(found.transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.before_attention = nn.LayerNorm(64)
        self.attention = Attention()
        self.before_layers = nn.LayerNorm(64)
        self.first = nn.Linear(64, 256)
        self.second = nn.Linear(256, 64)

    def forward(self, x):
        x = x + self.attention(self.before_attention(x))
        return x + self.second(F.gelu(self.first(self.before_layers(x)), approximate="tanh"))


class Transformer(nn.Module):
    clip = 1.0

    def __init__(self):
        super().__init__()
        self.letters = nn.Embedding(27, 64)
        self.places = nn.Parameter(torch.zeros(14, 64))
        self.blocks = nn.ModuleList(Block() for _ in range(3))
        self.norm = nn.LayerNorm(64)
        self.scores = nn.Linear(64, 27)

    def loss(self, letters, targets):
        x = self.letters(letters) + self.places[: letters.shape[1]]
        for block in self.blocks:
            x = block(x)
        scores = self.scores(self.norm(x))
        return F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=-1)

    def optimizer(self):
        vectors = [p for name, p in self.named_parameters() if "before" in name or name.endswith("bias")]
        known = set(map(id, vectors))
        others = [p for p in self.parameters() if id(p) not in known]
        groups = [{"params": vectors, "weight_decay": 0.0}, {"params": others}]
        return torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.1, fused=True)

    @staticmethod
    def joined(weights):
        """The weights of all heads, `[head, width, channel]`, as the one matrix of `Attention`."""
        weights = dict(weights)
        for i in range(3):
            parts = [weights.pop(f"blocks.{i}.attention.{name}") for name in ("queries", "keys", "values")]
            rows = [part.transpose(1, 2).reshape(64, 64) for part in parts]
            weights[f"blocks.{i}.attention.joined.weight"] = torch.cat(rows)
            mix = weights.pop(f"blocks.{i}.attention.mix")
            weights[f"blocks.{i}.attention.mix.weight"] = mix.reshape(64, 64).T.contiguous()
        return weights


class Run:
    def __init__(self, model, batches):
        self.model, self.batches = model, batches
        self.parameters = list(model.parameters())
        self.optimizer = model.optimizer()
        self.clip = getattr(model, "clip", None)

    def gradients(self, i):
        self.optimizer.zero_grad()
        loss = self.model.loss(*self.batches[i])
        loss.backward()
        return loss.detach()

    def step(self, i):
        loss = self.gradients(i)
        if self.clip:
            nn.utils.clip_grad_norm_(self.parameters, self.clip)
        self.optimizer.step()
        return loss


def network(name, weights, batches):
    model = {"mlp": Mlp, "cnn": Cnn, "autoencoder": Autoencoder, "transformer": Transformer}[name]()
    weights = {key: torch.from_numpy(value) for key, value in weights.items()}
    model.load_state_dict(model.joined(weights) if name == "transformer" else weights)
    return Run(model, [tuple(map(torch.from_numpy, batch)) for batch in batches])
