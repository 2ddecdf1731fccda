"""One process of a gloo group: ``one_rank.py RANK RANKS FOLDER`` saves what it gets and its gradients."""

import sys
from pathlib import Path

import numpy as np
import torch
from numbers_of_ranks import cotangents, inputs

from torch_impl import distributed

rank, ranks, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
store = torch.distributed.FileStore(str(folder / "store"), ranks)
torch.distributed.init_process_group("gloo", store=store, rank=rank, world_size=ranks)
for name, given in inputs(ranks).items():
    x = torch.tensor(given[rank], requires_grad=True)
    y = getattr(distributed, name)(x)
    (dx,) = torch.autograd.grad(y**2, x, torch.tensor(cotangents(name, ranks)[rank]), create_graph=True)
    (second,) = torch.autograd.grad(dx.sum(), x)
    np.savez(folder / f"{name}-{rank}.npz", y=y.detach(), dx=dx.detach(), second=second)
torch.distributed.destroy_process_group()
