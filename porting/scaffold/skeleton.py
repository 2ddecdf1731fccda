"""The whole skeleton of an op: the files that are made or changed, and the steps from there to an op that agrees."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from porting.backends import TITLES
from porting.scaffold import edits, texts
from porting.scaffold.place import NewOpError, Place

LAYERS: Final = {"torch": "torch_impl/nn", "tf": "tf_impl/layers"}
_STATICS: Final = {
    "torch": "from torch import Tensor\n\nfrom torch_impl.nn.statics import Statics\n",
    "tf": "from tensorflow import Tensor\n\nfrom tf_impl.layers.statics import Statics, registered\n",
}
_MIRRORS: Final = ("tests/mirror/test_trees.py", "tests/layers", "tests/docs")
_INDEX: Final = "docs/ops/index.md"
_LOST: Final = "porting/known_differences.toml"
_README: Final = "README.md"
_END: Final = "## In every pair"  # what follows the families in the index


def skeleton(p: Place) -> dict[Path, str]:
    """Return the text of every file that is made or changed.

    Raises
    ------
    NewOpError
        If a file to be made exists already, or a file to be changed cannot be read or has another form.
    """
    made = _made(p)
    for file in made:
        if (p.root / file).exists():
            raise NewOpError(f"{file} is there already; move it away, or choose another name")
    changed = {file: edit(_read(p.root, file)) for file, edit in _edits(p) if file not in made}
    return {p.root / file: text for file, text in {**made, **changed}.items()}


def steps(p: Place) -> list[tuple[str, str]]:
    """Return the steps in order: what to write, where to write it, and the command that checks it."""
    name, family = p.op, p.family
    found = [
        (f"the formula and the gradient: porting/oracle/{family}/{name}.py", f"porting check {name} --runner oracle"),
        *((f"{TITLES[key]}: {key}_impl/{family}/{name}.py", f"porting check {name} --runner {key}") for key in LAYERS),
        ("both twins, in all types", f"porting check {name}"),
        (f"the same in mpmath: tests/oracle_truth/families/{family}.py", f"pytest tests/oracle_truth -k {name}"),
    ]
    if p.has_layers:
        found.append(
            (
                f"the words of the layers: {LAYERS['torch']}/{family}.py, {LAYERS['tf']}/{family}.py",
                "pytest tests/layers",
            )
        )
    found += [
        (
            f"the page docs/ops/{family}/{name}.md, and its row in {_INDEX}; the picture is drawn",
            f"python docs/ops/measure_errors.py {name}; python docs/ops/draw.py {name}",
        ),
        (f"where its gradient is lost, as in {_LOST}, on the page", f"porting survive {name}; python docs/ops/lost.py"),
    ]
    if p.new_family:
        found.append(
            (
                "the recording has one op of each family: the command is in tests/recordings/test_replay.py",
                "pytest tests/recordings",
            )
        )
    return [
        *found,
        ("what is still missing", f"pytest {' '.join(_MIRRORS)}"),
    ]


def _made(p: Place) -> dict[str, str]:
    made = {
        f"porting/oracle/{p.family}/{p.op}.py": texts.oracle(p),
        f"torch_impl/{p.family}/{p.op}.py": texts.torch(p),
        f"tf_impl/{p.family}/{p.op}.py": texts.tf(p),
        f"docs/ops/{p.family}/{p.op}.md": texts.page(p),
    }
    return made | _family(p) if p.new_family else made


def _family(p: Place) -> dict[str, str]:
    """Return the files of a family that is new; its one op is in them."""
    about = f'"""TODO: what the family {p.family} is, in one line."""\n'
    own = {key: f"{key}_impl.{p.family}.{p.op}" for key in LAYERS}
    line = {key: edits.import_line(module, p.op, again=True) for key, module in own.items()}
    made = {
        f"porting/oracle/{p.family}/__init__.py": about,
        f"torch_impl/{p.family}/__init__.py": (
            f"{about}\nfrom torch_impl import keep_signatures\n{line['torch']}\nkeep_signatures(__name__)\n"
        ),
        f"tf_impl/{p.family}/__init__.py": f"{about}\n{line['tf']}",
        f"tests/oracle_truth/families/{p.family}.py": (
            f'"""Witnesses of the family `{p.family}`."""\n\nfrom witness import Witness\n\n\n'
            f'{texts.witness(p, p.op)}WITNESS = {{\n    "{p.op}": Witness({p.op}),\n}}\n'
        ),
    }
    for key, folder in LAYERS.items():
        file = f"{folder}/{p.family}.py"
        _, imported = _with_import(file, own[key], p.op, again=False)
        made[file] = imported(f"{about}\n{_STATICS[key]}") + texts.layer(p, key)
    return made


def _edits(p: Place) -> Iterator[tuple[str, Callable[[str], str]]]:
    """Yield each file that is changed, and how; files that a new family makes are left out by the caller."""
    for key, folder in LAYERS.items():
        yield _with_import(f"{key}_impl/{p.family}/__init__.py", f"{key}_impl.{p.family}.{p.op}", p.op, again=True)
        if p.has_layers:
            package = folder.replace("/", ".")
            yield _with_import(f"{folder}/__init__.py", f"{package}.{p.family}", p.camel, again=True)
            file = f"{folder}/{p.family}.py"
            _, imported = _with_import(file, f"{key}_impl.{p.family}.{p.op}", p.op, again=False)
            yield file, _with_layer(imported, texts.layer(p, key))
    if p.new_family:
        section = f"## {p.family}\n\n| op | value | gradient |\n|---|---|---|\n{texts.row(p)}"
        yield _INDEX, lambda text: edits.with_section(text, _END, section, _INDEX)
        yield from (_with_family(f"{key}_impl", p.family) for key in LAYERS)
    else:
        yield _INDEX, lambda text: edits.with_row(text, p.family, p.op, texts.row(p), _INDEX)
    yield _README, lambda text: edits.with_count(text, _README)
    file = f"tests/oracle_truth/families/{p.family}.py"
    yield file, lambda text: edits.with_witness(text, p.op, texts.witness(p, edits.free_name(text, p.op, file)), file)


def _with_import(file: str, module: str, name: str, *, again: bool) -> tuple[str, Callable[[str], str]]:
    package = file.partition("/")[0]
    return file, lambda text: edits.with_import(text, package, module, name, again=again, file=file)


def _with_family(tree: str, family: str) -> tuple[str, Callable[[str], str]]:
    file = f"{tree}/__init__.py"
    return file, lambda text: edits.with_family(text, tree, family, file)


def _with_layer(imported: Callable[[str], str], layer: str) -> Callable[[str], str]:
    return lambda text: imported(text) + layer


def _read(root: Path, file: str) -> str:
    try:
        return (root / file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NewOpError(f"{file} cannot be read: {error}") from error
