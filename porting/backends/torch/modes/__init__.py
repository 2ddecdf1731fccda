"""The modes of PyTorch besides ``eager``; ``modes.toml`` beside this folder says what each of them means."""

from porting.runners.modes import names_in

NAMES = names_in(__path__)
